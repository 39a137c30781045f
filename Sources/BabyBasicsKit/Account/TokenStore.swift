import BabyBasicsAPI
public import Foundation

#if canImport(Security)
    import Security
#endif

/// A signed-in account with its server and its token.
public struct SignedInAccount: Codable, Hashable, Sendable {
    /// The server.
    public var server: URL
    /// The session's secret.
    public var token: String
    /// The account.
    public var profile: Profile

    /// A signed-in account.
    public init(server: URL, token: String, profile: Profile) {
        self.server = server
        self.token = token
        self.profile = profile
    }
}

/// Where the session's secret is kept.
public protocol TokenStore: Sendable {
    /// The account; nil if none is signed in.
    /// - Throws: `ProtectedDataUnavailable` if the account cannot be read yet.
    func read() throws -> SignedInAccount?
    /// Keeps it, in place of the last one.
    func write(_ account: SignedInAccount) throws
    /// Forgets it.
    func clear() throws
}

#if canImport(Security)
    /// The Keychain, on this device alone, readable once it was unlocked after a restart.
    public struct KeychainTokenStore: TokenStore {
        private let group: String?

        /// - Parameter group: the access group that app and widget share.
        public init(group: String? = nil) {
            self.group = group
        }

        private var query: [String: Any] {
            var query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "BabyBasicsKit", kSecAttrAccount as String: "session",
            ]
            if let group { query[kSecAttrAccessGroup as String] = group }
            return query
        }

        /// The account; nil if none is signed in.
        public func read() throws -> SignedInAccount? {
            var found: CFTypeRef?
            let status = SecItemCopyMatching(
                query.merging([kSecReturnData as String: true]) { $1 } as CFDictionary, &found)
            if status == errSecItemNotFound { return nil }
            if status == errSecInteractionNotAllowed { throw ProtectedDataUnavailable() }
            guard status == errSecSuccess, let data = found as? Data else {
                throw KeychainFailure(status: status)
            }
            return try? JSONDecoder().decode(SignedInAccount.self, from: data)
        }

        /// Keeps it, in place of the last one.
        public func write(_ account: SignedInAccount) throws {
            try clear()
            let item = query.merging([
                kSecValueData as String: try JSONEncoder().encode(account),
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            ]) { $1 }
            let status = SecItemAdd(item as CFDictionary, nil)
            guard status == errSecSuccess else { throw KeychainFailure(status: status) }
        }

        /// Forgets it.
        public func clear() throws {
            let status = SecItemDelete(query as CFDictionary)
            guard status == errSecSuccess || status == errSecItemNotFound else {
                throw KeychainFailure(status: status)
            }
        }
    }

    /// The Keychain's error.
    public struct KeychainFailure: Error, Hashable, Sendable {
        /// A code of Security's.
        public let status: Int32
    }
#endif

/// A file of mode 0600, for systems without a Keychain.
public struct FileTokenStore: TokenStore {
    private let file: URL

    /// The file is made when needed.
    public init(file: URL) {
        self.file = file
    }

    /// The account; nil if none is signed in.
    public func read() throws -> SignedInAccount? {
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        guard let data = try? Data(contentsOf: file) else { throw ProtectedDataUnavailable() }
        return try? JSONDecoder().decode(SignedInAccount.self, from: data)
    }

    /// Keeps it, in place of the last one.
    public func write(_ account: SignedInAccount) throws {
        try PrivateFile.write(try JSONEncoder().encode(account), to: file)
    }

    /// Forgets it.
    public func clear() throws {
        guard FileManager.default.fileExists(atPath: file.path) else { return }
        try FileManager.default.removeItem(at: file)
    }
}
