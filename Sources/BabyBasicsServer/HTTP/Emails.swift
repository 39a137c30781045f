import BabyBasicsAPI
import Normalization

extension Rule where Value == String {
    /// A mailbox as HTML's `type=email` takes it, with a dot in the domain, and with the domain in any script. In the form in which it is stored.
    static let email = text("must be an email address") { EmailAddress($0)?.text }

    /// The email of an account that may be there: any string.
    static let knownEmail = text("must be a string") { EmailAddress.lookup($0) }
}

/// An email in the one form in which accounts and invites hold it: trimmed, in lower case, the domain as A-labels.
struct EmailAddress {
    let text: String

    /// Nil for what is no mailbox.
    init?(_ written: String) {
        let written = written.trimmed.utf8
        // In another script a domain may be longer than it is in ASCII.
        guard written.count <= 1024, let at = written.lastIndex(of: UInt8(ascii: "@")),
            let local = String(written[..<at]), let domain = String(written[at...].dropFirst()),
            // Some letters become ASCII in lower case, such as the sign of the kelvin: a mailbox that nobody wrote.
            local.utf8.allSatisfy({ $0 < 0x80 }), local.utf8.count <= 64,
            let name = domain.utf8.allSatisfy({ $0 < 0x80 })
                ? domain.lowercased() : domain.domainInASCII
        else { return nil }
        text = "\(local.lowercased())@\(name)"
        let label = /[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?/
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= 254, labels.count >= 2,
            labels.allSatisfy({ $0.wholeMatch(of: label) != nil }),
            local.lowercased().wholeMatch(of: /[a-z0-9.!#$%&'*+\/=?^_`{|}~-]+/) != nil
        else { return nil }
    }

    /// What an account is looked up by. What is no mailbox is nobody's here, unless it came from elsewhere: then in lower case.
    static func lookup(_ written: String) -> String {
        EmailAddress(written)?.text ?? written.trimmed.lowercased()
    }
}
