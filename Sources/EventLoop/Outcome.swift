import Synchronization

/// A value that one thread hands to another, which asks for it when it is there.
final class Outcome<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    func set(_ value: Value) { self.value.withLock { $0 = value } }

    /// Nil before it was set.
    func get() -> Value? { value.withLock { $0 } }
}
