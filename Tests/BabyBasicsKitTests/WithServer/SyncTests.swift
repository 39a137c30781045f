import BabyBasicsAPI
import BabyBasicsClient
import Foundation
import GRDB
import Testing

@testable import BabyBasicsKit

@Suite struct SyncTests {
    @Test func whatIsLoggedIsThereAtOnceAndReachesTheOtherPhone() async throws {
        let house = try await Household()
        house.maria.faults.setOffline(true)
        let entry = try await house.maria.store.log(house.bottle(120), for: house.child)
        #expect(entry.isWaiting && entry.revision == 0)
        #expect(try await house.maria.store.entries(of: house.child).map(\.id) == [entry.id])
        await #expect(throws: TransportFailure.self) {
            try await house.maria.engine.sendChanges()
        }
        house.maria.faults.setOffline(false)
        try await house.maria.engine.sendChanges()
        try await house.johnny.engine.fetchChanges()
        let there = try #require(try await house.johnny.store.entry(entry.id))
        #expect(there.fields["amount_ml"] == .number(120))
        #expect(there.author.name == "Maria")
        #expect(try await house.maria.store.entry(entry.id)?.isWaiting == false)
    }

    @Test(arguments: [Faults.Fault.loseRequest, .loseAnswer])
    func aLostBatchIsSentAgainAndMadeOnce(fault: Faults.Fault) async throws {
        let house = try await Household()
        for amount in 1...3 {
            try await house.maria.store.log(
                house.bottle(Tenths(tenths: amount * 100)), for: house.child)
        }
        house.maria.faults.plan(fault)
        await #expect(throws: TransportFailure.self) {
            try await house.maria.engine.sendChanges()
        }
        #expect(try await house.maria.store.pendingChanges().map(\.attempts) == [1, 1, 1])
        try await house.maria.engine.sendChanges()
        #expect(try await house.events().count == 3)
        #expect(try await house.maria.store.pendingChanges().isEmpty)
    }

    @Test func eventsOfOneChildTravelTogetherFiveHundredAtMost() async throws {
        var configuration = SyncEngine.Configuration()
        configuration.batchSize = 4
        let house = try await Household(configuration: configuration)
        for _ in 0..<10 {
            try await house.maria.store.log(house.bottle(60), for: house.child)
        }
        let before = house.maria.faults.requests.count
        try await house.maria.engine.sendChanges()
        #expect(house.maria.faults.requests.count - before == 3)
        #expect(SyncEngine.Configuration().batchSize == 500)
    }

    @Test func anEditBeforeSendingJoinsTheCreation() async throws {
        let house = try await Household()
        let entry = try await house.maria.store.log(house.bottle(120), for: house.child)
        try await house.maria.store.edit(entry.id, ["amount_ml": .number(90)])
        let waiting = try await house.maria.store.pendingChanges()
        #expect(waiting.map(\.operation) == [.create])
        try await house.maria.engine.sendChanges()
        #expect(try await house.event(entry.id)?.fields["amount_ml"] == .number(90))
    }

    @Test func anEditAfterALostAnswerIsNotSwallowedByTheCreation() async throws {
        let house = try await Household()
        let entry = try await house.maria.store.log(house.bottle(120), for: house.child)
        house.maria.faults.plan(.loseAnswer)
        try? await house.maria.engine.sendChanges()
        // The server has 120 by now, and would answer with that whatever a second creation says.
        try await house.maria.store.edit(entry.id, ["amount_ml": .number(90)])
        try await house.maria.engine.sendChanges()
        #expect(try await house.event(entry.id)?.fields["amount_ml"] == .number(90))
    }

    @Test func fieldsThatTwoPeopleChangedApartAreBothKept() async throws {
        let (house, id) = try await shared()
        try await house.johnny.store.edit(id, ["amount_ml": .number(80)])
        try await house.johnny.engine.sendChanges()
        try await house.maria.store.edit(id, ["notes": .text("spat half of it out")])
        try await house.maria.engine.sendChanges()
        let fields = try #require(try await house.event(id)?.fields)
        #expect(fields["amount_ml"] == .number(80))
        #expect(fields["notes"] == .text("spat half of it out"))
        #expect(try await house.maria.store.notices().isEmpty)
    }

    @Test func theLaterOfTwoChangesHoldsAndThePersonIsToldBothValues() async throws {
        let (house, id) = try await shared()
        // Johnny's edit is made first, and arrives last.
        try await house.johnny.store.edit(id, ["amount_ml": .number(80)])
        try await house.maria.store.edit(id, ["amount_ml": .number(90)])
        try await house.maria.engine.sendChanges()
        try await house.johnny.engine.sendChanges()
        #expect(try await house.event(id)?.fields["amount_ml"] == .number(90))
        let notice = try #require(try await house.johnny.store.notices().first?.notice)
        guard case .conflict(let conflict) = notice else {
            Issue.record("\(notice)")
            return
        }
        #expect(conflict.mine == .number(80) && conflict.theirs == .number(90))
        #expect(!conflict.mineHolds)
        #expect(try await house.johnny.store.entry(id)?.fields["amount_ml"] == .number(90))
        #expect(try await house.johnny.store.pendingChanges().isEmpty)
    }

    @Test func theLaterOfTwoChangesHoldsAlsoWhereItArrivesLast() async throws {
        let (house, id) = try await shared()
        try await house.maria.store.edit(id, ["amount_ml": .number(90)])
        try await house.maria.engine.sendChanges()
        try await house.johnny.store.edit(id, ["amount_ml": .number(80)])
        try await house.johnny.engine.sendChanges()
        #expect(try await house.event(id)?.fields["amount_ml"] == .number(80))
        let notices = try await house.johnny.store.notices().map(\.notice)
        guard case .conflict(let conflict) = notices.first else {
            Issue.record("\(notices)")
            return
        }
        #expect(conflict.mineHolds)
    }

    @Test(arguments: [Faults.Fault.loseRequest, .loseAnswer])
    func aLostEditIsSentAgainWithoutAConflictWithItself(fault: Faults.Fault) async throws {
        let (house, id) = try await shared()
        try await house.maria.store.edit(id, ["amount_ml": .number(77)])
        house.maria.faults.plan(fault)
        try? await house.maria.engine.sendChanges()
        try await house.maria.engine.sendChanges()
        #expect(try await house.event(id)?.fields["amount_ml"] == .number(77))
        #expect(try await house.maria.store.notices().isEmpty)
        #expect(try await house.maria.store.pendingChanges().isEmpty)
    }

    @Test func anEditOfWhatSomebodyDeletedIsDroppedAndSaidOnce() async throws {
        let (house, id) = try await shared()
        try await house.johnny.store.delete(id)
        try await house.johnny.engine.sendChanges()
        try await house.maria.store.edit(id, ["amount_ml": .number(1)])
        try await house.maria.engine.sendChanges()
        try await house.maria.engine.fetchChanges()
        #expect(try await house.maria.store.entries(of: house.child).isEmpty)
        #expect(try await house.maria.store.notices().count == 1)
        #expect(try await house.maria.store.pendingChanges().isEmpty)
    }

    @Test func aDeletionByBothIsNoNews() async throws {
        let (house, id) = try await shared()
        try await house.johnny.store.delete(id)
        try await house.johnny.engine.sendChanges()
        try await house.maria.store.delete(id)
        try await house.maria.engine.sendChanges()
        #expect(try await house.maria.store.notices().isEmpty)
        #expect(try await house.maria.store.entry(id) == nil)
    }

    @Test func anEntryDeletedElsewhereBeforeItsLostAnswerComesStaysDeleted() async throws {
        let house = try await Household()
        let entry = try await house.maria.store.log(house.bottle(120), for: house.child)
        house.maria.faults.plan(.loseAnswer)
        try? await house.maria.engine.sendChanges()
        try await house.johnny.engine.fetchChanges()
        try await house.johnny.store.delete(entry.id)
        try await house.johnny.engine.sendChanges()
        let another = try await house.maria.store.log(house.bottle(60), for: house.child)
        try await house.maria.engine.sendChanges()
        #expect(try await house.maria.store.entries(of: house.child).map(\.id) == [another.id])
    }

    @Test func whatTheServerRefusesIsKeptAsideAndTheRestIsSent() async throws {
        let house = try await Household()
        let good = try await house.maria.store.log(house.bottle(120), for: house.child)
        let bad = try await house.maria.store.log(house.bottle(1200), for: house.child)
        let also = try await house.maria.store.log(house.bottle(90), for: house.child)
        try await house.maria.engine.sendChanges()
        #expect(try await Set(house.events().keys) == [good.id, also.id])
        let rejected = try #require(try await house.maria.store.rejectedChanges().first)
        #expect(rejected.entryID == bad.id)
        #expect(rejected.reasons.first?.field == "amount_ml")
        #expect(english.rejected(rejected).contains("the amount must be"))
        // Mended, it goes.
        var fields = rejected.fields
        fields["amount_ml"] = .number(120)
        try await house.maria.store.retry(rejected, fields: fields)
        try await house.maria.engine.sendChanges()
        #expect(try await house.events().count == 3)
        #expect(try await house.maria.store.rejectedChanges().isEmpty)
    }

    @Test func aKindThatThisVersionDoesNotKnowBlocksNothing() async throws {
        let house = try await Household()
        try await house.maria.store.log(
            kind: "dream", ["occurred_at": .text(house.clock.now.description)], for: house.child)
        let bottle = try await house.maria.store.log(house.bottle(120), for: house.child)
        try await house.maria.engine.sendChanges()
        #expect(try await house.event(bottle.id) != nil)
        #expect(try await house.maria.store.rejectedChanges().map(\.kind) == ["dream"])
    }

    @Test func whereTheServerDoesNotSayWhichEntryItRefusesSmallerBatchesFindOut() async throws {
        let house = try await Household()
        for amount in [10, 20, 1500, 40, 50] {
            try await house.maria.store.log(
                house.bottle(Tenths(tenths: amount * 10)), for: house.child)
        }
        house.maria.faults.setTerse(true)
        try await house.maria.engine.sendChanges()
        #expect(try await house.events().count == 4)
        #expect(
            try await house.maria.store.rejectedChanges().map { $0.fields["amount_ml"] }
                == [.number(1500)])
    }

    @Test func aRefusedEditGoesBackToWhatTheServerHas() async throws {
        let (house, id) = try await shared()
        try await house.maria.store.edit(id, ["amount_ml": .number(5000)])
        try await house.maria.engine.sendChanges()
        #expect(try await house.maria.store.entry(id)?.fields["amount_ml"] == .number(120))
        let rejected = try #require(try await house.maria.store.rejectedChanges().first)
        #expect(rejected.changes["amount_ml"] == .some(.number(5000)))
        try await house.maria.store.retry(
            rejected, fields: rejected.fields.merging(["amount_ml": .number(500)]) { $1 })
        try await house.maria.engine.sendChanges()
        #expect(try await house.event(id)?.fields["amount_ml"] == .number(500))
    }

    @Test func aSecondRunningSleepOfAnotherPhoneIsKeptAside() async throws {
        let house = try await Household()
        try await house.johnny.store.log(
            SleepDetails(startedAt: house.clock.now), for: house.child)
        try await house.maria.store.log(
            SleepDetails(startedAt: house.clock.now), for: house.child)
        await #expect(throws: StoreRefusal.self) {
            try await house.maria.store.log(
                SleepDetails(startedAt: house.clock.now), for: house.child)
        }
        try await house.johnny.engine.sendChanges()
        let bottle = try await house.maria.store.log(house.bottle(70), for: house.child)
        try await house.maria.engine.sendChanges()
        #expect(try await house.maria.store.rejectedChanges().map(\.kind) == ["sleep"])
        #expect(try await house.event(bottle.id) != nil)
    }

    @Test func stoppingASleepAndStartingTheNextTravelInOrder() async throws {
        let house = try await Household()
        let first = try await house.maria.store.log(
            SleepDetails(startedAt: house.clock.now), for: house.child)
        try await house.maria.engine.sendChanges()
        try await house.maria.store.edit(
            first.id, ["ended_at": .text(house.clock.now.description)])
        try await house.maria.store.log(
            SleepDetails(startedAt: house.clock.now), for: house.child)
        try await house.maria.engine.sendChanges()
        #expect(try await house.maria.store.rejectedChanges().isEmpty)
        #expect(try await house.events().count == 2)
    }

    @Test func afterAResyncTheStoreIsTheServersAndTheOutboxStays() async throws {
        var configuration = SyncEngine.Configuration()
        configuration.pageSize = 3
        let house = try await Household(configuration: configuration)
        var ids: [UUID] = []
        for _ in 0..<9 {
            ids.append(try await house.maria.store.log(house.bottle(60), for: house.child).id)
        }
        try await house.maria.engine.sendChanges()
        try await house.johnny.engine.fetchChanges()
        for id in ids.prefix(4) { try await house.maria.store.delete(id) }
        try await house.maria.engine.sendChanges()
        try house.server.purge()
        let mine = try await house.johnny.store.log(house.bottle(33), for: house.child)
        try await house.johnny.store.edit(ids[8], ["notes": .text("kept")])
        // Half-way the line breaks; the old copy is shown until all of the new one is here.
        house.johnny.faults.plan(.pass, .pass, .pass, .loseAnswer)
        await #expect(throws: TransportFailure.self) {
            try await house.johnny.engine.fetchChanges()
        }
        #expect(try await house.johnny.store.position(of: house.family)?.isResync == true)
        #expect(try await house.johnny.store.entries(of: house.child).count == 10)
        try await house.johnny.engine.fetchChanges()
        let entries = try await house.johnny.store.entries(of: house.child)
        #expect(Set(entries.map(\.id)) == Set(ids.suffix(5) + [mine.id]))
        #expect(try await house.johnny.store.pendingChanges().count == 2)
        try await house.johnny.engine.sendChanges()
        #expect(try await house.event(ids[8])?.fields["notes"] == .text("kept"))
        #expect(try await house.johnny.store.problems().isEmpty)
    }

    /// The server answers a stranger's entry as it answers one for a child that is gone.
    @Test(arguments: [true, false]) func whoIsRemovedLosesTheFamilyWithWhatWaited(sendsFirst: Bool) async throws {
        let house = try await Household()
        let logged = try await house.johnny.store.log(house.bottle(120), for: house.child)
        try await house.maria.client.send(Endpoints.removeMember, path: house.family, house.johnny.user)
        if sendsFirst {
            try await house.johnny.engine.sendChanges()
        } else {
            try await house.johnny.engine.fetchChanges()
        }
        #expect(try await house.johnny.store.families().isEmpty)
        #expect(try await house.johnny.store.pendingChanges().isEmpty)
        guard
            case let notices = try await house.johnny.store.notices(), notices.count == 1,
            let notice = notices.first?.notice,
            case .familyGone(let name, let waiting, _) = notice
        else {
            Issue.record("Nothing is said")
            return
        }
        #expect(name == "Maria’s Family" && waiting == 1)
        try Self.expectBottle(logged.id, of: house.child, in: notice.unsentFile(at: Timestamp(milliseconds: 0)))
    }

    /// The file is one that the web app's "Import" takes: its format, version and children with their events.
    private static func expectBottle(_ id: UUID, of child: ChildID, in file: Data?) throws {
        let json = try JSONSerialization.jsonObject(with: try #require(file)) as? [String: Any]
        #expect(json?["format"] as? String == "baby-basics" && json?["version"] as? Int == 1)
        let children = try #require(json?["children"] as? [[String: Any]])
        #expect(children.map { $0["id"] as? String } == [child.description])
        let events = try #require(children.first?["events"] as? [[String: Any]])
        #expect(events.map { $0["type"] as? String } == ["feeding"])
        let event = try #require(events.first?["event"] as? [String: Any])
        #expect(event["id"] as? String == id.uuidString.lowercased() && event["amount_ml"] as? Double == 120)
        #expect(event["started_at"] is String)
    }

    @Test func aDeletedChildGoesWithItsEntriesAndIsSaidOnce() async throws {
        let house = try await Household()
        let logged = try await house.johnny.store.log(house.bottle(120), for: house.child)
        try await house.maria.client.send(Endpoints.deleteChild, path: house.child)
        try await house.johnny.engine.sendChanges()
        try await house.johnny.engine.fetchChanges()
        #expect(try await house.johnny.store.children(of: house.family).isEmpty)
        #expect(try await house.johnny.store.pendingChanges().isEmpty)
        let notices = try await house.johnny.store.notices()
        #expect(notices.count == 1)
        let file = try notices.first?.notice.unsentFile(at: Timestamp(milliseconds: 0))
        try Self.expectBottle(logged.id, of: house.child, in: file)
    }

    @Test func aViewerLogsNothing() async throws {
        let house = try await Household()
        let entry = try await house.johnny.store.log(house.bottle(120), for: house.child)
        try await house.maria.client.send(
            Endpoints.changeMember, path: house.family, house.johnny.user, body: MemberChanges(role: .viewer))
        // Logged before the phone knew: rejected with the server's words.
        try await house.johnny.engine.sendChanges()
        #expect(try await house.johnny.store.rejectedChanges().map(\.entryID) == [entry.id])
        try await house.johnny.engine.fetchChanges()
        await #expect(throws: StoreRefusal.viewersOnlyLook) {
            try await house.johnny.store.log(house.bottle(120), for: house.child)
        }
    }

    @Test func undoBringsBackWhatTheServerHasDeletedAlready() async throws {
        let (house, id) = try await shared()
        let entry = try #require(try await house.maria.store.entry(id))
        try await house.maria.store.delete(id)
        try await house.maria.engine.sendChanges()
        #expect(try await house.event(id) == nil)
        try await house.maria.store.undoDelete(entry)
        try await house.maria.engine.sendChanges()
        #expect(try await house.event(id) != nil)
        try await house.johnny.engine.fetchChanges()
        #expect(try await house.johnny.store.entry(id) != nil)
    }

    @Test func undoBringsBackWhatTheServerGotAndDeletedBeforeTheScreenKnew() async throws {
        let house = try await Household()
        // The screen's entry is from before the answer.
        let entry = try await house.maria.store.log(house.bottle(120), for: house.child)
        house.maria.faults.plan(.loseAnswer)
        try? await house.maria.engine.sendChanges()
        try await house.maria.store.delete(entry.id)
        try await house.maria.engine.sendChanges()
        #expect(try await house.event(entry.id) == nil)
        try await house.maria.store.undoDelete(entry)
        try await house.maria.engine.sendChanges()
        try await house.johnny.engine.fetchChanges()
        for phone in [house.maria, house.johnny] {
            #expect(
                try await phone.store.entries(of: house.child).map { $0.fields["amount_ml"] }
                    == [.number(120)])
        }
    }

    @Test func whatIsRefusedToComeBackIsKeptAsideAndShownNoMore() async throws {
        let house = try await Household()
        let sleep = try await house.maria.store.log(
            SleepDetails(startedAt: house.clock.now), for: house.child)
        try await house.maria.engine.sendChanges()
        let sent = try #require(try await house.maria.store.entry(sleep.id))
        try await house.maria.store.delete(sleep.id)
        try await house.maria.engine.sendChanges()
        try await house.maria.engine.fetchChanges()
        // The other phone starts a sleep before this one takes its deletion back.
        let other = try await house.johnny.store.log(
            SleepDetails(startedAt: house.clock.now), for: house.child)
        try await house.johnny.engine.sendChanges()
        try await house.maria.store.undoDelete(sent)
        try await house.maria.engine.sendChanges()
        try await house.maria.engine.fetchChanges()
        #expect(try await house.maria.store.entries(of: house.child).map(\.id) == [other.id])
        let rejected = try #require(try await house.maria.store.rejectedChanges().first)
        #expect(rejected.operation == .restore && rejected.entryID == sleep.id)
        // With an end it goes beside the other.
        try await house.maria.store.retry(
            rejected, fields: rejected.fields.merging(["ended_at": .text(house.clock.now.description)]) { $1 })
        try await house.maria.engine.sendChanges()
        #expect(try await house.events().count == 2)
        #expect(try await house.maria.store.rejectedChanges().isEmpty)
    }

    @Test func undoOfADeletionThatMayHaveArrivedHoldsInTheEnd() async throws {
        let (house, id) = try await shared()
        let entry = try #require(try await house.maria.store.entry(id))
        try await house.maria.store.delete(id)
        house.maria.faults.plan(.loseRequest)
        try? await house.maria.engine.sendChanges()
        try await house.maria.store.undoDelete(entry)
        // Somebody else changes it meanwhile: still there is what was to be.
        try await house.johnny.store.edit(id, ["notes": .text("hm")])
        try await house.johnny.engine.sendChanges()
        try await house.maria.engine.fetchChanges()
        try await house.maria.engine.sendChanges()
        try await house.maria.engine.fetchChanges()
        #expect(try await house.maria.store.entry(id)?.notes == "hm")
        #expect(try await house.event(id) != nil)
    }

    @Test func anEntryMovesToTheOtherChild() async throws {
        let (house, id) = try await shared()
        let twin = try await house.twin()
        try await house.maria.engine.fetchChanges()
        try await house.maria.store.edit(id, ["child_id": .text(twin.description)])
        #expect(try await house.maria.store.entries(of: twin).map(\.id) == [id])
        // Johnny edits it at the old place, where it answers 404.
        try await house.johnny.store.edit(id, ["notes": .text("left him hungry")])
        try await house.maria.engine.sendChanges()
        try await house.johnny.engine.sendChanges()
        #expect(try await house.events(of: twin)[id] != nil)
        #expect(try await house.events(of: twin)[id]?.fields["notes"] == .text("left him hungry"))
        #expect(try await house.johnny.store.notices().isEmpty)
    }

    /// As where one child was made twice, and somebody tidies up.
    @Test func aChildThatIsDeletedTakesNothingThatWasMovedFromIt() async throws {
        let (house, id) = try await shared()
        let twin = try await house.twin()
        try await house.johnny.store.edit(id, ["notes": .text("left him hungry")])
        try await house.maria.engine.fetchChanges()
        try await house.maria.store.edit(id, ["child_id": .text(twin.description)])
        try await house.maria.engine.sendChanges()
        try await house.maria.client.send(Endpoints.deleteChild, path: house.child)
        try await house.johnny.engine.fetchChanges()
        #expect(try await house.johnny.store.entries(of: twin).map(\.notes) == ["left him hungry"])
        try await house.johnny.engine.sendChanges()
        #expect(try await house.events(of: twin)[id]?.fields["notes"] == .text("left him hungry"))
        #expect(try await house.johnny.store.notices().isEmpty)
    }

    @Test func aChildThatIsDeletedTakesNothingThatOnlyThisPhoneMovedToIt() async throws {
        let (house, id) = try await shared()
        let twin = try await house.twin()
        try await house.johnny.engine.fetchChanges()
        try await house.johnny.store.edit(id, ["child_id": .text(twin.description)])
        try await house.maria.client.send(Endpoints.deleteChild, path: twin)
        try await house.johnny.engine.fetchChanges()
        #expect(try await house.johnny.store.entries(of: house.child).map(\.id) == [id])
        try await house.johnny.engine.sendChanges()
        #expect(try await house.johnny.store.pendingChanges().isEmpty)
        #expect(try await house.johnny.store.rejectedChanges().map(\.entryID) == [id])
        #expect(try await house.johnny.store.problems().isEmpty)
    }

    @Test func aMembersNewNameIsGivenToWhatThatMemberLogged() async throws {
        let (house, id) = try await shared()
        try await house.johnny.engine.fetchChanges()
        try await house.maria.client.send(Endpoints.updateMe, body: UserChanges(name: "Maria Bretz"))
        try await house.johnny.engine.fetchChanges()
        #expect(try await house.johnny.store.entry(id)?.author.name == "Maria Bretz")
    }

    @Test func whatWasPassedOverComesAndWhatWaitsStays() async throws {
        let house = try await Household()
        let medicine = try await house.maria.store.log(
            MedicationDetails(occurredAt: house.clock.now, name: "Paracetamol"), for: house.child)
        try await house.maria.engine.sendChanges()
        let (phone, engine) = (house.johnny.store, house.johnny.engine)
        try await engine.fetchChanges()
        // As if the version before had been here: the entry was passed over, and the feed went on.
        try await phone.write { db, _ in
            try db.execute(sql: "delete from entry where kind = 'medication'")
            try db.execute(sql: "delete from known_kind where name = 'medication'")
        }
        let bottle = try await phone.log(house.bottle(90), for: house.child)
        try await engine.fetchChanges()
        #expect(try await phone.entry(medicine.id) == nil)
        try await phone.write { db, _ in try Schema.meetNewKinds(db) }
        try await engine.fetchChanges()
        #expect(try await phone.entry(medicine.id)?.fields["name"] == .text("Paracetamol"))
        #expect(try await phone.pendingChanges().map(\.entryID) == [bottle.id])
        #expect(try await phone.notices().isEmpty)
    }

    @Test func theAppHearsWhatTheEngineDoes() async throws {
        let house = try await Household()
        let events = await house.maria.engine.events()
        let entry = try await house.maria.store.log(house.bottle(120), for: house.child)
        try await house.maria.engine.sendChanges()
        var heard: [String] = []
        for await event in events {
            switch event {
            case .willSendChanges: heard.append("will")
            case .sentChanges(let sent): heard += sent.saved.map(\.text)
            case .didSendChanges: heard.append("did")
            default: break
            }
            if heard.last == "did" { break }
        }
        #expect(heard == ["will", entry.id.text, "did"])
    }

    /// Both phones have one bottle of 120 ml that Maria logged.
    private func shared() async throws -> (Household, UUID) {
        let house = try await Household()
        let entry = try await house.maria.store.log(house.bottle(120), for: house.child)
        try await house.maria.engine.sendChanges()
        try await house.johnny.engine.fetchChanges()
        return (house, entry.id)
    }
}
