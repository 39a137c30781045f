import Cryptography
import Postgres
import Synchronization

/// The key of the login throttle's hashes: random, and one for all hosts.
///
/// It is no invite key and is not derived from one, or the known devices would be forgotten with each that is replaced. It lives in the
/// database, beside the hashes, so it is kept there sealed by an invite key: a copy of the database alone opens nothing. While an invite
/// key is being replaced both are there, and what the old one opens is sealed anew by the new one.
final class ThrottleKey: Sendable {
    private let inviteKeys: [[UInt8]]
    private let random: @Sendable (Int) throws -> [UInt8]
    private let known = Mutex<[UInt8]?>(nil)

    init(
        inviteKeys: [[UInt8]], random: @escaping @Sendable (Int) throws -> [UInt8]
    ) {
        self.inviteKeys = inviteKeys
        self.random = random
    }

    /// Reads it once. Not in a transaction, which could be undone and take a new key along.
    func bytes(_ database: Database) async throws -> [UInt8] {
        if database.isInTransaction { throw PostgresError(.misuse("a key made in a transaction")) }
        if let key = known.withLock({ $0 }) { return key }
        let key = try await find(database)
        known.withLock { $0 = key }
        return key
    }

    private func find(_ database: Database) async throws -> [UInt8] {
        // Whoever was quicker has made the key that counts.
        while true {
            guard let sealed = try await read(database) else {
                try await insert(try SealedKey(random(32), by: inviteKeys[0], random), database)
                continue
            }
            for (index, inviteKey) in inviteKeys.enumerated() {
                guard let key = sealed.opened(by: inviteKey) else { continue }
                if index > 0 {
                    try await replace(
                        sealed, by: try SealedKey(key, by: inviteKeys[0], random), database)
                }
                return key
            }
            // No key that is left opens it: what it hashed is forgotten.
            try await replace(
                sealed, by: try SealedKey(random(32), by: inviteKeys[0], random), database)
        }
    }

    private func read(_ database: Database) async throws -> SealedKey? {
        try await database.first("select nonce, sealed, proof from throttle_key") {
            SealedKey(nonce: try $0.next(), sealed: try $0.next(), proof: try $0.next())
        }
    }

    private func insert(_ key: SealedKey, _ database: Database) async throws {
        try await database.execute(
            """
            insert into throttle_key (nonce, sealed, proof)
            values (\(key.nonce), \(key.sealed), \(key.proof)) on conflict do nothing
            """)
    }

    private func replace(_ old: SealedKey, by new: SealedKey, _ database: Database) async throws {
        try await database.execute(
            """
            update throttle_key set nonce = \(new.nonce), sealed = \(new.sealed), proof = \(new.proof)
            where nonce = \(old.nonce)
            """)
    }
}

/// A key of 32 bytes that another key opens.
private struct SealedKey {
    let nonce: [UInt8]
    let sealed: [UInt8]
    let proof: [UInt8]

    init(nonce: [UInt8], sealed: [UInt8], proof: [UInt8]) {
        self.nonce = nonce
        self.sealed = sealed
        self.proof = proof
    }

    init(
        _ key: [UInt8], by other: [UInt8], _ random: @Sendable (Int) throws -> [UInt8]
    ) throws {
        nonce = try random(16)
        sealed = zip(key, Self.pad(nonce, other)).map { $0 ^ $1 }
        proof = Self.proof(key, nonce)
    }

    func opened(by other: [UInt8]) -> [UInt8]? {
        let key = zip(sealed, Self.pad(nonce, other)).map { $0 ^ $1 }
        return Digest.constantTimeEqual(Self.proof(key, nonce), proof) ? key : nil
    }

    /// As long as the key, and used once: the nonce is random.
    private static func pad(_ nonce: [UInt8], _ other: [UInt8]) -> [UInt8] {
        Digest.hmacSHA256(key: other, message: Array("throttle key".utf8) + nonce)
    }

    private static func proof(_ key: [UInt8], _ nonce: [UInt8]) -> [UInt8] {
        Digest.hmacSHA256(key: key, message: Array("proof".utf8) + nonce)
    }
}
