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
        guard let tag = header.wholeMatch(of: /"([^"]*)"/)?.1 else {
            throw APIError.invalid("If-Match", "must be * or one entity tag in double quotes")
        }
        // A tag that this server never made matches nothing, "042" included: tags are compared character by character.
        let revision = Int64(tag).flatMap { String($0) == tag ? $0 : nil }
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
