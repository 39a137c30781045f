import BabyBasicsAPI
import Postgres

/// The database as one request uses it: readings share the pool's connections, and a transaction has one for itself.
final class Database {
    private let pool: Pool
    private var connection: Connection?
    /// What it has cost so far.
    private(set) var use = DatabaseUse()
    /// What has been changed, and up to which revision: for whoever waits for it.
    private(set) var changedFamilies: [FamilyID: Int64] = [:]
    /// What the transaction has locked.
    var lockedFamilies: [FamilyID: LockedFamily] = [:]
    /// Whose sessions were ended by somebody else.
    private(set) var endedUsers: Set<UserID> = []

    /// Whether there is mail to send.
    private(set) var hasMail = false
    /// Whether there is something to be told.
    private(set) var hasNotification = false

    /// Whether another program is to be called.
    private(set) var hasWebhook = false

    init(_ pool: Pool) { self.pool = pool }

    /// Whether families are spread over several machines.
    var isSpread: Bool { pool.hasCitus }

    func noteChange(of family: FamilyID, upTo revision: Int64 = NewsItem.unknown) {
        changedFamilies[family] = max(revision, changedFamilies[family] ?? 0)
    }

    func noteMail() { hasMail = true }

    func noteNotification() { hasNotification = true }

    func noteWebhook() { hasWebhook = true }

    func noteEndedSessions(of user: UserID) { endedUsers.insert(user) }

    var isInTransaction: Bool { connection?.isInTransaction ?? false }

    /// Runs a statement and reads all its rows.
    func rows<Value>(_ sql: SQL, _ make: (inout Row) throws -> Value) async throws -> [Value] {
        if let connection { return try await connection.rows(sql, make) }
        return try await pool.rows(sql, adding: &use, make)
    }

    /// The same for a statement that only reads, though its beginning does not show it.
    func read<Value>(_ sql: SQL, _ make: (inout Row) throws -> Value) async throws -> [Value] {
        if let connection { return try await connection.rows(sql, make) }
        return try await pool.read(sql, adding: &use, make)
    }

    /// Runs a statement that changes something, a transaction of its own where there is none, and reads its rows.
    func change<Value>(_ sql: SQL, _ make: (inout Row) throws -> Value) async throws -> [Value] {
        if let connection { return try await connection.rows(sql, make) }
        return try await pool.change(sql, adding: &use, make)
    }

    /// Runs a statement and reads its first row; nil when there is none.
    func first<Value>(_ sql: SQL, _ make: (inout Row) throws -> Value) async throws -> Value? {
        if let connection { return try await connection.first(sql, make) }
        return try await pool.rows(sql, adding: &use, make).first
    }

    /// Runs a statement and returns the number of rows it inserted, changed, deleted or selected.
    @discardableResult
    func execute(_ sql: SQL) async throws -> Int {
        if let connection { return try await connection.execute(sql) }
        return try await pool.execute(sql, adding: &use)
    }

    /// Has a statement of the transaction travel with the next one, or with COMMIT.
    func enqueue(_ sql: SQL) throws {
        guard let connection else { throw PostgresError(.misuse("enqueue outside a transaction")) }
        try connection.enqueue(sql)
    }

    /// Runs `body` in a transaction: see `Connection.transaction`.
    @discardableResult
    func transaction<Value>(
        _ body: () async throws -> Value
    ) async throws -> Value {
        guard connection == nil else { throw PostgresError(.misuse("a transaction inside a transaction")) }
        return try await pool.withConnection { connection in
            self.connection = connection
            defer {
                use += connection.use
                self.connection = nil
                lockedFamilies = [:]
            }
            return try await connection.transaction(body)
        }
    }
}
