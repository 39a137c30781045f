import BabyBasicsAPI
import JSON
import Postgres

/// An event under the name of its kind, with what a person may want to know of it.
struct EventReply<Details: EventDetails>: WrittenFor {
    typealias Answer = EventAnswer<Details>

    let event: StoredEvent
    var warnings: [EventWarning] = []

    func write(to json: inout JSONWriter) {
        json.object {
            $0.member(Details.kind.name, event)
            if !warnings.isEmpty { $0.member("warnings", value: warnings) }
        }
    }
}

extension RequestContext {
    /// The answer to what made or changed an event.
    func reply<Details>(_ event: StoredEvent, status: Int? = nil) async -> Reply<EventAnswer<Details>> {
        let warnings = await warnings(of: [event])[event.id] ?? []
        return Reply(EventReply<Details>(event: event, warnings: warnings), status: status, revision: event.revision)
    }
}

extension APIError {
    static func ongoing(_ kind: EventKind, _ details: [ErrorBody.Detail] = []) -> APIError {
        APIError(.conflict, "A \(kind.name) of this child is going on already", details: details)
    }

    /// What a unique index stands for; nil for one that no request can break.
    static func violation(of constraint: String?) -> APIError? {
        switch constraint {
        case "events_ongoing_sleep": .ongoing(SleepDetails.kind)
        case "events_pkey", "children_pkey", "families_pkey": .identifierTaken
        // Two people named one device at once.
        case "devices_address_key": .unavailable(retryAfter: 1)
        default: nil
        }
    }
}
