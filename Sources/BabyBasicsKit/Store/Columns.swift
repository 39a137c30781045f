import BabyBasicsAPI
import Foundation
import GRDB

// What is asked of all of a child's entries is read as columns: to make each of 20,000 an entry first would take seconds.

extension AccountStore {
    /// The kind and the time of each entry between two moments.
    static func begun(of child: ChildID, from: Timestamp, to: Timestamp, _ db: Database) throws -> [Month.Begun] {
        typealias Columns = EntryRow.Columns
        return try EntryRow.shown(of: child)
            .filter(Columns.at >= Milliseconds(from) && Columns.at < Milliseconds(to))
            .select(Columns.kind, Columns.at).distinct().asRequest(of: Row.self).fetchAll(db)
            .map { Month.Begun(kind: $0["kind"], at: Timestamp(milliseconds: $0["at"])) }
    }

    /// What a family's children put into the milk stash since a moment, and took out of it.
    static func milk(of family: FamilyID, since: Timestamp, _ db: Database) throws -> [MilkStash.Move] {
        typealias Columns = EntryRow.Columns
        let fields = ["type", "content", "amount_ml"].map { column($0) }.joined(separator: ", ")
        let children = try ChildRow.of(family).fetchAll(db).map(\.id)
        return try children.flatMap { child in
            try EntryRow.shown(of: child)
                .filter(["pumping", "feeding", "discard"].contains(Columns.kind) && Columns.at > Milliseconds(since))
                .select(sql: "kind, at, \(fields)").asRequest(of: Row.self).fetchAll(db)
                .compactMap { row in
                    MilkStash.Move(
                        row["kind"], at: Timestamp(milliseconds: row["at"]), type: row["type"], content: row["content"],
                        amount: (row["amount_ml"] as Double?).map { Tenths(floatLiteral: $0) })
                }
        }
    }

    /// What somebody wrote in each of a child's entries, newest first; those where nobody did are left out.
    static func written(of child: ChildID, _ db: Database) throws -> [EntrySearch.Written] {
        let names = Set(EntrySearch.textFields.values.joined()).sorted()
        let fields = names.map { column($0) }.joined(separator: ", ")
        let isWritten = SQL(sql: "coalesce(\(names.map { extract($0) }.joined(separator: ", "))) is not null")
        let rows = try EntryRow.shown(of: child).filter(literal: isWritten).newestFirst()
            .select(sql: "id, kind, author_id, \(fields)").asRequest(of: Row.self).fetchAll(db)
        return try rows.compactMap { row in
            let person = (row["author_id"] as String?).flatMap { UserID($0) }
            let written = try EntrySearch.Written(id: row.decode(forColumn: "id"), kind: row["kind"], person: person) {
                row[$0]
            }
            return written.text.isEmpty ? nil : written
        }
    }

    private static func column(_ field: String) -> String { "\(extract(field)) as \(field)" }

    /// A field of an entry, by a name that the contract has.
    private static func extract(_ field: String) -> String { "fields ->> '$.\(field)'" }
}
