import BabyBasicsAPI
import Foundation
public import Observation

/// The quiet line about pending changes, and the notices.
@MainActor @Observable public final class SyncStatus {
    /// How many changes wait to be sent.
    public private(set) var waiting = 0
    /// The obstacle to sending; nil for none.
    public private(set) var obstacle: SyncObstacle?
    /// The failure of this device's storage; nil while it works. A screen shows it above everything else.
    public private(set) var problem: Message?
    /// The notices, oldest first.
    public private(set) var notices: [StoredNotice] = []
    /// The rejected changes, oldest first.
    public private(set) var rejected: [RejectedChange] = []
    @ObservationIgnored var texts: @MainActor () -> Texts = { Texts(.en) }
    private let store: AccountStore
    private var watching: Watching?
    private var listening: Watching?

    private struct Seen: Equatable, Sendable {
        var waiting: Int
        var notices: [StoredNotice]
        var rejected: [RejectedChange]
    }

    init(store: AccountStore, engine: SyncEngine) {
        self.store = store
        watching = store.watch { db in
            Seen(
                waiting: try Outbox(db: db).count(),
                notices: try AccountStore.notices(db), rejected: try AccountStore.rejectedChanges(db))
        } deliver: { [weak self] seen in
            self?.waiting = seen.waiting
            self?.notices = seen.notices
            self?.rejected = seen.rejected
        }
        store.onFailure { [weak self] error in
            Task { @MainActor in self?.problem = self?.texts().storage(error) }
        }
        listening = Watching(
            Task { [weak self] in
                for await event in await engine.events() { self?.hear(event) }
            })
    }

    private func hear(_ event: SyncEvent) {
        switch event {
        case .pausing(_, let obstacle): self.obstacle = obstacle
        case .didFetchChanges, .didSendChanges: obstacle = nil
        default: break
        }
    }

    /// The line: `3 entries waiting`, and why; nil while all is well.
    public var line: String? {
        let texts = texts()
        let words = [
            waiting > 0 ? texts.waiting(waiting) : nil, obstacle.map { texts.obstacle($0) },
        ].compactMap { $0 }
        return words.isEmpty ? nil : words.joined(separator: ". ")
    }

    /// The person has read a notice.
    public func dismiss(_ notice: StoredNotice) async {
        do { try await store.dismiss(notice) } catch { problem = texts().storage(error) }
    }

    /// The person tries a rejected change again, mended or as it was.
    public func retry(_ rejected: RejectedChange, fields: Fields? = nil) async throws {
        try await store.retry(rejected, fields: fields)
    }

    /// The person gives a rejected change up.
    public func discard(_ rejected: RejectedChange) async throws {
        try await store.discard(rejected)
    }
}
