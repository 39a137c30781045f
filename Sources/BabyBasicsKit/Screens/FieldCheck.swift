import BabyBasicsAPI

extension EventKind {
    /// Why the kind's description forbids an entry: the server would refuse it much later.
    func problem(in fields: Fields, texts: Texts) -> Message? {
        if !atLeastOneOf.isEmpty {
            let names = atLeastOneOf.map { self.fields[$0].name }
            if !names.contains(where: { fields[$0] != nil }) { return texts.oneMissing(names) }
        }
        for field in self.fields {
            let type = self.type.flatMap { fields[self.fields[$0].name]?.text }
            if let problem = field.problem(in: fields, kind: name, type: type, texts: texts) { return problem }
        }
        return nil
    }
}

extension EventField {
    /// - Parameter type: the entry's, where its kind has types.
    func problem(in fields: Fields, kind: String, type: String? = nil, texts: Texts) -> Message? {
        guard let value = fields[name], value != .text("") else {
            let belongs = types.map { type.map($0.contains) ?? false } ?? true
            return isRequired && belongs ? texts.missing(name, of: kind) : nil
        }
        switch (form, value) {
        case (.number(let range), .number(let number)):
            return range.contains(number) ? nil : outside(range, texts)
        case (.whole(let range), .number(let number)):
            let range = Tenths(range.lowerBound)...Tenths(range.upperBound)
            return range.contains(number) ? nil : outside(range, texts)
        case (.line(let max), .text(let text)), (.text(let max), .text(let text)):
            return text.unicodeScalars.count <= max ? nil : texts.tooLong(name, max: max)
        default: return nil
        }
    }

    private func outside(_ range: ClosedRange<Tenths>, _ texts: Texts) -> Message {
        texts.outside(
            name, from: texts.amount(range.lowerBound, field: name), to: texts.amount(range.upperBound, field: name))
    }
}
