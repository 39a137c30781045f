import BabyBasicsAPI
import BabyBasicsClient
import Foundation
import GRDB

// An app's life cycle.

extension Account {
    /// The app is on screen: finds out who is signed in, if that is not known yet, and syncs from now on.
    /// - Throws: an error of the store's opening.
    public func activate() async throws {
        isOnScreen = true
        resumeStores()
        try await start()
        // It may have left the screen meanwhile: the last word holds.
        if isOnScreen { await home?.engine.start() }
    }

    /// The app leaves the screen: syncing ends, and where the store is shared with a widget it takes no more locks, for
    /// which iOS would end a suspended app.
    public func suspend() async {
        isOnScreen = false
        await home?.engine.stop()
        if !isOnScreen { suspendStores() }
    }

    /// The result of a refresh, in the words of `UIBackgroundFetchResult`.
    public enum RefreshResult: Hashable, Sendable {
        /// Something new is in the store.
        case newData
        /// There was nothing new, or no account is signed in.
        case noData
        /// The server did not answer in time, or the phone is locked.
        case failed
    }

    /// Sends what waits and reads what is new, once: for a `BGAppRefreshTask`, and for a silent push, which says no more
    /// than that there is something. On screen it hurries the engine.
    /// - Parameter limit: iOS gives about 30 seconds.
    public func refresh(within limit: Duration = .seconds(25)) async -> RefreshResult {
        resumeStores()
        try? await start()
        guard let home else { return step == .locked ? .failed : .noData }
        let engine = home.engine
        if isOnScreen { await engine.retryNow() }
        let before = await engine.progress
        let deadline = Deadline(limit, sleep: configuration.environment.sleep)
        let isDone = await deadline.run {
            try await engine.sendChanges()
            try await engine.fetchChanges()
        }
        if !isOnScreen { suspendStores() }
        if await engine.progress > before { return .newData }
        return isDone ? .noData : .failed
    }

    private func suspendStores() {
        guard configuration.sharesStore else { return }
        NotificationCenter.default.post(name: Database.suspendNotification, object: nil)
    }

    private func resumeStores() {
        guard configuration.sharesStore else { return }
        NotificationCenter.default.post(name: Database.resumeNotification, object: nil)
    }
}

/// A moment by which several things have to be done.
struct Deadline: Sendable {
    private let end: ContinuousClock.Instant
    private let sleep: @Sendable (Duration) async throws -> Void

    init(_ limit: Duration, sleep: @escaping @Sendable (Duration) async throws -> Void) {
        end = .now + limit
        self.sleep = sleep
    }

    /// Does something for as long as there is time. What is late is cancelled, and not waited for.
    /// - Returns: whether it was done, without an error.
    @discardableResult
    func run(_ body: @escaping @Sendable () async throws -> Void) async -> Bool {
        let (ends, continuation) = AsyncStream.makeStream(of: Bool.self)
        let work = Task {
            do {
                try await body()
                continuation.yield(true)
            } catch {
                continuation.yield(false)
            }
        }
        let timer = Task {
            try? await sleep(max(.zero, end - .now))
            continuation.yield(false)
        }
        defer {
            work.cancel()
            timer.cancel()
        }
        return await ends.first { _ in true } ?? false
    }
}
