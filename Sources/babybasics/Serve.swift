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
        let environment = try Environment(.ofThisProcess())
        let log = try ServiceLog(level: environment.logLevel)
        defer { log.flush() }
        let logger = log.logger
        let services = try environment.makeServices(logger: logger)
        let server = Server(services)
        let readiness = Readiness(services, logger: logger)
        var configuration = environment.workerConfiguration
        configuration.heartbeat = readiness.heartbeat
        let worker = try Worker(
            listener: environment.makeListener(), configuration: configuration,
            logger: logger, starting: { server.answer($0, $1) })
        try signals.onEach { _ in
            readiness.stopping()
            worker.stop()
        }
        readiness.waitForDatabase()
        try services.start()
        log.serveMetrics(environment.metricsAddress, of: server, worker)
        logger.info("serving", metadata: ["threads": "\(environment.threads)"])
        try worker.run()
        services.close()
        logger.info("stopped")
    }
}
