import BabyBasicsAPI
import Cryptography
import Curl
import JSON

/// How a push reaches an app on an Apple device.
struct APNs: Sendable {
    let configuration: APNsConfiguration
    let authorities: String?
    let tokens: PushTokens

    /// Apple wants one no younger than 20 minutes and no older than an hour.
    private static let tokenLifetime = Duration.seconds(40 * 60)
    private static let tokenName = "apns"

    func prepare(_ push: WaitingPush, at now: Timestamp) -> (@Sendable () -> OutgoingRequest?)? {
        { request(push, at: now) }
    }

    private func request(_ push: WaitingPush, at now: Timestamp) -> OutgoingRequest? {
        guard let token = try? token(at: now) else { return nil }
        let message = push.message
        return OutgoingRequest(
            url: "https://\(host(push.environment))/3/device/\(push.address)",
            headers: [
                ("Authorization", "bearer \(token)"), ("Content-Type", "application/json"),
                ("apns-topic", configuration.topic), ("apns-push-type", "alert"),
                ("apns-priority", message.urgency == .low ? "5" : "10"), ("apns-collapse-id", message.tag),
                ("apns-expiration", "\(message.expiresAt.seconds)"),
            ],
            body: payload(message),
            reach: configuration.loopbackPort.map { .loopback(port: $0, authorities: authorities) } ?? .public)
    }

    private func host(_ environment: AppleDevice.Environment?) -> String {
        if let port = configuration.loopbackPort { return "127.0.0.1:\(port)" }
        return environment == .sandbox ? "api.sandbox.push.apple.com" : "api.push.apple.com"
    }

    private func token(at now: Timestamp) throws -> String {
        try tokens.token(Self.tokenName, lifetime: Self.tokenLifetime, at: now) {
            try SignedToken.make(
                header: #"{"alg":"ES256","kid":"\#(configuration.keyID)"}"#,
                claims: #"{"iss":"\#(configuration.teamID)","iat":\#(now.seconds)}"#, key: configuration.key)
        }
    }

    /// What iOS shows by itself, and beside it what a browser gets too. The category is what the buttons are chosen by.
    private func payload(_ message: PushMessage) -> [UInt8] {
        WrittenJSON {
            $0.object {
                $0.member("aps", object: { writeAlert(message, to: &$0) })
                message.writeSubject(to: &$0)
            }
        }.bytes
    }

    private func writeAlert(_ message: PushMessage, to json: inout JSONWriter) {
        json.member("alert", object: message.writeWords)
        json.member("category", message.kind.rawValue)
        json.member("thread-id", message.childID?.description ?? message.familyID.description)
        json.member("interruption-level", message.urgency == .low ? "passive" : "active")
        if message.urgency != .low { json.member("sound", "default") }
    }

    func answer(_ result: OutgoingResult) -> PushAnswer {
        guard case .answered(let answer) = result else { return PushAnswer(result) }
        let reason = JSONValue(answer.body)?.member("reason")?.string
        if answer.status == 403, reason == "ExpiredProviderToken" || reason == "InvalidProviderToken" {
            // It tells of us, not of the device.
            tokens.forget(Self.tokenName)
            return .later(reason: "403", after: nil)
        }
        return PushAnswer(result) { $0.status == 400 && reason == "BadDeviceToken" }
    }
}
