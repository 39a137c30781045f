import BabyBasicsAPI
import Foundation
import GRDB
import Testing

@testable import BabyBasicsKit

/// Stores that versions before this one have left.
@Suite struct SchemaTests {
    private let user = UserID(UUID())
    private let family = FamilyID(UUID())

    @Test func aStoreOfTheFirstVersionIsReadAnewForTheKindsItPassedOver() async throws {
        try await withFile { file in
            let old = try DatabaseQueue(path: file.path)
            try Schema.migrator.migrate(old, upTo: "1: families, entries and what waits")
            try await old.write { [family] db in
                try db.execute(
                    sql: """
                        insert into family (id, name, sharing_policy, role, revision, created_at, updated_at, since,
                            is_complete) values (?, 'The Old', 'standard', 'parent', 1, 0, 0, 41, 1)
                        """, arguments: [family.description])
            }
            try old.close()
            let store = try AccountStore(file: file, userID: user)
            #expect(try await store.families().map(\.name) == ["The Old"])
            let position = try #require(try await store.position(of: family))
            #expect(position.isResync && position.since == 0)
            try store.close()
        }
    }

    @Test func aStoreThatKnowsAllKindsGoesOnWhereItStood() async throws {
        try await withFile { file in
            for _ in 0..<2 {
                let store = try AccountStore(file: file, userID: user)
                try await store.adopt(
                    ServerFamily(
                        id: family, name: "The New", policy: .standard, ownerID: user, revision: 1,
                        createdAt: .systemNow, updatedAt: .systemNow), role: .parent)
                #expect(try await store.position(of: family)?.isResync == false)
                try store.close()
            }
            // A version that knows one more.
            let store = try AccountStore(file: file, userID: user)
            try await store.write { db, _ in
                try db.execute(sql: "delete from known_kind where name = 'note'")
                try Schema.meetNewKinds(db)
            }
            #expect(try await store.position(of: family)?.isResync == true)
            try store.close()
        }
    }

    @Test func anAccountFromBeforeLanguagesHasNone() async throws {
        try await withFile { file in
            let old = try DatabaseQueue(path: file.path)
            try Schema.migrator.migrate(old, upTo: "6: when a doctor was seen last")
            try await old.write { [user] db in
                try db.execute(
                    sql: """
                        insert into profile (id, email, name, timezone, day_start_time)
                        values (?, 'maria@example.com', 'Maria', 'Europe/Berlin', '07:00')
                        """, arguments: [user.description])
            }
            try old.close()
            let store = try AccountStore(file: file, userID: user)
            var profile = try #require(try await store.profile())
            #expect(profile.name == "Maria" && profile.language == nil)
            profile.language = "de"
            try await store.setProfile(profile)
            #expect(try await store.profile()?.language == "de")
            try store.close()
        }
    }

    private func withFile(_ work: (URL) async throws -> Void) async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("schema-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        try await work(directory.appendingPathComponent("store.sqlite"))
    }
}
