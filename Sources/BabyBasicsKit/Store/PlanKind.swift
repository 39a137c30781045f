import BabyBasicsAPI

/// A plan of medicine is no event, and is kept, sent, changed and brought back as if it were: an entry of a kind of its
/// own. It has no time, so that no list of events finds it.
enum PlanKind {
    static let name = "plan"

    /// What can be checked of it before the server does.
    static let fields = [
        EventField("name", .line(max: 100), required: true),
        EventField("dose", .line(max: 50)),
        EventField("every_hours", .whole(1...168)),
        EventField("max_per_day", .whole(1...24)),
        EventField("notes", .text(max: 2000)),
    ]

    /// What an edit sends. A plan has hours or times: whoever sets one takes the other away, whatever the server has by now.
    static func patch(_ change: PendingChange) -> FieldChanges {
        var changes = change.changes
        guard change.kind == name else { return changes }
        for (way, other) in [("every_hours", "times"), ("times", "every_hours")] {
            guard case .some(.some) = changes[way], !changes.keys.contains(other) else { continue }
            changes.updateValue(nil, forKey: other)
        }
        return changes
    }

    /// Whether the store has entries of this kind: of events that this version knows, or of plans.
    static func isEntry(_ kind: String) -> Bool { kind == name || EventKind.named(kind) != nil }
}
