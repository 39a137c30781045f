import BabyBasicsAPI

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
    private let redirections = NoRedirections()

    init(_ configuration: URLSessionConfiguration) {
        session = URLSession(configuration: configuration)
    }

    deinit {
        session.finishTasksAndInvalidate()
    }

    func perform(_ request: HTTPRequest, timeout: Duration) async throws -> HTTPAnswer {
        let (seconds, attoseconds) = timeout.components
        var urlRequest = URLRequest(
            url: request.url, cachePolicy: .reloadIgnoringLocalCacheData,
            timeoutInterval: Double(seconds) + Double(attoseconds) / 1e18)
        urlRequest.httpMethod = request.method.rawValue
        urlRequest.httpBody = request.body
        for header in request.headers {
            urlRequest.setValue(header.value, forHTTPHeaderField: header.name)
        }
        let (body, response): (Data, URLResponse)
        do {
            (body, response) = try await session.data(for: urlRequest, delegate: redirections)
        } catch let error as URLError {
            if error.code == .cancelled { throw CancellationError() }
            throw TransportFailure(
                reason(error), "\(request.url): \(error.localizedDescription)")
        }
        guard let response = response as? HTTPURLResponse else {
            throw TransportFailure(.other, "\(request.url): no answer of HTTP")
        }
        return HTTPAnswer(
            status: response.statusCode,
            headers: response.allHeaderFields.compactMap { name, value in
                guard let name = name as? String, let value = value as? String else { return nil }
                return (name, value)
            },
            body: body)
    }
}

/// The API redirects nobody. To follow whoever does would show them the token.
private final class NoRedirections: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
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
