import BabyBasicsAPI
import Cryptography
import Curl
import FoundationEssentials
import JSON

/// How a push reaches a browser: RFC 8030, 8291 and 8292.
struct WebPush: Sendable {
    let configuration: PushConfiguration
    let tokens: PushTokens

    /// As long as a token may be used, which says itself that it is good for twice as long.
    private static let tokenLifetime = Duration.seconds(6 * 3600)
    /// What push services keep a push for at most.
    private static let longest = 28 * 86_400

    /// Nil for a device whose push service is not listed any more: it cannot be told any longer.
    func prepare(_ push: WaitingPush, at now: Timestamp) -> (@Sendable () -> OutgoingRequest?)? {
        guard let endpoint = PushEndpoint(push.address, configuration.hosts), let key = configuration.key(push.pushKey),
            let encryption = PushEncryption(publicKey: push.p256dh ?? [], secret: push.auth ?? [])
        else { return nil }
        // Encrypting takes as long as a request of ours: it is no work for the event loop.
        return { request(push, endpoint, key, encryption, at: now) }
    }

    private func request(
        _ push: WaitingPush, _ endpoint: PushEndpoint, _ key: P256Key, _ encryption: PushEncryption, at now: Timestamp
    ) -> OutgoingRequest? {
        guard let body = try? encryption.encrypt(push.message.payload), let token = try? token(endpoint, key, at: now)
        else { return nil }
        return OutgoingRequest(
            url: endpoint.url,
            headers: [
                ("Authorization", "vapid t=\(token), k=\(key.text)"), ("Content-Encoding", "aes128gcm"),
                ("Content-Type", "application/octet-stream"),
                ("TTL", "\(push.message.seconds(from: now, atMost: Self.longest))"),
                ("Urgency", push.message.urgency.rawValue), ("Topic", topic(push)),
            ],
            body: body, reach: configuration.reach(endpoint.host))
    }

    /// Tells the push service who we are, and nothing else.
    private func token(_ endpoint: PushEndpoint, _ key: P256Key, at now: Timestamp) throws -> String {
        try tokens.token("\(endpoint.origin) \(key.text)", lifetime: Self.tokenLifetime, at: now) {
            let expiry = now.adding(Self.tokenLifetime * 2).seconds
            let claims = WrittenJSON {
                $0.object {
                    $0.member("aud", endpoint.origin)
                    $0.member("exp", expiry)
                    $0.member("sub", configuration.subject)
                }
            }
            return try SignedToken.make(
                header: #"{"typ":"JWT","alg":"ES256"}"#, claims: String(decoding: claims.bytes, as: UTF8.self), key: key
            )
        }
    }

    /// By which a push service knows what a newer push replaces: 32 characters that say nothing of the tag.
    private func topic(_ push: WaitingPush) -> String {
        String(Encoding.base64URL(Digest.sha256("\(push.device) \(push.message.tag)".utf8)).prefix(32))
    }
}

extension PushMessage {
    /// What a browser's service worker gets.
    var payload: [UInt8] {
        WrittenJSON {
            $0.object {
                writeWords(to: &$0)
                writeSubject(to: &$0)
            }
        }.bytes
    }

    /// Short enough for every push service, however they are written.
    func writeWords(to json: inout JSONWriter) {
        json.member("title", title.cut(to: 100))
        json.member("body", body.cut(to: 400))
    }

    /// What it is about.
    func writeSubject(to json: inout JSONWriter) {
        json.member("tag", tag)
        json.member("kind", kind.rawValue)
        json.member("family_id", familyID)
        json.member("child_id", childID)
        json.member("event_kind", eventKind)
        json.member("plan_id", planID.map { Identifier<PushMessage>($0) })
    }

    /// How long it is true still.
    func seconds(from now: Timestamp, atMost limit: Int) -> Int {
        min(limit, max(0, Int(expiresAt.since(now) / .seconds(1))))
    }
}

extension Timestamp {
    /// Since 1970.
    var seconds: Int64 { microsecondsSince1970 / 1_000_000 }
}

extension String {
    /// At most so many code points.
    func cut(to count: Int) -> String {
        unicodeScalars.count <= count ? self : String(unicodeScalars.prefix(count - 1)) + "…"
    }
}
