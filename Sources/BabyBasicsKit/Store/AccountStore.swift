public import BabyBasicsAPI
public import Foundation
import GRDB
import Synchronization

/// One account's data on this device. Screens read it; a logged entry is in it at once.
///
/// Each write is one transaction, so that the app may be killed at any moment. Another person's store is another file.
public final class AccountStore: Sendable {
    /// The account.
    public let userID: UserID
    let database: any DatabaseWriter
    let environment: KitEnvironment
    let clock: ServerClock
    /// Nil for a store in memory.
    let file: URL?
    /// SQLite's count of other processes' writes, when last looked at.
    let foreignVersion = Mutex(0)
    private let listener = Mutex<(@Sendable (any Error) -> Void)?>(nil)

    /// Opens the store in a file, or makes it. A damaged one is replaced by a new one, with what can be read of what
    /// was not sent.
    ///
    /// It may take a while: apps use `open`, which leaves the caller's thread alone.
    /// - Parameter isShared: whether another process uses it, too; see `Account.suspend()`.
    public convenience init(
        file: URL, userID: UserID, environment: KitEnvironment = KitEnvironment(), isShared: Bool = false
    ) throws {
        let pool = try StoreOpening(file: file, now: environment.now(), isShared: isShared).open()
        try self.init(pool, file: file, userID: userID, environment: environment)
    }

    /// A store that is gone with its last user: for previews and tests.
    public convenience init(inMemoryFor userID: UserID, environment: KitEnvironment = KitEnvironment()) throws {
        let queue = try DatabaseQueue()
        try Schema.prepare(queue)
        try self.init(queue, file: nil, userID: userID, environment: environment)
    }

    init(_ database: any DatabaseWriter, file: URL?, userID: UserID, environment: KitEnvironment) throws {
        self.userID = userID
        self.file = file
        self.environment = environment
        self.database = database
        clock = ServerClock(environment, offset: try database.read { try SyncStateRow.current($0).clockOffset })
    }

    /// Opens the store in a file, or makes it, away from the caller's thread.
    @concurrent public static func open(
        file: URL, userID: UserID, environment: KitEnvironment = KitEnvironment(), isShared: Bool = false
    ) async throws -> AccountStore {
        try AccountStore(file: file, userID: userID, environment: environment, isShared: isShared)
    }

    /// Opens a store that another process writes, for a widget: every write throws. Nil where there is none yet, or
    /// one of another version of the app.
    @concurrent public static func openForReading(
        file: URL, userID: UserID, environment: KitEnvironment = KitEnvironment()
    ) async throws -> AccountStore? {
        guard let pool = try StoreOpening(file: file, now: environment.now()).openForReading() else { return nil }
        return try AccountStore(pool, file: file, userID: userID, environment: environment)
    }

    /// Ends the use of the files. Every later use throws.
    public func close() throws {
        try database.close()
    }

    // MARK: Failures

    /// Takes failures that no caller waits for, so that a screen can show them.
    func onFailure(_ listener: @escaping @Sendable (any Error) -> Void) {
        self.listener.withLock { $0 = listener }
    }

    func report(_ error: any Error) {
        if let file, StoreOpening.isDamage(error) { StoreOpening.mark(file) }
        listener.withLock { $0 }?(error)
    }

    /// The store's faults, for tests and support.
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
