import Foundation
import Testing

@testable import BabyBasicsServer

/// Who belongs to a family depends on the moment: a statement that reads the table past `Members.current` lets in those whose time is over.
@Suite("Membership is asked in one place")
struct OnePlaceTests {
    private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Sources").standardizedFileURL

    /// What may have all rows, and why.
    private static let exceptions = [
        "Members/RemoveMember.swift": "deletes a row",
        "Members/ChangeMember.swift": "changes a row",
        "Families/TransferFamily.swift": "changes rows",
        "Families/CreateFamily.swift": "makes a row",
        "Invites/AcceptInvite.swift": "makes a row, and finds one whose time is over",
        "Accounts/UpdateMe.swift": "changes rows",
        "Access/FamilyLock.swift": "locks all, whoever changes them",
        "Maintenance/PurgeMembers.swift": "finds those whose time is over",
        "Accounts/DeleteMe.swift": "finds those whose time is over",
        "Maintenance/Purge.swift": "counts those whose time is over",
        "Sync/FeedStatement.swift": "the feed tells of an end when the purge has come",
    ]

    /// Each file of the server, by its path.
    private static func files() throws -> [String: String] {
        let root = sources.appending(path: "BabyBasicsServer")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path)
            .filter { $0.hasSuffix(".swift") }
        return try Dictionary(
            uniqueKeysWithValues: paths.map {
                ($0, try String(contentsOf: root.appending(path: $0), encoding: .utf8))
            })
    }

    @Test("No statement names the table but by Members")
    func table() throws {
        let files = try Self.files()
        #expect(files.count > 50)
        let named = files.filter { $0.value.contains("family_members") }.map(\.key)
        #expect(named == ["Members/Members.swift"])
    }

    @Test("All rows are for the few who change them, and for the feed")
    func exceptions() throws {
        let users = try Self.files().filter {
            $0.value.contains("Members.table") && $0.key != "Members/Members.swift"
        }
        #expect(Set(users.keys).subtracting(Self.exceptions.keys) == [])
    }

    @Test("The fragment is about the moment that is asked for")
    func fragment() {
        #expect(
            Members.current("m", at: "$2")
                == "(select * from family_members where access_until is null or access_until > $2) m")
    }
}
