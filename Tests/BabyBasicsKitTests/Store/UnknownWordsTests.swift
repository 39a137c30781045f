import BabyBasicsAPI
import BabyBasicsClient
import Foundation
import Testing

@testable import BabyBasicsKit

/// A server of a later version: its words are kept as they are, and never sent back changed.
@MainActor @Suite struct UnknownWordsTests {
    private let clock = TestClock()
    private let event = UUID()

    @Test func aPageWithUnknownWordsIsReadAndKept() async throws {
        let (home, child) = try await previewHome(clock)
        try await home.store.apply(
            try page(child), asked: try #require(try await home.store.position(of: child.familyID)),
            family: child.familyID)
        let family = try #require(try await home.store.families().first)
        #expect(family.sharingPolicy.rawValue == "clan" && family.name == "The Clan")
        let permissions = FamilyPermissions(family: family, members: [], userID: home.store.userID)
        #expect(!permissions.canInvite && !permissions.canDelete && permissions.canLog)
        let member = try #require(try await home.store.members(of: family.id).first { $0.name == "Rosa" })
        #expect(member.role.rawValue == "grandparent" && english.roleName(member.role) == "Something newer")
        let entry = try #require(try await home.store.entry(event))
        #expect(entry.type == "tube" && entry.fields["amount_ml"] == .number(60))
        #expect(entry.fields["is_warm"] == .flag(true))
        #expect(!entry.isUnderstood && home.texts.title(entry) == "Something newer")
        // Of a kind that is not known nothing is kept: the first version that knows it reads anew.
        #expect(try await home.store.entries(of: child.id).count == 1)
        let today = Today(home, child: child)
        try await eventually { today.summary?.feedings.count == 1 }
    }

    @Test func anEditOfItSendsThePersonsChangeAlone() async throws {
        let (home, child) = try await previewHome(clock)
        try await home.store.apply(
            try page(child), asked: try #require(try await home.store.position(of: child.familyID)),
            family: child.familyID)
        try await home.store.edit(event, ["notes": .text("warm")])
        #expect(try await home.store.pendingChanges().map(\.changes) == [["notes": .text("warm")]])
        // The same comes again: what waits is put on top, and drops nothing of it.
        var again = try #require(try page(child).changes.compactMap(\.event).first)
        again.revision += 1
        try await home.store.rebase(onto: again, family: child.familyID)
        let entry = try #require(try await home.store.entry(event))
        #expect(entry.notes == "warm" && entry.type == "tube" && entry.fields["amount_ml"] == .number(60))
        #expect(try await home.store.pendingChanges().map(\.changes) == [["notes": .text("warm")]])
    }

    @Test func aFamilyReadAnewKeepsThemToo() async throws {
        let (home, child) = try await previewHome(clock)
        try await home.store.beginResync(of: child.familyID)
        try await home.store.apply(
            try page(child), asked: try #require(try await home.store.position(of: child.familyID)),
            family: child.familyID)
        #expect(try await home.store.entry(event)?.fields["is_warm"] == .flag(true))
    }

    @Test func unknownRolesAndPoliciesStandInTheListOfFamilies() async throws {
        let transport = Transport { _, _ in
            .json(
                200,
                """
                {"families":[{"id":"01a1fce8-4051-7001-8426-23a70c1e37cc","name":"Later","sharing_policy":"clan",
                "owner_id":null,"role":"elder","children_count":0,"members_count":1,"revision":1,
                "created_at":"2026-01-01T00:00:00.000Z","updated_at":"2026-01-01T00:00:00.000Z"}],"count":1}
                """)
        }
        let home = try Home.preview(.preview(environment: clock.environment, transport: transport))
        let engine = SyncEngine(
            store: home.store, client: APIClient(Self.url, transport: transport), network: StillNetwork())
        try await engine.fetchFamilies()
        let family = try #require(try await home.store.families().first { $0.name == "Later" })
        #expect(family.role.rawValue == "elder" && !family.role.canLog)
    }

    private static let url = URL(string: "https://baby.example") ?? URL(fileURLWithPath: "/")

    private func page(_ child: StoredChild) throws -> ServerAnswer.Feed {
        let (family, rosa) = (child.familyID, UUID().text)
        let times = #""created_at":"2026-11-25T11:00:00.000Z","updated_at":"2026-11-25T11:00:00.000Z""#
        let text = """
            {"changes":[
            {"revision":10,"entity":"family","id":"\(family)","op":"upsert","data":{"id":"\(family)",
             "name":"The Clan","sharing_policy":"clan","owner_id":null,"revision":10,"motto":"Later",\(times)}},
            {"revision":9,"entity":"child","id":"\(child.id)","op":"upsert","data":{"id":"\(child.id)",
             "family_id":"\(family)","family_name":"The Clan","name":"Wren","date_of_birth":"2026-09-01",
             "revision":9,\(times)}},
            {"revision":11,"entity":"family_member","id":"\(rosa)","op":"upsert","data":{"user_id":"\(rosa)",
             "name":"Rosa","email":"r@example.com","role":"grandparent","is_owner":false,"access_until":null,
             "revision":11,"joined_at":"2026-11-25T11:00:00.000Z"}},
            {"revision":12,"entity":"feeding","id":"\(event.text)","op":"upsert","data":{"id":"\(event.text)",
             "child_id":"\(child.id)","type":"tube","started_at":"2026-11-25T11:00:00.000Z","ended_at":null,
             "amount_ml":60,"is_warm":true,"notes":null,"created_by":{"user_id":"\(rosa)","name":"Rosa"},
             "updated_by":null,"revision":12,\(times)}},
            {"revision":13,"entity":"dream","id":"\(UUID().text)","op":"upsert","data":{"depth":3}}
            ],"next_since":13,"has_more":false}
            """
        return try JSONDecoder().decode(ServerAnswer.Feed.self, from: Data(text.utf8))
    }
}

extension FeedChange {
    fileprivate var event: ServerEvent? { if case .event(let event) = content { event } else { nil } }
}
