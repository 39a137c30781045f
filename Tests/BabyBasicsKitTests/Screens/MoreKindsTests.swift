import BabyBasicsAPI
import Foundation
import Testing

@testable import BabyBasicsKit

/// Pumpings, measurements, temperatures, medications and activities on the screens.
@MainActor @Suite struct MoreKindsTests {
    private let clock = TestClock()

    @Test func theLastMedicineAndTemperatureStandOnTodayForAWhile() async throws {
        let (home, child) = try await home()
        let today = Today(home, child: child)
        await today.logMedication("Paracetamol", dose: "2.5 ml")
        try await home.log(
            kind: "temperature", try Fields(TemperatureDetails(occurredAt: clock.now, celsius: 38.4)), for: child)
        try await eventually { today.last.count == 2 }
        clock.advance(.seconds(3 * 3600))
        today.tick()
        #expect(Set(today.last.map(\.text)) == ["Paracetamol, 3 h ago", "38.4 °C, 3 h ago"])
        home.units.temperature = .fahrenheit
        #expect(today.last.contains { $0.text == "101.1 °F, 3 h ago" })
        clock.advance(.seconds(46 * 3600))
        today.tick()
        try await eventually { today.last.map(\.entry.kind) == ["temperature"] }
        clock.advance(.seconds(86_400))
        today.tick()
        try await eventually { today.last.isEmpty }
        #expect(today.summary?.last["medication"] != nil)
    }

    @Test func aPumpingAndAnActivityHaveAClockAndOneStop() async throws {
        let (home, child) = try await home()
        let today = Today(home, child: child)
        await today.startPumping(.left)
        await today.startActivity("Tummy time")
        try await eventually { today.running.map(\.title) == ["Tummy time", "Pumping"] }
        clock.advance(.seconds(600))
        await today.stop(try #require(today.running.last), pumped: 90)
        await today.stop(try #require(today.running.first))
        try await eventually { today.running.isEmpty }
        let pumping = try #require(today.entries.first { $0.kind == "pumping" })
        #expect(pumping.fields["amount_ml"] == .number(90))
        #expect(pumping.endedAt.map { $0.since(pumping.at) >= .seconds(600) } == true)
        #expect(home.texts.title(pumping) == "Pumped 90 ml")
        // Forgotten, it is believed for four hours.
        await today.startActivity("Walk")
        try await eventually { today.running.count == 1 }
        clock.advance(.seconds(4 * 3600 + 60))
        today.tick()
        #expect(today.running.isEmpty)
    }

    @Test func whatNobodyTimedIsOver() async throws {
        let (home, child) = try await home()
        let today = Today(home, child: child)
        let form = LogEntry(home, kind: ActivityDetails.kind, child: child)
        form.name = " Bath "
        form.isUntimed = true
        await form.save()
        let milk = LogEntry(home, kind: PumpingDetails.kind, child: child)
        milk.amount = 80
        await milk.save()
        try await eventually { today.entries.count == 2 }
        #expect(today.running.isEmpty)
        #expect(today.entries.contains { $0.fields["name"] == .text("Bath") && $0.endedAt == $0.at })
    }

    @Test func whatThisFamilyUsedLatelyIsOffered() async throws {
        let (home, wren) = try await previewHome(clock, children: ["Wren", "Robin"])
        let robin = try #require(try await home.store.children(of: wren.familyID).first { $0.name == "Robin" })
        let today = Today(home, child: wren)
        try await eventually { today.activities == ["Tummy time", "Bath", "Walk", "Play"] }
        clock.advance(.seconds(-100 * 86_400))
        await today.startActivity("Long ago")
        clock.advance(.seconds(100 * 86_400))
        for name in ["Walk", "Baby yoga", "walk"] { await Today(home, child: robin).startActivity(name) }
        try await eventually { today.activities == ["walk", "Baby yoga", "Tummy time", "Bath", "Play"] }
        await today.logMedication("Vitamin D", dose: "1 drop")
        await today.logMedication("Paracetamol")
        let form = LogEntry(home, kind: MedicationDetails.kind, child: robin)
        await form.fillIn()
        #expect(form.offers.map(\.id) == ["Paracetamol", "Vitamin D"])
        form.choose(try #require(form.offers.last))
        #expect(form.name == "Vitamin D" && form.dose == "1 drop")
        // The child's own last one is filled in.
        let own = LogEntry(home, kind: MedicationDetails.kind, child: wren)
        await own.fillIn()
        #expect(own.name == "Paracetamol" && own.dose.isEmpty)
    }

    @Test func whatIsMissingOrOutOfBoundsIsSaidBeforeItIsKept() async throws {
        let (home, child) = try await home()
        func refusal(_ kind: EventKind, _ fill: (LogEntry) -> Void) async -> String? {
            let form = LogEntry(home, kind: kind, child: child)
            fill(form)
            await form.save()
            return form.step == .editing ? form.message?.text : nil
        }
        #expect(
            await refusal(MeasurementDetails.kind) { _ in }
                == "Enter at least one of the three.")
        #expect(
            await refusal(MeasurementDetails.kind) { $0.weight = 70 }
                == "The weight must be between 0.2 kg and 60 kg. Please correct it.")
        #expect(
            await refusal(MeasurementDetails.kind) { $0.length = .nan }
                == "The length must be between 20 cm and 150 cm. Please correct it.")
        #expect(await refusal(TemperatureDetails.kind) { _ in } == "Enter the temperature.")
        home.units.temperature = .fahrenheit
        #expect(
            await refusal(TemperatureDetails.kind) { $0.degrees = 38.4 }
                == "The temperature must be between 86 °F and 113 °F. Please correct it.")
        #expect(await refusal(MedicationDetails.kind) { $0.name = "  " } == "Say which medicine it was.")
        #expect(
            await refusal(MedicationDetails.kind) {
                $0.name = "Vitamin D"
                $0.dose = String(repeating: "x", count: 51)
            } == "The dose can have 50 characters at most. Please shorten it.")
        #expect(await refusal(ActivityDetails.kind) { _ in } == "Say what it was.")
        #expect(await refusal(PumpingDetails.kind) { $0.amount = 2001 }?.contains("2000 ml") == true)
        #expect(await refusal(FeedingDetails.kind) { $0.amount = 0 }?.contains("0.1 ml and 1000 ml") == true)
        #expect(await refusal(NoteDetails.kind) { _ in } == "Write something first.")
        #expect(try await home.store.entries(of: child.id).isEmpty)
    }

    @Test func unitsAreTheDevicesAndWhatIsKeptIsMetric() async throws {
        let (home, child) = try await home()
        home.units.weight = .pounds
        home.units.length = .inches
        home.units.temperature = .fahrenheit
        let form = LogEntry(home, kind: MeasurementDetails.kind, child: child)
        form.weight = 9.25
        form.length = 21.5
        await form.save()
        guard case .logged(let entry) = form.step else {
            Issue.record("\(String(describing: form.message))")
            return
        }
        #expect(entry.fields["weight_g"] == .number(4196) && entry.fields["length_cm"] == .number(54.6))
        #expect(home.texts.title(entry) == "9 lb 4 oz, 21.5 in")
        #expect(english.title(entry) == "4.196 kg, 54.6 cm")
        #expect(home.units.temperature.celsius(101.1) == 38.4)
        let kilograms = { english.amount($0, field: "weight_g") }
        #expect(kilograms(4350) == "4.35 kg" && kilograms(4000) == "4 kg")
        // They outlive the app.
        #expect(home.units == Units(home.configuration.preferences) && home.units.weight == .pounds)
    }

    @Test func theNewKindsReachTheServerAndTheOtherPhoneAndFieldsAreRebasedApart() async throws {
        let house = try await Household()
        let at = house.clock.now
        let made = try await house.maria.store.log(
            MeasurementDetails(occurredAt: at, weightG: 5200, lengthCm: 57.5), for: house.child)
        for details: any EventDetails in [
            PumpingDetails(startedAt: at, side: .both, amountMl: 90.5) as any EventDetails,
            TemperatureDetails(occurredAt: at, celsius: 38.4, site: .ear),
            MedicationDetails(occurredAt: at, name: "Paracetamol", dose: "2.5 ml"),
            ActivityDetails(startedAt: at, name: "Bath"),
        ] {
            try await house.maria.store.log(details, for: house.child)
        }
        try await house.maria.engine.sendChanges()
        try await house.johnny.engine.fetchChanges()
        let kinds = try await house.johnny.store.entries(of: house.child).map(\.kind)
        #expect(Set(kinds) == ["measurement", "pumping", "temperature", "medication", "activity"])
        try await house.johnny.store.edit(made.id, ["length_cm": .number(58)])
        try await house.johnny.engine.sendChanges()
        try await house.maria.store.edit(made.id, ["head_cm": .number(39.5), "weight_g": .number(5250)])
        try await house.maria.engine.sendChanges()
        try await house.johnny.engine.fetchChanges()
        for store in [house.maria.store, house.johnny.store] {
            let fields = try #require(try await store.entry(made.id)).fields
            #expect(fields["weight_g"] == .number(5250) && fields["length_cm"] == .number(58))
            #expect(fields["head_cm"] == .number(39.5))
            #expect(try await store.notices().isEmpty)
        }
        let read = try #require(try await house.johnny.store.entry(made.id)?.details(as: MeasurementDetails.self))
        #expect(read.weightG == 5250)
    }

    private func home() async throws -> (Home, StoredChild) { try await previewHome(clock) }
}
