import BabyBasicsAPI
import EventLoop
import FastCGI
import Logging
import Postgres

/// Measures one request, and says and counts what came of it.
struct RequestObservation {
    private let started = Monotonic.now
    private var cause: String?

    /// Notes an error that ended the request, if the log is to tell its cause.
    mutating func note(_ error: any Error, answered refusal: APIError, _ services: Services) {
        guard refusal.code == .internalError || refusal.code == .serviceUnavailable else { return }
        cause = loggable(error)
        services.metrics.count(FailureCause(error))
    }

    /// To be called when the request has given its connection back.
    func end(
        _ request: Request, _ context: RequestContext?, _ response: Response, _ services: Services
    ) {
        // Who waits for changes has nobody wait for the server.
        let nanoseconds = Monotonic.now &- started &- (context?.waiter?.nanosecondsWaited ?? 0)
        let use = context?.database.use ?? DatabaseUse()
        let route = context?.route
        services.metrics.record(
            route: route?.number, status: response.status, nanoseconds: nanoseconds, database: use)
        services.requestLog.write(
            RequestRecord(
                requestID: request.bytes(of: "REQUEST_ID"), route: route,
                status: response.status, nanoseconds: nanoseconds, database: use,
                userID: context?.caller?.userID, cause: cause),
            level: level(of: response.status))
    }

    /// A 503 is somebody else's trouble, a 500 ours.
    private func level(of status: Int) -> Logger.Level {
        if status == 500 { return .error }
        return status > 500 || cause != nil ? .warning : .info
    }
}
