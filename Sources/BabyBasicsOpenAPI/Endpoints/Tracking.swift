import BabyBasicsAPI

extension About {
    static let tracking: [About] =
        EventKind.allDetails.flatMap { events($0) } + [
            About(
                Endpoints.createEvents, "createEvents", "Logs up to 500 events of any kinds, or none",
                "For a phone that was offline, or an import. Events whose ids exist already are answered as they are; one that was deleted stays so, and its place says `\"deleted\": true`. One bad event refuses all: `details` names every one that stands in the way, as `events[3].event.amount_ml`, so that the rest can be sent without it.",
                refuses: [
                    .conflict:
                        "Some ids belong to something else, or a sleep is going on already. `details` names each of them, as `events[1].event.id` or `events[1].event.started_at`."
                ]),
            About(
                Endpoints.getTimeline, "getTimeline", "A page of all that was logged for a child, newest first",
                query: [.types] + QueryParameter.events),
        ]

    /// Each kind has the same seven endpoints.
    private static func events<Details: EventDetails>(_ details: Details.Type) -> [About] {
        let kind = Details.kind
        let (one, name) = (kind.one, kind.name.capitalizedFirst)
        let idTaken = "The id belongs to something else."
        let ongoing = "\(one) of this child is going on already: `details` names it by `started_at`."
        let refusal: KeyValuePairs<ErrorCode, String> =
            kind.isExclusiveWhileOngoing ? [.conflict: ongoing.capitalizedFirst] : [:]
        return [
            About(
                Endpoints.createEvent(details), "create\(name)", "Logs \(one)", takes: EventToLog<Details>.self,
                version: .answered, answersAgain: true,
                refuses: [
                    .conflict: kind.isExclusiveWhileOngoing ? "\(idTaken) Or \(ongoing)" : idTaken,
                    .gone: "The event with this id was deleted, and stays so.",
                ]),
            About(
                Endpoints.listEvents(details), "list\(kind.plural.capitalizedFirst)",
                "A page of a child’s \(kind.plural), newest first", query: QueryParameter.events),
            About(Endpoints.getEvent(details), "get\(name)", "One \(kind.name)", version: .answered),
            About(
                Endpoints.replaceEvent(details), "replace\(name)", "Replaces all that can be changed of \(one)",
                version: .checked, refuses: refusal),
            About(
                Endpoints.updateEvent(details), "update\(name)", "Changes what the body names of \(one)",
                "A merge patch (RFC 7396). With `child_id` it moves to another child of the family; its old place answers 404.",
                takes: EventPatch<Details>.self, version: .checked, refuses: refusal),
            About(
                Endpoints.deleteEvent(details), "delete\(name)", "Takes \(one) away", "For 30 days it can be restored.",
                version: .checked),
            About(
                Endpoints.restoreEvent(details), "restore\(name)",
                "Brings back \(one) that was deleted in the last 30 days",
                "One that is not deleted is answered as it is.",
                version: .checked, refuses: refusal),
        ]
    }
}

extension String {
    /// `feeding` as `Feeding`.
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
