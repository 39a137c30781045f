/// A piece of an answer that has been written already.
struct WrittenJSON: JSONWritable {
    let bytes: [UInt8]

    init(bytes: [UInt8]) { self.bytes = bytes }

    init(_ write: (inout JSONWriter) -> Void) {
        var json = JSONWriter()
        write(&json)
        bytes = json.bytes
    }

    func write(to json: inout JSONWriter) { json.raw(bytes) }
}
