import Foundation
import JSON
import Testing

@Suite("JSON, written")
struct WriterTests {
    private func written(_ write: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter(capacity: 0)
        write(&json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    @Test("Objects, arrays and what lies within them, with commas between")
    func nesting() {
        let text = written { json in
            json.object {
                $0.member("a", 1)
                $0.member("b", [true, false])
                $0.member("c", [] as [String])
                $0.member("d", Optional<Int>.none)
                $0.member("e", Optional(-2))
                $0.member("f", object: { $0.member("g", "x") })
                $0.member("h", object: { _ in })
                $0.member("i", WrittenJSON { $0.array([1, 2]) })
                $0.member("j", 3)
            }
        }
        #expect(
            text
                == #"{"a":1,"b":[true,false],"c":[],"d":null,"e":-2,"f":{"g":"x"},"h":{},"i":[1,2],"j":3}"#
        )
    }

    @Test("Foundation reads every string as it was", arguments: 0..<0x500 as Range<UInt32>)
    func strings(_ start: UInt32) throws {
        let scalars = (0..<7).compactMap { Unicode.Scalar(start + $0 * 0x4a1) }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        let json = written { $0.array([String(text)]) }
        let read = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String]
        #expect(read?.first.map { Array($0.utf8) } == Array(String(text).utf8))
    }

    @Test("Numbers of every length, up to the ends of their range")
    func numbers() {
        let powers = (0...18).map { (0..<$0).reduce(Int64(1)) { power, _ in power * 10 } }
        let positive = powers.flatMap { [$0 - 1, $0, $0 + 1] } + [.max]
        for number in positive + positive.map(-) + [.min] {
            #expect(written { number.write(to: &$0) } == String(number))
        }
    }

    @Test("A string of known bytes has its quotes and no more than was written")
    func fixed() {
        #expect(
            written { $0.string(atMost: 5) { $0.append(UInt8(ascii: "x")) } } == #""x""#)
    }

    @Test("A value by its coding: snake case, null where there is nothing, and by hand what is written by hand")
    func coded() {
        struct Room: Encodable {
            enum Size: String, Encodable { case small }

            struct ByHand: Encodable, JSONWritable {
                func write(to json: inout JSONWriter) { json.raw("7") }
            }

            var familyName = "\"Ana\""
            var joinUrl: String?
            var isOwner = true
            var wasOwner: Bool?
            var childrenCount = -1
            var size = Size.small
            var sizes: [Size?] = [.small, nil]
            var byHand = ByHand()
            var rooms: [Room]
            var inner: [Room]?
        }
        let name = #""family_name":"\"Ana\"","join_url":null,"is_owner":true,"was_owner":null"#
        let empty = #"\#(name),"children_count":-1,"size":"small","sizes":["small",null],"by_hand":7,"rooms":"#
        #expect(written { $0.value(Room(rooms: [])) } == "{\(empty)[],\"inner\":null}")
        #expect(
            written { $0.value(Room(rooms: [Room(rooms: []), Room(rooms: [])])) }
                == "{\(empty)[{\(empty)[],\"inner\":null},{\(empty)[],\"inner\":null}],\"inner\":null}")
        let member = written { json in
            json.object {
                $0.member("a", value: Room.Size.small)
                $0.member("b", value: [1, 2])
                $0.member("c", value: [[1], []])
                $0.member("d", value: Room.Size?.none)
                $0.member("e", 1)
            }
        }
        #expect(member == #"{"a":"small","b":[1,2],"c":[[1],[]],"d":null,"e":1}"#)
    }
}
