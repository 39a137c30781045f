import BabyBasicsAPI
import BabyBasicsClient
import Foundation
import GRDB
import Testing

@testable import BabyBasicsKit

/// Which language a phone speaks.
@Suite @MainActor struct LanguageChoiceTests {
    private let clock = TestClock()

    private func configuration(_ languages: [String]) -> KitConfiguration {
        var environment = clock.environment
        environment.languages = { languages }
        return .preview(environment: environment)
    }

    @Test(arguments: [
        ([], Language.en), (["ja-JP"], .en), (["de-AT"], .de), (["ja", "pt-PT", "de"], .ptBR), (["en-DE", "de"], .en),
        (["ar-EG"], .ar),
    ])
    func aStrangerIsSpokenToInTheFirstLanguageThatThereAreWordsIn(_ languages: [String], _ spoken: Language) {
        let account = Account(configuration(languages))
        #expect(account.texts.language == spoken)
    }

    @Test func theFirstScreenSpeaksIt() async {
        let address = Onboarding(Account(configuration(["de-AT"]))).address
        address.text = "ftp://nowhere"
        await address.check()
        #expect(address.message?.text.hasPrefix("Das sieht nicht nach einem Server von Baby Basics aus.") == true)
    }

    @Test func theChoiceComesBeforeTheAccountAndTheAccountBeforeTheSystem() async throws {
        let home = try Home.preview(configuration(["de"]))
        #expect(home.language == .de)
        var profile = home.profile
        profile.language = "he"
        try await home.store.setProfile(profile)
        try await eventually { home.language == .he }
        #expect(try await home.store.profile()?.language == "he")
        // One of a later server.
        profile.language = "tlh"
        try await home.store.setProfile(profile)
        try await eventually { home.language == .de }
        home.languageChoice.chosen = .pl
        #expect(home.language == .pl && home.texts.language == .pl)
        // It outlives the app.
        #expect(LanguageChoice(home.configuration).chosen == .pl)
        home.languageChoice.chosen = nil
        #expect(home.language == .de && LanguageChoice(home.configuration).chosen == nil)
    }

    @Test func whoSignsInIsSpokenToAsTheirAccountSaysUntilTheyChoose() async throws {
        try await withDirectory { directory in
            let server = CannedServer([
                "POST /auth/login": .json(200, Self.signedIn), "GET /users/me": .json(200, Self.me("he")),
                "PATCH /users/me": .json(200, Self.me("de")),
            ])
            let onboarding = await server.phone(clock, in: directory)
            #expect(onboarding.account.texts.language == .en)
            onboarding.email = "maria@example.com"
            onboarding.password = "correct horse battery"
            await onboarding.logIn()
            let home = try #require(onboarding.account.home)
            try await eventually { home.language == .he }
            #expect(onboarding.account.texts.language == .he && home.languageChoice.chosen == nil)
            // The choice holds here at once, and for mails as soon as the server has it.
            try await home.speak(.de)
            #expect(home.language == .de && server.requests.last == "PATCH /users/me")
            try await eventually { home.profile.language == "de" }
            server["PATCH /users/me"] = nil
            await #expect(throws: APIFailure.self) { try await home.speak(.fr) }
            #expect(home.language == .fr && home.profile.language == "de")
        }
    }

    /// What is kept is no text: it is said in the language of whoever reads it.
    @Test func whatIsToldAlreadyChangesWithTheLanguage() async throws {
        let home = try Home.preview(configuration(["en"]))
        try await home.store.database.write { [now = clock.now] db in
            try db.tell(.childGone(name: "Wren", waiting: 2, unsent: nil), now: now)
        }
        try await eventually { !home.status.notices.isEmpty }
        let told = home.status.notices[0].notice
        #expect(
            home.texts.notice(told)
                == "Wren was removed from the family. 2 entries were still waiting to be sent.")
        home.languageChoice.chosen = .de
        let german = home.texts.notice(told)
        #expect(german.contains("Wren") && german.contains("2 Einträge"))
    }

    private static func me(_ language: String) -> String {
        #"{"user":{"id":"01a1fce8-3fa2-7001-b41f-d05cffc6ba06","email":"maria@example.com","email_verified":true,"#
            + #""name":"Maria","timezone":"Europe/Berlin","day_start_time":"07:00","quiet":null,"show_details":false,"#
            + #""language":"\#(language)","created_at":"2026-01-01T00:00:00.000Z","updated_at":"2026-01-01T00:00:00.000Z"}}"#
    }

    private static let signedIn =
        #"{"session":{"token":"secret","expires_at":"2027-01-01T00:00:00.000Z"},"user":{"#
        + #""id":"01a1fce8-3fa2-7001-b41f-d05cffc6ba06","email":"maria@example.com","name":"Maria","#
        + #""timezone":"Europe/Berlin","day_start_time":"07:00"}}"#
}
