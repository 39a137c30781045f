/// A value that belongs to a loop: only tasks and actions of that loop use it.
///
/// Unchecked: the compiler cannot see that each use checks the thread. A use on another thread stops the program.
public final class LoopBound<Value>: @unchecked Sendable {
    public let loop: EventLoop
    private var stored: Value?

    public init(_ value: sending Value, on loop: EventLoop) {
        stored = value
        self.loop = loop
    }

    /// The value is destroyed on the loop, too.
    deinit {
        if loop.isCurrent { return }
        // This thread keeps no reference: the last one must go on the loop.
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
