import BabyBasicsAPI

extension About {
    static let plans = [
        About(
            Endpoints.createPlan, "createPlan", "Plans a medicine for a child",
            "Given every some hours, at some times of the day, or, where it says neither, when needed. A medication with the plan’s id as `plan_id` is a dose of it.",
            version: .answered, answersAgain: true,
            refuses: [
                .conflict: "The id belongs to something else, or the child has 50 plans already.",
                .gone: "The plan with this id was deleted, and stays so.",
            ]),
        About(
            Endpoints.listPlans, "listPlans", "A child’s medicine plans, in the order in which they were made",
            "Those that are over too."),
        About(Endpoints.getPlan, "getPlan", "One medicine plan", version: .answered),
        About(
            Endpoints.updatePlan, "updatePlan", "Changes what the body names of a medicine plan",
            "A merge patch (RFC 7396): what is absent stays, null takes away.", version: .checked),
        About(
            Endpoints.deletePlan, "deletePlan", "Takes a medicine plan away",
            "For 30 days it can be restored. What was given of it stays.", version: .checked),
        About(
            Endpoints.restorePlan, "restorePlan", "Brings back a medicine plan that was deleted in the last 30 days",
            "One that is not deleted is answered as it is.", version: .checked,
            refuses: [.conflict: "The child has 50 plans already."]),
    ]
}

private let planRemarks: [String: Remark] = [
    "name": .name("Paracetamol"),
    "dose": Remark(
        "As it is said: one line of at most 50 characters.", example: "2.5 ml",
        ["pattern": .string(Pattern.line(max: 50))]),
    "every_hours": Remark(
        "1 to 168, and not beside `times`. Without either it is given when needed.", example: 6,
        ["minimum": 1, "maximum": 168]),
    "times": Remark(
        "1 to 8 different times of a day, `HH:MM`, each in the clocks of whoever looks; not beside `every_hours`.",
        example: ["08:00", "20:00"],
        [
            "minItems": 1, "maxItems": 8, "uniqueItems": true,
            "items": ["type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$", "examples": ["08:00"]],
        ]),
    "max_per_day": Remark("Doses a day, 1 to 24.", example: 4, ["minimum": 1, "maximum": 24]),
    "starts_on": Remark("The first day, 1900-01-01 to 2100-12-31.", example: "2026-03-15"),
    "ends_on": Remark("The last day, not before the first; null for none.", example: "2027-03-15"),
    "notes": Remark(
        "At most 2000 characters after trimming.", example: "After a meal",
        ["pattern": .string(Pattern.text(max: 2000, orEmpty: true))]),
]

extension NewPlan: Described {
    static let remarks = planRemarks.merging(["id": .clientID]) { $1 }
}

extension PlanChanges: Described {
    static let remarks = planRemarks.merging([
        "name": (planRemarks["name"] ?? Remark()).kept, "starts_on": (planRemarks["starts_on"] ?? Remark()).kept,
    ]) { $1 }
}

extension Plan: Described {
    static let remarks: [String: Remark] = [
        "name": Remark("The medicine’s.", example: "Paracetamol"),
        "dose": Remark("As it is said.", example: "2.5 ml"),
        "every_hours": Remark("Null where there are times, or it is given when needed.", example: 6),
        "times": Remark(
            "`HH:MM`, in their order; null where there are hours, or it is given when needed.",
            example: ["08:00", "20:00"],
            ["items": ["type": "string", "examples": ["08:00"]]]),
        "max_per_day": Remark("Doses a day; null for any.", example: 4),
        "ends_on": "The last day; null for none.",
        "notes": Remark("Null where there are none.", example: "After a meal"),
        "revision": .revision,
    ]
}

extension PlanList: Described {
    static let remarks: [String: Remark] = ["count": .count]
}
