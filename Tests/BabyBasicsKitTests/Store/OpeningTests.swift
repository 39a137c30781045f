import BabyBasicsAPI
import Foundation
import GRDB
import Testing

@testable import BabyBasicsKit

/// A store's file: opened by several processes, read by a widget, damaged, and written by a newer app.
@Suite struct OpeningTests {
    private let user = UserID(UUID())
    private let family = FamilyID(UUID())
    private let child = ChildID(UUID())

    @Test func eightProcessesMayMakeAStoreAtOnce() async throws {
        try await withDirectory { directory in
            for round in 0..<5 {
                let file = directory.appendingPathComponent("store-\(round).sqlite")
                let processes = try (0..<8).map { _ in
                    try PhoneProcess(["open-store", file.path, user.description])
                }
                for process in processes { #expect(process.wait() == 0, "round \(round)") }
            }
        }
    }

    @Test func aWidgetReadsWhatTheAppHasLeftAndWritesNothing() async throws {
        try await withDirectory { directory in
            let file = directory.appendingPathComponent("store.sqlite")
            #expect(try await AccountStore.openForReading(file: file, userID: user) == nil)
            let store = try await opened(file)
            let entry = try await store.log(DiaperDetails(type: .wet, occurredAt: .systemNow), for: child)
            // The app is gone, and with it whoever could make the files beside the store.
            try store.close()
            #expect(FileManager.default.fileExists(atPath: file.path + "-wal"))
            let reader = try #require(try await AccountStore.openForReading(file: file, userID: user))
            #expect(try await reader.entries(of: child).map(\.id) == [entry.id])
            #expect(try await reader.summary(of: child, borders: .utc, now: .systemNow).diapers.count == 1)
            await #expect(throws: DatabaseError.self) { try await reader.delete(entry.id) }
            try reader.close()
        }
    }

    @Test func whatIsNoDatabaseIsReplaced() async throws {
        try await withDirectory { directory in
            let file = directory.appendingPathComponent("store.sqlite")
            try Data(repeating: 65, count: 10_000).write(to: file)
            let store = try await AccountStore.open(file: file, userID: user)
            #expect(try await store.notices().map(\.notice) == [.storeReplaced(saved: 0)])
            #expect(try await store.problems().isEmpty)
            try store.close()
        }
    }

    @Test func ofADamagedStoreWhatWasNotSentIsSaved() async throws {
        try await withDirectory { directory in
            let file = directory.appendingPathComponent("store.sqlite")
            let store = try await opened(file)
            let first = try await store.log(NoteDetails(content: "one", occurredAt: .systemNow), for: child)
            let second = try await store.log(NoteDetails(content: "two", occurredAt: .systemNow), for: child)
            try await store.keep(GrowthAnswers(sex: .girl), of: child)
            store.report(DatabaseError(resultCode: .SQLITE_CORRUPT))
            try store.close()
            for opening in 0..<2 {
                let again = try await AccountStore.open(file: file, userID: user)
                #expect(try await again.pendingChanges().map(\.entryID) == [first.id, second.id], "\(opening)")
                #expect(try await again.entries(of: child).count == 2)
                #expect(try await again.notices().map(\.notice) == [.storeReplaced(saved: 2)])
                #expect(try await again.position(of: family)?.since == 0)
                #expect(
                    try await again.database.read { try AccountStore.growthAnswers(of: child, $0) }
                        == GrowthAnswers(sex: .girl))
                #expect(try await again.problems().isEmpty)
                try again.close()
            }
            // One damaged copy stays, however often that happens, until the account is signed out.
            StoreOpening.mark(file)
            try await AccountStore.open(file: file, userID: user).close()
            let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
            let copies = names.filter { $0.hasPrefix("store.sqlite.damaged-") && $0.split(separator: "-").count == 2 }
            #expect(copies.count == 1, "\(copies)")
        }
    }

    @Test func pagesThatCannotBeReadLeaveTheRest() async throws {
        try await withDirectory { directory in
            let file = directory.appendingPathComponent("store.sqlite")
            let store = try await opened(file)
            for number in 0..<300 {
                try await store.log(NoteDetails(content: "note \(number)", occurredAt: .systemNow), for: child)
            }
            let root = try await store.database.read {
                try Int.fetchOne($0, sql: "select rootpage from sqlite_master where name = 'entry'") ?? 0
            }
            _ = try await store.database.writeWithoutTransaction { try $0.checkpoint(.truncate) }
            try store.close()
            // The entries' own table is gone; a creation in the outbox holds all of its entry.
            let handle = try FileHandle(forWritingTo: file)
            try handle.seek(toOffset: UInt64((root - 1) * 4096))
            try handle.write(contentsOf: Data(repeating: 0xff, count: 4096))
            try handle.close()
            StoreOpening.mark(file)
            let again = try await AccountStore.open(file: file, userID: user)
            #expect(try await again.entries(of: child, EntryFilter(limit: .max)).count == 300)
            #expect(try await again.problems().isEmpty)
            try again.close()
        }
    }

    @Test func aStoreOfANewerAppIsLeftAlone() async throws {
        try await withDirectory { directory in
            let file = directory.appendingPathComponent("store.sqlite")
            let store = try await opened(file)
            try await store.database.write {
                try $0.execute(sql: "insert into grdb_migrations values ('9: later')")
            }
            try store.close()
            await #expect(throws: StoreOpening.TooNew.self) {
                try await AccountStore.open(file: file, userID: user)
            }
            #expect(try await AccountStore.openForReading(file: file, userID: user) == nil)
            #expect(english.failure(StoreOpening.TooNew()) == english.storeTooNew)
        }
    }

    @Test func openingLeavesTheMainThreadAlone() async throws {
        try await withDirectory { directory in
            let file = directory.appendingPathComponent("store.sqlite")
            let environment = KitEnvironment(now: {
                #expect(!Thread.isMainThread)
                return .systemNow
            })
            let task = Task { @MainActor in
                try await AccountStore.open(file: file, userID: user, environment: environment)
            }
            try await task.value.close()
        }
    }

    /// A store with a family and a child.
    private func opened(_ file: URL) async throws -> AccountStore {
        let store = try await AccountStore.open(file: file, userID: user)
        try await store.adopt(
            ServerFamily(
                id: family, name: "The File", policy: .standard, ownerID: user, revision: 1, createdAt: .systemNow,
                updatedAt: .systemNow), role: .parent)
        try await store.adopt(
            ServerChild(
                id: child, familyID: family, name: "Wren", dateOfBirth: CalendarDate(daysSince1970: 20_000),
                createdAt: .systemNow, revision: 2))
        return store
    }
}
