import BabyBasicsAPI

/// Finds the route of a method and a path, walking one node a segment.
struct Router: Sendable {
    private let root: Node

    private final class Node: Sendable {
        /// Few: looking at each is quicker than hashing.
        let literals: [(segment: [UInt8], node: Node)]
        let parameter: Node?
        let routes: [Route]

        /// - Parameter routes: those whose path goes through this node, with what is left of it.
        init(_ routes: [(rest: ArraySlice<Substring>, route: Route)]) {
            let deeper = Dictionary(grouping: routes.filter { !$0.rest.isEmpty }) {
                $0.rest[$0.rest.startIndex]
            }.mapValues { Node($0.map { (rest: $0.rest.dropFirst(), route: $0.route) }) }
            literals = deeper.filter { !$0.key.hasPrefix(":") }
                .map { (segment: Array($0.key.utf8), node: $0.value) }
            let parameters = routes.filter { $0.rest.first?.hasPrefix(":") == true }
            parameter =
                parameters.isEmpty
                ? nil : Node(parameters.map { (rest: $0.rest.dropFirst(), route: $0.route) })
            self.routes = routes.filter { $0.rest.isEmpty }.map(\.route)
        }
    }

    init(_ routes: [Route]) {
        root = Node(
            routes.map { route in
                let segments = route.endpoint.path.dropFirst().split(
                    separator: "/", omittingEmptySubsequences: false)
                return (rest: segments[...], route: route)
            })
    }

    /// - Parameter path: as it came, not decoded. No path of the API needs an escape, a dot or an empty segment, so one that has any is unknown here
    ///   whatever nginx made of it.
    /// - Returns: the route and the path's parameters in order.
    /// - Throws: `APIError` 404 for an unknown path, 405 with `Allow` for an unknown method of a known one.
    func match(
        method: String, path: ArraySlice<UInt8>
    ) throws -> (route: Route, parameters: [Substring]) {
        guard path.first == UInt8(ascii: "/") else { throw APIError.notFound }
        var node = root
        var parameters: [Substring] = []
        var start = path.startIndex
        while start < path.endIndex {
            let rest = path[(start + 1)...]
            let segment = rest.prefix { $0 != UInt8(ascii: "/") }
            if let next = node.literals.firstIndex(where: { $0.segment.elementsEqual(segment) }) {
                node = node.literals[next].node
            } else if let next = node.parameter, isPlain(segment) {
                node = next
                parameters.append(Substring(decoding: segment, as: UTF8.self))
            } else {
                throw APIError.notFound
            }
            start = segment.endIndex
        }
        guard !node.routes.isEmpty else { throw APIError.notFound }
        if let method = Method(rawValue: method == "HEAD" ? "GET" : method),
            let route = node.routes.first(where: { $0.endpoint.method == method })
        {
            return (route, parameters)
        }
        throw APIError(.methodNotAllowed, "Method not allowed")
            .with("Allow", allowed(node.routes.map(\.endpoint.method.rawValue)))
    }

    private func allowed(_ methods: [String]) -> String {
        (methods.contains("GET") ? methods + ["HEAD"] : methods).sorted().joined(separator: ", ")
    }

    private func isPlain(_ segment: ArraySlice<UInt8>) -> Bool {
        !segment.isEmpty && segment.allSatisfy(isLetterDigitOrHyphen)
    }
}

/// Of ASCII.
func isLetterDigitOrHyphen(_ byte: UInt8) -> Bool {
    // What is below a range wraps round and is above its end then: one comparison for each.
    (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
        || byte == UInt8(ascii: "-")
}
