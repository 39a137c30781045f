import ArgumentParser
import BabyBasicsServer
import EventLoop
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
        try EventLoop.run { loop in
            try await Self.serve(environment, on: loop, signals: signals, log: log)
        }
    }

    private static func serve(
        _ environment: Environment, on loop: EventLoop, signals: SignalWaiter, log: ServiceLog
    ) async throws {
        let logger = log.logger
        let services = try environment.makeServices(on: loop, logger: logger)
        let server = Server(services)
        let readiness = Readiness(services, logger: logger)
        var configuration = environment.workerConfiguration
        configuration.heartbeat = readiness.heartbeat
        let worker = try Worker(
            listener: environment.makeListener(), on: loop, configuration: configuration,
            logger: logger
        ) { await server.respond(to: $0) }
        try signals.onEach { _ in
            readiness.stopping()
            services.drain()
            worker.stop()
        }
        await readiness.waitForDatabase()
        services.start()
        log.serveMetrics(environment.metricsAddress, of: server, worker)
        logger.info("serving")
        try await worker.serve()
        await services.close()
        logger.info("stopped")
    }
}
