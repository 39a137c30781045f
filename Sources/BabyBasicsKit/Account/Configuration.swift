public import BabyBasicsClient
public import Foundation

/// The kit's dependencies: directories, network, time and chance.
public struct KitConfiguration: Sendable {
    /// Where the stores are.
    public var directory: URL
    /// Where the session's secret is.
    public var tokens: any TokenStore
    /// Where small things are.
    public var preferences: any Preferences
    /// The carrier of requests.
    public var transport: Transport
    /// The network's monitor.
    public var network: any NetworkMonitor
    /// Time and chance.
    public var environment: KitEnvironment
    /// How the engine behaves.
    public var sync = SyncEngine.Configuration()
    /// When iOS lets anybody read the files.
    public var protection = ProtectionClass.untilFirstUnlock
    /// Whether another process, a widget say, uses the same store.
    public var sharesStore = false
    /// The app's own scheme, for deep links.
    public var linkScheme = "babybasics"
    /// Hosts besides the server's own whose invite links are followed.
    public var linkHosts: Set<String> = []
    /// The mark that tells a new installation from a locked phone.
    var installation: Installation

    /// A configuration of these parts.
    public init(
        directory: URL, tokens: any TokenStore, preferences: any Preferences,
        transport: Transport = .urlSession(), network: any NetworkMonitor = SystemNetworkMonitor(),
        environment: KitEnvironment = KitEnvironment()
    ) {
        self.directory = directory
        self.tokens = tokens
        self.preferences = preferences
        self.transport = transport
        self.network = network
        self.environment = environment
        installation = Installation(directory: directory)
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
        /// As an app wants it: the Keychain and a directory of its own. The user defaults are not for the kit: before the
        /// phone is unlocked for the first time they answer as if there was nothing.
        /// - Parameters:
        ///   - group: the app group that app and widget share; nil for none.
        ///   - protection: when iOS lets anybody read the files.
        public static func app(
            group: String? = nil, protection: ProtectionClass = .untilFirstUnlock
        ) -> KitConfiguration {
            let files = FileManager.default
            let base =
                group.flatMap { files.containerURL(forSecurityApplicationGroupIdentifier: $0) }
                ?? files.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
                ?? files.temporaryDirectory
            let directory = base.appendingPathComponent("BabyBasics")
            var configuration = KitConfiguration(
                directory: directory, tokens: KeychainTokenStore(group: group),
                preferences: FilePreferences(file: directory.appendingPathComponent("preferences.json")))
            configuration.protection = protection
            configuration.sharesStore = group != nil
            return configuration
        }
    #endif
}
