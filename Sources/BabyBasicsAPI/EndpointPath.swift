/// What may stand in a path: letters, digits and hyphens alone, so that nothing ever needs percent-encoding.
public protocol PathParameter: CustomStringConvertible, Sendable {}

extension Identifier: PathParameter {}

extension EndpointDescription {
    /// How many parameters the path has.
    public var parameterCount: Int {
        path.split(separator: "/").count { $0.first == ":" }
    }

    /// The path with its parameters filled in, from left to right.
    /// - Precondition: there are as many as `parameterCount`: a path short of one would name another thing.
    public func path(_ parameters: [any PathParameter]) -> String {
        precondition(
            parameters.count == parameterCount,
            "\(path) has \(parameterCount) parameters, not \(parameters.count)")
        var rest = parameters[...]
        return path.split(separator: "/").reduce(into: "") { path, segment in
            path += "/"
            path += segment.first == ":" ? rest.removeFirst().description : String(segment)
        }
    }
}
