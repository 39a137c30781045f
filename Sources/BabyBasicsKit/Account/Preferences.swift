public import Foundation
import Synchronization

/// Small things that are no secret and that outlive a restart: the active family, a pending invite.
public protocol Preferences: Sendable {
    /// The value of a key; nil for none.
    func string(_ key: String) -> String?
    /// Sets or removes a value.
    func set(_ value: String?, for key: String)
}

/// The names that the kit keeps things under.
enum PreferenceKey {
    static let activeFamily = "activeFamilyId"
    static let pendingInvite = "pendingInviteToken"
    static let inviteAside = "inviteSetAside"
    static let language = "language"
    static let server = "serverAddress"
    static let volumeUnit = "volumeUnit"
    static let weightUnit = "weightUnit"
    static let lengthUnit = "lengthUnit"
    static let temperatureUnit = "temperatureUnit"
    static let solidsCount = "solidsCount"
    static let feedsFromEnd = "feedsFromEnd"
    static let breastClocks = "breastClocks"
    static let seenOverlaps = "seenOverlaps"
    static let seenReminders = "seenReminders"
    static let toldHere = "toldHere"
    static let showsNoNext = "showsNoNext"
    static let setUpFamily = "setUpFamilyId"
    static let setUpChild = "setUpChildId"
}

/// A JSON file. If it exists and cannot be read, as on a locked phone, it is left as it is.
public final class FilePreferences: Preferences {
    private let file: URL
    private let lock = Mutex(())

    /// The file is made when needed.
    public init(file: URL) {
        self.file = file
    }

    /// The value of a key.
    public func string(_ key: String) -> String? {
        lock.withLock { _ in read()?[key] }
    }

    /// Sets or removes a value.
    public func set(_ value: String?, for key: String) {
        lock.withLock { _ in
            guard var values = read() else { return }
            values[key] = value
            try? PrivateFile.write(try JSONEncoder().encode(values), to: file)
        }
    }

    /// Nil for a file that cannot be read.
    private func read() -> [String: String]? {
        guard FileManager.default.fileExists(atPath: file.path) else { return [:] }
        guard let data = try? Data(contentsOf: file) else { return nil }
        return (try? JSONDecoder().decode([String: String].self, from: data)) ?? [:]
    }
}

/// Files that their owner alone may read, whole or not at all.
enum PrivateFile {
    static func write(_ data: Data, to file: URL) throws {
        let directory = file.deletingLastPathComponent()
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let new = directory.appendingPathComponent(".\(file.lastPathComponent).\(UUID().text)")
        guard
            FileManager.default.createFile(
                atPath: new.path, contents: data, attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteUnknown) }
        guard rename(new.path, file.path) == 0 else {
            try? FileManager.default.removeItem(at: new)
            throw CocoaError(.fileWriteUnknown)
        }
    }
}
