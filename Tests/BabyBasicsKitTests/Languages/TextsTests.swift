import BabyBasicsAPI
import BabyBasicsClient
import Foundation
import Testing

@testable import BabyBasicsKit

/// What screens say in other languages than English.
@Suite @MainActor struct TextsTests {
    private let clock = TestClock()

    private func bottle(_ home: Home, _ child: StoredChild, at time: Timestamp, _ amount: Tenths) async throws {
        try await home.log(
            kind: "feeding", try Fields(FeedingDetails(type: .bottle, startedAt: time, amountMl: amount)), for: child)
    }

    @Test func germanOnAScreen() async throws {
        let (home, wren) = try await previewHome(clock, languages: ["de-AT"])
        let today = Today(home, child: wren)
        let start = clock.now.adding(.seconds(-2 * 3600 - 600))
        try await bottle(home, wren, at: start, Tenths(tenths: 1205))
        #expect(home.undo?.text == "Eingetragen für Wren: Mahlzeit")
        try await eventually { today.last.first?.text.hasPrefix("Flasche 120,5 ml, vor 2 h 1") == true }
        try await eventually { home.status.line == "1 Eintrag wartet" }
        #expect(today.dayTitle == "Der Tag bis jetzt" && MonthOverview(home, child: wren).title == "November 2026")
        let form = LogEntry(home, kind: MedicationDetails.kind, child: wren)
        await form.save()
        #expect(form.message?.text == "Sag, welches Medikament es war." && form.message?.field == "name")
        let milk = LogEntry(home, kind: FeedingDetails.kind, child: wren)
        milk.amount = 1001
        await milk.save()
        #expect(milk.message?.text == "Die Menge muss zwischen 0,1 ml und 1000 ml liegen. Bitte korrigiere das.")
        #expect(LogEntry.offers([], "activity", home.texts).map(\.id).contains("Baden"))
    }

    @Test func polishHasItsForms() async throws {
        let (home, wren) = try await previewHome(clock, languages: ["pl-PL"])
        for line in ["1 wpis czeka", "2 wpisy czekają", "3 wpisy czekają", "4 wpisy czekają", "5 wpisów czeka"] {
            try await bottle(home, wren, at: clock.now, 60)
            try await eventually { home.status.line == line }
        }
        let lost = { home.texts.entriesWouldBeLost($0, rejected: 0).text }
        #expect(lost(1).hasPrefix("1 wpis nie jest") && lost(22).hasPrefix("22 wpisy nie są"))
        #expect(lost(12).hasPrefix("12 wpisów nie ma") && home.texts.weeksEarly(5).hasPrefix("5 tygodni"))
    }

    @Test func arabicKeepsALatinNameTogetherAndHasLatinDigits() async throws {
        let (home, wren) = try await previewHome(clock, children: ["Wren"], languages: ["ar-EG"])
        let bell = Bell(home, about: .last(.feeding), child: wren)
        #expect(bell.title == "\u{2068}Wren\u{2069}: بعد بداية آخر رضعة")
        #expect(bell.choices.map(\.text) == ["متوقف", "2 س", "2½ س", "3 س", "4 س"])
        try await bottle(home, wren, at: clock.now, 120)
        #expect(home.undo?.text == "\u{2068}Wren\u{2069}، تم تسجيل: رضعة")
        try await eventually { home.status.line == "تسجيل واحد ينتظر" }
        let texts = Texts(.ar, region: Locale(identifier: "ar_EG"))
        let shown = [
            texts.clock(clock.now), texts.month(clock.now.utcDate), texts.amount(Tenths(tenths: 384), field: "celsius"),
            texts.day(CalendarDate(daysSince1970: 20_000), today: clock.now.utcDate),
        ]
        for text in shown {
            #expect(text.contains(/[0-9]/) && !text.contains(/[\u{660}-\u{669}]/), "\(text)")
        }
        // In English no letter is hidden, but round a name that is written from the right.
        #expect(english.joined("Wren’s").text == "You joined Wren’s!")
        #expect(english.joined("عائلة").text == "You joined \u{2068}عائلة\u{2069}!")
    }

    @Test func whatTheServerRefusesIsToldByItsCodeAndReason() {
        let german = Texts(.de)
        let failure = APIFailure(status: 403, code: .forbidden, message: "Only parents may", details: [])
        #expect(german.failure(failure).text == "Das darfst du nicht. Frag einen Elternteil der Familie.")
        #expect(english.failure(failure).text == "Only parents may. Ask a parent of the family.")
        let detail = ErrorBody.Detail(field: "amount_ml", message: "must be 0.1 to 1000", reason: .tooLarge)
        let wrong = APIFailure(status: 400, code: .validationError, message: "No", details: [detail])
        #expect(german.failure(wrong).text == "Menge: Das ist zu viel. Bitte korrigiere das.")
        #expect(english.failure(wrong).text == "The amount must be 0.1 to 1000. Please correct it.")
        let later = ErrorBody.Detail(field: "amount_ml", message: "is odd", reason: .init(rawValue: "odd"))
        let odd = APIFailure(status: 400, code: .validationError, message: "No", details: [later])
        #expect(german.failure(odd).text == "Menge: is odd. Bitte korrigiere das.")
    }

    @Test func numbersAndListsAreTheLanguagesAndTimesTheRegions() throws {
        let noon = try #require(Timestamp("2026-06-10T14:05:00.000Z"))
        func clock(_ language: Language, _ region: String) -> String {
            Texts(language, region: Locale(identifier: region)).clock(noon)
        }
        #expect(clock(.de, "de_DE") == "14:05" && clock(.de, "en_GB") == "14:05")
        #expect(clock(.en, "en_US").hasPrefix("2:05"))
        #expect(Texts(.de).listed(["8:00", "14:00", "20:00"]) == "8:00, 14:00 und 20:00")
        #expect(english.listed(["8:00", "14:00", "20:00"]) == "8:00, 14:00 and 20:00")
        let french = Texts(.fr, region: Locale(identifier: "en_US"))
        #expect(french.amount(Tenths(tenths: 384), field: "celsius").hasPrefix("38,4"))
        var pounds = Units()
        pounds.weight = .pounds
        let german = Texts(.de, region: Locale(identifier: "de_DE"), units: pounds)
        #expect(german.amount(4350, field: "weight_g") == "9 lb 9,4 oz")
    }

    @Test(arguments: Language.allCases)
    func everyNoticeIsWhole(_ language: Language) {
        let texts = Texts(language)
        let conflict = Notice.Conflict(
            entryID: UUID(), kind: "feeding", field: "amount_ml", mine: .number(80), theirs: .number(90),
            mineHolds: false, theirName: "Rosa")
        var nobody = conflict
        nobody.theirName = nil
        let notices: [Notice] = [
            .conflict(conflict), .conflict(nobody), .entryGone(kind: "diaper", at: clock.now),
            .childGone(name: "", waiting: 0, unsent: nil), .childGone(name: "Wren", waiting: 3, unsent: []),
            .familyGone(name: "Bretz", waiting: 1, unsent: nil), .storeReplaced(saved: 12),
            .reminderNotKept(reason: "Too many"), .clockCorrected,
        ]
        for said in notices.map({ texts.notice($0) }) {
            #expect(!said.isEmpty && !said.contains(/[{}]|  |: [.,]/), "\(said)")
        }
        #expect(texts.notice(.conflict(conflict)).contains("80") && texts.notice(.conflict(conflict)).contains("Rosa"))
        #expect(language == .en || !texts.notice(.reminderNotKept(reason: "Too many")).contains("Too many"))
    }
}
