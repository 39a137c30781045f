import BabyBasicsAPI
import Foundation

// Bodies of events out of the fuzzer's bytes: most of each is right, so that what is wrong is not always the same.

extension Input {
    /// A moment that the wire can show.
    mutating func time() -> Timestamp {
        Timestamp(microsecondsSince1970: Int64(number() as UInt32) * 1_000_001)
            .truncatedToMilliseconds
    }

    /// Members with the names of a kind's fields, in any order, some of them missing.
    mutating func members(of kind: EventKind) -> [ReferenceJSON.Member] {
        let type = kind.type.map { kind.fields[$0].form }.flatMap { form -> String? in
            guard case .choice(let words) = form else { return nil }
            return choice(words)
        }
        var members: [ReferenceJSON.Member] = []
        for field in kind.fields {
            let decision = byte()
            let belongs = field.types.map { $0.contains(type ?? "") } ?? true
            guard belongs || decision > 240, decision % 3 > 0 || field.isRequired && decision > 8
            else { continue }
            let value: ReferenceJSON =
                field.name == "type" && decision < 250
                ? type.map { .string(Array($0.unicodeScalars)) } ?? .null
                : decision % 16 == 15 ? .null : value(field.form)
            members.append(.init(name: Array(field.name.unicodeScalars), value: value))
        }
        return bool() ? members.reversed() : members
    }

    private mutating func value(_ form: EventField.Form) -> ReferenceJSON {
        let decision = byte()
        // Now and then something else altogether.
        if decision == 255 { return .array([.null, .object([])]) }
        if decision == 254 { return .bool(true) }
        switch form {
        case .choice(let words):
            return string(decision < 250 ? choice(words) : text())
        case .line, .text:
            return string(text())
        case .flag:
            return .bool(bool())
        case .identifier:
            return string(decision < 250 ? "0199c3a5-7d7a-7c3e-9a51-2f6b8a1d4e7\(byte() % 10)" : text())
        case .time:
            // The hours before the moment that everything happens at, and a little after it.
            let ahead = Int64(number() as UInt16) * 2_000_000 - 130_000_000_000
            let micros = JSONTarget.now.microsecondsSince1970 + ahead
            return string(
                decision < 250
                    ? Timestamp(microsecondsSince1970: micros).description : text())
        case .number(let range):
            let tenths = within(range.lowerBound.tenths, range.upperBound.tenths)
            return decimal(decision < 128 ? "\(byte()).\(byte() % 10)" : "\(tenths)e-1")
        case .whole(let range):
            let whole = within(range.lowerBound, range.upperBound)
            return decimal(decision < 128 ? "\(whole)" : "\(whole)e-\(byte() % 2)")
        }
    }

    /// Hardly ever just outside.
    private mutating func within(_ least: Int, _ most: Int) -> Int {
        least - 1 + Int(number() as UInt32) % (most - least + 3)
    }

    private func decimal(_ text: String) -> ReferenceJSON {
        var digits = Array(text.utf8)[...]
        return ReferenceDecimal(taking: &digits).map(ReferenceJSON.number) ?? .null
    }

    private func string(_ text: String) -> ReferenceJSON { .string(Array(text.unicodeScalars)) }
}

extension ReferenceJSON {
    /// Written with nothing of the server's: every character that is not plain as an escape.
    var text: [UInt8] {
        switch self {
        case .null: Array("null".utf8)
        case .bool(let value): Array("\(value)".utf8)
        case .number(let number): number.text
        case .string(let scalars): Self.quoted(scalars)
        case .array(let elements):
            [UInt8(ascii: "[")] + elements.map(\.text).joined(separator: [UInt8(ascii: ",")])
                + [UInt8(ascii: "]")]
        case .object(let members):
            [UInt8(ascii: "{")]
                + members.map { Self.quoted($0.name) + [UInt8(ascii: ":")] + $0.value.text }
                .joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "}")]
        }
    }

    private static func quoted(_ scalars: [Unicode.Scalar]) -> [UInt8] {
        let escaped = scalars.map { scalar in
            let plain: ClosedRange<Unicode.Scalar> = "a"..."z"
            if plain.contains(scalar) || scalar == "_" { return String(scalar) }
            return UTF16.encode(scalar).map { units in
                units.map { String(format: "\\u%04x", Int($0)) }.joined()
            } ?? ""
        }
        return Array("\"\(escaped.joined())\"".utf8)
    }

    /// Of a number.
    var tenths: Int? { if case .number(let number) = self { number.tenths } else { nil } }
}

extension ReferenceDecimal {
    var text: [UInt8] {
        guard !digits.isEmpty, let exponent else { return Array("0".utf8) }
        let digits = digits.map { String($0) }.joined()
        return Array("\(isNegative ? "-" : "")\(digits)e\(exponent)".utf8)
    }
}
