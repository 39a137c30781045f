import Configuration
import Curl

/// Where webhooks may lead, besides the internet.
public struct WebhookConfiguration: Sendable {
    /// Of this machine or the house, where whoever runs the server wants them called.
    var networks: [AddressNetwork] = []
    /// Certificates that receivers are checked by, besides the system's.
    var authorities: String?

    init(networks: [AddressNetwork] = [], authorities: String? = nil) {
        self.networks = networks
        self.authorities = authorities
    }

    init(_ reader: ConfigReader) throws(ConfigurationError) {
        let words = (reader.text("WEBHOOK_NETWORKS") ?? "").split(separator: " ").map(String.init)
        networks = words.compactMap(AddressNetwork.init)
        guard networks.count == words.count else {
            throw ConfigurationError("WEBHOOK_NETWORKS must be networks, such as 192.168.1.0/24 fd12:3456::/32")
        }
        authorities = reader.text("WEBHOOK_CA")
    }

    var reach: Reach { .internet(and: networks, authorities: authorities) }
}
