import BabyBasicsServer
import EventLoop
import FastCGI
import Logging
import Synchronization
import Systemd

/// When this worker is ready, and that it still gets on: what the service manager acts upon.
///
/// A worker is ready once the database has answered it, so a rolling restart stops at the first worker that cannot reach it.
final class Readiness: Sendable {
    private enum Phase {
        case waiting, ready, stopping
    }

    private let services: Services
    private let logger: Logger
    private let phase = Mutex(Phase.waiting)

    init(_ services: Services, logger: Logger) {
        self.services = services
        self.logger = logger
    }

    /// Waits for the database, but not for ever: if all workers start while it is away, clients are better served with 503 than with silence.
    func waitForDatabase() async {
        let end = ContinuousClock.now + .seconds(5)
        while phase.withLock({ $0 == .waiting }), await !announce(), ContinuousClock.now < end {
            await services.loop.sleep(.milliseconds(100))
        }
    }

    /// For the worker's configuration; nil where nobody watches.
    var heartbeat: Heartbeat? {
        guard let limit = ServiceManager.watchdog else { return nil }
        // Several times within the limit: one heartbeat that waited behind a slow request is no harm.
        return Heartbeat(interval: limit / 4) { self.beat() }
    }

    private func beat() {
        ServiceManager.tell(.alive)
        if phase.withLock({ $0 == .waiting }) { services.loop.task { _ = await self.announce() } }
    }

    /// Returns whether the worker is ready.
    private func announce() async -> Bool {
        guard await services.databaseAnswers() else {
            ServiceManager.tell(.starting(.seconds(60)), status: "waiting for the database")
            return false
        }
        phase.withLock {
            guard $0 == .waiting else { return }
            $0 = .ready
            ServiceManager.tell(.ready, status: "answering requests")
            logger.info("ready")
        }
        return true
    }

    func stopping() {
        phase.withLock { $0 = .stopping }
        ServiceManager.tell(.stopping, status: "finishing what is under way")
    }
}
