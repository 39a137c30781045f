import BabyBasicsAPI
import FastCGI
import JSON

/// An endpoint and the function that answers it. What the function is given shows what the request path has established before it runs.
final class Route: Sendable {
    let endpoint: EndpointDescription
    let handler: Handler
    /// Its place in the route table.
    let number: Int

    enum Handler: Sendable {
        case anyone(@Sendable (RequestContext) throws -> Response)
        case user(@Sendable (RequestContext, Caller) throws -> Response)
        case asking(@Sendable (RequestContext, Admission) throws -> Rest)
        case family(
            Access.Requirement, @Sendable (RequestContext, FamilyMembership) throws -> Response)
        case child(
            Access.Requirement, shortcut: Shortcut? = nil,
            @Sendable (RequestContext, ChildMembership) throws -> Response)
    }

    /// The rest of the way, from where the request's first statement has been answered.
    typealias Rest = () throws -> Response

    /// Answers a request by one statement where nothing stands in its way. Nil, at first or in the end, where something does: then the usual
    /// way, which looks at one thing after the other, finds out what, with the admission as it is then.
    typealias Shortcut =
        @Sendable (RequestContext, Admission) throws -> (
            (inout Admission) throws -> Response?
        )?

    init(_ endpoint: EndpointDescription, _ handler: Handler, number: Int = 0) {
        self.endpoint = endpoint
        self.handler = handler
        self.number = number
    }

    /// An endpoint for anybody, or for whoever knows the admin token.
    convenience init<Input, Output: JSONWritable>(
        _ endpoint: Endpoint<Input, Output>,
        _ handle: @escaping @Sendable (RequestContext) throws -> Reply<Output>
    ) {
        let description = endpoint.description
        precondition(description.access == .anyone || description.access == .admin)
        self.init(description, .anyone { try handle($0).response(success: description.success) })
    }

    /// An endpoint for any signed-in user.
    convenience init<Input, Output: JSONWritable>(
        _ endpoint: Endpoint<Input, Output>,
        _ handle: @escaping @Sendable (RequestContext, Caller) throws -> Reply<Output>
    ) {
        let description = endpoint.description
        precondition(description.access == .user)
        self.init(description, .user { try handle($0, $1).response(success: description.success) })
    }

    /// An endpoint that answers rows which hang on the caller: they are read with the session, in one statement.
    convenience init<Input, Output: JSONWritable, Element>(
        _ endpoint: Endpoint<Input, Output>, reading rows: CallerRows<Element>,
        _ answer: @escaping @Sendable ([Element]) -> Output
    ) {
        let description = endpoint.description
        let success = description.success
        precondition(description.access == .user && description.method == .get)
        self.init(
            description,
            .asking { context, admission in
                let rows = try rows.ask(context, admission)
                return { Reply(answer(try rows())).response(success: success) }
            })
    }

    /// An endpoint for members of one family. A handler that changes something runs in a transaction that has locked the family.
    convenience init<Input, Output: JSONWritable>(
        _ endpoint: Endpoint<Input, Output>,
        _ handle: @escaping @Sendable (RequestContext, FamilyMembership) throws -> Reply<Output>
    ) {
        self.init(endpoint, writing: handle)
    }

    /// A family's endpoint whose answer is written from the database's rows, without the endpoint's own type between.
    /// That both write the same is for the feature's tests to show.
    convenience init<Input, Output, Written: JSONWritable & SendableMetatype>(
        _ endpoint: Endpoint<Input, Output>,
        writing handle:
            @escaping @Sendable (RequestContext, FamilyMembership) throws -> Reply<Written>
    ) {
        let description = endpoint.description
        guard case .family(let requirement) = description.access else {
            preconditionFailure("\(description.path) is not a family's endpoint")
        }
        self.init(
            description,
            .family(requirement) { try handle($0, $1).response(success: description.success) })
    }

    /// An endpoint for members of one child's family, locked in the same way.
    convenience init<Input, Output: JSONWritable>(
        _ endpoint: Endpoint<Input, Output>,
        _ handle: @escaping @Sendable (RequestContext, ChildMembership) throws -> Reply<Output>
    ) {
        self.init(endpoint, writing: handle)
    }

    /// A child's endpoint whose answer is written from the database's rows, without the endpoint's own type between.
    /// That both write the same is for the feature's tests to show.
    convenience init<Input, Output, Written: JSONWritable & SendableMetatype>(
        _ endpoint: Endpoint<Input, Output>,
        writing handle:
            @escaping @Sendable (RequestContext, ChildMembership) throws -> Reply<Written>
    ) {
        let description = endpoint.description
        guard case .child(let requirement) = description.access else {
            preconditionFailure("\(description.path) is not a child's endpoint")
        }
        self.init(
            description,
            .child(requirement) { try handle($0, $1).response(success: description.success) })
    }

    /// A child's endpoint for any member that has a shortcut.
    convenience init<Input, Output, Written: JSONWritable & SendableMetatype>(
        _ endpoint: Endpoint<Input, Output>,
        shortcut:
            @escaping @Sendable (RequestContext, Admission) throws -> (
                (inout Admission) throws -> Reply<Written>?
            )?,
        writing handle:
            @escaping @Sendable (RequestContext, ChildMembership) throws -> Reply<Written>
    ) {
        let description = endpoint.description
        precondition(description.access == .child(.contributor))
        self.init(
            description,
            .child(
                .contributor,
                shortcut: { context, admission in
                    guard let rest = try shortcut(context, admission) else { return nil }
                    return { try rest(&$0)?.response(success: description.success) }
                }
            ) { try handle($0, $1).response(success: description.success) })
    }

    /// A child's endpoint whose answer may be kept. The handler is given what is, and otherwise makes it and has it kept.
    convenience init<Input, Output, Kept, Written: JSONWritable & SendableMetatype>(
        _ endpoint: Endpoint<Input, Output>, keeping answer: KeptAnswer<Kept>,
        writing handle:
            @escaping @Sendable (RequestContext, ChildMembership, Kept?) throws -> Reply<Written>
    ) {
        let description = endpoint.description
        guard case .child = description.access, description.method == .get else {
            preconditionFailure("\(description.path) does not read of a child")
        }
        self.init(
            description,
            .asking { context, admission in
                let isKept = context.asks(for: answer)
                let found =
                    try isKept
                    ? answer.ask(context, admission)
                    : { (child: try findChild(context, admission), kept: nil) }
                return {
                    let (child, kept) = try found()
                    try requireJSON(context)
                    return try handle(context, child.membership(for: context.endpoint), kept)
                        .response(success: description.success)
                }
            })
    }
}
