extension Endpoints {
    /// Takes `date` in the query, 1900-01-01 to 2100-12-31; without it, the caller's today.
    public static let getDashboard = Endpoint<Empty, DashboardAnswer>(
        .get, "\(base)/children/:childId/dashboard", access: .child(.member), tokens: .read)

    static let dashboard = [getDashboard.description]
}

public struct DashboardAnswer: Decodable, Hashable, Sendable {
    public var dashboard: Dashboard

    public init(dashboard: Dashboard) {
        self.dashboard = dashboard
    }
}

/// One day of a child and the week that it ends, in the caller's time zone and from the caller's beginning of the day.
public struct Dashboard: Decodable, Hashable, Sendable {
    public var child: Child
    public var day: Day
    public var totals: Totals
    public var last: Last
    public var ongoing: Ongoing
    /// Seven days, oldest first; the last is `day`.
    public var week: [DayOfWeek]
    /// Those that hold for the day.
    public var plans: [PlanOfDay]

    public struct Day: Decodable, Hashable, Sendable {
        public var date: CalendarDate
        /// IANA name.
        public var timezone: String
        public var startsAt: Timestamp
        /// Where the next day begins: 24 hours later, unless clocks change between.
        public var endsAt: Timestamp
    }

    public struct Totals: Decodable, Hashable, Sendable {
        public var feedings: Feedings
        public var diapers: Diapers
        public var sleep: Sleep
        public var notes: Notes
    }

    /// The feeds that began in the day.
    public struct Feedings: Decodable, Hashable, Sendable {
        public var count: Int
        public var bottleMl: Tenths
        /// Whole minutes of all breast feeds that have ended.
        public var breastMinutes: Int
    }

    public struct Diapers: Decodable, Hashable, Sendable {
        public var count: Int
        /// Wet alone: one that was dirty as well counts as mixed.
        public var wet: Int
        public var dirty: Int
        public var mixed: Int
        public var dry: Int
    }

    /// The part of each sleep that lies in the day; one that goes on counts up to now.
    public struct Sleep: Decodable, Hashable, Sendable {
        /// How many sleeps have a part in the day.
        public var count: Int
        /// Whole minutes of all parts together.
        public var minutes: Int
        public var longestMinutes: Int
    }

    public struct Notes: Decodable, Hashable, Sendable {
        public var count: Int
    }

    /// The latest of each kind that began before the day's end, on whatever day.
    public struct Last: Decodable, Hashable, Sendable {
        public var feeding: Feeding?
        public var diaper: Diaper?
        public var sleep: BabyBasicsAPI.Sleep?
        public var medication: Medication?
        public var temperature: Temperature?
    }

    /// What goes on now; nothing on a day that does not hold the present.
    public struct Ongoing: Decodable, Hashable, Sendable {
        /// The latest breast feed that has no end and began in the last 4 hours.
        public var feeding: Feeding?
        public var sleep: BabyBasicsAPI.Sleep?
    }

    /// A medicine plan, and what was given of it.
    public struct PlanOfDay: Decodable, Hashable, Sendable {
        public var plan: Plan
        /// The latest dose before the day's end, on whatever day.
        public var last: Medication?
        /// When the next dose is due, be it past; nil where it is given when needed, where the plan is over by then, and on a day
        /// that does not hold the present.
        public var nextAt: Timestamp?
        /// Doses of the day.
        public var givenToday: Int
    }

    public struct DayOfWeek: Decodable, Hashable, Sendable {
        public var date: CalendarDate
        public var feedings: Int
        public var bottleMl: Tenths
        public var diapers: Int
        /// Whole minutes.
        public var sleepMinutes: Int
    }
}
