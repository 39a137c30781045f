import BabyBasicsAPI
import BabyBasicsClient
import Foundation

extension SyncEngine {
    func sendAll() async throws {
        guard var batch = try await store.nextBatch(limit: batchSize) else { return try await sendReminders() }
        tell(.willSendChanges)
        while true {
            try Task.checkCancellation()
            try await send(batch)
            guard let next = try await store.nextBatch(limit: batchSize) else { break }
            batch = next
        }
        // A reminder may be about a plan that was just made.
        try await sendReminders()
        tell(.didSendChanges)
    }

    private func send(_ batch: OutboxBatch) async throws {
        switch batch {
        case .creations(let child, let changes):
            // A kind that is not known here, as after a step back to an older app, blocks nothing.
            let strange = changes.filter { !PlanKind.isEntry($0.kind) }
            if strange.isEmpty { return try await create(changes, child: child) }
            try await reject(strange.map { ($0, [.unknownKind]) })
        case .edit(let change, _, _), .delete(let change, _), .restore(let change, _):
            guard PlanKind.isEntry(change.kind) else {
                return try await reject([(change, [.unknownKind])])
            }
            try await sendChange(batch)
        }
    }

    private func sendChange(_ batch: OutboxBatch) async throws {
        switch batch {
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
            try await store.sent(changes, try await make(changes, child: child))
            batchSize = configuration.batchSize
            sent(.init(saved: changes.map(\.entryID)))
        } catch let failure as APIFailure {
            try await createRefused(failure, changes, child: child)
        }
    }

    /// - Returns: what the server has of each now; nil of one that was deleted.
    private func make(_ changes: [PendingChange], child: ChildID) async throws -> [ServerEvent?] {
        if let plan = changes.first, plan.kind == PlanKind.name { return [try await make(plan: plan, child: child)] }
        let answer = try await client.ask(
            Endpoints.createEvents.description, child, body: CreateBatch(changes), as: ServerAnswer.Many.self)
        guard answer.events.count == changes.count else {
            throw TransportFailure(.other, "The answer to a batch has not as many entries")
        }
        return answer.events.map(\.event)
    }

    private func make(plan: PendingChange, child: ChildID) async throws -> ServerEvent? {
        do {
            return try await client.ask(
                Endpoints.createPlan.description, child, body: CreateBatch.fields(of: plan), as: ServerAnswer.One.self
            ).event
        } catch let failure as APIFailure where failure.status == 410 {
            return nil
        }
    }

    private func createRefused(
        _ failure: APIFailure, _ changes: [PendingChange], child: ChildID
    ) async throws {
        switch failure.status {
        case 404:
            // Who is no member any more is answered the same. The family's feed tells which it is.
            if let family = changes.first?.familyID { try await fetchChanges(of: family) }
            try await store.childGone(child)
        case 403:
            try await reject(changes.map { ($0, [whole(failure)]) })
        case 400, 409, 413:
            // Those that stand in the way are rejected, the rest is sent. Where it is not said which, smaller batches
            // find out.
            let named = failure.reasonsByItem.filter { changes.indices.contains($0.key) }
            if !named.isEmpty {
                try await rejectOrPutInTime(named.sorted { $0.key < $1.key }.map { (changes[$0], $1) })
            } else if changes.count == 1 {
                let isPlan = changes[0].kind == PlanKind.name
                try await reject([(changes[0], isPlan ? reasons(of: failure) : [whole(failure)])])
            } else {
                batchSize = max(1, changes.count / 2)
            }
        default: throw failure
        }
    }

    /// What is refused as being in the future may be so by a clock that was ahead alone.
    private func rejectOrPutInTime(_ refused: [(PendingChange, [RejectedChange.Reason])]) async throws {
        let early = refused.filter { $0.1.allSatisfy { $0.reason == .inFuture } }.map(\.0)
        let left = early.isEmpty ? [] : try await store.putInTime(early)
        let corrected = Set(early.map(\.id)).subtracting(left.map(\.id))
        let rest = refused.filter { !corrected.contains($0.0.id) }
        if !rest.isEmpty { try await reject(rest) }
    }

    /// `{"events":[{"type":"feeding","event":{"id":…}}]}`.
    private struct CreateBatch: Encodable {
        var events: [Item]

        struct Item: Encodable {
            var type: String
            var event: Fields
        }

        init(_ changes: [PendingChange]) {
            events = changes.map { Item(type: $0.kind, event: Self.fields(of: $0)) }
        }

        static func fields(of change: PendingChange) -> Fields {
            var fields = change.changes.compactMapValues { $0 }
            fields["child_id"] = nil
            fields["id"] = .text(change.entryID.text)
            return fields
        }
    }

    // MARK: Changes of entries that the server has

    private func edit(_ change: PendingChange, revision: Int64, child: ChildID) async throws {
        do {
            let event = try await client.ask(
                try endpoint(.update, of: change), child, Identifier<AnyEvent>(change.entryID),
                body: PlanKind.patch(change),
                ifMatch: .revision(revision), as: ServerAnswer.One.self
            ).event
            try await store.sent([change], [event])
            sent(.init(saved: [change.entryID]))
        } catch let failure as APIFailure where failure.status == 412 {
            try await rebase(change, child: child)
        } catch let failure as APIFailure {
            try await refused(failure, change, child: child, revision: revision)
        }
    }

    /// Somebody else was quicker: the edit is put on top of that, and sent again if anything of it is left.
    private func rebase(_ change: PendingChange, child: ChildID) async throws {
        do {
            let event = try await client.ask(
                try endpoint(.get, of: change), child, Identifier<AnyEvent>(change.entryID),
                as: ServerAnswer.One.self
            ).event
            try await store.rebase(onto: event, family: change.familyID)
            sent(.init(rebased: [change.entryID]))
        } catch let failure as APIFailure where failure.status == 404 {
            try await refused(failure, change, child: child, revision: nil)
        }
    }

    private func delete(_ change: PendingChange, child: ChildID) async throws {
        do {
            _ = try await client.ask(
                try endpoint(.delete, of: change), child, Identifier<AnyEvent>(change.entryID),
                as: ServerAnswer.Ignored.self)
        } catch let failure as APIFailure {
            guard failure.status == 404 else {
                return try await refused(failure, change, child: child, revision: nil)
            }
            // Moved to another child, or deleted already, perhaps by the first try.
            try await fetchChanges(of: change.familyID)
            if let location = try await store.location(of: change), location.child != child { return }
        }
        try await store.sentDeletion(change)
        sent(.init(deleted: [change.entryID]))
    }

    private func restore(_ change: PendingChange, child: ChildID) async throws {
        do {
            let event = try await client.ask(
                try endpoint(.restore, of: change), child, Identifier<AnyEvent>(change.entryID),
                as: ServerAnswer.One.self
            ).event
            try await store.sent([change], [event])
            sent(.init(saved: [change.entryID]))
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
            // Nothing is left to send where the first try had moved it, and the feed told so.
            guard let location = try await store.location(of: change), location.child == child else { return }
            if let revision, location.revision != revision { return }
            try await store.gone(change)
            sent(.init(deleted: [change.entryID]))
        case 400, 403, 409, 413, 415, 422:
            try await reject([(change, reasons(of: failure))])
        default: throw failure
        }
    }

    private func reject(_ refused: [(PendingChange, [RejectedChange.Reason])]) async throws {
        try await store.reject(refused.map { (change: $0.0, reasons: $0.1) })
        sent(.init(rejected: refused.map(\.0.entryID)))
    }

    private func sent(_ changes: SyncEvent.SentChanges) {
        noteProgress()
        tell(.sentChanges(changes))
    }

    private func reasons(of failure: APIFailure) -> [RejectedChange.Reason] {
        let reasons = failure.details.map { RejectedChange.Reason($0, field: $0.field) }
        return reasons.isEmpty ? [whole(failure)] : reasons
    }

    private enum Action { case get, update, delete, restore }

    private func endpoint(_ action: Action, of change: PendingChange) throws -> EndpointDescription {
        if change.kind == PlanKind.name {
            return switch action {
            case .get: Endpoints.getPlan.description
            case .update: Endpoints.updatePlan.description
            case .delete: Endpoints.deletePlan.description
            case .restore: Endpoints.restorePlan.description
            }
        }
        guard let details = EventKind.details(named: change.kind) else { throw StoreRefusal.noSuchEntry }
        func endpoint<Details: EventDetails>(_ details: Details.Type) -> EndpointDescription {
            switch action {
            case .get: Endpoints.getEvent(details).description
            case .update: Endpoints.updateEvent(details).description
            case .delete: Endpoints.deleteEvent(details).description
            case .restore: Endpoints.restoreEvent(details).description
            }
        }
        return endpoint(details)
    }

    private func whole(_ failure: APIFailure) -> RejectedChange.Reason {
        RejectedChange.Reason(field: "", message: failure.message)
    }
}

extension APIFailure {
    /// The reasons that name an event of a batch, by its number: `events[3].event.amount_ml`.
    var reasonsByItem: [Int: [RejectedChange.Reason]] {
        var reasons: [Int: [RejectedChange.Reason]] = [:]
        for detail in details {
            guard let match = detail.field.wholeMatch(of: /events\[(\d+)\](?:\.event)?\.?(.*)/),
                let item = Int(match.1)
            else { continue }
            reasons[item, default: []].append(RejectedChange.Reason(detail, field: String(match.2)))
        }
        return reasons
    }
}

extension RejectedChange.Reason {
    fileprivate init(_ detail: ErrorBody.Detail, field: String) {
        self.init(field: field, message: detail.message, reason: detail.reason)
    }

    fileprivate static let unknownKind = RejectedChange.Reason(
        field: "", message: "this version of the app doesn't know this kind of entry")
}

extension APIClient {
    /// Sends a request, and reads the answer as the kit keeps it: with words and fields of a later server.
    func ask<Reading: Decodable & Sendable>(
        _ endpoint: EndpointDescription, _ path: any PathParameter..., query: Query = .none,
        body: (any Encodable & Sendable)? = nil, ifMatch: EntityTag? = nil, as reading: Reading.Type
    ) async throws -> Reading {
        try await send(endpoint, path: path, query: query, body: body, ifMatch: ifMatch, reading: reading).body
    }

    /// Sends a request of whose answer nothing is wanted.
    func tell(
        _ endpoint: EndpointDescription, _ path: any PathParameter..., body: (any Encodable & Sendable)? = nil
    ) async throws {
        _ = try await send(endpoint, path: path, body: body, reading: ServerAnswer.Ignored.self)
    }
}
