import BabyBasicsAPI
import BabyBasicsClient
import Foundation
import Testing

@testable import BabyBasicsKit

/// A forgotten password, and an email that is to be verified.
@MainActor @Suite struct RecoveryTests {
    private let clock = TestClock()

    private func facts(mail: Bool, support: String = "null") -> HTTPAnswer {
        .json(200, #"{"server":{"mail":\#(mail),"registration":"open","support":\#(support),"later":[1]}}"#)
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
            #expect(screen.step == .sent && screen.message == Texts.linkSent)
            screen.again()
            #expect(screen.step == .entering && screen.email == " maria@example.com " && screen.message == nil)
        }
    }

    @Test(arguments: [
        (#"{"server":{"mail":false,"registration":"open","support":"Write to mum"}}"#, 200, "Write to mum"),
        (#"{"server":{"mail":false,"registration":"later"}}"#, 200, "Ask whoever runs this server."),
        (#"{"server":{"mail":false,"registration":"open","support":""}}"#, 200, "Ask whoever runs this server."),
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
            #expect(screen.message == Texts.emailMissing)
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

    // MARK: Verifying

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
            #expect(row.step == .sent && row.message == Texts.mailOnItsWay(to: "maria@example.com"))
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
            #expect(onboarding.message == Texts.byInvitation(isInvited: link != nil))
        }
    }
}
