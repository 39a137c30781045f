import CUnistring
import Glibc

extension String {
    /// Unicode's canonical composition (NFC): the form in which texts that look the same are the same bytes.
    public var canonicallyComposed: String {
        if utf8.allSatisfy({ $0 < 0x80 }) { return self }
        var count = 0
        let composed = unsafe utf8.span.withUnsafeBufferPointer { text in
            unsafe canonically_composed(text.baseAddress, text.count, &count)
        }
        // Only memory can be missing.
        guard let composed = unsafe composed else { return self }
        defer { unsafe free(composed) }
        return unsafe String(
            decoding: UnsafeBufferPointer(start: composed, count: count), as: UTF8.self)
    }
}
