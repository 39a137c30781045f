import CLibPQ
import Logging

/// What another connection, or this one, said by `NOTIFY`.
public struct PostgresNotification: Sendable {
    public let channel: String
    public let payload: String
    /// The server process of the connection that said it.
    public let sender: Int32
}

/// Who is told of a connection's notifications.
struct NotificationReceiver {
    let receive: (PostgresNotification) -> Void
    let end: () -> Void
}

extension Connection {
    /// Has the notifications of a channel given to `receive`, on the loop, for as long as the connection lives.
    ///
    /// - Parameter end: called once when the connection ends, for whatever reason.
    /// - Throws: as `execute`; then neither is called.
    public func listen(
        to channel: StaticString, _ receive: @escaping (PostgresNotification) -> Void,
        end: @escaping () -> Void
    ) async throws {
        // What comes before LISTEN is answered counts already.
        receiver = NotificationReceiver(receive: receive, end: {})
        do {
            try await execute(SQL(stringLiteral: "listen \(channel)"))
        } catch {
            receiver = nil
            throw error
        }
        guard isOpen else { throw PostgresError(.connectionLost) }
        receiver = NotificationReceiver(receive: receive, end: end)
    }

    /// Tells of the notifications that have arrived.
    func takeNotifications() {
        while let open = unsafe handle, let arrived = unsafe PQnotifies(open) {
            let notification = unsafe PostgresNotification(
                channel: Self.text(arrived.pointee.relname), payload: Self.text(arrived.pointee.extra),
                sender: arrived.pointee.be_pid)
            unsafe PQfreemem(arrived)
            receiver?.receive(notification)
        }
    }

    private static func text(_ characters: UnsafeMutablePointer<CChar>?) -> String {
        unsafe characters.map { unsafe String(cString: $0) } ?? ""
    }
}

extension Pool {
    /// A connection beside the pool's, for what needs one for ever, to the host that the pool prefers. Who asks for it closes it.
    public func ownConnection() async throws -> Connection {
        try await Connection.open(configuration.connection, hosts: hosts, on: loop, logger: logger)
    }
}
