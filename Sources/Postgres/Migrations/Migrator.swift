import EventLoop

/// Brings a database to the state of a directory of numbered files, `001_first.sql` onwards.
///
/// ```swift
/// let owner = try await Connection.open(ConnectionConfiguration(url: ownerURL), on: loop, logger: logger)
/// let applied = try await Migrator(directory: "sql").migrate(owner)
/// ```
///
/// Each file is one transaction, recorded in it with its SHA-256 in `schema_migrations`. Several
/// may run at once: an advisory lock lets one work, the others then find nothing to do.
///
/// A database that the seventeen files before these made is first converted by `older/from_017.sql`.
public struct Migrator: Sendable {
    /// The directory's files in order.
    public let migrations: [Migration]
    private let directory: String

    /// - Throws: `MigrationError` when a file is badly named, a number missing or used twice.
    public init(directory: String) throws {
        self.directory = directory
        migrations = try Migration.read(directory: directory)
    }

    /// Applies what is missing, up to `version` or to the end, and returns it.
    ///
    /// Statements may take as long as they need. For a lock they wait half a second, because all
    /// who come after wait behind them, and PostgreSQL would end a live server's request to
    /// resolve a deadlock after a whole one. Then the file is undone and tried again, for
    /// `patience` at most.
    ///
    /// - Throws: `MigrationError`; files before the one that failed stay applied.
    public func migrate(
        _ connection: Connection, to version: Int? = nil, patience: Duration = .seconds(60)
    ) async throws -> [Migration] {
        if let version, version < 0 || version > migrations.count {
            throw MigrationError.unknownVersion(version)
        }
        let limit = connection.responseTimeout
        connection.responseTimeout = .zero
        defer { connection.responseTimeout = limit }
        try await connection.transaction {
            try await connection.execute("set local lock_timeout = 0")
            try await connection.execute("set local statement_timeout = 0")
            try await connection.execute("select pg_advisory_lock(\(Self.lock))")
        }
        let applied: [Migration]
        do {
            applied = try await apply(connection, to: version ?? migrations.count, patience: patience)
        } catch {
            _ = try? await connection.execute("select pg_advisory_unlock(\(Self.lock))")
            throw error
        }
        try await connection.execute("select pg_advisory_unlock(\(Self.lock))")
        return applied
    }

    /// What `migrate` would apply. Any role may ask.
    ///
    /// - Throws: `MigrationError` where `migrate` would refuse.
    public func pending(_ connection: Connection) async throws -> [Migration] {
        guard try await tableExists(connection) else { return migrations }
        if try await isAt017(connection) {
            let conversion = try Migration.from017(directory: directory)
            return [conversion] + migrations.dropFirst(conversion.version)
        }
        return Array(migrations.dropFirst(try await check(connection)))
    }

    /// Any number will do as long as nothing else in the database uses it.
    private static let lock: Int64 = 0x6d69_6772_6174_6531

    private func tableExists(_ connection: Connection) async throws -> Bool {
        try await connection.first("select to_regclass('public.schema_migrations') is not null") {
            try $0.next()
        } ?? false
    }

    private func apply(
        _ connection: Connection, to version: Int, patience: Duration
    ) async throws -> [Migration] {
        if try await !tableExists(connection) {
            try await connection.script(
                """
                create table public.schema_migrations (
                    version integer primary key,
                    name text not null,
                    checksum bytea not null,
                    applied_at timestamptz not null default now()
                );
                grant select on public.schema_migrations to public;
                """)
        }
        var done: [Migration] = []
        if try await isAt017(connection) {
            let conversion = try Migration.from017(directory: directory)
            try await apply(
                conversion, recorded: migrations.prefix(conversion.version), connection, patience)
            done.append(conversion)
        }
        for migration in try await migrations.prefix(version).dropFirst(check(connection)) {
            try await apply(migration, recorded: [migration], connection, patience)
            done.append(migration)
        }
        return done
    }

    private func apply(
        _ migration: Migration, recorded: ArraySlice<Migration>, _ connection: Connection, _ patience: Duration
    ) async throws {
        let end = ContinuousClock.now + patience
        while try await !apply(
            migration, recorded: recorded, connection, isLastTry: ContinuousClock.now >= end)
        {
            // Long enough for the requests that waited behind it.
            await connection.loop.sleep(.milliseconds(200))
        }
    }

    /// Returns whether it was applied: not if others held a lock that it needs.
    private func apply(
        _ migration: Migration, recorded: ArraySlice<Migration>, _ connection: Connection, isLastTry: Bool
    ) async throws -> Bool {
        do {
            try await connection.transaction {
                try connection.enqueue("set local statement_timeout = 0")
                try connection.enqueue("set local lock_timeout = '500ms'")
                try await connection.script(migration.text)
                // The file may have changed the search path or the role.
                try await connection.script("reset role; reset search_path; reset session authorization")
                for file in recorded {
                    try await connection.execute(
                        """
                        insert into public.schema_migrations (version, name, checksum)
                        values (\(Int32(clamping: file.version)), \(file.name),
                            sha256(convert_to(\(file.text), 'UTF8')))
                        """)
                }
            }
            return true
        } catch let error as PostgresError {
            let isInTheWay = [.lockNotAvailable, .deadlockDetected].contains(error.sqlState)
            if isInTheWay, !isLastTry { return false }
            throw MigrationError.failed(
                fileName: migration.fileName, line: Self.line(of: error, in: migration),
                cause: error)
        }
    }

    private static func line(of error: PostgresError, in migration: Migration) -> Int? {
        guard let position = error.position, error.sql == migration.text else { return nil }
        return 1 + migration.text.unicodeScalars.prefix(position - 1).count { $0 == "\n" }
    }

    /// Whether the seventeen files, as they were released, made the database: by the SHA-256 of their checksums.
    private func isAt017(_ connection: Connection) async throws -> Bool {
        let made = try await connection.first(
            """
            select encode(sha256(string_agg(checksum, ''::bytea order by version)), 'hex')
            from public.schema_migrations
            """
        ) { try $0.next(String?.self) }
        return made == "e9374ec2d8589c7708d13aeac7dbe7046d185679dca3b50042c752440fa917c4"
    }

    /// Compares what was applied with the directory, and returns how many files are applied.
    private func check(_ connection: Connection) async throws -> Int {
        let texts = migrations.map(\.text)
        let rows = try await connection.rows(
            """
            select version, name,
                checksum = sha256(convert_to((\(texts)::text[])[version], 'UTF8'))
            from public.schema_migrations order by version
            """
        ) { row in
            (
                version: try row.next(Int.self), name: try row.next(String.self),
                isSame: try row.next(Bool?.self)
            )
        }
        for (index, row) in rows.enumerated() {
            let number = String(row.version)
            let padded = String(repeating: "0", count: max(0, 3 - number.count)) + number
            let fileName = "\(padded)_\(row.name).sql"
            if row.version > migrations.count {
                throw MigrationError.databaseIsNewer(fileName: fileName)
            }
            guard row.version == index + 1, migrations[index].name == row.name else {
                throw MigrationError.vanished(fileName: fileName)
            }
            if row.isSame != true { throw MigrationError.changed(fileName: fileName) }
        }
        return rows.count
    }
}
