import BabyBasicsAPI
import Foundation
import GRDB
import GRDBSQLite

#if canImport(Glibc)
    import Glibc
#endif

/// Opens a store's file as GRDB's guide "Sharing a Database" has it: several processes may do so at once.
struct StoreOpening {
    let file: URL
    let now: Timestamp
    /// Whether another process uses it, too.
    var isShared = false

    /// The store was written by a newer version of the app.
    struct TooNew: Error {}

    func open() throws -> DatabasePool {
        try FileCoordination.write(file) {
            if FileManager.default.fileExists(atPath: Self.marker(file).path) { return try replace() }
            do {
                return try connect()
            } catch  where Self.isDamage(error) {
                return try replace()
            }
        }
    }

    /// Nil where there is no store yet, or one of another version.
    func openForReading() throws -> DatabasePool? {
        try FileCoordination.read(file) {
            guard FileManager.default.fileExists(atPath: file.path) else { return nil }
            var configuration = Configuration()
            configuration.readonly = true
            let pool = try DatabasePool(path: file.path, configuration: configuration)
            let migrator = Schema.migrator
            let fits = try pool.read { db in
                try migrator.hasCompletedMigrations(db) && !migrator.hasBeenSuperseded(db)
            }
            return fits ? pool : nil
        }
    }

    private func connect() throws -> DatabasePool {
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        // iOS ends an app that it suspends while it locks a shared file: see `Account.suspend()`.
        configuration.observesSuspensionNotifications = isShared
        configuration.prepareDatabase { db in
            // Readers of other processes need the files beside the store, which SQLite else removes.
            if !db.configuration.readonly { try Self.persistLog(db) }
        }
        let pool = try DatabasePool(path: file.path, configuration: configuration)
        // A commit survives a power failure.
        try pool.writeWithoutTransaction { try $0.execute(sql: "pragma synchronous = full") }
        if try pool.read(Schema.migrator.hasBeenSuperseded) { throw TooNew() }
        try Schema.prepare(pool)
        return pool
    }

    private static func persistLog(_ db: Database) throws {
        var flag: CInt = 1
        let code = sqlite3_file_control(db.sqliteConnection, nil, SQLITE_FCNTL_PERSIST_WAL, &flag)
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }

    // MARK: Damage

    static func isDamage(_ error: any Error) -> Bool {
        guard let error = error as? DatabaseError else { return false }
        return [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode.primaryResultCode)
    }

    private static func marker(_ file: URL) -> URL { URL(fileURLWithPath: file.path + ".damaged") }

    /// Remembers that the file is damaged: the next opening replaces it.
    static func mark(_ file: URL) {
        _ = FileManager.default.createFile(atPath: marker(file).path, contents: nil)
    }

    /// Renames the damaged store and makes a new one, with the pending changes that can be read. The rest comes from
    /// the server.
    private func replace() throws -> DatabasePool {
        try removeOlderCopies()
        let damaged = URL(fileURLWithPath: file.path + ".damaged-\(now.milliseconds)")
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: file.path + suffix) {
            try FileManager.default.moveItem(atPath: file.path + suffix, toPath: damaged.path + suffix)
        }
        let pool = try connect()
        let rescue = StoreRescue(from: damaged)
        try pool.write { try $0.tell(.storeReplaced(saved: try rescue.copy(into: $0)), now: now) }
        try? FileManager.default.removeItem(at: Self.marker(file))
        return pool
    }

    /// One copy is enough for support; the data is a person's.
    private func removeOlderCopies() throws {
        let directory = file.deletingLastPathComponent()
        for name in try FileManager.default.contentsOfDirectory(atPath: directory.path)
        where name.hasPrefix(file.lastPathComponent + ".damaged-") {
            try FileManager.default.removeItem(at: directory.appendingPathComponent(name))
        }
    }
}

/// One process at a time opens or makes a file.
enum FileCoordination {
    #if canImport(Darwin)
        static func write<Value>(_ file: URL, _ body: () throws -> Value) throws -> Value {
            var result: Result<Value, any Error>?
            var failure: NSError?
            NSFileCoordinator().coordinate(writingItemAt: file, options: .forMerging, error: &failure) { _ in
                result = Result { try body() }
            }
            return try value(result, failure)
        }

        static func read<Value>(_ file: URL, _ body: () throws -> Value) throws -> Value {
            var result: Result<Value, any Error>?
            var failure: NSError?
            NSFileCoordinator().coordinate(readingItemAt: file, options: .withoutChanges, error: &failure) { _ in
                result = Result { try body() }
            }
            return try value(result, failure)
        }

        private static func value<Value>(_ result: Result<Value, any Error>?, _ failure: NSError?) throws -> Value {
            if let result { return try result.get() }
            throw failure ?? CocoaError(.fileReadUnknown)
        }
    #else
        /// A file beside it is locked for so long; the system unlocks it where the process ends.
        static func write<Value>(_ file: URL, _ body: () throws -> Value) throws -> Value {
            let descriptor = Glibc.open(file.path + ".opening", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
            defer { close(descriptor) }
            while flock(descriptor, LOCK_EX) != 0 {
                guard errno == EINTR else { throw CocoaError(.fileWriteUnknown) }
            }
            return try body()
        }

        static func read<Value>(_ file: URL, _ body: () throws -> Value) throws -> Value {
            FileManager.default.fileExists(atPath: file.path) ? try write(file, body) : try body()
        }
    #endif
}
