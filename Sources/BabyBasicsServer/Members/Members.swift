import BabyBasicsAPI
import Postgres

/// Who belongs to a family. Every statement asks here, because a row alone does not tell: whoever's time is over is a member no more, and
/// the row stays until the purge.
enum Members {
    /// Those of a moment, in the place of a table: `from \(Members.current("m", at: "$2")) join …`.
    /// - Parameter moment: the request's, which is not the database's.
    static func current(_ alias: String, at moment: String) -> String {
        "(select * from \(table) where access_until is null or access_until > \(moment)) \(alias)"
    }

    static func current(_ alias: String, at moment: Timestamp) -> SQL {
        """
        (select * from \(unescaped: table) where access_until is null or access_until > \(moment)) \(unescaped: alias)
        """
    }

    /// All rows: for whoever changes them, and for the feed, which tells of an end when the purge has come.
    static let table = "family_members"
}
