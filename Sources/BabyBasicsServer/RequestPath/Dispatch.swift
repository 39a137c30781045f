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
    public func respond(to request: Request) -> Response {
        var observation = RequestObservation()
        var context: RequestContext?
        var response: Response
        do {
            let (route, parameters) = try find(request)
            observation.route = route
            let here = RequestContext(
                request: request, services: services, route: route, parameters: parameters)
            context = here
            try limitAddress(here)
            response = try answer(route, here)
        } catch {
            let refusal = apiError(for: error)
            observation.note(error, answered: refusal, services)
            response = refusal.response
        }
        do { try context?.settle() } catch { observation.note(unsettled: error) }
        context?.releaseDatabase()
        response.headers += context?.headers ?? []
        observation.end(request, context, response, services)
        return response
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

    private func answer(_ route: Route, _ context: RequestContext) throws -> Response {
        switch route.handler {
        case .anyone(let handle):
            if route.endpoint.access == .admin { try authenticateAdmin(context) }
            try requireJSON(context)
            return try handle(context)
        case .user(let handle):
            let caller = try authenticate(context)
            try requireJSON(context)
            return try handle(context, caller)
        case .family(let requirement, let handle):
            let caller = try authenticate(context)
            try requireJSON(context)
            return try transactionIfChanging(context) {
                try handle(context, authorizeFamily(context, caller, requirement))
            }
        case .reading(let answer):
            return try answer(context, admit(context))
        case .child(let requirement, let shortcut, let handle):
            func answer(_ admission: Admission) throws -> Response {
                try transactionIfChanging(context) {
                    let child = try findChild(context, admission)
                    try requireJSON(context)
                    return try handle(context, child.membership(meeting: requirement))
                }
            }
            var admission = try admit(context)
            if let response = try shortcut?(context, &admission) { return response }
            do {
                return try answer(admission)
            } catch is NoCounter {
                _ = try authenticate(context, admission)
                admission.isCounted = true
                return try answer(admission)
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
