import BabyBasicsAPI
import BabyBasicsClient
import Foundation

extension SyncEngine {
    func sendAll() async throws {
        guard var shipment = try await store.nextShipment(limit: batchSize) else { return }
        tell(.willSendChanges)
        while true {
            try Task.checkCancellation()
            try await send(shipment)
            guard let next = try await store.nextShipment(limit: batchSize) else { break }
            shipment = next
        }
        tell(.didSendChanges)
    }

    private func send(_ shipment: Shipment) async throws {
        switch shipment {
        case .creations(let child, let changes):
            // What this version cannot write down, as after a step back to an older app, blocks nothing.
            let strange = changes.filter { (try? item($0)) == nil }
            if strange.isEmpty { return try await create(changes, child: child) }
            try await setAside(strange.map { ($0, [.unknownKind]) })
        case .edit(let change, _, _), .delete(let change, _), .restore(let change, _):
            guard EventKind.named(change.kind) != nil else {
                return try await setAside([(change, [.unknownKind])])
            }
            try await sendChange(shipment)
        }
    }

    private func sendChange(_ shipment: Shipment) async throws {
        switch shipment {
        case .creations: break
        case .edit(let change, let revision, let child):
            try await edit(change, revision: revision, child: child)
        case .delete(let change, let child): try await delete(change, child: child)
        case .restore(let change, let child): try await restore(change, child: child)
        }
    }

    // MARK: New entries

    private func create(_ changes: [PendingChange], child: ChildID) async throws {
        do {
            let answer = try await client.send(
                Endpoints.createEvents, path: child,
                body: EventBatch(try changes.map { try item($0) }))
            guard answer.body.events.count == changes.count else {
                throw TransportFailure(.other, "The answer to a batch has not as many entries")
            }
            try await store.sent(
                try zip(changes, answer.body.events).map { change, item in
                    (change, try item.item?.event.map { try ServerEvent($0) })
                })
            batchSize = configuration.batchSize
            tell(.sentChanges(.init(saved: changes.map(\.entryID))))
        } catch let failure as APIFailure {
            try await createRefused(failure, changes, child: child)
        }
    }

    private func createRefused(
        _ failure: APIFailure, _ changes: [PendingChange], child: ChildID
    ) async throws {
        switch failure.status {
        case 404:
            try await store.childGone(child)
        case 403:
            try await setAside(changes.map { ($0, [whole(failure)]) })
        case 400, 409, 413:
            // Those that stand in the way are kept aside, the rest is sent. Where it is not said which, smaller
            // batches find out.
            let named = failure.reasonsByPlace.filter { changes.indices.contains($0.key) }
            if !named.isEmpty {
                try await setAside(named.sorted { $0.key < $1.key }.map { (changes[$0], $1) })
            } else if changes.count == 1 {
                try await setAside([(changes[0], [whole(failure)])])
            } else {
                batchSize = max(1, changes.count / 2)
            }
        default: throw failure
        }
    }

    private func item(_ change: PendingChange) throws -> EventBatch.Item {
        var fields = change.changes.compactMapValues { $0 }
        fields["child_id"] = nil
        fields["id"] = .text(change.entryID.text)
        let wire = WireItem(type: change.kind, event: fields)
        return try JSONDecoder.contract.decode(
            EventBatch.Item.self, from: try JSONEncoder().encode(wire))
    }

    private struct WireItem: Encodable {
        var type: String
        var event: Fields
    }

    // MARK: Changes of entries that the server has

    private func edit(_ change: PendingChange, revision: Int64, child: ChildID) async throws {
        func send<Details: EventDetails>(_ details: Details.Type) async throws -> ServerEvent {
            let answer = try await client.send(
                Endpoints.updateEvent(details), path: child,
                Identifier<AnyEvent>(change.entryID), body: EventChanges(change.changes),
                ifMatch: .revision(revision))
            return try ServerEvent(answer.body.event)
        }
        do {
            let event = try await send(try details(of: change))
            try await store.sent([(change, event)])
            tell(.sentChanges(.init(saved: [change.entryID])))
        } catch let failure as APIFailure where failure.status == 412 {
            try await rebase(change, child: child)
        } catch let failure as APIFailure {
            try await refused(failure, change, child: child, revision: revision)
        }
    }

    /// Somebody else was quicker: the edit is put on top of that, and sent again if anything of it is left.
    private func rebase(_ change: PendingChange, child: ChildID) async throws {
        func read<Details: EventDetails>(_ details: Details.Type) async throws -> ServerEvent {
            try ServerEvent(
                try await client.send(
                    Endpoints.getEvent(details), path: child,
                    Identifier<AnyEvent>(change.entryID)
                ).body.event)
        }
        do {
            let event = try await read(try details(of: change))
            try await store.rebase(onto: event, family: change.familyID)
            tell(.sentChanges(.init(rebased: [change.entryID])))
        } catch let failure as APIFailure where failure.status == 404 {
            try await refused(failure, change, child: child, revision: nil)
        }
    }

    private func delete(_ change: PendingChange, child: ChildID) async throws {
        func send<Details: EventDetails>(_ details: Details.Type) async throws {
            try await client.send(
                Endpoints.deleteEvent(details), path: child,
                Identifier<AnyEvent>(change.entryID))
        }
        do {
            try await send(try details(of: change))
        } catch let failure as APIFailure {
            guard failure.status == 404 else {
                return try await refused(failure, change, child: child, revision: nil)
            }
            // Moved to another child, or deleted already, perhaps by the first try.
            try await fetchChanges(of: change.familyID)
            if let place = try await store.place(of: change), place.child != child { return }
        }
        try await store.sentDeletion(change)
        tell(.sentChanges(.init(deleted: [change.entryID])))
    }

    private func restore(_ change: PendingChange, child: ChildID) async throws {
        func send<Details: EventDetails>(_ details: Details.Type) async throws -> ServerEvent {
            try ServerEvent(
                try await client.send(
                    Endpoints.restoreEvent(details), path: child,
                    Identifier<AnyEvent>(change.entryID)
                ).body.event)
        }
        do {
            try await store.sent([(change, try await send(try details(of: change)))])
            tell(.sentChanges(.init(saved: [change.entryID])))
        } catch let failure as APIFailure {
            try await refused(failure, change, child: child, revision: nil)
        }
    }

    /// - Parameter revision: the version that the change was made on, where that counts.
    private func refused(
        _ failure: APIFailure, _ change: PendingChange, child: ChildID, revision: Int64?
    ) async throws {
        switch failure.status {
        case 404, 410:
            // It may only be with another child now: the feed knows.
            try await fetchChanges(of: change.familyID)
            if let place = try await store.place(of: change) {
                if place.child != child { return }
                if let revision, place.revision != revision { return }
            }
            try await store.gone(change)
            tell(.sentChanges(.init(deleted: [change.entryID])))
        case 400, 403, 409, 413, 415, 422:
            let reasons = failure.details.map {
                UnsavedEntry.Reason(field: $0.field, message: $0.message)
            }
            try await setAside([(change, reasons.isEmpty ? [whole(failure)] : reasons)])
        default: throw failure
        }
    }

    private func setAside(_ refused: [(PendingChange, [UnsavedEntry.Reason])]) async throws {
        try await store.setAside(refused.map { (change: $0.0, reasons: $0.1) })
        tell(.sentChanges(.init(unsaved: refused.map(\.0.entryID))))
    }

    private func details(of change: PendingChange) throws -> any EventDetails.Type {
        guard let details = EventKind.details(named: change.kind) else {
            throw StoreRefusal.noSuchEntry
        }
        return details
    }

    private func whole(_ failure: APIFailure) -> UnsavedEntry.Reason {
        UnsavedEntry.Reason(field: "", message: failure.message)
    }
}

extension APIFailure {
    /// The reasons that name an event of a batch, by its place: `events[3].event.amount_ml`.
    var reasonsByPlace: [Int: [UnsavedEntry.Reason]] {
        var reasons: [Int: [UnsavedEntry.Reason]] = [:]
        for detail in details {
            guard let match = detail.field.wholeMatch(of: /events\[(\d+)\](?:\.event)?\.?(.*)/),
                let place = Int(match.1)
            else { continue }
            reasons[place, default: []].append(
                UnsavedEntry.Reason(field: String(match.2), message: detail.message))
        }
        return reasons
    }
}

extension UnsavedEntry.Reason {
    fileprivate static let unknownKind = UnsavedEntry.Reason(
        field: "", message: "this version of the app doesn't know this kind of entry")
}

extension EventChanges {
    init(_ changes: FieldChanges) {
        self.init(
            changes.mapValues { value in
                switch value {
                case nil: .nothing
                case .text(let text): .text(text)
                case .number(let number): .number(number)
                }
            })
    }
}
