import BabyBasicsAPI
import Curl
import JSON

/// Where a webhook is called.
enum WebhookURL {
    static let maximumLength = 2048

    /// The host in lower case, an address of IPv6 without its brackets; nil for what is no `https:` URL of ASCII without user and fragment.
    static func host(of url: String) -> String? {
        guard
            let match = url.wholeMatch(
                of:
                    /https:\/\/([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::([0-9]{1,5}))?(?:[\/?][A-Za-z0-9._~:\/?\[\]@!$&'()*+,;=%-]*)?/
            )
        else { return nil }
        if let port = match.output.2, UInt16(port) ?? 0 == 0 { return nil }
        return match.output.1.lowercased().trimmingBrackets
    }

    /// Scheme, host and port: what stands behind may be a secret.
    static func origin(of url: String) -> String {
        String(url.prefix("https://".count)) + url.dropFirst("https://".count).prefix { $0 != "/" && $0 != "?" }
    }
}

extension String {
    fileprivate var trimmingBrackets: String { hasPrefix("[") ? String(dropFirst().dropLast()) : self }
}

extension Rule where Value == String {
    /// - Parameter reach: what an address that stands in it must be of. What a name stands for shows when it is called.
    static func webhookURL(_ reach: Reach) -> Rule {
        Rule { (value) throws(Problem) in
            guard let url = value.string else { throw Problem.noString }
            guard url.utf8.count <= WebhookURL.maximumLength else {
                throw Problem("must have at most \(WebhookURL.maximumLength) characters", .tooLong)
            }
            guard let host = WebhookURL.host(of: url) else { throw Problem("must be an https URL", .format) }
            guard reach.mayInclude(host: host) else {
                throw Problem("must be an address that can be reached from the internet", .notAllowed)
            }
            return url
        }
    }
}

extension Fields {
    /// The kinds that a webhook is called for: nil for all. The outer nil notes a problem.
    func webhookKinds() -> [Int16]?? {
        let kinds = optional("kinds", .kinds)
        if case .some(.some(let kinds)) = kinds, kinds.isEmpty {
            return problem("kinds", "must name at least one kind, or be null", .tooShort)
        }
        return kinds
    }
}
