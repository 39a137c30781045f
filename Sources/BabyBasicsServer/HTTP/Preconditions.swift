import BabyBasicsAPI
import FastCGI

/// The `If-Match` header (RFC 9110 section 13.1.1) in the forms that the API knows: `*`, or one strong entity tag that is a revision.
enum IfMatch: Equatable {
    case absent
    case anything
    case revision(Int64)

    /// - Throws: `APIError` 400 for a list, a weak tag or anything else.
    init(_ header: String?) throws {
        guard let header, !header.isEmpty else {
            self = .absent
            return
        }
        if header == "*" {
            self = .anything
            return
        }
        let quote = UInt8(ascii: "\"")
        let tag = header.utf8.dropFirst().dropLast()
        // RFC 9110 section 8.8.3: neither spaces nor control characters; beyond ASCII anything.
        guard header.utf8.count >= 2, header.utf8.first == quote, header.utf8.last == quote,
            tag.allSatisfy({ $0 > 0x20 && $0 != quote && $0 != 0x7f })
        else {
            throw APIError.invalid("If-Match", "must be * or one entity tag in double quotes")
        }
        // Compared character by character: a tag that this server never made, 042 or +42, matches nothing.
        let revision = Int64(Substring(tag)).flatMap { "\"\($0)\"" == header ? $0 : nil }
        self = .revision(revision ?? -1)
    }
}

extension RequestContext {
    /// Reads `If-Match`, so that a malformed one is reported together with the body's faults and before any conflict.
    func ifMatch() throws -> IfMatch {
        try IfMatch(request["HTTP_IF_MATCH"])
    }
}

extension IfMatch {
    /// - Throws: `APIError` 412 where the thing has changed since the caller read it.
    func require(_ revision: Int64) throws {
        if case .revision(let expected) = self, expected != revision {
            throw APIError(.preconditionFailed, "It was changed meanwhile; read it again")
        }
    }
}
