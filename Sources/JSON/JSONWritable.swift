/// What an answer can hold.
public protocol JSONWritable {
    func write(to json: inout JSONWriter)
}

extension String: JSONWritable {
    public func write(to json: inout JSONWriter) { json.string(self) }
}

extension Bool: JSONWritable {
    public func write(to json: inout JSONWriter) { json.raw(self ? "true" : "false") }
}

extension Int: JSONWritable {
    public func write(to json: inout JSONWriter) { json.raw(description) }
}

extension Int64: JSONWritable {
    public func write(to json: inout JSONWriter) { json.raw(description) }
}
