import BabyBasicsAPI
import FastCGI
import Logging
import Postgres

/// One request on its way: what came, when, and what has become known of it.
final class RequestContext {
    let request: Request
    let services: Services
    let route: Route
    /// The path's parameters, in the order of the pattern.
    let parameters: [Substring]
    let database: Database
    /// The one moment that everything in this request happens at, to the millisecond that the wire shows. After a wait there is another.
    private(set) var now: Timestamp
    /// The same to the microsecond, by which identifiers are in the order of what happened.
    private var moment: Timestamp
    /// Go with every answer to this request, errors too.
    var headers: [(name: String, value: String)] = []
    var rateLimit: RateLimitState?
    /// When it was counted among its user's requests; nil until then.
    var countedAt: Timestamp?
    /// Whether it shows its session by a browser's cookie.
    var showsCookie = false
    /// Whether the session that it came with is over since.
    var sessionHasEnded = false
    /// Known once the token has been checked.
    var caller: Caller?
    /// What a question has let the caller in to.
    var answeredScope: Question.Scope?
    /// What it waits for, if it may wait.
    var waiter: FeedWaiter?
    private var identifiersMade = 0

    init(request: Request, services: Services, route: Route, parameters: [Substring]) {
        self.request = request
        self.services = services
        self.route = route
        self.parameters = parameters
        database = Database(services.pool)
        moment = services.clock.moment()
        now = moment.truncatedToMilliseconds
    }

    /// Everything that follows a wait happens at a later moment.
    func renewMoment() {
        moment = services.clock.moment()
        now = moment.truncatedToMilliseconds
    }

    var endpoint: EndpointDescription { route.endpoint }

    func newIdentifier<Entity>() throws -> Identifier<Entity> {
        identifiersMade += 1
        return try services.newIdentifier(at: moment, number: identifiersMade)
    }

    /// A path parameter as an identifier.
    /// - Throws: `otherwise` where it is none.
    func identifier<Entity>(
        _ index: Int, of type: Entity.Type = Entity.self, otherwise error: APIError = .notFound
    ) throws -> Identifier<Entity> {
        guard let identifier = Identifier<Entity>(parameters[index]) else { throw error }
        return identifier
    }
}
