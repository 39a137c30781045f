import BabyBasicsAPI
import FastCGI

/// An endpoint and the function that answers it, with a reply of its type. What the function is given shows what the walk has established before it runs.
final class Route: Sendable {
    let endpoint: EndpointDescription
    let handler: Handler
    /// Its place in the route table.
    let number: Int

    enum Handler: Sendable {
        case anyone(@Sendable (RequestContext) async throws -> Response)
        case user(@Sendable (RequestContext, Caller) async throws -> Response)
        /// Where it changes something, in a transaction that has locked the family.
        case family(@Sendable (RequestContext, FamilyMembership) async throws -> Response)
        case child(@Sendable (RequestContext, ChildMembership) async throws -> Response)
        /// Asks a `Question` of its own.
        case asking(@Sendable (RequestContext) async throws -> Response)
    }

    init(_ endpoint: EndpointDescription, _ handler: Handler, number: Int = 0) {
        self.endpoint = endpoint
        self.handler = handler
        self.number = number
    }

    /// An endpoint for anybody, or for whoever knows the admin token.
    convenience init<Input, Output>(
        _ endpoint: Endpoint<Input, Output>,
        _ handle: @escaping @Sendable (RequestContext) async throws -> Reply<Output>
    ) {
        let description = endpoint.description
        precondition(description.access == .anyone || description.access == .admin)
        self.init(
            description, .anyone { try await handle($0).response(success: description.success) })
    }

    /// An endpoint for any signed-in user.
    convenience init<Input, Output>(
        _ endpoint: Endpoint<Input, Output>,
        _ handle: @escaping @Sendable (RequestContext, Caller) async throws -> Reply<Output>
    ) {
        let description = endpoint.description
        precondition(description.access == .user)
        self.init(
            description, .user { try await handle($0, $1).response(success: description.success) })
    }

    /// An endpoint for members of one family.
    convenience init<Input, Output>(
        _ endpoint: Endpoint<Input, Output>,
        _ handle: @escaping @Sendable (RequestContext, FamilyMembership) async throws -> Reply<Output>
    ) {
        let description = endpoint.description
        guard case .family = description.access else {
            preconditionFailure("\(description.path) is not a family's endpoint")
        }
        self.init(
            description,
            .family { try await handle($0, $1).response(success: description.success) })
    }

    /// An endpoint for members of one child's family.
    convenience init<Input, Output>(
        _ endpoint: Endpoint<Input, Output>,
        _ handle: @escaping @Sendable (RequestContext, ChildMembership) async throws -> Reply<Output>
    ) {
        let description = endpoint.description
        guard case .child = description.access else {
            preconditionFailure("\(description.path) is not a child's endpoint")
        }
        self.init(
            description, .child { try await handle($0, $1).response(success: description.success) })
    }

    /// An endpoint for signed-in users whose handler asks for session, place and rows at once.
    convenience init<Input, Output>(
        _ endpoint: Endpoint<Input, Output>,
        asking handle: @escaping @Sendable (RequestContext) async throws -> Reply<Output>
    ) {
        let description = endpoint.description
        precondition(description.access != .anyone && description.access != .admin)
        self.init(
            description,
            .asking { try await handle($0).response(success: description.success) })
    }
}
