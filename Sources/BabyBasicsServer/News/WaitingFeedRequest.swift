import FastCGI

/// A request for changes that waits for some.
///
/// Unchecked because the loop's thread alone uses it, as all of a request.
final class WaitingFeedRequest: WaitingRequest, @unchecked Sendable {
    private let context: RequestContext
    private let observation: RequestObservation
    private let server: Server

    init(_ context: RequestContext, _ observation: RequestObservation, of server: Server) {
        self.context = context
        self.observation = observation
        self.server = server
    }

    func whenReady(_ action: @escaping () -> Void) { context.waiter?.whenTold(action) }

    /// From the beginning: whatever ends the wait, access is asked for again.
    func resume() async -> HandlerResult {
        context.goOn()
        return await server.respond(to: context.request, in: context, observation)
    }
}
