// `Endpoints.createEvent(FeedingDetails.self)` is `POST /children/:childId/feedings`: each kind has the same seven endpoints.

extension Endpoints {
    public static func createEvent<Details: EventDetails>(_ details: Details.Type)
        -> Endpoint<EventDraft<Details>, EventAnswer<Details>>
    {
        Endpoint(.post, path(of: Details.kind), access: .child(.contributor), tokens: .log, success: 201)
    }

    /// Takes `from`, `to`, `limit` and `cursor` in the query.
    public static func listEvents<Details: EventDetails>(_ details: Details.Type)
        -> Endpoint<Empty, EventList<Details>>
    {
        Endpoint(.get, path(of: Details.kind), access: .child(.member), tokens: .read)
    }

    public static func getEvent<Details: EventDetails>(_ details: Details.Type)
        -> Endpoint<Empty, EventAnswer<Details>>
    {
        Endpoint(.get, onePath(of: Details.kind), access: .child(.member), tokens: .read)
    }

    public static func replaceEvent<Details: EventDetails>(_ details: Details.Type)
        -> Endpoint<EventDraft<Details>, EventAnswer<Details>>
    {
        Endpoint(.put, onePath(of: Details.kind), access: .child(.contributor), tokens: .log)
    }

    public static func updateEvent<Details: EventDetails>(_ details: Details.Type)
        -> Endpoint<EventChanges, EventAnswer<Details>>
    {
        Endpoint(.patch, onePath(of: Details.kind), access: .child(.contributor), tokens: .log)
    }

    public static func deleteEvent<Details: EventDetails>(_ details: Details.Type)
        -> Endpoint<Empty, Empty>
    {
        Endpoint(.delete, onePath(of: Details.kind), access: .child(.contributor), tokens: .log, success: 204)
    }

    /// Brings back an event that was deleted in the last 30 days.
    public static func restoreEvent<Details: EventDetails>(_ details: Details.Type)
        -> Endpoint<Empty, EventAnswer<Details>>
    {
        Endpoint(.post, "\(onePath(of: Details.kind))/restore", access: .child(.contributor), tokens: .log)
    }

    /// Makes up to 500 events of any kinds, or none.
    public static let createEvents = Endpoint<EventBatch, EventBatchAnswer>(
        .post, "\(base)/children/:childId/events", access: .child(.contributor), tokens: .log, success: 201,
        maximumBodyBytes: 1 << 20)

    /// Takes `types`, `from`, `to`, `limit` and `cursor` in the query.
    public static let getTimeline = Endpoint<Empty, Timeline>(
        .get, "\(base)/children/:childId/timeline", access: .child(.member), tokens: .read)

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
}
