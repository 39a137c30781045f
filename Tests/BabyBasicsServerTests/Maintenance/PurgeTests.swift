import BabyBasicsServer
import Foundation
import Postgres
import TestSupport
import Testing

@Suite("Purge")
struct PurgeTests {
    let server: TestServer
    let johnny: TestUser
    let family: String
    let child: String

    init() throws {
        server = try TestServer()
        johnny = try server.user("Johnny")
        family = try server.family(of: johnny)
        child = try server.child(of: family, by: johnny)
    }

    /// Makes a deleted event as the API leaves it, that many days ago.
    private func deleted(
        _ table: String, daysAgo: Double, family: String? = nil, child: String? = nil
    ) throws {
        let (columns, values) = try Sample.all.first { $0.kind == table }.required().row(at: "now()")
        try server.database.execute(
            """
            with counted as (
                update feeds set last_revision = last_revision + 1
                where family_id = \(family ?? self.family)::uuid returning last_revision
            )
            insert into events (child_id, family_id, revision, deleted_at,
                \(unescaped: columns))
            select \(child ?? self.child)::uuid, \(family ?? self.family)::uuid, last_revision,
                now() - \(daysAgo) * interval '1 day', \(unescaped: values) from counted
            """)
    }

    private func purge(batch: Int = 1000, lockTimeout: Duration = .milliseconds(200)) throws
        -> Purge.Report
    {
        var configuration = ConnectionConfiguration(url: server.database.serverURL)
        configuration.lockTimeout = lockTimeout
        let session = try TestConnection(configuration)
        let connection = session.connection
        return try TestLoop.run {
            try await Purge(connection: connection, now: Purge.now, batch: batch).run()
        }
    }

    private func purged() throws -> String {
        try server.database.texts(
            "select purged_revision::text from feeds join families on id = family_id order by created_at"
        )
        .joined(separator: " ")
    }

    @Test("Exactly what is due goes, for the server's own role")
    func exactlyWhatIsDue() throws {
        for table in Sample.all.map(\.kind) {
            for days in [29.99, 30.01, 400] { try deleted(table, daysAgo: days) }
        }
        for days in [nil, 29.99, 30.01] as [Double?] {
            try server.database.execute(
                """
                insert into plans (family_id, id, child_id, name, starts_on, created_at, updated_at, deleted_at, revision)
                values (\(family)::uuid, gen_random_uuid(), \(child)::uuid, 'Iron', '2026-01-01', now(), now(),
                    now() - \(days) * interval '1 day', 0)
                """)
        }
        let maria = try server.member("Maria", of: family, by: johnny)
        #expect(
            server.send("DELETE", "families/\(family)/members/\(maria.id)", as: johnny).status
                == 204)
        let second = try server.child(of: family, by: johnny)
        #expect(server.send("DELETE", "children/\(second)", as: johnny).status == 204)
        try server.database.execute(
            "update tombstones set deleted_at = now() - interval '31 days' where entity = 'family_member'"
        )
        try server.database.execute(
            """
            insert into tombstones (family_id, entity, entity_id, deleted_at)
            values (gen_random_uuid(), 'family', gen_random_uuid(), now() - interval '31 days'),
                (gen_random_uuid(), 'family', gen_random_uuid(), now() - interval '29 days')
            """)
        try server.database.execute(
            "update sessions set expires_at = now() - interval '1 second' where user_id = \(maria.id)::uuid"
        )
        try server.database.execute(
            """
            insert into address_rates values ('login', '192.0.2.1', array[now() - interval '10 minutes']),
                ('login', '192.0.2.2', array[now() - interval '10 minutes', now()])
            """)
        for (name, age) in [("old", "4 days"), ("new", "1 day")] {
            try server.database.execute(
                """
                insert into mails (id, kind, recipient, created_at, due_at)
                values (gen_random_uuid(), 'forgotten', \(name), now() - \(age)::interval, now())
                """)
        }
        for (purpose, end) in [("reset", "-1 second"), ("verify", "1 hour")] {
            try server.database.execute(
                """
                insert into mailed_links (user_id, purpose, id, token_hash, email, expires_at)
                values (\(johnny.id)::uuid, \(purpose), gen_random_uuid(), \(Array(purpose.utf8)), 'a@example.com',
                    now() + \(end)::interval)
                """)
        }
        try server.database.execute(
            "insert into mail_rates values ('reset', '\\x01', array[now() - interval '3 hours']), ('reset', '\\x02', array[now()])"
        )
        let rehearsal = try server.database.asServer {
            let connection = $0.connection
            return try TestLoop.run {
                try await Purge(connection: connection, now: Purge.now).rehearse()
            }
        }
        let addresses = try server.database.count("address_rates")
        let report = try purge()
        #expect(rehearsal == report)
        #expect(report.events == 2 * Sample.all.count)
        #expect(report.plans == 1)
        #expect(report.tombstones == 2)
        #expect(report.sessions == 1)
        #expect(report.counters == 2)
        #expect(report.mail == 2)
        #expect(try server.database.texts("select recipient from mails") == ["new"])
        #expect(try server.database.texts("select purpose from mailed_links") == ["verify"])
        #expect(report.busyFamilies == 0)
        for sample in Sample.all { #expect(try server.database.count(sample.kind) == 1) }
        #expect(try server.database.count("tombstones") == 2)
        #expect(try server.database.count("sessions") == 1)
        #expect(try server.database.count("address_rates") == addresses - 1)
        // Of the removed member, who left after the events.
        #expect(try purged() == "\(3 + 3 * Sample.all.count + 2)")
        #expect(try purge() == Purge.Report())
    }

    @Test("A session that expired ends in the audit log, and nobody ended it")
    func audit() throws {
        try server.database.execute("update sessions set expires_at = now() - interval '1 day'")
        #expect(try purge().sessions == 1)
        let rows = try server.database.texts(
            """
            select entity_type || ' ' || action || ' ' || coalesce(user_id::text, '-') || ' ' || changes::text
            from audit_logs where entity_type = 'session'
            """)
        #expect(rows == [#"session delete - {"expired": true}"#])
    }

    @Test("A client that is behind what was purged starts again; one that is not goes on")
    func resync() throws {
        try deleted("feedings", daysAgo: 31)
        try deleted("diapers", daysAgo: 1)
        let path = "families/\(family)/changes"
        #expect(try purge().events == 1)
        #expect(try purged() == "4")
        for since in [1, 2, 3] {
            let answer = server.send("GET", "\(path)?since=\(since)", as: johnny)
            #expect(answer.status == 410)
            #expect(answer.code == "RESYNC_REQUIRED")
        }
        let on = server.send("GET", "\(path)?since=4", as: johnny).json
        #expect(on["changes"].array.map { $0["revision"] } == [5])
        // From the beginning, through what was purged, one change at a time.
        var since: JSON = 0
        var revisions: [JSON] = []
        for _ in 0..<4 {
            let page = server.send(
                "GET", "\(path)?since=\(since.text)&limit=1", as: johnny)
            #expect(page.status == 200)
            revisions += page.json["changes"].array.map { $0["revision"] }
            #expect(page.json["has_more"] == (revisions.count < 4 ? true : false))
            since = page.json["next_since"]
        }
        #expect(revisions == [1, 2, 3, 5])
        #expect(since == 5)
    }

    @Test("A beginning from 0 that takes longer than what is kept must be made again")
    func slowBeginning() throws {
        try deleted("feedings", daysAgo: 31)
        _ = try purge()
        let path = "families/\(family)/changes"
        let page = server.send("GET", "\(path)?limit=1", as: johnny).json
        let since = page["next_since"].text
        #expect(page["has_more"] == true)
        server.clock.advance(by: .seconds(27 * 86_400))
        #expect(server.send("GET", "\(path)?since=\(since)", as: johnny).status == 200)
        server.clock.advance(by: .seconds(2 * 86_400))
        #expect(server.send("GET", "\(path)?since=\(since)", as: johnny).status == 410)
    }

    @Test("When all that was deleted last is purged, a client is still at the end")
    func emptyEnd() throws {
        try deleted("feedings", daysAgo: 31)
        _ = try purge()
        let page = server.send("GET", "families/\(family)/changes", as: johnny).json
        #expect(page["changes"].array.count == 3)
        #expect(page["next_since"] == 4)
        let next = server.send("GET", "families/\(family)/changes?since=4", as: johnny)
        #expect(next.status == 200)
        #expect(next.json["changes"] == [])
        #expect(next.json["next_since"] == 4)
    }

    @Test("An interrupted purge has noted what it removed, and the next one goes on")
    func interruption() throws {
        for _ in 0..<10 { try deleted("feedings", daysAgo: 31) }
        // The ninth event's removal fails.
        try server.database.script(
            """
            create function refuse() returns trigger language plpgsql as $$
            begin
                if old.revision = 12 then raise exception 'interrupted'; end if;
                return old;
            end $$;
            create trigger refuse before delete on events for each row execute function refuse();
            """)
        #expect(throws: PostgresError.self) { try purge(batch: 2) }
        #expect(try server.database.count("feedings") == 2)
        #expect(try purged() == "11")
        try server.database.execute("drop trigger refuse on events")
        #expect(try purge(batch: 2).events == 2)
        #expect(try purged() == "13")
    }

    @Test("Two purges at once remove everything once")
    func twoAtOnce() throws {
        var homes = [(family, child)]
        for _ in 0..<3 {
            let family = try server.family(of: johnny)
            homes.append((family, try server.child(of: family, by: johnny)))
        }
        for (family, child) in homes {
            for _ in 0..<20 {
                try deleted("feedings", daysAgo: 31, family: family, child: child)
            }
        }
        let reports = race(2) { _ in
            (try? purge(batch: 3, lockTimeout: .seconds(5))) ?? Purge.Report()
        }
        #expect(reports.map(\.events).reduce(0, +) == 80)
        #expect(reports.map(\.busyFamilies) == [0, 0])
        #expect(try server.database.count("feedings") == 0)
        #expect(try purged() == "23 23 23 23")
    }

    @Test("A locked family waits for the next run; the others do not wait for it")
    func busyFamily() throws {
        let other = try server.family(of: johnny)
        let otherChild = try server.child(of: other, by: johnny)
        try deleted("feedings", daysAgo: 31)
        try deleted("feedings", daysAgo: 32, family: other, child: otherChild)
        try server.database.asOwner { owner in
            try owner.transaction {
                try owner.execute("select from feeds where family_id = \(family)::uuid for update")
                let report = try purge()
                #expect(report.events == 1)
                #expect(report.busyFamilies == 1)
            }
        }
        #expect(try purged() == "0 4")
        #expect(try purge().events == 1)
        #expect(try purged() == "4 4")
    }

    @Test("A member whose row is locked holds up no other family's members")
    func lockedMembers() throws {
        let families = try [family] + (0..<5).map { _ in try server.family(of: johnny) }
        let guests = try families.map { try server.member("Guest", of: $0, by: johnny) }
        try server.database.execute(
            "update family_members set access_until = now() - interval '1 minute' where role = 'caregiver'")
        let free = guests[3].id
        let purging = try server.database.asOwner { owner in
            try owner.transaction {
                try owner.execute(
                    "select from family_members where role = 'caregiver' and user_id <> \(free)::uuid for update")
                let purging = Background { try? purge(lockTimeout: .seconds(60)) }
                try waitUntil {
                    try server.database.texts("select 'x' from family_members where user_id = \(free)::uuid").isEmpty
                }
                return purging
            }
        }
        #expect(try purging.value()?.members == 6)
    }
}
