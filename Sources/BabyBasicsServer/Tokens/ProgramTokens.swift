import BabyBasicsAPI
import FoundationEssentials
import Postgres

/// Other programs' tokens, as every statement has them.
enum ProgramTokens {
    /// Whether the date of a token `t` has not come at `$2`. That its user is a member still stands beside it.
    static let isAlive = "(t.expires_at is null or t.expires_at > $2)"

    /// Whether a use of a token `t` at `$2` is to be written down.
    static let isDue = "(t.last_used_at is null or t.last_used_at < $2 - interval '60 seconds')"

    /// The tokens `t` that open something at a moment, and their families `f`.
    static func alive(of user: UserID, at now: Timestamp) -> SQL {
        """
        tokens t join \(fragment: Members.current("m", at: now)) on m.family_id = t.family_id and m.user_id = t.user_id
            join families f on f.id = t.family_id
        where t.user_id = \(user) and (t.expires_at is null or t.expires_at > \(now))
        """
    }

    /// Notes when tokens were used. Whoever is changing one at the moment is not waited for.
    static func use(_ uses: [UUID: Timestamp]) -> SQL {
        """
        with used as (
            select t.id, u.at
            from unnest(\(Array(uses.keys)), \(uses.values.map(\.microsecondsSince1970))) given (id, microseconds)
            cross join lateral (select 'epoch'::timestamptz + microseconds * interval '1 microsecond' as at) u
            join tokens t on t.id = given.id
            where t.last_used_at is null or t.last_used_at < u.at
            for no key update of t skip locked
        )
        update tokens t set last_used_at = used.at
        from used where t.id = used.id and set_config('synchronous_commit', 'off', true) = 'off'
        """
    }

    /// The same for Citus: see `SessionTouches`.
    static func useForCitus(_ uses: [UUID: Timestamp]) -> SQL {
        """
        update tokens t set last_used_at = u.at
        from unnest(\(Array(uses.keys)), \(Array(uses.values))) u (id, at)
        where t.id = u.id and (t.last_used_at is null or t.last_used_at < u.at)
        """
    }

    /// Ends all tokens of a user. Nobody who has an account did it.
    static func end(of user: UserID, at now: Timestamp) -> SQL {
        """
        with gone as (delete from tokens where user_id = \(user) returning id, family_id)
        insert into audit_logs (family_id, entity_type, entity_id, action, created_at)
        select family_id, 'token', id, 'delete', \(now) from gone
        """
    }
}

extension Rule where Value == TokenScope {
    static let tokenScope = text("must be read or log", .notListed) { TokenScope(rawValue: $0) }
}
