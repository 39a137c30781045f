/// What a handler has for a request so far.
public enum Answer {
    case ready(Response)
    /// Known once there is something to read from `descriptor`. Until then the thread takes other requests.
    ///
    /// `then` is called once, on any thread, and waits where it must: who has waited for 20 ms is given a thread to wait with.
    ///
    /// `isHere` is for a descriptor that several requests await, whose answers come in the order of their requests: whether this one's has
    /// come. It must not wait.
    case later(descriptor: CInt, isHere: (() -> Bool)? = nil, then: (Turn) -> Response)
}

/// A request whose answer is awaited by no thread.
///
/// Unchecked because its handler's things are for one thread at a time: the one that makes it gives them up, and only the one that
/// removes it from `Suspensions` takes them.
final class Suspension: @unchecked Sendable {
    let connection: Connection
    let isNew: Bool
    let exchange: Exchange
    /// `monotonicNanoseconds`.
    let since: UInt64
    let descriptor: CInt
    /// Nil where nobody else awaits the descriptor.
    let isHere: (() -> Bool)?
    let then: (Turn) -> Response

    init(
        connection: Connection, isNew: Bool, exchange: Exchange, since: UInt64, descriptor: CInt,
        isHere: (() -> Bool)?, then: @escaping (Turn) -> Response
    ) {
        self.connection = connection
        self.isNew = isNew
        self.exchange = exchange
        self.since = since
        self.descriptor = descriptor
        self.isHere = isHere
        self.then = then
    }
}
