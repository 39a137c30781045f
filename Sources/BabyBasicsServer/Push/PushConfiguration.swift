import BabyBasicsAPI
import Configuration
import Cryptography
import Curl
import FoundationEssentials

/// To whom the server pushes, and by which keys it is known there.
public struct PushConfiguration: Sendable {
    /// The push services of browsers.
    var hosts: [PushHost]
    /// By which push services know us (RFC 8292): browsers subscribe with the first, and those that have subscribed with another stay
    /// subscribed as long as it is here.
    var keys: [P256Key]
    /// Whom a push service may write to, or look at.
    var subject: String
    var apns: APNsConfiguration?
    /// The certificates that push services on this machine are checked by.
    var authorities: String?

    /// Nil where nobody is pushed to.
    init?(hosts: [PushHost], keys: [P256Key], subject: String, apns: APNsConfiguration?, authorities: String? = nil) {
        self.hosts = hosts
        self.keys = keys
        self.subject = subject
        self.apns = apns
        self.authorities = authorities
        guard pushesToBrowsers || apns != nil else { return nil }
    }

    var pushesToBrowsers: Bool { !keys.isEmpty && !hosts.isEmpty }

    /// What browsers subscribe with.
    var publicKey: String? { pushesToBrowsers ? keys[0].text : nil }

    /// Each has connections of its own.
    var services: [String] { hosts.map(\.name) + (apns == nil ? [] : [APNsConfiguration.service]) }

    func key(_ publicKey: String?) -> P256Key? { keys.first { $0.text == publicKey } }

    func reach(_ host: PushHost) -> Reach {
        host.loopbackPort.map { .loopback(port: $0, authorities: authorities) } ?? .public
    }

    init?(_ reader: ConfigReader, baseURL: String, mail: MailConfiguration?) throws(ConfigurationError) {
        var keys: [P256Key] = []
        for line in (reader.text("PUSH_KEY") ?? "").split(whereSeparator: \.isNewline) {
            guard let key = Encoding.bytes(hex: String(line).trimmed).flatMap(P256Key.init(number:)) else {
                throw ConfigurationError("PUSH_KEY must be 64 hexadecimal digits")
            }
            keys.append(key)
        }
        self.init(
            hosts: try PushHost.list(reader.text("PUSH_HOSTS")), keys: keys,
            subject: mail.map { "mailto:\($0.from.address)" } ?? baseURL, apns: try APNsConfiguration(reader),
            authorities: reader.text("PUSH_CA"))
    }
}

extension P256Key {
    /// Its public part, as browsers have it.
    var text: String { Encoding.base64URL(publicKey) }
}

/// One push service of browsers: a host's name, `*.` and what the names of its hosts end with, or `127.0.0.1:` and a port.
///
/// Nothing but what is listed so is ever connected to, and a name only at public addresses: whoever wants something of this machine told
/// writes its very address.
struct PushHost: Sendable {
    /// As it is written.
    let name: String
    /// Of one on this machine.
    let loopbackPort: UInt16?

    /// Google's, Mozilla's, Apple's and Microsoft's.
    static let known = [
        "fcm.googleapis.com", "updates.push.services.mozilla.com", "*.push.apple.com", "*.notify.windows.com",
    ].compactMap(PushHost.init)

    init?(_ text: String) {
        if let match = text.wholeMatch(of: /127\.0\.0\.1:([1-9][0-9]{0,4})/), let port = UInt16(match.output.1) {
            (name, loopbackPort) = (text, port)
        } else if text.utf8.count <= 253, text.wholeMatch(of: /(?:\*\.)?(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*/) != nil {
            (name, loopbackPort) = (text, nil)
        } else {
            return nil
        }
    }

    /// Nil stands for the known ones, `none` for none.
    static func list(_ text: String?) throws(ConfigurationError) -> [PushHost] {
        guard let text else { return known }
        guard text != "none" else { return [] }
        let words = text.split(separator: " ").map(String.init)
        let hosts = words.compactMap(PushHost.init)
        guard hosts.count == words.count, !hosts.isEmpty else {
            throw ConfigurationError(
                "PUSH_HOSTS must be names of hosts, such as fcm.googleapis.com *.push.apple.com, or none")
        }
        return hosts
    }

    /// - Parameters:
    ///   - host: in lower case.
    ///   - port: nil where the URL has none.
    func matches(_ host: String, port: UInt16?) -> Bool {
        if let loopbackPort { return host == "127.0.0.1" && port == loopbackPort }
        guard port == nil || port == 443 else { return false }
        guard name.hasPrefix("*") else { return host == name }
        return host.hasSuffix(name.dropFirst()) && host.utf8.count >= name.utf8.count
    }
}

/// By what Apple knows us.
public struct APNsConfiguration: Sendable {
    static let service = "apns"

    let key: P256Key
    let keyID: String
    let teamID: String
    /// The app's bundle.
    let topic: String
    /// In Apple's place, on this machine.
    let loopbackPort: UInt16?

    init(key: P256Key, keyID: String, teamID: String, topic: String, loopbackPort: UInt16? = nil) {
        self.key = key
        self.keyID = keyID
        self.teamID = teamID
        self.topic = topic
        self.loopbackPort = loopbackPort
    }

    /// Nil where no app is pushed to.
    init?(_ reader: ConfigReader) throws(ConfigurationError) {
        var pem = (reader.text("APNS_KEY") ?? "").trimmed
        if let path = reader.text("APNS_KEY_FILE") {
            guard let bytes = FileManager.default.contents(atPath: path) else {
                throw ConfigurationError("APNS_KEY_FILE cannot be read")
            }
            pem = String(decoding: bytes, as: UTF8.self).trimmed
        }
        guard !pem.isEmpty else { return nil }
        guard let key = P256Key(pem: "\(pem)\n") else {
            throw ConfigurationError("APNS_KEY_FILE must be a key as Apple hands it out, AuthKey_….p8")
        }
        func identifier(_ name: String) throws(ConfigurationError) -> String {
            let text = try reader.required(name)
            guard text.wholeMatch(of: /[A-Z0-9]{10}/) != nil else {
                throw ConfigurationError("\(name) must be 10 capital letters and digits")
            }
            return text
        }
        let topic = try reader.required("APNS_TOPIC")
        guard topic.wholeMatch(of: /[A-Za-z0-9.-]{1,155}/) != nil else {
            throw ConfigurationError("APNS_TOPIC must be the app's bundle, such as com.example.babybasics")
        }
        var port: UInt16?
        if let server = reader.text("APNS_SERVER") {
            guard let host = PushHost(server), host.loopbackPort != nil else {
                throw ConfigurationError("APNS_SERVER must be 127.0.0.1 and a port: it is for tests")
            }
            port = host.loopbackPort
        }
        self.init(
            key: key, keyID: try identifier("APNS_KEY_ID"), teamID: try identifier("APNS_TEAM_ID"), topic: topic,
            loopbackPort: port)
    }
}
