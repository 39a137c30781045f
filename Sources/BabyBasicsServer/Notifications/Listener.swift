import BabyBasicsAPI
import Postgres

/// Somebody who may be told something.
struct Listener {
    let user: UserID
    let showsDetails: Bool
    let language: Language
    /// When the quiet hours end that it is in now; nil for none.
    let quietUntil: Timestamp?

    /// Of a user `u` at a moment.
    static func columns(at moment: Timestamp) -> SQL {
        "u.id, u.show_details, u.language, \(fragment: QuietHours.end(at: "\(moment)"))"
    }

    init(_ row: inout Row) throws {
        user = try row.next()
        showsDetails = try row.next()
        language = Language(tag: try row.next())
        quietUntil = try row.next()
    }
}
