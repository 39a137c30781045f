import Cryptography
import Testing

@Suite("Digests and encodings")
struct DigestTests {
    @Test("SHA-256 and SHA-384 of FIPS 180's examples")
    func sha() {
        #expect(
            Encoding.hex(Digest.sha256("abc".utf8))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(
            Encoding.hex(Digest.sha256([]))
                == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(
            Encoding.hex(Digest.sha384("abc".utf8))
                == "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"
        )
    }

    @Test("HMAC-SHA-256 of RFC 4231's cases 1 and 2")
    func hmac() {
        #expect(
            Encoding.hex(
                Digest.hmacSHA256(
                    key: Array(repeating: 0x0b, count: 20), message: Array("Hi There".utf8)))
                == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
        #expect(
            Encoding.hex(
                Digest.hmacSHA256(
                    key: Array("Jefe".utf8), message: Array("what do ya want for nothing?".utf8)))
                == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    }

    @Test("Base64 of RFC 4648's vectors, without padding")
    func base64() {
        for (text, encoded) in [
            ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"),
            ("fooba", "Zm9vYmE"),
            ("foobar", "Zm9vYmFy"),
        ] {
            #expect(Encoding.base64URL(Array(text.utf8)) == encoded)
        }
        #expect(Encoding.base64URL([0xfb, 0xff, 0xfe]) == "-__-")
        #expect(Encoding.base64([0xfb, 0xff, 0xfe]) == "+//+")
        #expect(Encoding.base64URL(Array(repeating: 255, count: 16)).utf8.count == 22)
    }

    @Test("Hexadecimal there and back")
    func hexadecimal() {
        let bytes = (0...255).map { UInt8($0) }
        #expect(Encoding.bytes(hex: Encoding.hex(bytes)) == bytes)
        #expect(Encoding.bytes(hex: "AbCd") == [0xab, 0xcd])
        for bad in ["a", "0g", "0x12", " 12", "é0"] { #expect(Encoding.bytes(hex: bad) == nil) }
    }

    @Test("Comparison needs every byte and the length")
    func comparison() {
        #expect(Digest.constantTimeEqual([1, 2, 3], [1, 2, 3]))
        #expect(Digest.constantTimeEqual([], []))
        #expect(!Digest.constantTimeEqual([1, 2, 3], [1, 2, 4]))
        #expect(!Digest.constantTimeEqual([1, 2, 3], [1, 2]))
    }

    @Test("Random bytes differ")
    func random() throws {
        let drawn = try (0..<1000).map { _ in try SecureRandom.bytes(16) }
        #expect(Set(drawn).count == 1000)
        #expect(try SecureRandom.bytes(0).isEmpty)
    }
}
