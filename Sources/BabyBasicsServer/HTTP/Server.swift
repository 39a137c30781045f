import BabyBasicsAPI
public import FastCGI
import Postgres

/// The server: one request in, one response out.
public final class Server: Sendable {
    let services: Services
    private let router = Router(Route.all)

    public init(_ services: Services) {
        self.services = services
        _ = ProcessFigures.started
    }

    /// The walk of a request. Each step can end it, and the order of the steps is the order in which errors win.
    ///
    /// Where it begins with a question to the database that needs nothing else, no thread waits for the answer.
    public func answer(_ request: Request, _ turn: Turn) -> Answer {
        let walk = Walk(request, services)
        do {
            let (route, parameters) = try find(request)
            let context = RequestContext(
                request: request, turn: turn, services: services, route: route,
                parameters: parameters)
            walk.context = context
            try limitAddress(context)
            let rest = try begin(route, context)
            guard let awaited = context.awaited else {
                turn.release()
                return .ready(walk.end(rest))
            }
            let isHere = context.inLine.map { sent in { sent.isHere } }
            return .later(descriptor: awaited, isHere: isHere) { turn in
                context.turn = turn
                return walk.end(rest)
            }
        } catch {
            return .ready(walk.end { throw error })
        }
    }

    /// The same without a worker: waits for the answer.
    public func respond(to request: Request) -> Response {
        let turn = Turn()
        return switch answer(request, turn) {
        case .ready(let response): response
        case .later(_, _, let then): then(turn)
        }
    }

    /// - Throws: `APIError` 413, 404 or 405.
    private func find(_ request: Request) throws -> (route: Route, parameters: [Substring]) {
        // By bytes, as the router reads it: as a character, a question mark and an accent after it are one.
        let path = (request.bytes(of: "REQUEST_URI") ?? []).prefix { $0 != UInt8(ascii: "?") }
        let size = request.body.count
        do {
            let match = try router.match(method: request["REQUEST_METHOD"] ?? "", path: path)
            if size > match.route.endpoint.maximumBodyBytes { throw APIError.bodyTooLarge }
            return match
        } catch {
            // As nginx has it: what is too large is told so before anything else.
            throw size > EndpointDescription.usualBodyBytes ? APIError.bodyTooLarge : error
        }
    }

    /// Lets the caller in; what is returned answers.
    private func begin(_ route: Route, _ context: RequestContext) throws -> Route.Rest {
        switch route.handler {
        case .anyone(let handle):
            return {
                if route.endpoint.access == .admin { try authenticateAdmin(context) }
                try requireJSON(context)
                return try handle(context)
            }
        case .user(let handle):
            return {
                let caller = try authenticate(context)
                try requireJSON(context)
                return try handle(context, caller)
            }
        case .family(let requirement, let handle):
            return {
                let caller = try authenticate(context)
                try requireJSON(context)
                return try self.transactionIfChanging(context) {
                    try handle(context, authorizeFamily(context, caller, requirement))
                }
            }
        case .asking(let ask):
            return try ask(context, admit(context))
        case .child(let requirement, let shortcut, let handle):
            func answer(_ admission: Admission) throws -> Response {
                try transactionIfChanging(context) {
                    let child = try findChild(context, admission)
                    try requireJSON(context)
                    return try handle(context, child.membership(meeting: requirement))
                }
            }
            var admission = try admit(context)
            let short = try shortcut?(context, admission)
            return {
                if let response = try short?(&admission) { return response }
                context.turn.release()
                do {
                    return try answer(admission)
                } catch is NoCounter {
                    _ = try authenticate(context, admission)
                    admission.isCounted = true
                    return try answer(admission)
                }
            }
        }
    }

    /// Whoever changes something of a family checks and changes it under the family's lock, in one transaction.
    private func transactionIfChanging(
        _ context: RequestContext, _ body: () throws -> Response
    ) throws -> Response {
        guard context.endpoint.method != .get else { return try body() }
        return try context.database.transaction(body)
    }
}

/// A request under way, from its first moment to its end.
private final class Walk {
    /// Once the route is found.
    var context: RequestContext?
    private let request: Request
    private let services: Services
    private var observation = RequestObservation()

    init(_ request: Request, _ services: Services) {
        self.request = request
        self.services = services
    }

    /// Goes the rest of the way.
    func end(_ rest: Route.Rest) -> Response {
        var response: Response
        do {
            response = try rest()
        } catch {
            let refusal = apiError(for: error)
            observation.note(error, answered: refusal, services)
            response = refusal.response
            if refusal.code == .unauthorized, let context, context.request["HTTP_AUTHORIZATION"] == nil, context.cookieText != nil {
                context.headers.append(("Set-Cookie", RequestContext.endedCookie))
            }
        }
        do { try context?.settle() } catch { observation.note(unsettled: error) }
        context?.releaseDatabase()
        context?.addHeaders(to: &response)
        observation.end(request, context, response, services)
        return response
    }
}
