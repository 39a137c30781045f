import BabyBasicsAPI
import Cryptography
import Foundation
import Postgres
import TestSupport
import Testing

@testable import BabyBasicsServer

@Suite("The language of a mail")
struct MailLanguageTests {
    let server: TestServer
    let johnny: TestUser
    let family: String

    init() throws {
        server = try TestServer(sendsMail: true)
        johnny = try server.account("Johnny", email: "johnny@example.com")
        family = try server.family(of: johnny, "Die Bretzens")
    }

    private func speak(_ tag: String, _ user: TestUser) throws {
        guard server.send("PATCH", "users/me", as: user, ["language": .string(tag)]).status == 200 else {
            throw Missing()
        }
    }

    private func languages(of email: String) throws -> [String?] {
        try server.mails(to: email).map { $0.header("Content-Language") }
    }

    private func invite(_ email: String) {
        _ = server.send(
            "POST", "families/\(family)/invites", as: johnny,
            ["role": "caregiver", "invitee_email": .string(email), "send": true])
    }

    @Test("Of a new account the one that it was made in")
    func registration() throws {
        let body: JSON = ["name": "Rosa", "email": "rosa@example.com", "password": .string(testPassword)]
        let answer = server.send("POST", "auth/register", body, headers: ["HTTP_ACCEPT_LANGUAGE": "ar-EG"])
        #expect(answer.status == 201)
        let mail = try server.mails(to: "rosa@example.com").last.required()
        #expect(mail.header("Content-Language") == "ar")
        #expect(mail.text.contains("<html lang=\"ar\" dir=\"rtl\">"))
        #expect(mail.text.contains("هل هذا بريدك الإلكتروني؟"))
        let subject = try mail.header("Subject").required()
        #expect(subject.hasPrefix("=?utf-8?B?") && subject.utf8.allSatisfy { $0 < 0x7f })
    }

    @Test(
        "Whoever forgot the password is written to in the account's, whatever browser asks; as it is when the mail is sent"
    )
    func forgotten() throws {
        try speak("de", johnny)
        let body: JSON = ["email": "johnny@example.com"]
        #expect(
            server.send("POST", "auth/forgot-password", body, headers: ["HTTP_ACCEPT_LANGUAGE": "pl"]).status == 202)
        #expect(try languages(of: johnny.email) == ["de"])
        let mail = try server.mails(to: johnny.email)[0]
        #expect(mail.text.contains("Wähle ein neues Passwort"))
        #expect(server.reset(try mail.token("reset"), "quite another password").status == 204)
        #expect(try languages(of: johnny.email) == ["de", "de"])
        #expect(server.forgot(johnny.email).status == 202)
        try server.database.execute("update users set language = 'fr'")
        #expect(try languages(of: johnny.email) == ["de", "de", "fr"])
    }

    @Test("An invite goes in the inviter's to a stranger, and in their own to whoever has an account")
    func invited() throws {
        try speak("nl", johnny)
        let maria = try server.account("Maria", email: "maria@example.com")
        try speak("es", maria)
        invite("maria@example.com")
        invite("stranger@example.com")
        #expect(try languages(of: "maria@example.com") == ["es"])
        #expect(try languages(of: "stranger@example.com") == ["nl"])
        let text = try server.mails(to: "stranger@example.com")[0].text
        #expect(text.contains("Johnny nodigt je uit voor Die Bretzens"))
    }

    @Test("That the address changed is told at the old one in the account's language")
    func emailChanged() throws {
        try speak("it", johnny)
        let body: JSON = ["current_password": .string(testPassword), "new_email": "john@example.com"]
        #expect(server.send("POST", "auth/change-email", as: johnny, body).status == 200)
        #expect(try languages(of: "johnny@example.com") == ["it"])
        #expect(try languages(of: "john@example.com") == ["it"])
    }

    @Test("One that a newer release wrote in a language of its own comes in English")
    func newer() throws {
        try server.database.execute("update users set language = 'tlh'")
        #expect(server.forgot(johnny.email).status == 202)
        #expect(try languages(of: johnny.email) == ["en"])
    }

    @Test(
        "Every letter is there in every language, in both forms, with all that it tells", arguments: Language.allCases)
    func letters(_ language: Language) {
        let letters = Letters(language)
        // 8 November 2026, 07:05.
        let moment = Timestamp(microsecondsSince1970: 1_794_121_500_000_000)
        let all = [
            letters.verify(url: "https://u"), letters.reset(url: "https://u"),
            letters.passwordChanged(at: moment, server: "https://s"), letters.emailChanged(at: moment),
            letters.webhookOff(at: moment, server: "https://s"), letters.test(server: "https://s"),
            letters.invite(by: "Johnny", to: "Фамилия", as: .viewer, until: moment, url: "https://u"),
        ]
        #expect(Set(all.map(\.subject)).count == all.count)
        let foot = letters.foot(server: "https://s", support: "mum@example.com")
        #expect(foot[0].contains("https://s") && foot[1].contains("mum@example.com"))
        for letter in all {
            for text in [letter.plainText(foot: foot), letter.html(language: language, foot: foot)] {
                #expect(text.contains(foot[0]) && text.contains(letter.paragraphs[0].prefix(20)))
            }
            let body = letter.html(language: language, foot: []).split(separator: "<main>").last ?? ""
            #expect(!(letter.subject + body).contains(/\{\w*\}/))
        }
        for letter in [all[2], all[3], all[4], all[6]] {
            let text = letter.plainText(foot: [])
            #expect(text.contains("2026") && text.contains("07:05") && text.contains("8"))
        }
        let roles = Role.allCases.map {
            letters.invite(by: "a", to: "b", as: $0, until: moment, url: "c").paragraphs[0]
        }
        #expect(Set(roles).count == 3)
    }

    @Test("A name of the other direction keeps its own, in the subject too")
    func names() {
        let moment = Timestamp(microsecondsSince1970: 0)
        let hebrew = Letters(.he).invite(by: "Johnny", to: "כהן", as: .parent, until: moment, url: "u")
        #expect(hebrew.subject == "הזמנה אל כהן מאת \u{2068}Johnny\u{2069}")
        let english = Letters(.en).invite(by: "יוסי", to: "Cohen", as: .parent, until: moment, url: "u")
        #expect(english.subject == "\u{2068}יוסי\u{2069} invites you to Cohen")
        #expect(english.notes[0] == "It is open until January 1, 1970 at 00:00 UTC, and for this address alone.")
        #expect(
            Letters(.de).emailChanged(at: moment).paragraphs[0].hasPrefix("Am 1. Januar 1970 um 00:00 Uhr (UTC) hat"))
        #expect(
            Letters(.pl).passwordChanged(at: moment, server: "").paragraphs[0].hasSuffix(
                "1 stycznia 1970, godz. 00:00 (UTC)."))
    }
}
