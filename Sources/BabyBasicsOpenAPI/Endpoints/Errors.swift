import BabyBasicsAPI

extension ErrorBody.Content: Described {
    static let remarks: [String: Remark] = [
        "message": Remark("English, for a person.", example: "Some of the fields are not valid"),
        "details": "What to point at; empty where there is nothing.",
    ]
}

extension ErrorBody.Detail: Described {
    static let remarks: [String: Remark] = [
        "field": Remark(
            "A member of the body, a query parameter, a header, or the id of a thing.",
            example: "name"),
        "message": Remark("English, for a person; it may change.", example: "is required"),
        "reason": "What clients decide by, and translate.",
    ]
}
