import BabyBasicsAPI

extension About {
    static let reminders = [
        About(
            Endpoints.createReminder, "createReminder", "Has the caller reminded",
            "Some minutes after the last one of a kind, or when a dose of a plan is due; once for each. There is one for each thing that it counts from: another one takes its place and is answered with 200, under the first one’s id.",
            answersAgain: true,
            refuses: [
                .notFound: "The caller may see no such child.",
                .conflict: "The id belongs to something else, or the caller has 100 reminders already.",
            ]),
        About(
            Endpoints.listReminders, "listReminders", "The caller’s reminders, in the order in which they were made"),
        About(
            Endpoints.deleteReminder, "deleteReminder", "Ends one of the caller’s reminders",
            refuses: [.notFound: "The caller has no such reminder."]),
    ]

    static let notifications = [
        About(
            Endpoints.getNotifications, "getNotifications", "What the caller is told of in a family",
            "Of whoever has said nothing: parents are told of members, and nobody of what is logged."),
        About(
            Endpoints.replaceNotifications, "replaceNotifications", "Replaces what the caller is told of in a family",
            "Nobody is told of what they did themselves. What one person logs within 60 s is told as one."),
    ]
}

extension Reminder.Subject: SchemaDescribed {}

extension NewReminder: Described {
    static let remarks: [String: Remark] = [
        "id": .clientID,
        "on": "What it counts from: the last one’s start, or for sleep the last waking. Not beside `plan_id`.",
        "after_minutes": Remark("With `on`.", example: 180, ["minimum": 15, "maximum": 1440]),
        "plan_id": "A plan of the child, when a dose of it is due. Not beside `on`.",
    ]
}

extension Reminder: Described {
    static let remarks: [String: Remark] = [
        "on": "What it counts from; null of a plan’s.",
        "after_minutes": Remark("Null of a plan’s.", example: 180),
        "plan_id": "The plan whose doses it reminds of; null of others.",
    ]
}

extension ReminderList: Described {
    static let remarks: [String: Remark] = ["count": .count]
}

extension NotificationSettings: Described {
    static let remarks: [String: Remark] = [
        "kinds": Remark(
            "The kinds of which it is told what others log.", example: ["feeding", "sleep"],
            ["items": ["type": "string", "enum": .strings(EventKind.all.map(\.name)), "examples": ["feeding"]]]),
        "members": "Whether it is told who joined or left.",
        "access_ends": "Whether it is told when somebody’s access has ended.",
    ]
}
