import BabyBasicsAPI

extension About {
    static let dashboard = [
        About(
            Endpoints.getDashboard, "getDashboard", "One day of a child, and the week that it ends",
            "In the caller’s time zone and from the caller’s beginning of the day. Sleep is clipped to the day; minutes are whole, rounded down.",
            query: [.date])
    ]
}

extension Dashboard: Described {
    static let remarks: [String: Remark] = [
        "week": Remark(
            schema: [
                "minItems": 7, "maxItems": 7,
                "description": "Seven days, oldest first; the last is `day`.",
            ]),
        "plans": "The medicine plans that hold for the day, in the order in which they were made.",
    ]
}

extension Dashboard.Day: Described {
    static let remarks: [String: Remark] = [
        "timezone": Remark("IANA name.", example: "America/New_York"),
        "ends_at":
            "Where the next day begins: 24 hours later, unless clocks change between. Where they skip or repeat the day’s beginning itself, a day may be still shorter, even empty, or longer.",
    ]
}

extension Dashboard.Feedings: Described {
    static let remarks: [String: Remark] = [
        "breast_minutes": "Whole minutes of all breast feeds that have ended."
    ]
}

extension Dashboard.Diapers: Described {
    static let remarks: [String: Remark] = [
        "wet": "Wet alone: one that was dirty as well counts as mixed."
    ]
}

extension Dashboard.Sleep: Described {
    static let remarks: [String: Remark] = [
        "count": "How many sleeps have a part in the day.",
        "minutes": "Whole minutes of all parts together.",
    ]
}

extension Dashboard.PlanOfDay: Described {
    static let remarks: [String: Remark] = [
        "last": "The latest dose before the day’s end, on whatever day.",
        "next_at":
            "When the next dose is due, be it past; null where it is given when needed, where the plan is over by then, and on a day that does not hold the present.",
        "given_today": "Doses of the day.",
    ]
}

extension Dashboard.Ongoing: Described {
    static let remarks: [String: Remark] = [
        "feeding": "The latest breast feed that has no end and began in the last 4 hours."
    ]
}
