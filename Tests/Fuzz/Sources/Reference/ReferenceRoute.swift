import BabyBasicsAPI

/// Which endpoint a path means, by trying each one's pattern.
enum ReferenceRoute {
    case route(EndpointDescription, parameters: [String])
    case wrongMethod(allow: String)

    /// Nil for a path that is no endpoint's.
    static func find(path: [UInt8], method: String) -> ReferenceRoute? {
        let segments = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map(Array.init)
        let matching = Endpoints.all.compactMap { endpoint in
            parameters(of: segments, in: endpoint.path).map { (endpoint, $0) }
        }
        guard !matching.isEmpty else { return nil }
        // HEAD is GET without the body.
        let wanted = method == "HEAD" ? "GET" : method
        for (endpoint, parameters) in matching
        where endpoint.method.rawValue.utf8.elementsEqual(wanted.utf8) {
            return .route(endpoint, parameters: parameters)
        }
        var methods = matching.map { $0.0.method.rawValue }
        if methods.contains("GET") { methods.append("HEAD") }
        return .wrongMethod(allow: methods.sorted().joined(separator: ", "))
    }

    private static func parameters(of segments: [[UInt8]], in pattern: String) -> [String]? {
        let wanted = pattern.utf8.split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false
        ).map(Array.init)
        guard segments.count == wanted.count else { return nil }
        var parameters: [String] = []
        for (segment, wanted) in zip(segments, wanted) {
            if wanted.first == UInt8(ascii: ":") {
                let isPlain = segment.allSatisfy {
                    $0 == UInt8(ascii: "-") || ReferenceTexts.isAlphanumeric($0)
                }
                guard !segment.isEmpty, isPlain else { return nil }
                parameters.append(String(decoding: segment, as: UTF8.self))
            } else if segment != wanted {
                return nil
            }
        }
        return parameters
    }
}
