#if os(Linux) || os(macOS)
    import BabyBasicsAPI
    public import Foundation

    extension Transport {
        /// The program `curl`, once a request: for tools and tests that talk to a server with a certificate of its own authority,
        /// which `URLSession` on Linux cannot be told to trust. A phone never needs it.
        /// - Parameter certificateAuthority: a PEM file; the system's authorities do not count besides.
        public static func curl(certificateAuthority: URL) -> Transport {
            Transport { request, timeout in
                let process = try CurlProcess(
                    request, timeout: timeout, certificateAuthority: certificateAuthority)
                return try await withTaskCancellationHandler {
                    try await process.answer()
                } onCancel: {
                    process.stop()
                }
            }
        }
    }

    private final class CurlProcess: Sendable {
        private let process = Process()
        private let output = Pipe()
        private let url: URL
        private let bodyFile: URL?

        /// - Throws: `TransportFailure` where the request cannot be written down.
        init(_ request: HTTPRequest, timeout: Duration, certificateAuthority: URL) throws {
            url = request.url
            bodyFile = try request.body.map(writePrivately)
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["curl", "--disable", "--config", "-"]
            let configuration = Pipe()
            process.standardInput = configuration
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            // Arguments are for every user to see, so the token goes in by the input: less than a pipe holds, and before anybody
            // reads, so that it neither blocks nor meets a reader that is gone.
            let text = curlConfiguration(
                request, bodyFile: bodyFile, timeout: timeout,
                certificateAuthority: certificateAuthority)
            guard text.utf8.count < 16_384 else {
                throw TransportFailure(.badURL, "\(url): the request's head is too large")
            }
            try configuration.fileHandleForWriting.write(contentsOf: Data(text.utf8))
            try configuration.fileHandleForWriting.close()
        }

        deinit {
            if let bodyFile { try? FileManager.default.removeItem(at: bodyFile) }
        }

        func stop() {
            // Not SIGTERM: what Dispatch's threads start has that blocked.
            if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        }

        func answer() async throws -> HTTPAnswer {
            do {
                try process.run()
            } catch {
                throw TransportFailure(.badURL, "the program curl cannot be run: \(error)")
            }
            if Task.isCancelled { stop() }
            let bytes = await withCheckedContinuation { continuation in
                DispatchQueue.global().async { [self] in
                    let bytes = output.fileHandleForReading.readDataToEndOfFile()
                    process.waitUntilExit()
                    continuation.resume(returning: bytes)
                }
            }
            try Task.checkCancellation()
            guard process.terminationStatus == 0 else {
                let status = process.terminationStatus
                throw TransportFailure(
                    reason(ofExit: status),
                    "\(url): curl ended with \(status) (\(words(ofExit: status)))")
            }
            guard let answer = HTTPAnswer(fromCurl: bytes) else {
                throw TransportFailure(.other, "\(url): no answer of HTTP")
            }
            return answer
        }
    }

    /// A file that its owner alone can read.
    private func writePrivately(_ body: Data) throws -> URL {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("baby-basics-\(UUID().uuidString)")
        guard
            FileManager.default.createFile(
                atPath: file.path, contents: body, attributes: [.posixPermissions: 0o600])
        else { throw TransportFailure(.badURL, "\(file.path) cannot be written") }
        return file
    }

    private func curlConfiguration(
        _ request: HTTPRequest, bodyFile: URL?, timeout: Duration, certificateAuthority: URL
    ) -> String {
        var lines = [
            ("url", request.url.absoluteString), ("request", request.method.rawValue),
            ("cacert", certificateAuthority.path), ("proto", "=https,http"),
            ("max-time", String(max(1, timeout.components.seconds))),
        ]
        lines += request.headers.map { ("header", "\($0.name): \($0.value)") }
        if let bodyFile {
            // Without Expect, a large body is sent at once.
            lines += [("header", "Expect:"), ("data-binary", "@\(bodyFile.path)")]
        }
        let options = lines.map { name, value in
            let escaped = value.replacingOccurrences(of: "\\", with: "\\\\")
                .replacingOccurrences(of: "\"", with: "\\\"")
                .replacingOccurrences(of: "\n", with: " ")
            return "\(name) = \"\(escaped)\"\n"
        }
        return "silent\ninclude\n" + options.joined()
    }

    /// curl(1), "EXIT CODES".
    private func reason(ofExit status: Int32) -> TransportFailure.Reason {
        switch status {
        case 1, 3, 77: .badURL
        case 5, 6, 7, 35: .cannotConnect
        case 28: .timedOut
        case 51, 60: .untrustedServer
        case 52, 55, 56, 92: .connectionLost
        default: .other
        }
    }

    private func words(ofExit status: Int32) -> String {
        switch status {
        case 6: "the host's name is not known"
        case 7: "nobody listens there"
        case 28: "too slow"
        case 35: "no TLS connection came about"
        case 51, 60: "its certificate is not of that authority, or not for that name"
        case 77: "the authority's certificate cannot be read"
        default: "see EXIT CODES of curl(1)"
        }
    }
#endif
