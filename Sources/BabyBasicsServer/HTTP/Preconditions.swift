import BabyBasicsAPI
import FastCGI

/// The `If-Match` header (RFC 9110 section 13.1.1): absent, `*`, or a list of entity tags. A strong tag names a revision; a weak one never
/// matches.
enum IfMatch: Equatable {
    case absent
    case anything
    case revisions(Set<Int64>)

    fileprivate static let problem = ErrorBody.Detail(
        field: "If-Match", message: "must be * or entity tags in double quotes", reason: .format)

    /// - Throws: `APIError` 400 for what is neither.
    init(_ header: String?) throws {
        guard let header, !header.isEmpty else {
            self = .absent
            return
        }
        if header == "*" {
            self = .anything
            return
        }
        guard let tags = entityTags(header.utf8) else { throw APIError.invalid([Self.problem]) }
        // Compared character by character: a tag that this server never made, 042 or +42, fits nothing.
        self = .revisions(
            Set(tags.compactMap { tag in Int64(tag).flatMap { "\($0)" == tag ? $0 : nil } }))
    }
}

/// What stands between the quotes of a list's strong tags; nil for what is no list of at least one tag.
private func entityTags(_ header: String.UTF8View) -> [Substring]? {
    var strong: [Substring] = []
    var count = 0
    var rest = header[...]
    func skip(_ bytes: String) { rest = rest.drop { bytes.utf8.contains($0) } }
    // Empty elements of a list mean nothing (RFC 9110 section 5.6.1).
    skip(" \t,")
    while !rest.isEmpty {
        let isWeak = rest.starts(with: "W/".utf8)
        if isWeak { rest = rest.dropFirst(2) }
        guard rest.popFirst() == UInt8(ascii: "\"") else { return nil }
        // RFC 9110 section 8.8.3: neither spaces nor control characters; beyond ASCII anything.
        let tag = rest.prefix { $0 > 0x20 && $0 != UInt8(ascii: "\"") && $0 != 0x7f }
        rest = rest[tag.endIndex...]
        guard rest.popFirst() == UInt8(ascii: "\"") else { return nil }
        if !isWeak { strong.append(Substring(tag)) }
        count += 1
        skip(" \t")
        guard rest.isEmpty || rest.first == UInt8(ascii: ",") else { return nil }
        skip(" \t,")
    }
    return count > 0 ? strong : nil
}

extension RequestContext {
    /// Reads `If-Match` of a request without a body: a malformed one is refused before any conflict.
    func ifMatch() throws -> IfMatch {
        try IfMatch(request["HTTP_IF_MATCH"])
    }

    /// The same beside a body, whose faults are named with it. Nil notes a problem.
    func ifMatch(beside fields: Fields) -> IfMatch? {
        do { return try ifMatch() } catch { return fields.problem(IfMatch.problem) }
    }
}

extension IfMatch {
    /// - Throws: `APIError` 412 where the thing has changed since the caller read it.
    func require(_ revision: Int64) throws {
        if case .revisions(let expected) = self, !expected.contains(revision) {
            throw APIError(.preconditionFailed, "It was changed meanwhile; read it again")
        }
    }
}
