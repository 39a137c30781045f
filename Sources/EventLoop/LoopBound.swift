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
