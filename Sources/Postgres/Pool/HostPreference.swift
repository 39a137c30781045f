import CLibPQ
import Synchronization

/// Which of the URL's hosts is tried first: the one that was the primary last, or, once that one has
/// hung or could not get a commit to its standby, the one after it.
///
/// libpq alone begins at the first host every time. If that one was frozen, each connection would
/// wait for its timeout; if it woke up after another had been promoted, it would still believe to be
/// the primary, and be chosen, although it can acknowledge nothing any more.
final class HostPreference: Sendable {
    private let first = Atomic(0)

    var index: Int { first.load(ordering: .relaxed) }

    func prefer(_ index: Int) { first.store(index, ordering: .relaxed) }

    /// Does nothing if another was preferred meanwhile.
    func avoid(_ index: Int) {
        _ = first.compareExchange(expected: index, desired: index + 1, ordering: .relaxed)
    }
}

/// The hosts of a URL, in its order.
struct Hosts {
    let names: [String]
    /// One for each host, or one for all.
    let ports: [String]

    init(names: String?, ports: String?) {
        self.names = Self.parts(names)
        self.ports = Self.parts(ports)
    }

    private static func parts(_ list: String?) -> [String] {
        list.map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
            ?? []
    }

    /// libpq's keywords for the same hosts, begun at `first`; none if there is nothing to choose.
    func parameters(first: Int) -> [(keyword: String, value: String)] {
        guard names.count > 1 else { return [] }
        var parameters = [("host", rotated(names, first))]
        if ports.count == names.count { parameters.append(("port", rotated(ports, first))) }
        return parameters
    }

    private func rotated(_ list: [String], _ first: Int) -> String {
        let start = first % list.count
        return (list[start...] + list[..<start]).joined(separator: ",")
    }

    /// The place of the host that a connection was made to, nil if that can't be told.
    func index(of connection: OpaquePointer) -> Int? {
        guard names.count > 1, let host = unsafe PQhost(connection),
            let port = unsafe PQport(connection)
        else { return nil }
        let (name, number) = unsafe (String(cString: host), String(cString: port))
        return names.indices.first {
            names[$0] == name && (ports.count != names.count || ports[$0] == number)
        }
    }
}
