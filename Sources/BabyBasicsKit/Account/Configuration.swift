public import BabyBasicsClient
public import Foundation

/// What the kit stands on: the device's places, the network, time and chance.
public struct KitConfiguration: Sendable {
    /// Where the stores are.
    public var directory: URL
    /// Where the session's secret is.
    public var tokens: any TokenStore
    /// Where small things are.
    public var preferences: any Preferences
    /// What carries requests.
    public var transport: Transport
    /// What tells of the network.
    public var network: any NetworkMonitor
    /// Time and chance.
    public var surroundings: Surroundings
    /// How the engine behaves.
    public var sync = SyncEngine.Configuration()
    /// The app's own scheme, for deep links.
    public var linkScheme = "babybasics"
    /// Hosts besides the server's own whose invite links are followed.
    public var linkHosts: Set<String> = []

    /// A configuration of these parts.
    public init(
        directory: URL, tokens: any TokenStore, preferences: any Preferences,
        transport: Transport = .urlSession(), network: any NetworkMonitor = SystemNetworkMonitor(),
        surroundings: Surroundings = Surroundings()
    ) {
        self.directory = directory
        self.tokens = tokens
        self.preferences = preferences
        self.transport = transport
        self.network = network
        self.surroundings = surroundings
    }

    /// All in one directory, the secret in a file of mode 0600: for systems without a Keychain.
    public static func files(
        in directory: URL, transport: Transport = .urlSession()
    ) -> KitConfiguration {
        KitConfiguration(
            directory: directory,
            tokens: FileTokenStore(file: directory.appendingPathComponent("session")),
            preferences: FilePreferences(
                file: directory.appendingPathComponent("preferences.json")),
            transport: transport)
    }

    #if canImport(Darwin) && canImport(Security)
        /// As an app wants it: the Keychain, the user defaults and a directory of its own.
        /// - Parameter group: the app group that app and widget share; nil for none.
        public static func app(group: String? = nil) -> KitConfiguration {
            let files = FileManager.default
            let place =
                group.flatMap { files.containerURL(forSecurityApplicationGroupIdentifier: $0) }
                ?? files.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
                ?? files.temporaryDirectory
            return KitConfiguration(
                directory: place.appendingPathComponent("BabyBasics"),
                tokens: KeychainTokenStore(group: group),
                preferences: UserDefaultsPreferences(suite: group))
        }
    #endif
}
