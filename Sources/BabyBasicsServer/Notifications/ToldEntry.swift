import BabyBasicsAPI
import Postgres

/// What a sentence says of an entry. Never its notes.
struct ToldEntry {
    /// Its number.
    let kind: Int16
    let child: ChildID
    let childName: String
    let familyName: String
    let revision: Int64
    let type: String?
    let name: String?
    let dose: String?
    let celsius: Tenths?
}

extension ToldEntry {
    init(_ row: inout Row) throws {
        kind = try row.next()
        child = try row.next()
        childName = try row.next()
        familyName = try row.next()
        revision = try row.next()
        type = try row.next()
        name = try row.next()
        dose = try row.next()
        celsius = try row.next()
    }
}
