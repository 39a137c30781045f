import Foundation
import GRDB
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The right to sync one store, which one process has at a time. The system takes it back from a process that ends.
final class SyncLease: Sendable {
    private let path: String?
    private let descriptor = Mutex<Int32?>(nil)

    /// - Parameter file: the store's; nil for a store in memory, which nobody else has.
    init(besides file: URL?) {
        path = file.map { $0.path + ".lock" }
    }

    deinit { release() }

    /// Whether this process has it now.
    func take() -> Bool {
        guard let path else { return true }
        return descriptor.withLock { held in
            if held != nil { return true }
            let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            guard opened >= 0 else { return false }
            guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
                close(opened)
                return false
            }
            held = opened
            return true
        }
    }

    func release() {
        descriptor.withLock { held in
            if let descriptor = held { close(descriptor) }
            held = nil
        }
    }
}

extension Store {
    /// Has observations look again after another process has written.
    func showForeignChanges() async throws {
        let version = try await database.writeWithoutTransaction { db in
            try Int.fetchOne(db, sql: "pragma data_version") ?? 0
        }
        let isNew = foreignVersion.withLock { known in
            defer { known = version }
            return known != version
        }
        if isNew {
            try await database.write { try $0.notifyChanges(in: .fullDatabase) }
        }
    }
}
