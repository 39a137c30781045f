import CIDN2
import Glibc

extension String {
    /// A domain in any script as the domain name system has it: lower-case IDNA2008 A-labels, mapped by UTS 46 without its transitional
    /// exceptions. Nil for what can be no domain's name.
    public var domainInASCII: String? {
        // The library reads C strings.
        guard !utf8.contains(0) else { return nil }
        var name: UnsafeMutablePointer<UInt8>?
        let flags = IDN2_NFC_INPUT.rawValue | IDN2_NONTRANSITIONAL.rawValue
        let status = unsafe withCString { text in
            unsafe text.withMemoryRebound(to: UInt8.self, capacity: utf8.count + 1) {
                unsafe idn2_lookup_u8($0, &name, Int32(flags))
            }
        }
        guard status == IDN2_OK.rawValue, let name = unsafe name else { return nil }
        defer { unsafe idn2_free(name) }
        return unsafe String(cString: name)
    }
}
