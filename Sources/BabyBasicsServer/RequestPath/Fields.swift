import BabyBasicsAPI
import FastCGI
import FoundationEssentials

/// The members of a JSON object, read one rule at a time. Every one that is not as described is noted, so that an answer names them all.
final class Fields {
    private let container: KeyedDecodingContainer<AnyKey>
    private let prefix: String
    private var problems: [ErrorBody.Detail] = []

    struct AnyKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Keeps the container of a decoding for later.
    private struct Captured: Decodable {
        let container: KeyedDecodingContainer<AnyKey>
        init(from decoder: any Decoder) throws {
            container = try decoder.container(keyedBy: AnyKey.self)
        }
    }

    /// - Throws: `APIError` 400 for anything but one JSON object in UTF-8.
    convenience init(body: [UInt8]) throws {
        guard String(validating: body, as: UTF8.self) != nil else {
            throw APIError(.validationError, "The body is not UTF-8")
        }
        do {
            let captured = try JSONDecoder().decode(Captured.self, from: Data(body))
            self.init(captured.container, prefix: "")
        } catch {
            throw APIError(.validationError, "The body is not a JSON object")
        }
    }

    private init(_ container: KeyedDecodingContainer<AnyKey>, prefix: String) {
        self.container = container
        self.prefix = prefix
    }

    /// A member that must be there. Nil notes a problem.
    func required<Value>(_ name: String, _ rule: Rule<Value>) -> Value? {
        guard has(name) else { return problem(name, "is required") }
        return parse(name, rule)
    }

    /// A member that may be absent or null. The outer nil notes a problem.
    func optional<Value>(_ name: String, _ rule: Rule<Value>) -> Value?? {
        has(name) ? parse(name, rule).map(Optional.some) : .some(nil)
    }

    /// A member that keeps its value when absent, and cannot be taken away. The outer nil notes a problem.
    func kept<Value>(_ name: String, _ rule: Rule<Value>) -> Value?? {
        guard container.contains(AnyKey(stringValue: name)) else { return .some(nil) }
        return required(name, rule).map(Optional.some)
    }

    /// Notes a problem with a member that only its meaning shows.
    @discardableResult
    func problem<Value>(_ name: String, _ message: String) -> Value? {
        problems.append(.init(field: prefix + name, message: message))
        return nil
    }

    /// All values, if there was no problem with any.
    /// - Throws: `APIError` 400 that names each problem.
    func all<each Value>(_ value: repeat (each Value)?) throws -> (repeat each Value) {
        guard problems.isEmpty else {
            throw APIError(
                .validationError, "Some of the fields are not valid", details: problems)
        }
        func unwrap<Wrapped>(_ value: Wrapped?) throws -> Wrapped {
            guard let value else { throw APIError.unexplained }
            return value
        }
        return (repeat try unwrap(each value))
    }

    private func has(_ name: String) -> Bool {
        let key = AnyKey(stringValue: name)
        return container.contains(key) && (try? container.decodeNil(forKey: key)) == false
    }

    private func parse<Value>(_ name: String, _ rule: Rule<Value>) -> Value? {
        do throws(Rule<Value>.Problem) {
            return try rule.parse(container, AnyKey(stringValue: name))
        } catch {
            return problem(name, error.message)
        }
    }
}

/// What one member must be, and how it becomes a value.
struct Rule<Value>: Sendable {
    struct Problem: Error {
        let message: String
    }

    let parse:
        @Sendable (KeyedDecodingContainer<Fields.AnyKey>, Fields.AnyKey) throws(Problem) -> Value

    /// A string that `make` turns into a value, or nil for one that is not as `message` says.
    static func text(_ message: String, _ make: @escaping @Sendable (String) -> Value?) -> Rule {
        Rule { (container, key) throws(Problem) in
            guard let text = try? container.decode(String.self, forKey: key) else {
                throw Problem(message: "must be a string")
            }
            guard let value = make(text) else { throw Problem(message: message) }
            return value
        }
    }
}

extension RequestContext {
    /// - Throws: `APIError` 400.
    func fields() throws -> Fields {
        try Fields(body: request.body)
    }
}

/// - Throws: `APIError` 415 for a body of another media type.
func requireJSON(_ context: RequestContext) throws {
    guard context.endpoint.takesBody, !context.request.body.isEmpty else { return }
    let type = (context.request["CONTENT_TYPE"] ?? "").prefix { $0 != ";" }
    guard type.trimmingCharacters(in: " \t").lowercased() == "application/json" else {
        throw APIError(.unsupportedMediaType, "The body must be application/json")
    }
}

extension StringProtocol {
    /// Without these characters at either end.
    func trimmingCharacters(in characters: String) -> String {
        String(
            trimmingPrefix { characters.contains($0) }.reversed().trimmingPrefix {
                characters.contains($0)
            }.reversed())
    }
}
