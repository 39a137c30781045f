public import BabyBasicsAPI
public import Foundation
import GRDB
import Synchronization

/// Everything of one account that is on this device. Screens read it; what is logged is in it at once.
///
/// Each write is one transaction, so that the app may be killed at any moment. Another person's store is another file.
public final class Store: Sendable {
    /// Whose it is.
    public let userID: UserID
    let database: any DatabaseWriter
    let surroundings: Surroundings
    /// Nil for a store in memory.
    let file: URL?
    /// SQLite's count of what other processes wrote, as it was when last looked at.
    let foreignVersion = Mutex(0)

    /// Opens the store in a file, or makes it.
    public init(file: URL, userID: UserID, surroundings: Surroundings = Surroundings()) throws {
        var configuration = Configuration()
        // App and widget are two processes with one store.
        configuration.busyMode = .timeout(10)
        let pool = try DatabasePool(path: file.path, configuration: configuration)
        // What a person logged outlives a battery that falls out, too.
        try pool.writeWithoutTransaction { try $0.execute(sql: "pragma synchronous = full") }
        self.userID = userID
        self.file = file
        self.surroundings = surroundings
        database = pool
        try Self.prepare(pool)
    }

    /// A store that is gone with its last user: for previews and tests.
    public init(inMemoryFor userID: UserID, surroundings: Surroundings = Surroundings()) throws {
        let queue = try DatabaseQueue()
        self.userID = userID
        self.surroundings = surroundings
        file = nil
        database = queue
        try Self.prepare(queue)
    }

    private static func prepare(_ database: some DatabaseWriter) throws {
        try Schema.migrator.migrate(database)
        try database.write { try Schema.meetNewKinds($0) }
    }

    /// Ends the use of the files. Every later use throws.
    public func close() throws {
        try database.close()
    }

    /// What is wrong with the store, if anything: for tests and support.
    public func problems() async throws -> [String] {
        try await database.read { db in
            let integrity = try String.fetchAll(db, sql: "pragma integrity_check")
            let keys = try Row.fetchAll(db, sql: "pragma foreign_key_check").map(\.description)
            let lost = try String.fetchAll(
                db,
                sql: """
                    select 'outbox without entry: ' || entry_id from outbox
                    where not exists (select 1 from entry where entry.id = outbox.entry_id)
                    union all
                    select 'unsent entry without outbox: ' || id from entry
                    where server_fields is null
                        and not exists (select 1 from outbox where outbox.entry_id = entry.id)
                    """)
            return integrity.filter { $0 != "ok" } + keys + lost
        }
    }
}

/// The store files of all accounts of this device.
public struct StoreFiles: Sendable {
    /// Where they are.
    public let directory: URL

    /// The stores in a directory, which is made when needed.
    public init(directory: URL) {
        self.directory = directory
    }

    /// The file of one account at one server.
    public func file(server: URL, userID: UserID) -> URL {
        let place = (server.host ?? "server") + (server.port.map { "-\($0)" } ?? "")
        let safe = place.map { $0.isLetter || $0.isNumber || ".-".contains($0) ? $0 : "_" }
        return directory.appendingPathComponent("\(String(safe))-\(userID).sqlite")
    }

    func open(server: URL, userID: UserID, surroundings: Surroundings) throws -> Store {
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        return try Store(
            file: file(server: server, userID: userID), userID: userID, surroundings: surroundings)
    }

    /// Deletes an account's store, with what was waiting in it.
    public func delete(server: URL, userID: UserID) throws {
        let path = file(server: server, userID: userID).path
        for suffix in ["", "-wal", "-shm", ".lock"] {
            do {
                try FileManager.default.removeItem(atPath: path + suffix)
            } catch let error as CocoaError where error.code == .fileNoSuchFile {
                continue
            }
        }
    }
}
