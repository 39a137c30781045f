import BabyBasicsAPI
import FoundationEssentials
import Postgres

extension Database {
    /// Looks what a reminder counts from now, and reminds if its moment has come: once for each thing that it counts from.
    func remind(_ row: ClaimedNotification, at clock: SQL) async throws -> Notifier.Outcome {
        try await transaction {
            // The reminder before its row, as whoever changes it.
            let facts = try await reminderFacts(row)
            guard try await execute(row.lock) == 1 else { return .lost }
            guard let facts else {
                if let reminder = row.reminder, let person = row.recipient {
                    try await execute(Pushes.withdraw(tag: Reminder.tag(reminder), for: person))
                }
                try await execute(row.removal)
                return .dropped
            }
            let moments = try await moments(of: facts, row)
            let waiting = moments.filter { !facts.told.contains($0.key) }
            let due = waiting.filter { $0.at <= row.now }
            guard let latest = due.last else {
                // What waits to be sent may not be true any more.
                if !moments.contains(where: { $0.at <= row.now }) {
                    try await execute(Pushes.withdraw(tag: facts.tag, for: facts.listener.user))
                }
                return try await settle(row, next: waiting.first?.at, .dropped)
            }
            if let until = facts.listener.quietUntil { return try await settle(row, next: until, .waits) }
            try await execute(Pushes.insert(facts.message(latest, row), for: facts.listener.user, at: clock))
            try await execute(
                """
                update reminders set told = (told || \(due.map(\.key)))[greatest(1, cardinality(told) + \(due.count) - 19):]
                where id = \(facts.reminder.id)
                """)
            return try await settle(row, next: waiting.first { $0.at > row.now }?.at, .told)
        }
    }

    private func settle(
        _ row: ClaimedNotification, next: Timestamp?, _ outcome: Notifier.Outcome
    ) async throws -> Notifier.Outcome {
        guard let next else {
            try await execute(row.removal)
            return outcome
        }
        try await execute(row.postponement(until: next))
        return outcome == .dropped ? .waits : outcome
    }
}

extension Reminder {
    /// Of what is pushed for one.
    static func tag(_ id: ReminderID) -> String { "reminder-\(id)" }
}

/// A reminder of somebody who is a member, and what its sentence needs.
private struct ReminderFacts {
    let reminder: Reminder
    let told: Set<String>
    let childName: String
    let listener: Listener
    let plan: Plan?

    var tag: String { Reminder.tag(reminder.id) }

    func message(_ moment: Moment, _ row: ClaimedNotification) -> PushMessage {
        let sentences = Sentences(listener.language)
        if let plan {
            return PushMessage(
                tag: tag, title: childName,
                body: sentences.due(plan, details: listener.showsDetails), kind: .dose, familyID: row.family,
                childID: reminder.childId, eventKind: MedicationDetails.kind.name, planID: plan.id.uuid, urgency: .high,
                expiresAt: row.now.adding(.seconds(6 * 3600)))
        }
        let subject = reminder.on ?? .feeding
        return PushMessage(
            tag: tag, title: childName,
            body: sentences.reminder(subject, since: row.now.since(moment.base)), kind: .reminder,
            familyID: row.family, childID: reminder.childId, eventKind: subject.rawValue,
            expiresAt: row.now.adding(.seconds(4 * 3600)))
    }
}

/// When a reminder is due, and for what.
private struct Moment {
    let key: String
    /// What it counts from.
    let base: Timestamp
    let at: Timestamp
}

extension Database {
    /// Nil where the reminder is gone, or its person's access is over.
    private func reminderFacts(_ row: ClaimedNotification) async throws -> ReminderFacts? {
        guard let id = row.reminder else { return nil }
        let found = try await first(
            """
            select \(unescaped: Reminder.columns), r.told, c.name, \(fragment: Listener.columns(at: row.now))
            from reminders r join children c on c.family_id = r.family_id and c.id = r.child_id
                join \(fragment: Members.current("m", at: row.now)) on m.family_id = r.family_id and m.user_id = r.user_id
                join users u on u.id = r.user_id
            where r.family_id = \(row.family) and r.id = \(id) for no key update of r
            """
        ) { (try Reminder(&$0), try $0.next([String].self), try $0.next(String.self), try Listener(&$0)) }
        guard let (reminder, told, childName, listener) = found else { return nil }
        var plan: Plan?
        if let id = reminder.planId {
            let stored = try await self.plan(id, of: row.family)
            guard let stored, stored.deletedAt == nil else { return nil }
            plan = stored.plan
        }
        return ReminderFacts(
            reminder: reminder, told: Set(told), childName: childName, listener: listener, plan: plan)
    }

    /// The earliest first.
    private func moments(of facts: ReminderFacts, _ row: ClaimedNotification) async throws -> [Moment] {
        if let plan = facts.plan { return try await moments(of: plan, facts, row) }
        guard let subject = facts.reminder.on, let minutes = facts.reminder.afterMinutes else { return [] }
        let base = try await subject == .sleep ? lastWaking(facts, row) : last(subject, facts, row)
        return base.map { [Moment(key: "\($0.id)", base: $0.at, at: $0.at.adding(.seconds(60 * minutes)))] } ?? []
    }

    private typealias Base = (id: Identifier<AnyEvent>, at: Timestamp)

    private func last(
        _ subject: Reminder.Subject, _ facts: ReminderFacts, _ row: ClaimedNotification
    ) async throws -> Base? {
        try await first(
            """
            select id, at from events
            where family_id = \(row.family) and child_id = \(facts.reminder.childId) and kind = \(subject.kind)
                and deleted_at is null
            order by at desc, id desc limit 1
            """
        ) { (try $0.next(), try $0.next()) }
    }

    /// Nil while the child is asleep, too. A sleep without an end that began long ago was forgotten.
    private func lastWaking(_ facts: ReminderFacts, _ row: ClaimedNotification) async throws -> Base? {
        let sleeps = try await rows(
            """
            select id, at, ended_at from events
            where family_id = \(row.family) and child_id = \(facts.reminder.childId)
                and kind = \(Int16(SleepDetails.kind.number)) and deleted_at is null
            order by at desc, id desc limit 10
            """
        ) {
            (
                id: try $0.next(Identifier<AnyEvent>.self), at: try $0.next(Timestamp.self),
                end: try $0.next(Timestamp?.self)
            )
        }
        if sleeps.contains(where: { $0.end == nil && $0.at > row.now.adding(.zero - EventKind.longest) }) { return nil }
        return sleeps.compactMap { sleep in sleep.end.map { (sleep.id, $0) } }.max { $0.1 < $1.1 }
    }

    private func moments(of plan: Plan, _ facts: ReminderFacts, _ row: ClaimedNotification) async throws -> [Moment] {
        let found = try await first(
            """
            select day.ends_at, \(unescaped: PlanMoments.columns), dose.id, dose.at
            from plans p join users u on u.id = \(facts.listener.user)
            cross join (select \(row.now)::timestamptz as moment) now
            cross join \(unescaped: DayOfUser.lateral("day", of: "u", at: "now.moment"))
            cross join \(unescaped: PlanMoments.lateral(date: "day.date"))
            cross join lateral (
                select count(*) as given from events g
                where g.family_id = \(row.family)
                    and \(unescaped: PlanMoments.doses(from: "day.starts_at", to: "day.ends_at"))
            ) doses
            left join lateral (
                select e.id, e.at from events e
                where e.family_id = \(row.family) and e.plan_id = p.id and e.child_id = p.child_id
                    and e.deleted_at is null
                order by e.at desc, e.id desc limit 1
            ) dose on true
            where p.family_id = \(row.family) and p.id = \(plan.id)
            """
        ) { row in
            var moments = try PlanMoments(&row, dayEnd: row.next())
            let dose = try row.next(UUID?.self)
            moments.last = try row.next()
            return (moments, dose)
        }
        guard let (moments, dose) = found else { return [] }
        return moments.due.map { at in
            // Of hours the dose before it, so that one that is moved is not told twice.
            let key = plan.everyHours == nil ? "\(at)" : dose?.uuidString.lowercased() ?? "first \(at)"
            return Moment(key: key, base: at, at: at)
        }
    }
}
