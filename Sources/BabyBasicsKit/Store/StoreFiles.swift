public import BabyBasicsAPI
public import Foundation

/// The store files of all accounts of this device.
public struct StoreFiles: Sendable {
    /// Where they are.
    public let directory: URL
    /// When iOS lets anybody read them.
    public let protection: ProtectionClass

    /// The stores in a directory, which is made when needed.
    public init(directory: URL, protection: ProtectionClass = .untilFirstUnlock) {
        self.directory = directory
        self.protection = protection
    }

    /// The file of one account at one server.
    public func file(server: URL, userID: UserID) -> URL {
        let host = (server.host ?? "server") + (server.port.map { "-\($0)" } ?? "")
        let safe = host.map { $0.isLetter || $0.isNumber || ".-".contains($0) ? $0 : "_" }
        return directory.appendingPathComponent("\(String(safe))-\(userID).sqlite")
    }

    func open(server: URL, userID: UserID, environment: KitEnvironment, isShared: Bool) async throws -> AccountStore {
        try protection.make(directory)
        return try await AccountStore.open(
            file: file(server: server, userID: userID), userID: userID, environment: environment, isShared: isShared)
    }

    /// Deletes an account's store, with pending changes and damaged copies.
    public func delete(server: URL, userID: UserID) throws {
        let file = file(server: server, userID: userID)
        for name in try names() where name.hasPrefix(file.lastPathComponent) {
            try FileManager.default.removeItem(at: directory.appendingPathComponent(name))
        }
    }

    private func names() throws -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: directory.path)
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile || error.code == .fileNoSuchFile {
            return []
        }
    }
}

/// When iOS lets anybody read the kit's files; elsewhere it means nothing.
public enum ProtectionClass: Hashable, Sendable {
    /// Once the phone was unlocked after a restart: for apps that sync in the background.
    case untilFirstUnlock
    /// While the phone is unlocked; open files stay readable. Nothing can be opened while it is locked.
    case unlessOpen

    /// Makes a directory whose files have this class.
    func make(_ directory: URL) throws {
        var attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        #if os(iOS)
            attributes[.protectionKey] =
                self == .untilFirstUnlock
                ? FileProtectionType.completeUntilFirstUserAuthentication : .completeUnlessOpen
        #endif
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: true, attributes: attributes)
    }
}
