import Foundation

#if canImport(Network)
    import Network
#endif

/// Tells that the way to the server may have changed: a hint to try at once, never a reason not to try.
public protocol NetworkMonitor: Sendable {
    /// An element each time the network comes, goes or changes.
    func changes() -> AsyncStream<Void>
}

#if canImport(Network)
    /// The system's own.
    public struct SystemNetworkMonitor: NetworkMonitor {
        /// The system's monitor of all interfaces.
        public init() {}

        /// An element each time a path to the network appears.
        public func changes() -> AsyncStream<Void> {
            AsyncStream { continuation in
                let monitor = NWPathMonitor()
                monitor.pathUpdateHandler = { path in
                    if path.status == .satisfied { continuation.yield() }
                }
                continuation.onTermination = { _ in monitor.cancel() }
                monitor.start(queue: DispatchQueue(label: "BabyBasicsKit.network"))
            }
        }
    }
#else
    /// The kernel's routes, looked at every few seconds.
    public struct SystemNetworkMonitor: NetworkMonitor {
        private let interval: Duration

        /// - Parameter interval: how often to look.
        public init(interval: Duration = .seconds(2)) {
            self.interval = interval
        }

        /// An element each time the routes are others than before.
        public func changes() -> AsyncStream<Void> {
            AsyncStream { continuation in
                let task = Task {
                    var known = routes()
                    while !Task.isCancelled {
                        try? await Task.sleep(for: interval)
                        let now = routes()
                        if now != known { continuation.yield() }
                        known = now
                    }
                    continuation.finish()
                }
                continuation.onTermination = { _ in task.cancel() }
            }
        }

        /// Destination, gateway and interface of each route; the columns of use are none of it.
        private func routes() -> [[Substring]] {
            let table = (try? String(contentsOfFile: "/proc/net/route", encoding: .utf8)) ?? ""
            return table.split(separator: "\n").map { line in
                Array(line.split(separator: "\t").prefix(4))
            }
        }
    }
#endif
