import BabyBasicsAPI
import Synchronization

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

extension Transport {
    /// Foundation's own.
    ///
    /// It trusts the authorities that the system trusts. On Linux there is no way to add one for a process alone:
    /// `URLSession` takes libcurl's bundle, `/etc/ssl/certs/ca-certificates.crt` on Debian, and reads the environment variable
    /// `URLSessionCertificateAuthorityInfoFile` on Android only (`EasyHandle.setCARootBundlePath` in swift-corelibs-foundation).
    /// For the certificate of a test server use `curl(certificateAuthority:)`, or `update-ca-certificates` for good.
    /// - Parameter configuration: nothing is cached and no cookie kept where absent.
    public static func urlSession(_ configuration: URLSessionConfiguration? = nil) -> Transport {
        let session = SessionHolder(configuration ?? .ephemeral)
        return Transport { request, timeout in
            try await session.perform(request, timeout: timeout)
        }
    }
}

/// Ends the session with the last client that uses it.
private final class SessionHolder: Sendable {
    private let session: URLSession
    private let exchanges = Exchanges()

    init(_ configuration: URLSessionConfiguration) {
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    deinit {
        session.finishTasksAndInvalidate()
    }

    func perform(_ request: HTTPRequest, timeout: Duration) async throws -> HTTPAnswer {
        let task = session.dataTask(with: URLRequest(request, timeout: timeout))
        do {
            let body = try await withTaskCancellationHandler {
                try await exchanges.run(task)
            } onCancel: {
                task.cancel()
            }
            guard let answer = HTTPAnswer(task.response, body: body) else {
                throw TransportFailure(.other, "\(request.url): no answer of HTTP")
            }
            return answer
        } catch let error as URLError {
            if error.code == .cancelled { throw CancellationError() }
            throw TransportFailure(
                reason(error), "\(request.url): \(error.localizedDescription)")
        }
    }
}

/// The tasks that run, and what they have received. `URLSession.data(for:)` would do it all, but on Linux it asks nobody before it
/// follows a redirection, and takes the token there.
private final class Exchanges: NSObject, URLSessionDataDelegate {
    private struct Exchange {
        var body = Data()
        let end: CheckedContinuation<Data, any Error>
    }

    /// By the identifier of the task.
    private let running = Mutex<[Int: Exchange]>([:])

    func run(_ task: URLSessionDataTask) async throws -> Data {
        try await withCheckedThrowingContinuation { end in
            running.withLock { $0[task.taskIdentifier] = Exchange(end: end) }
            task.resume()
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        running.withLock { $0[dataTask.taskIdentifier]?.body.append(data) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        let exchange = running.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        if let error {
            exchange?.end.resume(throwing: error)
        } else if let exchange {
            exchange.end.resume(returning: exchange.body)
        }
    }

    /// The API redirects nobody.
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}

extension URLRequest {
    fileprivate init(_ request: HTTPRequest, timeout: Duration) {
        self.init(url: request.url, cachePolicy: .reloadIgnoringLocalCacheData)
        // Set, not given to the initialiser: on Linux only what was set counts, and whole seconds of it.
        timeoutInterval = max(1, Double(timeout.components.seconds))
        httpMethod = request.method.rawValue
        httpBody = request.body
        for header in request.headers {
            setValue(header.value, forHTTPHeaderField: header.name)
        }
    }
}

extension HTTPAnswer {
    /// Nil for what is not HTTP.
    fileprivate init?(_ response: URLResponse?, body: Data) {
        guard let response = response as? HTTPURLResponse else { return nil }
        self.init(
            status: response.statusCode,
            headers: response.allHeaderFields.compactMap { name, value in
                guard let name = name as? String, let value = value as? String else { return nil }
                return (name, value)
            },
            body: body)
    }
}

#if canImport(FoundationNetworking)
    /// swift-corelibs-foundation makes of most of libcurl's errors `unknown`, and `cannotConnectToHost` of every error after one
    /// address of several refused a connection, also of one that broke off later on another address. Libcurl's own words, which
    /// it passes on, tell more. Where they are not known, the request may have been sent.
    private func reason(_ error: URLError) -> TransportFailure.Reason {
        let words = error.localizedDescription
        return switch error.code {
        case .badURL, .unsupportedURL: .badURL
        case .timedOut: .timedOut
        case .cannotFindHost: .cannotConnect
        case _ where words.hasPrefix("Failed to connect to "): .cannotConnect
        case _ where words.hasPrefix("SSL certificate problem"): .untrustedServer
        case _ where words.hasPrefix("SSL: no alternative certificate"): .untrustedServer
        case .cannotConnectToHost, .networkConnectionLost, .badServerResponse: .connectionLost
        default: .other
        }
    }
#else
    private func reason(_ error: URLError) -> TransportFailure.Reason {
        switch error.code {
        case .badURL, .unsupportedURL: .badURL
        case .timedOut: .timedOut
        case .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet:
            .cannotConnect
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid:
            .untrustedServer
        case .networkConnectionLost: .connectionLost
        default: .other
        }
    }
#endif
