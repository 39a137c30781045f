extension Endpoints {
    /// What the caller has one of for the same already is changed by it, and answered with 200.
    public static let createReminder = Endpoint<NewReminder, ReminderAnswer>(
        .post, "\(base)/users/me/reminders", access: .user, success: 201)
    public static let listReminders = Endpoint<Empty, ReminderList>(
        .get, "\(base)/users/me/reminders", access: .user)
    public static let deleteReminder = Endpoint<Empty, Empty>(
        .delete, "\(base)/users/me/reminders/:reminderId", access: .user, success: 204)

    static let reminders = [createReminder.description, listReminders.description, deleteReminder.description]
}

public typealias ReminderID = Identifier<Reminder>

/// What a person wants to be reminded of: some time after the last of a kind, or when a dose is due. One of each a person.
public struct Reminder: Codable, Hashable, Sendable {
    public var id: ReminderID
    public var childId: ChildID
    /// What it counts from; nil for a plan's.
    public var on: Subject?
    /// 15 to 1440; nil for a plan's.
    public var afterMinutes: Int?
    public var planId: PlanID?
    public var createdAt: Timestamp

    /// The last one's start; of sleep the last waking.
    public enum Subject: String, Codable, Hashable, Sendable, CaseIterable {
        case feeding, diaper, sleep, pumping
    }

    public init(
        id: ReminderID, childId: ChildID, on: Subject?, afterMinutes: Int?, planId: PlanID?, createdAt: Timestamp
    ) {
        self.id = id
        self.childId = childId
        self.on = on
        self.afterMinutes = afterMinutes
        self.planId = planId
        self.createdAt = createdAt
    }
}

public struct NewReminder: Codable, Hashable, Sendable {
    /// Made by the client, so that sending again is safe.
    public var id: ReminderID?
    public var childId: ChildID
    /// With `afterMinutes`; or a plan.
    public var on: Reminder.Subject?
    /// 15 to 1440.
    public var afterMinutes: Int?
    public var planId: PlanID?

    public init(
        id: ReminderID? = nil, childId: ChildID, on: Reminder.Subject, afterMinutes: Int
    ) {
        (self.id, self.childId, self.on, self.afterMinutes) = (id, childId, on, afterMinutes)
    }

    public init(id: ReminderID? = nil, childId: ChildID, planId: PlanID) {
        (self.id, self.childId, self.planId) = (id, childId, planId)
    }
}

public struct ReminderAnswer: Codable, Hashable, Sendable {
    public var reminder: Reminder

    public init(reminder: Reminder) {
        self.reminder = reminder
    }
}

public struct ReminderList: Codable, Hashable, Sendable {
    public var reminders: [Reminder]
    public var count: Int

    public init(reminders: [Reminder]) {
        self.reminders = reminders
        count = reminders.count
    }
}
