import BabyBasicsAPI
import Postgres

/// Sets a reminder of the caller's. There is one for each thing that it can count from: another one takes its place.
func createReminder(_ context: RequestContext, caller: Caller) async throws -> Reply<ReminderAnswer> {
    let fields = try context.fields()
    let (wish, clientID) = try fields.all(
        fields.reminder(), fields.optional("id", .identifier() as Rule<ReminderID>))
    let database = context.database
    // Whoever is refused locks nothing.
    let family = try await context.family(of: wish, for: caller)
    return try await database.transaction {
        try await database.lockFamily(family)
        guard try await context.family(of: wish, for: caller) == family else { throw APIError.notFound }
        if let kept = try await database.change(wish.replacement(of: caller.userID, in: family), Reminder.init).first {
            try context.lookAgain(at: "id = \(kept.id)")
            return Reply(ReminderAnswer(reminder: kept), status: 200)
        }
        let id = try clientID ?? context.newIdentifier()
        guard try await database.first("select true from reminders where id = \(id)", { try $0.next(Bool.self) }) == nil
        else { throw APIError.identifierTaken }
        guard try await database.remindersCount(of: caller.userID) < Ceiling.remindersOfUser else {
            throw APIError.tooManyReminders
        }
        let reminder = Reminder(
            id: id, childId: wish.child, on: wish.subject, afterMinutes: wish.afterMinutes, planId: wish.plan,
            createdAt: context.now)
        try database.enqueue(
            """
            insert into reminders (id, family_id, user_id, child_id, kind, after_minutes, plan_id, created_at)
            values (\(id), \(family), \(caller.userID), \(wish.child), \(wish.kind), \(wish.afterMinutes.map { Int16($0) }),
                \(wish.plan), \(context.now))
            """)
        try database.watch(family)
        try context.lookAgain(at: "id = \(id)")
        return Reply(ReminderAnswer(reminder: reminder))
    }
}

/// What a reminder is to be of.
private struct ReminderWish {
    let child: ChildID
    let subject: Reminder.Subject?
    let afterMinutes: Int?
    let plan: PlanID?

    /// The kind's number.
    var kind: Int16? { subject?.kind }

    /// Puts it in the place of the one that is there for the same, and answers that.
    func replacement(of user: UserID, in family: FamilyID) -> SQL {
        """
        update reminders r
        set after_minutes = \(afterMinutes.map { Int16($0) }),
            told = case when after_minutes is distinct from \(afterMinutes.map { Int16($0) }) then '{}' else told end
        where family_id = \(family) and user_id = \(user) and child_id = \(child)
            and kind is not distinct from \(kind)::int2 and plan_id is not distinct from \(plan)::uuid
        returning \(unescaped: Reminder.columns)
        """
    }
}

extension Fields {
    fileprivate func reminder() -> ReminderWish? {
        let child = required("child_id", .identifier() as Rule<ChildID>)
        guard let plan = optional("plan_id", .identifier() as Rule<PlanID>) else { return nil }
        guard let plan else {
            let subject = required("on", .reminderSubject)
            let minutes = required("after_minutes", .reminderMinutes)
            guard let child, let subject, let minutes else { return nil }
            return ReminderWish(child: child, subject: subject, afterMinutes: minutes, plan: nil)
        }
        for name in ["on", "after_minutes"] where optional(name, .present) == .some(true) {
            problem(name, "goes without plan_id", .notAllowed) as Never?
        }
        return child.map { ReminderWish(child: $0, subject: nil, afterMinutes: nil, plan: plan) }
    }
}

extension Rule where Value == Bool {
    /// Anything but null.
    fileprivate static let present = Rule { (_) throws(Problem) in true }
}

extension Rule where Value == Reminder.Subject {
    fileprivate static let reminderSubject = text("must be feeding, diaper, sleep or pumping", .notListed) {
        Reminder.Subject(rawValue: $0)
    }
}

extension Rule where Value == Int {
    fileprivate static let reminderMinutes = Rule { (json) throws(Problem) in
        do throws(Rule<FieldValue>.Problem) {
            let value = try Rule<FieldValue>.value(.whole(15...1440), now: Timestamp(microsecondsSince1970: 0)).parse(
                json)
            return (value.number?.tenths ?? 0) / 10
        } catch {
            throw Problem(error.message, error.reason)
        }
    }
}

extension Reminder.Subject {
    /// The number of the kind that it counts from.
    var kind: Int16 {
        let kind =
            switch self {
            case .feeding: FeedingDetails.kind
            case .diaper: DiaperDetails.kind
            case .sleep: SleepDetails.kind
            case .pumping: PumpingDetails.kind
            }
        return Int16(kind.number)
    }

    init?(kind: Int16) {
        guard let subject = Self.allCases.first(where: { $0.kind == kind }) else { return nil }
        self = subject
    }
}

extension RequestContext {
    /// The family of a reminder's child, where the caller belongs to it.
    /// - Throws: `APIError` 404 for strangers, 400 for a plan that the child does not have.
    fileprivate func family(of wish: ReminderWish, for caller: Caller) async throws -> FamilyID {
        let found = try await database.first(
            """
            select c.family_id, exists (
                select from plans p
                where p.family_id = c.family_id and p.id = \(wish.plan) and p.child_id = c.id and p.deleted_at is null
            )
            from children c join \(fragment: Members.current("m", at: now)) on m.family_id = c.family_id
            where c.id = \(wish.child) and m.user_id = \(caller.userID)
            """
        ) { (family: try $0.next(FamilyID.self), hasPlan: try $0.next(Bool.self)) }
        guard let found else { throw APIError.childNotFound }
        guard wish.plan == nil || found.hasPlan else {
            throw APIError.invalid("plan_id", "must be a plan of the child", .unknown)
        }
        return found.family
    }
}

extension Database {
    fileprivate func remindersCount(of user: UserID) async throws -> Int {
        let count = try await first("select count(*) from reminders where user_id = \(user)") {
            try $0.next(Int64.self)
        }
        return Int(count ?? 0)
    }
}
