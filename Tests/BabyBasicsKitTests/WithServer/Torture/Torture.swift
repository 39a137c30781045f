import BabyBasicsAPI
import BabyBasicsClient
import Foundation

@testable import BabyBasicsKit
@testable import babybasics_phone

/// Three phones of one family that log, edit, delete, lose the network, die and come back, as a seed says.
/// In the end all of them hold the same as the server, and nothing that was logged is lost or doubled.
struct Torture {
    /// How often each thing was done.
    private(set) var done: [String: Int] = [:]
    private(set) var devices: [Device]
    private var random: Seeded
    private let children: [ChildID]
    private let loss: Double
    private var logged: Set<UUID> = []
    private var deleted: Set<UUID> = []
    private let clock: TestClock

    init(
        devices: [Device], children: [ChildID], seed: UInt64, loss: Double,
        clock: TestClock
    ) {
        self.devices = devices
        self.children = children
        self.loss = loss
        self.clock = clock
        random = Seeded(seed: seed)
        for device in devices { device.line.setLoss(loss) }
    }

    /// Something wrong that was found.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    mutating func round() async throws {
        let device = devices[Int.random(in: 0..<devices.count, using: &random)]
        switch Int.random(in: 0..<100, using: &random) {
        case ..<30: try await log(on: device)
        case ..<48: try await edit(on: device)
        case ..<56: try await delete(on: device)
        case ..<60: try await undo(on: device)
        case ..<66:
            device.line.setCut(!device.line.isCut)
            count("offline or online")
        case ..<72:
            try device.crash()
            count("crash")
        default:
            count("sync")
            if let pause = try await device.sync() { clock.advance(pause) }
        }
    }

    private mutating func count(_ what: String) { done[what, default: 0] += 1 }

    private mutating func log(on device: Device) async throws {
        let child = pick(children)
        let minutes = Int.random(in: 1..<1000, using: &random)
        let at = clock.now.adding(.seconds(-60 * minutes))
        do {
            let entry = try await device.store.log(details(at), for: child)
            logged.insert(entry.id)
            count("log")
        } catch StoreRefusal.alreadyAsleep {
            count("refused second sleep")
        } catch StoreRefusal.noSuchChild {
            count("child not known yet")
        }
    }

    private mutating func details(_ at: Timestamp) -> any EventDetails {
        let end = Bool.random(using: &random) ? at.adding(.seconds(50)) : nil
        switch Int.random(in: 0..<9, using: &random) {
        case 0, 1:
            return FeedingDetails(
                type: .bottle, startedAt: at, amountMl: Tenths(tenths: Int.random(in: 10...2500, using: &random)),
                content: .formula)
        case 2: return DiaperDetails(type: pick(DiaperDetails.Finding.allCases), occurredAt: at)
        case 3: return NoteDetails(content: word(), occurredAt: at)
        case 4: return PumpingDetails(startedAt: at, endedAt: end, side: .both)
        case 5: return MeasurementDetails(occurredAt: at, weightG: Int.random(in: 3000...9000, using: &random))
        case 6:
            return TemperatureDetails(
                occurredAt: at, celsius: Tenths(tenths: Int.random(in: 360...400, using: &random)))
        case 7:
            return Bool.random(using: &random)
                ? MedicationDetails(occurredAt: at, name: word(), dose: "2.5 ml")
                : ActivityDetails(startedAt: at, endedAt: end, name: word())
        default: return SleepDetails(startedAt: at, endedAt: end)
        }
    }

    private mutating func edit(on device: Device) async throws {
        guard let entry = try await anyEntry(on: device) else { return }
        var changes = self.changes(of: entry)
        if Int.random(in: 0..<8, using: &random) == 0 {
            // What every kind can do without.
            changes = ["notes": Bool.random(using: &random) ? .text(word()) : nil]
        } else if entry.kind == "feeding", Int.random(in: 0..<8, using: &random) == 0 {
            changes = ["amount_ml": nil]
        }
        do {
            try await device.store.edit(entry.id, changes)
            count("edit")
        } catch StoreRefusal.alreadyAsleep {
            count("refused second sleep")
        }
    }

    private mutating func changes(of entry: StoredEntry) -> FieldChanges {
        var changes: FieldChanges = ["notes": Bool.random(using: &random) ? .text(word()) : nil]
        switch entry.kind {
        case "feeding", "pumping":
            changes["amount_ml"] = .number(Tenths(tenths: Int.random(in: 10...2500, using: &random)))
        case "diaper": changes["color"] = .text(pick(["yellow", "brown", "green"]))
        case "note": changes["content"] = .text(word())
        case "measurement":
            changes[pick(["length_cm", "head_cm"])] = .number(
                Tenths(tenths: Int.random(in: 300...600, using: &random)))
        case "temperature": changes["site"] = .text(pick(["ear", "oral", "rectal"]))
        case "medication", "activity": changes["name"] = .text(word())
        default: changes["ended_at"] = .text(entry.at.adding(.seconds(70)).description)
        }
        return changes
    }

    private mutating func delete(on device: Device) async throws {
        guard let entry = try await anyEntry(on: device) else { return }
        try await device.store.delete(entry.id)
        deleted.insert(entry.id)
        device.deleted.append(entry)
        count("delete")
    }

    private mutating func undo(on device: Device) async throws {
        guard let entry = device.deleted.popLast() else { return }
        do {
            logged.insert(try await device.store.undoDelete(entry).id)
            count("undo")
        } catch StoreRefusal.alreadyAsleep {
            count("refused second sleep")
        }
    }

    private mutating func anyEntry(on device: Device) async throws -> StoredEntry? {
        let entries = try await device.store.entries(
            of: pick(children), EntryFilter(limit: 40))
        return entries.isEmpty ? nil : pick(entries)
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &random)]
    }

    private mutating func word() -> String {
        "word \(UInt32.random(in: 0..<1_000_000, using: &random))"
    }

    // MARK: The end

    /// The network is back for all of them, and everything is sent and read.
    mutating func settle() async throws {
        for device in devices {
            device.line.setLoss(0)
            device.line.setCut(false)
        }
        for _ in 0..<200 {
            var isQuiet = true
            for device in devices {
                if let pause = try await device.sync() {
                    clock.advance(pause)
                    isQuiet = false
                }
                let waits = try await !device.store.pendingChanges().isEmpty
                isQuiet = isQuiet && !waits
            }
            if isQuiet {
                for device in devices where try await device.sync() != nil { isQuiet = false }
            }
            if isQuiet { return }
        }
        throw Failure(description: "The phones do not come to rest")
    }

    /// - Parameter witness: a phone that has read everything anew.
    func check(against witness: Device) async throws {
        let truth = try await contents(of: witness)
        for (number, device) in devices.enumerated() {
            let own = try await contents(of: device)
            for id in Set(truth.keys).union(own.keys) where truth[id] != own[id] {
                throw Failure(
                    description: """
                        Phone \(number) differs at \(id): \
                        \(String(describing: own[id])), the server has \
                        \(String(describing: truth[id]))
                        """)
            }
            let problems = try await device.store.problems()
            guard problems.isEmpty else { throw Failure(description: "\(problems)") }
        }
        var rejected: Set<UUID> = []
        for device in devices { rejected.formUnion(try await device.store.rejectedChanges().map(\.entryID)) }
        let lost = logged.subtracting(deleted).subtracting(rejected).filter { truth[$0] == nil }
        guard lost.isEmpty else { throw Failure(description: "Lost: \(lost)") }
        let strange = Set(truth.keys).subtracting(logged)
        guard strange.isEmpty else { throw Failure(description: "Nobody logged \(strange)") }
    }

    /// How many entries were logged.
    var loggedCount: Int { logged.count }

    private func contents(of device: Device) async throws -> [UUID: StoredEntry] {
        var all: [UUID: StoredEntry] = [:]
        for child in children {
            for entry in try await device.store.entries(of: child, EntryFilter(limit: .max)) {
                all[entry.id] = entry
            }
        }
        return all
    }
}
