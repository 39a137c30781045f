import BabyBasicsAPI
import Cryptography
import EventLoop
import Foundation
import Glibc
import Logging
import Postgres
import SharedMemory

@testable import BabyBasicsServer
@testable import FastCGI

/// The server without a database: its pool is closed, so that whatever needs one gets 500. All before that is real.
enum LoneServer {
    /// On a thread of its own; libFuzzer's waits for what it does.
    static let loop: EventLoop = {
        do {
            let loop = try EventLoop()
            Thread.detachNewThread { loop.run() }
            return loop
        } catch {
            fail("\(error)")
        }
    }()

    static let services: Services = {
        do {
            let logger = Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() }
            let pool = Pool(configuration: PoolConfiguration(url: "host=/nowhere"), on: loop, logger: logger)
            // Whoever asks first may be a request, on the loop.
            if loop.isCurrent { pool.close() } else { loop.sync { pool.close() } }
            return Services(
                configuration: ServerConfiguration(
                    baseURL: "https://baby.example.com",
                    inviteKeys: [Array(repeating: 7, count: 32)], throttleKey: Array(repeating: 5, count: 32),
                    adminTokens: [Array(repeating: 65, count: 32)], deepLinkScheme: "babybasics"),
                pool: pool,
                passwords: try PasswordHasher(cost: 10, concurrency: 1, limit: 1, timeout: .seconds(1)),
                requestCounts: try RateLimitTable(path: nil), logger: logger)
        } catch {
            fail("\(error)")
        }
    }()

    static let router = Router(Route.all)
    private static let server = Server(services)

    /// Answers, and checks what every answer has: an error in the contract's form, a status that goes with its code.
    static func respond(_ request: Request) -> Response { loop.sync { await answer(request) } }

    /// The same on the loop.
    static func answer(_ request: Request) async -> Response {
        let response = await server.respond(to: request)
        let json = ReferenceJSON(response.body)
        // Health has an answer of its own for a database that is away.
        if response.status == 503, json?["status"]?.string == "unavailable" { return response }
        guard let error = json?["error"], let code = error["code"]?.string,
            error["message"]?.string?.isEmpty == false, case .array = error["details"]
        else {
            fail("not an error of the contract: \(String(decoding: response.body, as: UTF8.self))")
        }
        check(
            ErrorCode.allCases.first { $0.rawValue == code }?.status == response.status,
            "\(code) with \(response.status)")
        return response
    }

    static func context(_ request: Request) -> RequestContext {
        RequestContext(
            request: request, services: services, route: Route.all[0], parameters: [])
    }

    /// A request as libfcgi hands it over: strings `name=value` that end with NUL.
    static func request(_ variables: [[UInt8]], body: [UInt8] = []) -> Request {
        let strings = variables.map { strndup($0.map(CChar.init(bitPattern:)), $0.count) }
        defer { for string in strings { free(string) } }
        var request = (strings + [nil]).withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { Request(copying: $0) } ?? Request(parameters: [])
        }
        request.body = body
        return request
    }
}
