import Foundation

/// The person's data cannot be read yet: the phone was not unlocked since its start.
public struct ProtectedDataUnavailable: Error, Hashable, Sendable {
    /// Thrown by a `TokenStore` whose secret is there and cannot be read.
    public init() {}
}

/// Tells whether the app was installed anew since the Keychain, which outlives it, was written.
///
/// A file says so, which goes with the app. It is under the same protection as the stores: where it is there and
/// cannot be read, or cannot be made, the phone is locked, and nothing is decided.
struct Installation: Sendable {
    private let marker: URL

    init(directory: URL) { marker = directory.appendingPathComponent("installed") }

    /// - Parameter forget: deletes an earlier installation's secret; called once an installation.
    /// - Throws: `ProtectedDataUnavailable`.
    func confirm(forget: () throws -> Void) throws {
        if FileManager.default.fileExists(atPath: marker.path) {
            guard (try? Data(contentsOf: marker)) != nil else { throw ProtectedDataUnavailable() }
            return
        }
        let new = marker.appendingPathExtension("new")
        do {
            try PrivateFile.write(Data("yes".utf8), to: new)
        } catch {
            throw ProtectedDataUnavailable()
        }
        try forget()
        guard rename(new.path, marker.path) == 0 else { throw ProtectedDataUnavailable() }
    }
}
