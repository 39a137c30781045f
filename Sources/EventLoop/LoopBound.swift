/// A value that belongs to a loop: only tasks and actions of that loop use it.
///
/// Unchecked because each use checks the thread, so that a wrong one stops the program instead of racing.
public final class LoopBound<Value>: @unchecked Sendable {
    public let loop: EventLoop
    private var stored: Value

    public init(_ value: sending Value, on loop: EventLoop) {
        stored = value
        self.loop = loop
    }

    // What the value owns, such as watches, ends on the loop as well.
    deinit { if !loop.isCurrent { loop.release(stored) } }

    public var value: Value {
        _read {
            loop.assertCurrent()
            yield stored
        }
        _modify {
            loop.assertCurrent()
            yield &stored
        }
    }
}

extension EventLoop {
    /// Has the loop's thread let go of a value last.
    fileprivate func release<Value>(_ value: Value) {
        let last = Last(value: value)
        task { withExtendedLifetime(last) {} }
    }
}

/// Unchecked because who hands it over has no other reference to it.
private struct Last<Value>: @unchecked Sendable {
    let value: Value
}
