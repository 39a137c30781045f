import BabyBasicsAPI
import BabyBasicsClient
import Foundation
import GRDB

// What the engine does while the app is on screen.

extension SyncEngine {
    func run() async {
        let lease = SyncLease(store: store)
        while !Task.isCancelled, phase != .signedOut {
            do {
                if try await lease.take() {
                    enter(.running)
                    await work(lease)
                    try await lease.release()
                } else {
                    // The app and its widget are one client: the other one syncs.
                    enter(.watching)
                    try await watch()
                }
            } catch {
                if Task.isCancelled { break }
                store.report(error)
                try? await pause(.seconds(2))
            }
        }
        // The transaction of a cancelled task is rolled back; this one is not the task's.
        _ = await Task { try? await lease.release() }.value
    }

    private func work(_ lease: SyncLease) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.keepSending() }
            group.addTask { await self.keepFetching() }
            group.addTask { await self.followNetwork() }
            group.addTask { await self.followOtherProcesses() }
            group.addTask { await self.keepLease(lease) }
            // The first one to end ends all: the session is over, the app is off screen, another process syncs.
            await group.next()
            group.cancelAll()
        }
    }

    private func keepLease(_ lease: SyncLease) async {
        while !Task.isCancelled {
            try? await environment.sleep(SyncLease.renewal)
            guard let isHeld = try? await lease.take(), isHeld else { return }
        }
    }

    /// Shows what another process writes.
    private func watch() async throws {
        for _ in 0..<4 {
            try await pause(.milliseconds(500))
            try await store.showForeignChanges()
        }
    }

    /// What a widget logs is shown, and sent.
    private func followOtherProcesses() async {
        while !Task.isCancelled {
            do { try await watch() } catch { store.reportUnlessCancelled(error) }
        }
    }

    private func keepSending() async {
        var backoff = newBackoff
        let counts = ValueObservation.tracking { try Outbox(db: $0).count() + ReminderRow.waitingCount($0) }
            .values(in: store.database)
        do {
            for try await count in counts where count > 0 {
                while true {
                    let before = progress
                    do {
                        try await waitAsAsked()
                        try await sendChanges()
                        backoff.succeeded()
                        break
                    } catch {
                        if progress > before { backoff.succeeded() }
                        guard await goesOn(after: error, &backoff) else { return }
                    }
                }
            }
        } catch {
            store.reportUnlessCancelled(error)
        }
    }

    private func keepFetching() async {
        var backoff = newBackoff
        while !Task.isCancelled {
            let before = progress
            do {
                try await waitAsAsked()
                tell(.willFetchChanges)
                try await fetchFamilies()
                let families = try await store.families().map(\.id)
                for family in families { try await fetchChanges(of: family) }
                try await fetchRemindersOverTime()
                tell(.didFetchChanges)
                backoff.succeeded()
                enter(.running)
                try await waitForChanges(in: families)
            } catch {
                if progress > before { backoff.succeeded() }
                guard await goesOn(after: error, &backoff) else { return }
            }
        }
    }

    /// Another device changes them rarely.
    private func fetchRemindersOverTime() async throws {
        let now = ContinuousClock.now
        guard remindersReadAt.map({ now - $0 > .seconds(600) }) ?? true else { return }
        try await fetchReminders()
        remindersReadAt = now
    }

    /// Until the next reading of all families; the first to fail ends it.
    private func waitForChanges(in families: [FamilyID]) async throws {
        let first = activeFamily.map { active in families.filter { $0 == active } } ?? []
        let waited = (first + families.filter { $0 != activeFamily })
            .prefix(configuration.waitingFamilies)
        let interval = configuration.interval
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.pause(interval) }
            for family in waited {
                group.addTask { try await self.keepWaiting(for: family) }
            }
            try await group.next()
            group.cancelAll()
        }
    }

    private func keepWaiting(for family: FamilyID) async throws {
        let clock = ContinuousClock()
        while try await store.position(of: family) != nil {
            let start = clock.now
            let news = try await fetchChanges(of: family, wait: configuration.wait)
            // An answer that came too early, with nothing in it: another device has the place, or the server does not
            // wait.
            if !news, clock.now - start < .seconds(2) {
                try await pause(min(configuration.wait, .seconds(5)))
            }
        }
    }

    private func followNetwork() async {
        for await _ in network.changes() { retryNow() }
        // A monitor that has nothing more to say is no reason to stop.
        try? await Task.sleep(for: .seconds(365 * 86_400))
    }

    private var newBackoff: Backoff {
        Backoff(first: configuration.firstPause, longest: configuration.longestPause)
    }

    /// Waits as the failure asks. False where there is nothing to wait for.
    private func goesOn(after error: any Error, _ backoff: inout Backoff) async -> Bool {
        if Task.isCancelled { return false }
        let pause = backoff.pause(fraction: environment.fraction)
        let obstacle: SyncObstacle
        switch Verdict(error) {
        case .signedOut:
            enter(.signedOut)
            tell(.accountChange(.signedOut))
            return false
        case .later(let reason, let asked):
            obstacle = reason
            if let asked { keepQuiet(for: asked) }
        case .refused:
            // Nothing that a request is refused with here is expected: not too often, then.
            obstacle = .notTheServer
            keepQuiet(for: .seconds(5))
        case .broken(let error):
            obstacle = .storage
            store.report(error)
        }
        environment.log(.error, "\(obstacle): \(logged(error))")
        enter(.pausing(obstacle))
        tell(.pausing(pause, because: obstacle))
        try? await self.pause(pause)
        return !Task.isCancelled
    }
}

extension AccountStore {
    fileprivate func reportUnlessCancelled(_ error: any Error) {
        if !Task.isCancelled { report(error) }
    }
}
