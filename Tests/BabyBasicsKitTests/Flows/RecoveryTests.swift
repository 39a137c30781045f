import BabyBasicsAPI
import BabyBasicsClient
import Foundation
import Testing

@testable import BabyBasicsKit

/// A forgotten password, and an email that is to be confirmed.
@MainActor @Suite struct RecoveryTests {
    private let clock = TestClock()

    /// With what a later server may add.
    private nonisolated static func about(_ facts: String) -> String {
        #"{"server":{\#(facts),"name":"Baby Basics","version":"1","languages":["en"],"later":[1]}}"#
    }

    private func facts(mail: Bool, support: String = "null", registration: String = "open") -> HTTPAnswer {
        .json(200, Self.about(#""mail":\#(mail),"registration":"\#(registration)","support":\#(support)"#))
    }

    private func me(isVerified: String) -> HTTPAnswer {
        .json(
            200,
            #"{"user":{\#(isVerified)"id":"01a1fce8-3fa2-7001-b41f-d05cffc6ba06","email":"maria@example.com","#
                + #""name":"Maria","timezone":"Europe/Berlin","day_start_time":"07:00","#
                + #""created_at":"2026-11-25T11:00:00.000Z","updated_at":"2026-11-25T11:00:00.000Z"}}"#)
    }

    // MARK: A forgotten password

    @Test func whoeverItIsTheAnswerIsCalm() async throws {
        try await withDirectory { directory in
            let server = CannedServer([
                "GET /server": facts(mail: true), "POST /auth/forgot-password": .json(202, "{}"),
            ])
            let screen = ForgotPassword(await server.phone(clock, in: directory).account, email: " maria@example.com ")
            #expect(screen.step == .checking)
            await screen.look()
            #expect(screen.step == .entering && screen.message == nil)
            await screen.send()
            #expect(screen.step == .sent && screen.message == english.linkSent)
            screen.again()
            #expect(screen.step == .entering && screen.email == " maria@example.com " && screen.message == nil)
        }
    }

    @Test(arguments: [
        (about(#""mail":false,"registration":"open","support":"Write to mum""#), 200, "Write to mum"),
        (about(#""mail":false,"registration":"later""#), 200, "Ask whoever runs this server."),
        (about(#""mail":false,"registration":"open","support":"""#), 200, "Ask whoever runs this server."),
        (#"{"error":{"code":"NOT_FOUND","message":"No","details":[]}}"#, 404, "Ask whoever runs this server."),
    ])
    func withoutMailItSaysWhoCanHelp(answer: String, status: Int, words: String) async throws {
        try await withDirectory { directory in
            let server = CannedServer(["GET /server": .json(status, answer)])
            let screen = ForgotPassword(await server.phone(clock, in: directory).account)
            await screen.look()
            #expect(screen.step == .whoHelps(words))
        }
    }

    @Test func nothingIsLostWhereTheServerIsAway() async throws {
        try await withDirectory { directory in
            let server = CannedServer(["GET /server": .error(500)])
            let screen = ForgotPassword(await server.phone(clock, in: directory).account, email: "maria@example.com")
            await screen.look()
            #expect(screen.step == .checking && screen.message?.tone == .problem)
            server["GET /server"] = facts(mail: true)
            await screen.look()
            server["POST /auth/forgot-password"] = .error(429)
            await screen.send()
            #expect(screen.step == .entering && screen.message?.tone == .problem && screen.email == "maria@example.com")
        }
    }

    @Test func anEmptyFieldCostsNoTry() async throws {
        try await withDirectory { directory in
            let server = CannedServer(["GET /server": facts(mail: true)])
            let screen = ForgotPassword(await server.phone(clock, in: directory).account, email: "  ")
            await screen.look()
            await screen.send()
            #expect(screen.message == english.emailMissing)
            #expect(!server.requests.contains("POST /auth/forgot-password"))
        }
    }

    @Test func aServerThatHasStoppedSendingMail() async throws {
        try await withDirectory { directory in
            let server = CannedServer(["GET /server": facts(mail: true), "POST /auth/forgot-password": .error(409)])
            let screen = ForgotPassword(await server.phone(clock, in: directory).account, email: "maria@example.com")
            await screen.look()
            server["GET /server"] = facts(mail: false, support: #""Write to mum""#)
            await screen.send()
            #expect(screen.step == .whoHelps("Write to mum"))
        }
    }

    // MARK: Confirming

    /// Maria, signed in.
    private func signedIn(_ server: CannedServer, in directory: URL) async throws -> Home {
        server["POST /auth/register"] = CannedServer.signedIn
        server["GET /families"] = .json(200, #"{"families":[],"count":0}"#)
        let onboarding = await server.phone(clock, in: directory)
        await onboarding.createAccount()
        return try #require(onboarding.account.home)
    }

    @Test func theMailIsSentAgain() async throws {
        try await withDirectory { directory in
            let server = CannedServer([
                "GET /server": facts(mail: true), "GET /users/me": me(isVerified: #""email_verified":false,"#),
                "POST /auth/send-verification": .json(202, "{}"),
            ])
            let row = VerifyEmail(try await signedIn(server, in: directory))
            #expect(row.step == .hidden)
            await row.look()
            #expect(row.step == .unverified)
            await row.send()
            #expect(row.step == .sent && row.message == english.mailOnItsWay(to: "maria@example.com"))
            // Back from the mail.
            server["GET /users/me"] = me(isVerified: #""email_verified":true,"#)
            await row.look()
            #expect(row.step == .hidden && row.message == nil)
        }
    }

    @Test(arguments: [
        (true, #""email_verified":true,"#), (false, #""email_verified":false,"#), (true, ""),
    ])
    func whereThereIsNothingToDoNothingIsSaid(mail: Bool, isVerified: String) async throws {
        try await withDirectory { directory in
            let server = CannedServer(["GET /server": facts(mail: mail), "GET /users/me": me(isVerified: isVerified)])
            let row = VerifyEmail(try await signedIn(server, in: directory))
            await row.look()
            #expect(row.step == .hidden && row.message == nil)
        }
    }

    @Test func whatTheServerRefusesIsSaidKindly() async throws {
        try await withDirectory { directory in
            let server = CannedServer([
                "GET /server": facts(mail: true), "GET /users/me": me(isVerified: #""email_verified":false,"#),
                "POST /auth/send-verification": .error(429, headers: ["Retry-After": "2340"]),
            ])
            let row = VerifyEmail(try await signedIn(server, in: directory))
            await row.look()
            await row.send()
            #expect(row.step == .unverified && row.message?.text.contains("try again in 39 minutes") == true)
            server["POST /auth/send-verification"] = .error(409)
            server["GET /users/me"] = me(isVerified: #""email_verified":true,"#)
            await row.send()
            #expect(row.step == .hidden)
        }
    }

    // MARK: By invitation

    @Test(arguments: [nil, "https://baby.example/join/xK9mLp2qR5tN8vW3yBcd4A"])
    func whoIsNotTakenIsToldKindly(link: String?) async throws {
        try await withDirectory { directory in
            let server = CannedServer(["POST /auth/register": .error(403)])
            let onboarding = await server.phone(clock, in: directory)
            if let link {
                onboarding.inviteText = link
                await onboarding.enterInvite()
            }
            await onboarding.createAccount()
            #expect(onboarding.message == english.byInvitation(isInvited: link != nil))
        }
    }

    @Test func theDoorsAreThoseOfTheServer() async throws {
        try await withDirectory { directory in
            let server = CannedServer()
            let onboarding = await server.phone(clock, in: directory)
            #expect(onboarding.step == .doors && onboarding.doors == [.createAccount, .enterInvite, .logIn])
            server["GET /server"] = facts(mail: false, registration: "invite")
            await onboarding.look()
            #expect(onboarding.doors == [.enterInvite, .logIn])
            server["GET /server"] = .error(503)
            await onboarding.look()
            #expect(onboarding.doors == [.enterInvite, .logIn], "without an answer they stay")
            for registration in ["open", "of a later server"] {
                server["GET /server"] = facts(mail: true, registration: registration)
                await onboarding.look()
                #expect(onboarding.doors.first == .createAccount)
            }
        }
    }

    // MARK: Invites by mail

    private let token = "xK9mLp2qR5tN8vW3yBcd4A"

    @Test func anInviteForAnEmailThatIsNotConfirmedIsTriedAgainOnceItIs() async throws {
        try await withDirectory { directory in
            let server = CannedServer([
                "GET /server": facts(mail: true), "GET /users/me": me(isVerified: #""email_verified":false,"#),
                "POST /auth/register": CannedServer.signedIn, "POST /invites/accept": .error(404),
                "GET /families": .json(200, #"{"families":[],"count":0}"#),
            ])
            let onboarding = await server.phone(clock, in: directory)
            onboarding.inviteText = "https://baby.example/join/\(token)"
            await onboarding.enterInvite()
            await onboarding.createAccount()
            #expect(onboarding.message == english.inviteUnconfirmed && onboarding.banner == nil)
            #expect(onboarding.step == .setUp)
            func tries() -> Int { server.requests.count { $0 == "POST /invites/accept" } }
            let count = tries()
            await onboarding.activate()
            #expect(tries() == count, "not before it is confirmed")
            server["GET /users/me"] = me(isVerified: #""email_verified":true,"#)
            await onboarding.activate()
            #expect(tries() == count + 1 && onboarding.message == english.inviteNoLongerValid)
            await onboarding.activate()
            #expect(tries() == count + 1, "that was the last time")
        }
    }

    @Test(arguments: [true, false])
    func anInviteIsSentByMailWhereTheServerCan(mail: Bool) async throws {
        try await withDirectory { directory in
            let family = "01a1fce8-4051-7001-8426-23a70c1e37cc"
            let server = CannedServer([
                "GET /server": facts(mail: mail),
                "GET /families/\(family)/invites": .json(200, #"{"invites":[],"count":0}"#),
                "POST /families/\(family)/invites": .json(
                    201,
                    #"{"invite":{"id":"01a1fce8-4059-7001-82c1-62a197dd88a4","join_url":"https://baby.example/join/\#(token)","#
                        + #""deep_link":null,"role":"caregiver","invitee_email":"rosa@example.com","label":null,"#
                        + #""access_until":null,"expires_at":"2026-12-02T12:00:00.000Z","#
                        + #""created_at":"2026-11-25T12:00:00.000Z"}}"#),
            ])
            let home = try await signedIn(server, in: directory)
            let flow = InviteFlow(home, family: try await kept(family, home))
            await flow.loadOpen()
            #expect(flow.sendsMail == mail && !flow.canMail)
            flow.email = " rosa@example.com "
            await flow.create()
            #expect(flow.message == nil && flow.canMail == mail)
            await flow.mail()
            guard case .created(let created) = flow.step else {
                Issue.record("\(flow.step)")
                return
            }
            #expect(created.isMailed == mail && created.email == "rosa@example.com")
            #expect(flow.message == (mail ? english.mailOnItsWay(to: "rosa@example.com") : nil))
            guard mail else { return }
            server["POST /families/\(family)/invites"] = .error(429, headers: ["Retry-After": "600"])
            await flow.mail()
            #expect(flow.message == english.mailedEnough(again: .seconds(600)))
            #expect(flow.step == .created(created), "the link stays on screen")
            flow.another()
            #expect(flow.step == .choosing && !flow.canMail)
        }
    }

    /// A family of Maria's on her phone.
    private func kept(_ id: String, _ home: Home) async throws -> StoredFamily {
        let id = try #require(FamilyID(id))
        try await home.store.adopt(.init(id: id, name: "Maria’s Family", role: .parent), at: clock.now)
        return try #require(try await home.store.families().first { $0.id == id })
    }
}
