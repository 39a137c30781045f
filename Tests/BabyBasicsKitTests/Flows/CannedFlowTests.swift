import BabyBasicsAPI
import BabyBasicsClient
import Foundation
import Testing

@testable import BabyBasicsKit

/// The flows over canned answers: also where the server doesn't build, and for what it seldom says.
@MainActor @Suite struct CannedFlowTests {
    private let clock = TestClock()
    private let family = "01a1fce8-4051-7001-8426-23a70c1e37cc"
    private let child = "01a1fce8-4059-7001-82c1-62a197dd88a4"
    private let times = #""created_at":"2026-11-25T11:00:00.000Z","updated_at":"2026-11-25T11:00:00.000Z""#

    @Test func organic() async throws {
        try await withDirectory { directory in
            let server = CannedServer([
                "POST /auth/register": CannedServer.signedIn,
                "GET /families": .json(200, #"{"families":[],"count":0}"#),
                "POST /families": .json(
                    201,
                    #"{"family":{"id":"\#(family)","name":"Maria’s Family","sharing_policy":"clan","owner_id":null,"#
                        + #""revision":1,\#(times)}}"#),
                "POST /families/\(family)/children": .json(
                    201,
                    #"{"child":{"id":"\#(child)","family_id":"\#(family)","name":"Wren","date_of_birth":"2026-11-25","#
                        + #""role":"elder","revision":2,\#(times)}}"#),
            ])
            let onboarding = await server.phone(clock, in: directory)
            onboarding.name = "Maria"
            await onboarding.createAccount()
            #expect(onboarding.step == .setUp && onboarding.familyName == "Maria’s Family")
            onboarding.babyName = "Wren"
            await onboarding.getStarted()
            #expect(onboarding.step == .home && onboarding.message == nil)
            let home = try #require(onboarding.account.home)
            try await eventually { home.activeFamily.children.map(\.name) == ["Wren"] }
        }
    }

    @Test(arguments: [
        (404, false, "no longer valid"), (400, false, "invite you made yourself"), (409, false, "Full."),
        (429, true, "a lot at once"), (503, true, "server is busy"), (500, true, "server is busy"),
    ])
    func whatBecomesOfAnInvite(status: Int, isKept: Bool, words: String) async throws {
        try await withDirectory { directory in
            let server = CannedServer([
                "POST /auth/register": CannedServer.signedIn,
                "GET /families": .json(200, #"{"families":[],"count":0}"#),
                "POST /invites/accept": .error(status, "Full", headers: ["Retry-After": "60"]),
            ])
            let onboarding = await server.phone(clock, in: directory)
            onboarding.inviteText = "https://baby.example/join/xK9mLp2qR5tN8vW3yBcd4A"
            await onboarding.enterInvite()
            #expect(onboarding.banner == english.invited)
            await onboarding.createAccount()
            #expect(onboarding.message?.text.contains(words) == true, "\(String(describing: onboarding.message))")
            #expect((onboarding.banner != nil) == isKept)
            #expect(onboarding.step == .setUp)
        }
    }

    /// By code and reason, whatever the server's English is.
    @Test(arguments: [
        ("password", "common", "The password is one of the most common ones. Please correct it."),
        ("name", "blank", "The name is missing. Please correct it."),
        ("timezone", "from a later server", "The timezone says something. Please correct it."),
    ])
    func refusalsAreToldByTheirReason(field: String, reason: String, words: String) async throws {
        try await withDirectory { directory in
            let server = CannedServer([
                "POST /auth/register": .error(400, details: [(field, "says something", reason)])
            ])
            let onboarding = await server.phone(clock, in: directory)
            await onboarding.createAccount()
            #expect(onboarding.message == Message(words, field: field))
        }
    }

    @Test func aRejectedEntryIsToldByItsReason() {
        let reason = RejectedChange.Reason(field: "started_at", message: "Ein Schlaf läuft", reason: .running)
        let other = RejectedChange.Reason(field: "amount_ml", message: "must be 1 to 2", reason: .tooLarge)
        let rejected = RejectedChange(
            id: 1, familyID: FamilyID(UUID()), childID: ChildID(UUID()), entryID: UUID(), kind: "sleep",
            operation: .create, fields: [:], changes: [:], reasons: [reason, other], madeAt: clock.now)
        let text = english.rejected(rejected)
        #expect(text.contains("the start overlaps") && !text.contains("Schlaf"))
        // Where the server's words tell more, they stay.
        #expect(text.contains("the amount must be 1 to 2"))
    }
}
