extension Endpoints {
    public static let createPlan = Endpoint<NewPlan, PlanAnswer>(
        .post, "\(base)/children/:childId/plans", access: .child(.parent(otherwise: parentsPlan)), success: 201)
    public static let listPlans = Endpoint<Empty, PlanList>(
        .get, "\(base)/children/:childId/plans", access: .child(.member))
    public static let getPlan = Endpoint<Empty, PlanAnswer>(
        .get, "\(base)/children/:childId/plans/:planId", access: .child(.member))
    public static let updatePlan = Endpoint<PlanChanges, PlanAnswer>(
        .patch, "\(base)/children/:childId/plans/:planId", access: .child(.parent(otherwise: parentsPlan)))
    public static let deletePlan = Endpoint<Empty, Empty>(
        .delete, "\(base)/children/:childId/plans/:planId", access: .child(.parent(otherwise: parentsPlan)),
        success: 204)
    /// Brings back a plan that was deleted in the last 30 days.
    public static let restorePlan = Endpoint<Empty, PlanAnswer>(
        .post, "\(base)/children/:childId/plans/:planId/restore", access: .child(.parent(otherwise: parentsPlan)))

    private static let parentsPlan = "Only parents can change medicine plans"

    static let plans = [
        createPlan.description, listPlans.description, getPlan.description, updatePlan.description,
        deletePlan.description, restorePlan.description,
    ]
}

public typealias PlanID = Identifier<Plan>

/// A medicine that a child is to be given: every some hours, at some times of the day, or when needed.
public struct Plan: Codable, Hashable, Sendable {
    public var id: PlanID
    public var childId: ChildID
    public var name: String
    public var dose: String?
    /// Nil where there are times, or it is given when needed.
    public var everyHours: Int?
    /// `HH:MM`, in their order; nil where there are hours, or it is given when needed.
    public var times: [String]?
    public var maxPerDay: Int?
    public var startsOn: CalendarDate
    /// The last day; nil for none.
    public var endsOn: CalendarDate?
    public var notes: String?
    public var revision: Int64
    public var createdAt: Timestamp
    public var updatedAt: Timestamp

    public init(
        id: PlanID, childId: ChildID, name: String, dose: String?, everyHours: Int?, times: [String]?,
        maxPerDay: Int?, startsOn: CalendarDate, endsOn: CalendarDate?, notes: String?, revision: Int64,
        createdAt: Timestamp, updatedAt: Timestamp
    ) {
        self.id = id
        self.childId = childId
        self.name = name
        self.dose = dose
        self.everyHours = everyHours
        self.times = times
        self.maxPerDay = maxPerDay
        self.startsOn = startsOn
        self.endsOn = endsOn
        self.notes = notes
        self.revision = revision
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}

public struct NewPlan: Codable, Hashable, Sendable {
    /// Made by the client, so that sending again is safe.
    public var id: PlanID?
    /// One line of 1 to 100 characters after trimming.
    public var name: String
    /// One line of at most 50 characters.
    public var dose: String?
    /// 1 to 168. Not beside `times`.
    public var everyHours: Int?
    /// 1 to 8 different ones, `HH:MM`. Not beside `everyHours`.
    public var times: [String]?
    /// 1 to 24.
    public var maxPerDay: Int?
    public var startsOn: CalendarDate
    /// The last day.
    public var endsOn: CalendarDate?
    /// At most 2000 characters.
    public var notes: String?

    public init(
        id: PlanID? = nil, name: String, dose: String? = nil, everyHours: Int? = nil, times: [String]? = nil,
        maxPerDay: Int? = nil, startsOn: CalendarDate, endsOn: CalendarDate? = nil, notes: String? = nil
    ) {
        self.id = id
        self.name = name
        self.dose = dose
        self.everyHours = everyHours
        self.times = times
        self.maxPerDay = maxPerDay
        self.startsOn = startsOn
        self.endsOn = endsOn
        self.notes = notes
    }
}

/// A merge patch (RFC 7396): what is nil here is absent. What is taken away is null on the wire: see `removed`.
public struct PlanChanges: Hashable, Sendable {
    public var name: String?
    public var dose: String?
    public var everyHours: Int?
    public var times: [String]?
    public var maxPerDay: Int?
    public var startsOn: CalendarDate?
    public var endsOn: CalendarDate?
    public var notes: String?
    /// What the plan is to be without.
    public var removed: Set<Removable>

    public enum Removable: String, Hashable, Sendable, CaseIterable {
        case dose, everyHours, times, maxPerDay, endsOn, notes
    }

    public init(
        name: String? = nil, dose: String? = nil, everyHours: Int? = nil, times: [String]? = nil,
        maxPerDay: Int? = nil, startsOn: CalendarDate? = nil, endsOn: CalendarDate? = nil, notes: String? = nil,
        removing removed: Set<Removable> = []
    ) {
        self.name = name
        self.dose = dose
        self.everyHours = everyHours
        self.times = times
        self.maxPerDay = maxPerDay
        self.startsOn = startsOn
        self.endsOn = endsOn
        self.notes = notes
        self.removed = removed
    }
}

extension PlanChanges: Codable {
    private enum CodingKeys: String, CodingKey {
        case name, dose, everyHours, times, maxPerDay, startsOn, endsOn, notes
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            name: try members.decodeIfPresent(String.self, forKey: .name),
            dose: try members.decodeIfPresent(String.self, forKey: .dose),
            everyHours: try members.decodeIfPresent(Int.self, forKey: .everyHours),
            times: try members.decodeIfPresent([String].self, forKey: .times),
            maxPerDay: try members.decodeIfPresent(Int.self, forKey: .maxPerDay),
            startsOn: try members.decodeIfPresent(CalendarDate.self, forKey: .startsOn),
            endsOn: try members.decodeIfPresent(CalendarDate.self, forKey: .endsOn),
            notes: try members.decodeIfPresent(String.self, forKey: .notes))
        for member in Removable.allCases {
            guard let key = CodingKeys(rawValue: member.rawValue), members.contains(key) else { continue }
            if try members.decodeNil(forKey: key) { removed.insert(member) }
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(name, forKey: .name)
        try members.encodeIfPresent(dose, forKey: .dose)
        try members.encodeIfPresent(everyHours, forKey: .everyHours)
        try members.encodeIfPresent(times, forKey: .times)
        try members.encodeIfPresent(maxPerDay, forKey: .maxPerDay)
        try members.encodeIfPresent(startsOn, forKey: .startsOn)
        try members.encodeIfPresent(endsOn, forKey: .endsOn)
        try members.encodeIfPresent(notes, forKey: .notes)
        for member in removed {
            if let key = CodingKeys(rawValue: member.rawValue) { try members.encodeNil(forKey: key) }
        }
    }
}

public struct PlanAnswer: Codable, Hashable, Sendable {
    public var plan: Plan

    public init(plan: Plan) {
        self.plan = plan
    }
}

public struct PlanList: Codable, Hashable, Sendable {
    public var plans: [Plan]
    public var count: Int

    public init(plans: [Plan]) {
        self.plans = plans
        count = plans.count
    }
}
