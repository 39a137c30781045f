import Foundation
import GRDB

/// A task that goes on for as long as this is held.
final class Watching: Sendable {
    private let task: Task<Void, Never>

    init(_ task: Task<Void, Never>) {
        self.task = task
    }

    deinit { task.cancel() }
}

extension AccountStore {
    /// Delivers a value now, and again after each change.
    func watch<Value: Equatable & Sendable>(
        _ read: @escaping @Sendable (Database) throws -> Value,
        deliver: @escaping @MainActor (Value) -> Void
    ) -> Watching {
        let values = ValueObservation.tracking(read).removeDuplicates().values(in: database)
        return Watching(
            Task {
                do {
                    for try await value in values { await deliver(value) }
                } catch {
                    report(error)
                }
            })
    }
}
