// `Endpoints.createEvent(FeedingDetails.self)` is `POST /children/:childId/feedings`: each kind has the same seven endpoints.

extension Endpoints {
    public static func createEvent<Details: EventDetails>(_ details: Details.Type)
        -> Endpoint<EventDraft<Details>, EventAnswer<Details>>
    {
        Endpoint(
            .post, path(of: Details.kind), access: .child(.contributor), success: 201,
            describedBy: EventToLog<Details>.self,
            about(
                details, "create", "Logs \(Details.kind.one)", version: .answered,
                answersAgain: true,
                refuses: [
                    .conflict: Details.kind.isExclusiveWhileOngoing
                        ? "\(idTaken) Or \(ongoing(details))" : idTaken,
                    .gone: "The event with this id was deleted, and stays so.",
                ]))
    }

    /// Takes `from`, `to`, `limit` and `cursor` in the query.
    public static func listEvents<Details: EventDetails>(_ details: Details.Type)
        -> Endpoint<Empty, EventList<Details>>
    {
        Endpoint(
            .get, path(of: Details.kind), access: .child(.member),
            About(
                "list\(Details.kind.plural.capitalizedFirst)",
                "A page of a child’s \(Details.kind.plural), newest first",
                query: QueryParameter.events))
    }

    public static func getEvent<Details: EventDetails>(_ details: Details.Type)
        -> Endpoint<Empty, EventAnswer<Details>>
    {
        Endpoint(
            .get, onePath(of: Details.kind), access: .child(.member),
            about(details, "get", "One \(Details.kind.name)", version: .answered))
    }

    public static func replaceEvent<Details: EventDetails>(_ details: Details.Type)
        -> Endpoint<EventDraft<Details>, EventAnswer<Details>>
    {
        Endpoint(
            .put, onePath(of: Details.kind), access: .child(.contributor),
            about(
                details, "replace", "Replaces all that can be changed of \(Details.kind.one)",
                version: .checked, refuses: ongoingRefusal(details)))
    }

    public static func updateEvent<Details: EventDetails>(_ details: Details.Type)
        -> Endpoint<EventChanges, EventAnswer<Details>>
    {
        Endpoint(
            .patch, onePath(of: Details.kind), access: .child(.contributor),
            describedBy: EventPatch<Details>.self,
            about(
                details, "update", "Changes what the body names of \(Details.kind.one)",
                "A merge patch (RFC 7396). With `child_id` it moves to another child of the family; its old place answers 404.",
                version: .checked, refuses: ongoingRefusal(details)))
    }

    public static func deleteEvent<Details: EventDetails>(_ details: Details.Type)
        -> Endpoint<Empty, Empty>
    {
        Endpoint(
            .delete, onePath(of: Details.kind), access: .child(.contributor), success: 204,
            about(
                details, "delete", "Takes \(Details.kind.one) away",
                "For 30 days it can be restored.", version: .checked))
    }

    /// Brings back an event that was deleted in the last 30 days.
    public static func restoreEvent<Details: EventDetails>(_ details: Details.Type)
        -> Endpoint<Empty, EventAnswer<Details>>
    {
        Endpoint(
            .post, "\(onePath(of: Details.kind))/restore", access: .child(.contributor),
            about(
                details, "restore",
                "Brings back \(Details.kind.one) that was deleted in the last 30 days",
                "One that is not deleted is answered as it is.", version: .checked,
                refuses: ongoingRefusal(details)))
    }

    /// Makes up to 500 events of any kinds, or none.
    public static let createEvents = Endpoint<EventBatch, EventBatchAnswer>(
        .post, "\(base)/children/:childId/events", access: .child(.contributor), success: 201,
        maximumBodyBytes: 1 << 20,
        About(
            "createEvents", "Logs up to 500 events of any kinds, or none",
            "For a phone that was offline, or an import. Events whose ids exist already are answered as they are; one that was deleted stays so, and its place says `\"deleted\": true`. One bad event refuses all: `details` names every one that stands in the way, as `events[3].event.amount_ml`, so that the rest can be sent without it.",
            refuses: [
                .conflict:
                    "Some ids belong to something else, or a sleep is going on already. `details` names each of them, as `events[1].event.id` or `events[1].event.started_at`."
            ]))

    /// Takes `types`, `from`, `to`, `limit` and `cursor` in the query.
    public static let getTimeline = Endpoint<Empty, Timeline>(
        .get, "\(base)/children/:childId/timeline", access: .child(.member),
        About(
            "getTimeline", "A page of all that was logged for a child, newest first",
            query: [.types] + QueryParameter.events))

    static let tracking: [EndpointDescription] =
        EventKind.allDetails.flatMap { events($0) }
        + [createEvents.description, getTimeline.description]

    private static func events<Details: EventDetails>(_ details: Details.Type)
        -> [EndpointDescription]
    {
        [
            createEvent(details).description, listEvents(details).description,
            getEvent(details).description, replaceEvent(details).description,
            updateEvent(details).description, deleteEvent(details).description,
            restoreEvent(details).description,
        ]
    }

    private static func path(of kind: EventKind) -> String {
        "\(base)/children/:childId/\(kind.plural)"
    }

    private static func onePath(of kind: EventKind) -> String { "\(path(of: kind))/:eventId" }

    private static func about<Details: EventDetails>(
        _ details: Details.Type, _ verb: String, _ summary: String, _ detail: String = "",
        version: About.Version, answersAgain: Bool = false,
        refuses: KeyValuePairs<ErrorCode, String> = [:]
    ) -> About {
        About(
            verb + Details.kind.name.capitalizedFirst, summary, detail, version: version,
            answersAgain: answersAgain, refuses: refuses)
    }

    private static let idTaken = "The id belongs to something else."

    private static func ongoing<Details: EventDetails>(_ details: Details.Type) -> String {
        "\(Details.kind.one) of this child is going on already: `details` names it by `started_at`."
    }

    private static func ongoingRefusal<Details: EventDetails>(_ details: Details.Type)
        -> KeyValuePairs<ErrorCode, String>
    {
        Details.kind.isExclusiveWhileOngoing
            ? [.conflict: ongoing(details).capitalizedFirst] : [:]
    }
}

extension String {
    /// `feeding` as `Feeding`.
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
