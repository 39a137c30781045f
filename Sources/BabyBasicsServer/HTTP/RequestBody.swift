import BabyBasicsAPI
import FastCGI
import JSON

/// The members of a JSON object, read one rule at a time. Every one that is not as described is noted, so that an answer names them all.
final class Fields {
    private let object: JSONValue
    private let prefix: String
    private let problems: Problems

    /// What is wrong so far, anywhere in the body.
    private final class Problems {
        var details: [ErrorBody.Detail] = []
    }

    /// - Throws: `APIError` 400 for anything but one JSON object in UTF-8.
    convenience init(body: [UInt8]) throws {
        // A byte order mark says what is known already; some systems write it in front of every text.
        let mark: [UInt8] = [0xef, 0xbb, 0xbf]
        let body = body.starts(with: mark) ? Array(body.dropFirst(mark.count)) : body
        guard (try? UTF8Span(validating: body.span)) != nil else {
            throw APIError(.validationError, "The body is not UTF-8")
        }
        guard let object = JSONValue(body), object.isObject else {
            throw APIError(.validationError, "The body is not a JSON object")
        }
        self.init(object, prefix: "", problems: Problems())
    }

    private init(_ object: JSONValue, prefix: String, problems: Problems) {
        self.object = object
        self.prefix = prefix
        self.problems = problems
    }

    /// Whether the object has the member, be it null.
    func contains(_ name: String) -> Bool {
        object.member(name) != nil
    }

    /// The members of an object within this one. Nil notes a problem, as do its own fields, here.
    func object(_ name: String) -> Fields? {
        guard let inner = value(name) else { return problem(name, "is required", .required) }
        guard inner.isObject else { return problem(name, "must be an object", .type) }
        return Fields(inner, prefix: "\(prefix)\(name).", problems: problems)
    }

    /// An array of objects. Nil notes a problem; so does each element that is no object, and is nil.
    func objects(_ name: String, count: ClosedRange<Int>) -> [Fields?]? {
        guard let array = value(name) else { return problem(name, "is required", .required) }
        guard let elements = array.elements else { return problem(name, "must be an array", .type) }
        guard count.contains(elements.count) else {
            return problem(
                name, "must have \(count.lowerBound) to \(count.upperBound) elements",
                elements.count < count.lowerBound ? .tooShort : .tooLong)
        }
        return elements.enumerated().map { index, element in
            guard element.isObject else {
                return problem("\(name)[\(index)]", "must be an object", .type)
            }
            return Fields(element, prefix: "\(prefix)\(name)[\(index)].", problems: problems)
        }
    }

    /// A member that must be there. Nil notes a problem.
    func required<Value>(_ name: String, _ rule: Rule<Value>) -> Value? {
        guard let value = value(name) else { return problem(name, "is required", .required) }
        return parse(name, value, rule)
    }

    /// A member that may be absent or null. The outer nil notes a problem.
    func optional<Value>(_ name: String, _ rule: Rule<Value>) -> Value?? {
        guard let value = value(name) else { return .some(nil) }
        return parse(name, value, rule).map(Optional.some)
    }

    /// A member that keeps its value when absent, and cannot be taken away. The outer nil notes a problem.
    func kept<Value>(_ name: String, _ rule: Rule<Value>) -> Value?? {
        guard contains(name) else { return .some(nil) }
        return required(name, rule).map(Optional.some)
    }

    /// Notes a problem with a member that only its meaning shows.
    @discardableResult
    func problem<Value>(_ name: String, _ message: String, _ reason: ErrorBody.Detail.Reason) -> Value? {
        problem(.init(field: prefix + name, message: message, reason: reason))
    }

    /// Notes a problem with something beside the body.
    func problem<Value>(_ detail: ErrorBody.Detail) -> Value? {
        problems.details.append(detail)
        return nil
    }

    /// All values, if there was no problem with any.
    /// - Throws: `APIError` 400 that names each problem.
    func all<each Value>(_ value: repeat (each Value)?) throws -> (repeat each Value) {
        try refuseProblems()
        func unwrap<Wrapped>(_ value: Wrapped?) throws -> Wrapped {
            guard let value else { throw APIError.unexplained }
            return value
        }
        return (repeat try unwrap(each value))
    }

    /// - Throws: `APIError` 400 if there was a problem anywhere in the body.
    func refuseProblems() throws {
        guard problems.details.isEmpty else { throw APIError.invalid(problems.details) }
    }

    /// A member that is there, and not null.
    private func value(_ name: String) -> JSONValue? {
        guard let value = object.member(name), !value.isNull else { return nil }
        return value
    }

    private func parse<Value>(_ name: String, _ value: JSONValue, _ rule: Rule<Value>) -> Value? {
        do throws(Rule<Value>.Problem) {
            return try rule.parse(value)
        } catch {
            return problem(name, error.message, error.reason)
        }
    }
}

/// What one member must be, and how it becomes a value.
struct Rule<Value>: Sendable {
    struct Problem: Error {
        let message: String
        let reason: ErrorBody.Detail.Reason

        init(_ message: String, _ reason: ErrorBody.Detail.Reason) {
            (self.message, self.reason) = (message, reason)
        }

        static var noString: Problem { Problem("must be a string", .type) }
    }

    let parse: @Sendable (JSONValue) throws(Problem) -> Value

    /// A string that `make` turns into a value, or nil for one that is not as `message` says.
    static func text(
        _ message: @autoclosure @escaping @Sendable () -> String,
        _ reason: ErrorBody.Detail.Reason = .format,
        _ make: @escaping @Sendable (String) -> Value?
    ) -> Rule {
        Rule { (value) throws(Problem) in
            guard let text = value.string else { throw Problem.noString }
            guard let value = make(text) else { throw Problem(message(), reason) }
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

/// - Throws: `APIError` 415 for a body of another media type or one that is compressed, also where no body is looked at.
func requireJSON(_ context: RequestContext) throws {
    guard !context.request.body.isEmpty else { return }
    let type = (context.request.bytes(of: "CONTENT_TYPE") ?? []).prefix { $0 != UInt8(ascii: ";") }
    let isPatch = context.endpoint.method == .patch
    guard isWord(type, "application/json") || isPatch && isWord(type, "application/merge-patch+json") else {
        throw APIError(.unsupportedMediaType, "The body must be application/json")
    }
    let encoding = context.request.bytes(of: "HTTP_CONTENT_ENCODING") ?? []
    guard encoding.isEmpty || isWord(encoding, "identity") else {
        throw APIError(.unsupportedMediaType, "The body must not be compressed")
            .with("Accept-Encoding", "identity")
    }
}

/// Whether a header has this value, in whatever case and with whatever space around.
/// - Parameter word: in lower case.
private func isWord(_ value: ArraySlice<UInt8>, _ word: String) -> Bool {
    let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    var value = value.drop(while: isSpace)
    while let last = value.last, isSpace(last) { value.removeLast() }
    return value.elementsEqual(word.utf8) {
        $0 == $1 || ($0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z") && $0 | 0x20 == $1)
    }
}
