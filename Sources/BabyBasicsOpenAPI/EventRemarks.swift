import BabyBasicsAPI

extension ActivityDetails: Described {
    static let remarks: [String: Remark] = [
        "ended_at":
            "Null while it goes on, or where nobody looked at the clock. Not before the start, and at most 24 hours after it.",
        "name": Remark("One line of 1 to 60 characters after trimming.", example: "Tummy time"),
    ]
}

extension DiscardDetails: Described {
    static let remarks: [String: Remark] = [
        "amount_ml": Remark("Rounded to one decimal.", example: 60)
    ]
}

extension FeedingDetails: Described {
    static let remarks: [String: Remark] = [
        "type": "What kind of feed; the other fields belong to one type each.",
        "ended_at":
            "Null while it goes on, or where nobody looked at the clock. Not before the start, and at most 24 hours after it.",
        "side": "Of a breast feed, which cannot be without.",
        "left_minutes": "Of a breast feed: whole minutes at the left side, without pauses.",
        "right_minutes": "Of a breast feed: whole minutes at the right side, without pauses.",
        "last_side": "Of a breast feed: the side that it ended at.",
        "amount_ml": "Of a bottle: more than 0, at most 1000. Rounded to one decimal.",
        "content": "Of a bottle.",
        "food": Remark("Of solid food: at most 200 characters.", example: "Pear"),
    ]
}

extension MeasurementDetails: Described {
    static let remarks: [String: Remark] = [
        "weight_g": Remark("Whole grams.", example: 4350),
        "length_cm": Remark("Lying or standing, rounded to one decimal.", example: 54.5),
        "head_cm": Remark("Round the head, rounded to one decimal.", example: 37.2),
    ]
}

extension MedicationDetails: Described {
    static let remarks: [String: Remark] = [
        "name": Remark("One line of 1 to 100 characters after trimming.", example: "Paracetamol"),
        "dose": Remark("As it is said: one line of at most 50 characters.", example: "2.5 ml"),
        "plan_id":
            "The plan that it is a dose of. It is not looked for: a dose that comes late is kept, although its plan is gone.",
    ]
}

extension NoteDetails: Described {
    static let remarks: [String: Remark] = [
        "content": Remark("1 to 5000 characters after trimming.", example: "First smile"),
        "for_doctor": "Whether it is marked for the next visit; false where absent.",
    ]
}

extension PumpingDetails: Described {
    static let remarks: [String: Remark] = [
        "ended_at":
            "Null while it goes on, or where nobody looked at the clock. Not before the start, and at most 24 hours after it.",
        "amount_ml": Remark("Rounded to one decimal.", example: 90.5),
    ]
}

extension SleepDetails: Described {
    static let remarks: [String: Remark] = [
        "ended_at":
            "Null while the child is asleep; one such sleep a child at most. Not before the start, and at most 24 hours after it."
    ]
}

extension TemperatureDetails.Site: SchemaDescribed {}

extension TemperatureDetails: Described {
    static let remarks: [String: Remark] = [
        "celsius": Remark("Degrees Celsius, rounded to one decimal.", example: 37.8),
        "site": "Where it was taken.",
    ]
}
