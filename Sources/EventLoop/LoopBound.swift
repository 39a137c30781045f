/// A value that belongs to a loop: only tasks and actions of that loop use it.
///
/// Unchecked because each use checks the thread, so that a wrong one stops the program instead of racing.
public final class LoopBound<Value>: @unchecked Sendable {
    public let loop: EventLoop
    private var stored: Value?

    public init(_ value: sending Value, on loop: EventLoop) {
        stored = value
        self.loop = loop
    }

    /// The value's own end is the loop's work as well.
    deinit {
        if loop.isCurrent { return }
        // No copy stays here, which could be the last one.
        let leaving = Leaving(stored.take())
        loop.task { leaving.value = nil }
    }

    public var value: Value {
        _read {
            loop.assertCurrent()
            yield stored!
        }
        _modify {
            loop.assertCurrent()
            yield &stored!
        }
    }
}

/// Unchecked because nobody else has the value any more.
private final class Leaving<Value>: @unchecked Sendable {
    var value: Value?

    init(_ value: consuming Value?) { self.value = value }
}
