import BabyBasicsAPI
public import FastCGI
import Postgres

/// The server: one request in, one response out.
public final class Server: Sendable {
    let services: Services
    private let router: Router

    public convenience init(_ services: Services) { self.init(services, routes: Route.all) }

    init(_ services: Services, routes: [Route]) {
        self.services = services
        router = Router(routes)
        _ = ProcessMetrics.started
    }

    /// The walk of a request. Each step can end it, and the order of the steps is the order in which errors win.
    public func respond(to request: Request) async -> Response {
        var observation = RequestObservation()
        var context: RequestContext?
        var response: Response
        do {
            let found = try self.context(of: request)
            context = found
            response = try await answer(found)
            found.publishNews()
        } catch {
            if case .outcomeUnknown? = (error as? PostgresError)?.kind { context?.publishNews() }
            let refusal = apiError(for: error)
            observation.note(error, answered: refusal, services)
            response = refusal.response
        }
        context?.endWait()
        context?.addHeaders(to: &response)
        observation.end(request, context, response, services)
        return response
    }

    /// - Throws: `APIError` 413, 404 or 405.
    private func context(of request: Request) throws -> RequestContext {
        let (route, parameters) = try match(request)
        return RequestContext(request: request, services: services, route: route, parameters: parameters)
    }

    /// - Throws: `APIError` 413, 404 or 405.
    private func match(_ request: Request) throws -> (route: Route, parameters: [Substring]) {
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

    /// Lets the caller in, by what the endpoint declares, and has the handler answer.
    private func answer(_ context: RequestContext) async throws -> Response {
        try await limitByAddress(context)
        guard case .asking(let handle) = context.route.handler else { return try await lookUpAndAnswer(context) }
        let response = try await handle(context)
        // An answer to a caller whom no question has let in is a mistake, and shows nothing.
        guard context.answeredScope == Question.Scope(context.endpoint.access) else { throw APIError.unexplained }
        return response
    }

    /// For handlers that ask no question of their own. Not inlined: a request that waits keeps the whole frame of `answer`.
    @inline(never)
    private func lookUpAndAnswer(_ context: RequestContext) async throws -> Response {
        switch context.route.handler {
        case .anyone(let handle):
            if context.endpoint.access == .admin, !context.showsMailedLink { try authenticateAdmin(context) }
            try requireJSON(context)
            return try await handle(context)
        case .user(let handle):
            return try await handle(context, authenticate(context))
        case .family(let handle):
            if context.endpoint.method == .get {
                return try await handle(context, authorizeFamily(context))
            }
            return try await context.changing { try await handle(context, authorizeFamily(context)) }
        case .child(let handle):
            if context.endpoint.method == .get {
                return try await handle(context, authorizeChild(context))
            }
            return try await context.changing { try await handle(context, authorizeChild(context)) }
        case .asking: throw APIError.unexplained
        }
    }
}
