import BabyBasicsAPI

/// Finds the route of a method and a path, walking one node a segment.
struct Router: Sendable {
    private let root: Node

    private final class Node: Sendable {
        let literals: [Substring: Node]
        let parameter: Node?
        let routes: [Method: Route]

        /// - Parameter routes: those whose path goes through this node, with what is left of it.
        init(_ routes: [(rest: ArraySlice<Substring>, route: Route)]) {
            let deeper = Dictionary(grouping: routes.filter { !$0.rest.isEmpty }) {
                $0.rest[$0.rest.startIndex]
            }.mapValues { Node($0.map { (rest: $0.rest.dropFirst(), route: $0.route) }) }
            literals = deeper.filter { !$0.key.hasPrefix(":") }
            let parameters = routes.filter { $0.rest.first?.hasPrefix(":") == true }
            parameter =
                parameters.isEmpty
                ? nil : Node(parameters.map { (rest: $0.rest.dropFirst(), route: $0.route) })
            self.routes = Dictionary(
                uniqueKeysWithValues: routes.filter { $0.rest.isEmpty }
                    .map { ($0.route.endpoint.method, $0.route) })
        }
    }

    init(_ routes: [Route]) {
        root = Node(routes.map { (rest: Self.segments($0.endpoint.path)[...], route: $0) })
    }

    /// - Parameter path: as it came, not decoded. No path of the API needs an escape, a dot or an empty segment, so one that has any is unknown here
    ///   whatever nginx made of it.
    /// - Returns: the route and the path's parameters in order.
    /// - Throws: `APIError` 404 for an unknown path, 405 with `Allow` for an unknown method of a known one.
    func match(method: String, path: String) throws -> (route: Route, parameters: [Substring]) {
        guard path.first == "/" else { throw APIError.notFound }
        var node = root
        var parameters: [Substring] = []
        for segment in Self.segments(path) {
            if let next = node.literals[segment] {
                node = next
            } else if let next = node.parameter, isPlain(segment) {
                node = next
                parameters.append(segment)
            } else {
                throw APIError.notFound
            }
        }
        guard !node.routes.isEmpty else { throw APIError.notFound }
        if let method = Method(rawValue: method == "HEAD" ? "GET" : method),
            let route = node.routes[method]
        {
            return (route, parameters)
        }
        throw APIError(.methodNotAllowed, "Method not allowed")
            .with("Allow", allowed(node.routes.keys.map(\.rawValue)))
    }

    private func allowed(_ methods: [String]) -> String {
        (methods.contains("GET") ? methods + ["HEAD"] : methods).sorted().joined(separator: ", ")
    }

    private func isPlain(_ segment: Substring) -> Bool {
        !segment.isEmpty
            && segment.utf8.allSatisfy {
                $0 == UInt8(ascii: "-") || ($0 >= 48 && $0 <= 57)
                    || ($0 | 0x20 >= 97 && $0 | 0x20 <= 122)
            }
    }

    private static func segments(_ path: String) -> [Substring] {
        path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    }
}
