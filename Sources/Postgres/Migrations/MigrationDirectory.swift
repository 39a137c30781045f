#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One file `NNN_name.sql`.
public struct Migration: Sendable, Hashable {
    /// From 1, without gaps.
    public let version: Int
    /// The part of the file's name between number and `.sql`.
    public let name: String
    public let fileName: String
    let text: String
}

extension Migration: CustomStringConvertible, CustomReflectable {
    public var description: String { fileName }
    public var customMirror: Mirror { Mirror(self, children: ["fileName": fileName]) }
}

/// Why migrations were not applied. The description names the file.
public enum MigrationError: Error, Sendable, CustomStringConvertible {
    case unreadable(path: String)
    /// A `.sql` file that is not named `NNN_name.sql`, or is not UTF-8.
    case malformed(fileName: String, reason: String)
    case duplicate(version: Int)
    case gap(missing: Int)
    /// An applied file is not what it was when it was applied.
    case changed(fileName: String)
    /// An applied file is not in the directory any more.
    case vanished(fileName: String)
    /// The database has a migration later than the directory's last: an older program on a newer
    /// database.
    case databaseIsNewer(fileName: String)
    case unknownVersion(Int)
    /// The file failed and left nothing. `line` is where PostgreSQL saw the error, from 1.
    case failed(fileName: String, line: Int?, cause: PostgresError)

    public var description: String {
        switch self {
        case .unreadable(let path): return "\(path) can't be read"
        case .malformed(let file, let reason): return "\(file): \(reason)"
        case .duplicate(let version): return "two migrations have the number \(version)"
        case .gap(let missing): return "migration \(missing) is missing"
        case .changed(let file): return "\(file) was changed after it was applied"
        case .vanished(let file): return "\(file) was applied but is missing"
        case .databaseIsNewer(let file):
            return "the database is newer than these migrations: it has \(file)"
        case .unknownVersion(let version): return "there is no migration \(version)"
        case .failed(let file, let line, let cause):
            // Migrations are the operator's own text: what the server says about them may be shown.
            let place = line.map { "\(file):\($0)" } ?? file
            return "\(place): \(cause.kind)\(cause.message.map { ": \($0)" } ?? "")"
        }
    }
}

extension Migration {
    /// Reads a directory's migrations in order. Files that do not end with `.sql` are passed over.
    static func read(directory: String) throws(MigrationError) -> [Migration] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: directory)
        } catch {
            throw .unreadable(path: directory)
        }
        var migrations: [Migration] = []
        for name in names where name.hasSuffix(".sql") {
            migrations.append(try read("\(directory)/\(name)", fileName: name))
        }
        migrations.sort { ($0.version, $0.name) < ($1.version, $1.name) }
        for (index, migration) in migrations.enumerated() {
            if index > 0, migrations[index - 1].version == migration.version {
                throw .duplicate(version: migration.version)
            }
            guard migration.version == index + 1 else { throw .gap(missing: index + 1) }
        }
        return migrations
    }

    private static func read(_ path: String, fileName: String) throws(MigrationError) -> Migration {
        let stem = fileName.dropLast(".sql".count)
        let digits = stem.prefix { ("0"..."9").contains($0) }
        let rest = stem.dropFirst(digits.count)
        guard digits.count >= 3, let version = Int(digits), rest.first == "_", rest.count > 1 else {
            throw .malformed(fileName: fileName, reason: "is not named NNN_name.sql")
        }
        return Migration(
            version: version, name: String(rest.dropFirst()), fileName: fileName,
            text: try text(path, fileName: fileName))
    }

    /// The file that takes what seventeen older files made to where the second of these leads.
    static func from017(directory: String) throws(MigrationError) -> Migration {
        let fileName = "older/from_017.sql"
        return Migration(
            version: 2, name: "from_017", fileName: fileName,
            text: try text("\(directory)/\(fileName)", fileName: fileName))
    }

    private static func text(_ path: String, fileName: String) throws(MigrationError) -> String {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw .unreadable(path: path)
        }
        guard let text = String(validating: data, as: UTF8.self), !text.utf8.contains(0) else {
            throw .malformed(fileName: fileName, reason: "is not UTF-8 text")
        }
        return text
    }
}
