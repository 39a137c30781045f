/// A piece of an answer that has been written already.
public struct WrittenJSON: JSONWritable, Sendable {
    public let bytes: [UInt8]

    public init(bytes: [UInt8]) { self.bytes = bytes }

    public init(_ write: (inout JSONWriter) -> Void) {
        var json = JSONWriter()
        write(&json)
        bytes = json.bytes
    }

    public static let null = WrittenJSON(bytes: Array("null".utf8))

    public func write(to json: inout JSONWriter) { json.raw(bytes) }
}
