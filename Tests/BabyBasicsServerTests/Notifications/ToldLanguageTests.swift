import BabyBasicsAPI
import Foundation
import TestSupport
import Testing

@testable import BabyBasicsServer

@Suite("What is told is told in the language of who is told")
struct ToldLanguageTests {
    let phones: Phones

    init() throws { phones = try Phones() }

    private func speak(_ tag: String, _ user: TestUser, details: Bool = false) throws {
        let body: JSON = ["language": .string(tag), "show_details": .bool(details)]
        guard phones.server.send("PATCH", "users/me", as: user, body).status == 200 else { throw Missing() }
    }

    @Test("To each member in their own")
    func each() throws {
        try speak("de", phones.johnny)
        try speak("he", phones.sarah)
        for user in [phones.johnny, phones.sarah, phones.ines] {
            try phones.ask(for: "feeding", "diaper", "sleep", as: user)
        }
        try phones.log("feeding", minutesAgo: 3, as: phones.rosa)
        for minutes in [1.0, 2] { try phones.log("diaper", minutesAgo: minutes, as: phones.rosa) }
        try phones.log("sleep", minutesAgo: 90, as: phones.rosa, ["type": "nap", "ended_at": phones.time()])
        try phones.notify()
        phones.wait(minutes: 1.1)
        #expect(
            try phones.bodies(phones.johnny) == ["Rosa hat ein Fläschchen, 2 Windeln und ein Nickerchen eingetragen"])
        #expect(try phones.bodies(phones.ines) == ["Rosa logged a bottle, 2 diapers and a nap"])
        #expect(
            try phones.bodies(phones.sarah) == ["רישום חדש מאת \u{2068}Rosa\u{2069}: בקבוק, שני חיתולים וגם תנומה"])
    }

    @Test("Numbers are written as the language has them, medicines as they were typed")
    func details() throws {
        try speak("fr", phones.johnny, details: true)
        try speak("ar", phones.sarah, details: true)
        for user in [phones.johnny, phones.sarah] { try phones.ask(for: "medication", "temperature", as: user) }
        try phones.log("medication", minutesAgo: 3, as: phones.rosa, ["dose": "2.5 ml"])
        try phones.log("temperature", minutesAgo: 2, as: phones.rosa)
        try phones.notify()
        phones.wait(minutes: 1.1)
        #expect(
            try phones.bodies(phones.johnny) == ["Rosa a noté Paracetamol (2.5 ml) et une température de 38,5\u{a0}°C"])
        #expect(
            try phones.bodies(phones.sarah) == [
                "تسجيل جديد من \u{2068}Rosa\u{2069}: جرعة من \u{2068}Paracetamol\u{2069} (\u{2068}2.5 ml\u{2069}) وحرارة 38.5°م"
            ])
    }

    @Test("Reminders, doses, who comes and goes, and a webhook that is off")
    func others() throws {
        try speak("pl", phones.sarah)
        try speak("pt-BR", phones.johnny)
        try phones.remind(phones.sarah, of: "feeding", after: 200)
        try phones.log("feeding", minutesAgo: 200, as: phones.rosa)
        #expect(try phones.bodies(phones.sarah) == ["Ostatnie karmienie: 3 godz. 20 min temu"])
        _ = try phones.server.member("Nana", of: phones.family, by: phones.johnny)
        #expect(try phones.bodies(phones.sarah) == ["Nana dołącza do rodziny"])
        #expect(try phones.bodies(phones.johnny) == ["Nana entrou na família"])
    }
}

extension ToldEntry {
    fileprivate init(_ kind: EventKind, _ type: String? = nil, dose: String? = nil) {
        self.init(
            kind: Int16(kind.number), child: ChildID(UUID()), childName: "", familyName: "", revision: 1, type: type,
            name: "Paracetamol", dose: dose, celsius: Tenths(tenths: 385))
    }
}

@Suite("Sentences in every language")
struct SentencesTests {
    private let name = "Rosa"

    @Test("Each thing, once and as often as anybody logs it, with nothing left open", arguments: Language.allCases)
    func things(_ language: Language) {
        let sentences = Sentences(language)
        for kind in EventKind.all {
            let types =
                kind.name == "feeding"
                ? ["breast", "bottle", "solid"] : kind.name == "sleep" ? ["nap", "night"] : [""]
            for (type, details) in types.flatMap({ [($0, true), ($0, false)] }) {
                let one = ToldEntry(kind, type, dose: "2.5 ml")
                var said: Set<String> = []
                for count in [1, 2, 3, 5, 11, 21, 22, 100] {
                    let text = sentences.logged(Array(repeating: one, count: count), by: name, details: details)
                    #expect(text.contains(name) && !text.contains(/[{}]/))
                    #expect(count < 3 || text.contains("\(count)"), "\(text)")
                    said.insert(text)
                }
                #expect(said.count == 8)
            }
        }
    }

    @Test("A medicine's name stands there for those alone who want it", arguments: Language.allCases)
    func medicines(_ language: Language) {
        let sentences = Sentences(language)
        for dose in [nil, "2.5 ml"] {
            let entry = ToldEntry(MedicationDetails.kind, dose: dose)
            #expect(sentences.logged([entry], by: name, details: true).contains("Paracetamol"))
            #expect(sentences.logged([entry], by: name, details: true).contains("2.5 ml") == (dose != nil))
            #expect(!sentences.logged([entry], by: name, details: false).contains("Paracetamol"))
        }
    }

    @Test("A long list ends with how many more", arguments: Language.allCases)
    func more(_ language: Language) {
        let kinds = EventKind.all.filter { $0.name != "discard" }
        let entries = kinds.map { ToldEntry($0) }
        let text = Sentences(language).logged(entries, by: name, details: true)
        #expect(text.contains("\(kinds.count - 6)") && text.count < 200)
    }

    @Test("Every length of time, reminder and change of members is said", arguments: Language.allCases)
    func others(_ language: Language) {
        let sentences = Sentences(language)
        let lengths: [(Duration, [String])] = [
            (.seconds(45 * 60), ["45"]), (.seconds(7200), ["2"]), (.seconds(12_000), ["3", "20"]),
        ]
        for subject in Reminder.Subject.allCases {
            for (duration, numbers) in lengths {
                let text = sentences.reminder(subject, since: duration)
                #expect(numbers.allSatisfy { text.contains($0) } && !text.contains(/[{}]/))
            }
        }
        let kinds = [NotificationKind.joined, .left, .removed, .accessEnded]
        let members = kinds.map { sentences.member($0, name: name) }
        #expect(Set(members).count == 4 && members.allSatisfy { $0.contains(name) && !$0.contains(/[{}]/) })
    }
}
