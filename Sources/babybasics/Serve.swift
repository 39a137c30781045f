import ArgumentParser
import BabyBasicsServer
import FastCGI
import Logging
import Postgres

/// One worker process.
struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Answer requests until SIGTERM.",
        discussion:
            "Everything it needs is in the environment; `check-config` says what is missing.")

    func run() throws {
        // Before any thread is made: all of them inherit the blocked signals.
        let signals = SignalWaiter()
        let environment = try Environment()
        let log = try ServiceLog(level: environment.logLevel)
        defer { log.flush() }
        let logger = log.logger
        let services = try environment.makeServices(logger: logger)
        let server = Server(services)
        let worker = try Worker(
            listener: environment.makeListener(), configuration: environment.workerConfiguration,
            logger: logger, handler: { server.respond(to: $0) })
        log.serveMetrics(environment.metricsAddress, of: server, worker)
        try signals.onEach { _ in worker.stop() }
        logger.info("serving", metadata: ["threads": "\(environment.threads)"])
        try worker.run()
        services.close()
        logger.info("stopped")
    }
}
