/// What a handler has come to.
public enum HandlerResult: Sendable {
    case response(Response)
    /// Nothing yet.
    case waiting(any WaitingRequest)
}

/// A request that waits for something. It has no task meanwhile: a task keeps kilobytes, and thousands may wait.
public protocol WaitingRequest: AnyObject, Sendable {
    /// Keeps `action`, and calls it once, on the loop, when it is time to go on; at once if it is already.
    func whenReady(_ action: @escaping () -> Void)

    /// Goes on with the request.
    func resume() async -> HandlerResult
}
