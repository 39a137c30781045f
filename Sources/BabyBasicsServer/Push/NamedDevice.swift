import BabyBasicsAPI
import Cryptography
import JSON

/// A device as somebody names it, after all checks.
struct NamedDevice {
    /// What only a browser has.
    struct Keys {
        let p256dh: [UInt8]
        let auth: [UInt8]
        /// Ours, which it was subscribed with, where the client says which.
        let ours: String?
    }

    let type: DeviceType
    let address: String
    let service: String
    var keys: Keys?
    var environment: AppleDevice.Environment?

    /// - Throws: `APIError` 400 for what is not as described, 409 where the server pushes to no such devices.
    init(_ fields: Fields, _ push: PushConfiguration?) throws {
        let type = try fields.all(fields.required("type", .deviceType))
        switch type {
        case .webPush:
            guard let push, push.pushesToBrowsers else { throw APIError.noPush }
            let endpoint = fields.required("endpoint", .endpoint(push.hosts))
            let keys = fields.object("keys")
            let (found, p256dh, auth, ours) = try fields.all(
                endpoint, keys?.required("p256dh", .publicKey), keys?.required("auth", .bytes(16)),
                fields.optional("application_server_key", .publicKey))
            self.init(
                type: type, address: found.url, service: found.host.name,
                keys: Keys(p256dh: p256dh, auth: auth, ours: ours.map { Encoding.base64URL($0) }))
        case .apns:
            guard push?.apns != nil else { throw APIError.noPush }
            let (token, environment) = try fields.all(
                fields.required("token", .deviceToken), fields.required("environment", .environment))
            self.init(type: type, address: token, service: APNsConfiguration.service, environment: environment)
        }
    }

    private init(
        type: DeviceType, address: String, service: String, keys: Keys? = nil,
        environment: AppleDevice.Environment? = nil
    ) {
        self.type = type
        self.address = address
        self.service = service
        self.keys = keys
        self.environment = environment
    }
}

/// An URL of a push service that the server knows.
struct PushEndpoint {
    static let maximumLength = 2048

    let url: String
    let host: PushHost
    /// Whom a token is for (RFC 8292, 2): scheme, host and port.
    let origin: String

    /// Nil for a host that is not listed, and for what is no `https:` URL of ASCII without user and fragment.
    init?(_ url: String, _ hosts: [PushHost]) {
        guard url.utf8.count <= Self.maximumLength, let parts = Self.parts(url) else { return nil }
        guard let host = hosts.first(where: { $0.matches(parts.host, port: parts.port) }) else { return nil }
        self.url = url
        self.host = host
        origin = "https://\(parts.host)" + (host.loopbackPort.map { ":\($0)" } ?? "")
    }

    static func parts(_ url: String) -> (host: String, port: UInt16?)? {
        guard
            let match = url.wholeMatch(
                of: /https:\/\/([A-Za-z0-9.-]+)(?::([0-9]{1,5}))?\/[A-Za-z0-9._~:\/?\[\]@!$&'()*+,;=%-]*/)
        else { return nil }
        guard let digits = match.output.2 else { return (match.output.1.lowercased(), nil) }
        return UInt16(digits).map { (match.output.1.lowercased(), $0) }
    }
}

extension Rule where Value == DeviceType {
    static let deviceType = text("must be web_push or apns", .notListed) { DeviceType(rawValue: $0) }
}

extension Rule where Value == AppleDevice.Environment {
    static let environment = text("must be production or sandbox", .notListed) { AppleDevice.Environment(rawValue: $0) }
}

extension Rule where Value == PushEndpoint {
    static func endpoint(_ hosts: [PushHost]) -> Rule {
        Rule { (value) throws(Problem) in
            guard let url = value.string else { throw Problem.noString }
            guard url.utf8.count <= PushEndpoint.maximumLength else {
                throw Problem("must have at most \(PushEndpoint.maximumLength) characters", .tooLong)
            }
            guard PushEndpoint.parts(url) != nil else { throw Problem("must be an https URL", .format) }
            guard let endpoint = PushEndpoint(url, hosts) else {
                throw Problem("must be of a push service that this server knows", .notAllowed)
            }
            return endpoint
        }
    }
}

extension Rule where Value == [UInt8] {
    static let publicKey = text("must be an uncompressed point of P-256, 65 bytes in base64url") { text in
        // Bounded first: what is no key is not worth the reading.
        guard text.utf8.count <= 88, let bytes = Encoding.bytes(base64URL: text) else { return nil }
        return P256Key.isPublicKey(bytes) ? bytes : nil
    }

    static func bytes(_ count: Int) -> Rule {
        text("must be \(count) bytes in base64url") { text in
            guard text.utf8.count <= 2 * count + 2, let bytes = Encoding.bytes(base64URL: text) else { return nil }
            return bytes.count == count ? bytes : nil
        }
    }
}

extension Rule where Value == String {
    /// Of an app on an Apple device, in lower case.
    static let deviceToken = text("must be 64 to 200 hexadecimal digits, an even number") { text in
        guard (64...200).contains(text.utf8.count), let bytes = Encoding.bytes(hex: text) else { return nil }
        return Encoding.hex(bytes)
    }
}

extension APIError {
    static let noPush = APIError(.conflict, "This server pushes to no such devices. Ask whoever runs it.")
}
