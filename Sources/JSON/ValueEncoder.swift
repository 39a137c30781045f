extension JSONWriter {
    /// Writes a value as the compiler's coding describes it, with names in `snake_case`, and null where there is nothing. What is
    /// `JSONWritable` is written by hand, wherever in the value it stands.
    public mutating func value(_ value: some Encodable) {
        if let value = value as? any JSONWritable { return value.write(to: &self) }
        let encoder = ValueEncoder()
        swap(&encoder.json, &self)
        encoder.encode(value)
        swap(&encoder.json, &self)
    }
}

/// Serves what the compiler writes: a value encodes itself as one object, one array or another single value.
private final class ValueEncoder: Encoder, SingleValueEncodingContainer {
    var json = JSONWriter(capacity: 0)
    /// Of the object or array that the value at hand has begun.
    private var end: Unicode.Scalar?

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func encode(_ value: some Encodable) {
        if let value = value as? any JSONWritable { return value.write(to: &json) }
        let outer = end
        end = nil
        do { try value.encode(to: self) } catch { preconditionFailure("\(type(of: value)): \(error)") }
        if let end { json.end(end) }
        end = outer
    }

    func encodeNil() { json.raw("null") }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        begin("{", "}")
        return KeyedEncodingContainer(Members(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        begin("[", "]")
        return Elements(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    private func begin(_ bracket: Unicode.Scalar, _ end: Unicode.Scalar) {
        precondition(self.end == nil, "a value is one object or one array")
        self.end = end
        json.begin(bracket)
    }
}

private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: ValueEncoder
    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) {
        encoder.json.key(ofProperty: key.stringValue)
        encoder.encodeNil()
    }

    func encode(_ value: some Encodable, forKey key: Key) {
        encoder.json.key(ofProperty: key.stringValue)
        encoder.encode(value)
    }

    func encodeIfPresent(_ value: (some Encodable)?, forKey key: Key) {
        if let value { encode(value, forKey: key) } else { encodeNil(forKey: key) }
    }

    // The protocol has its own for these, which leave nil out.
    func encodeIfPresent(_ value: String?, forKey key: Key) { encode(value, forKey: key) }
    func encodeIfPresent(_ value: Bool?, forKey key: Key) { encode(value, forKey: key) }
    func encodeIfPresent(_ value: Int?, forKey key: Key) { encode(value, forKey: key) }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) { encode(value, forKey: key) }

    func nestedContainer<Inner>(keyedBy type: Inner.Type, forKey key: Key) -> KeyedEncodingContainer<Inner> { unused() }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { unused() }
    func superEncoder() -> any Encoder { unused() }
    func superEncoder(forKey key: Key) -> any Encoder { unused() }
}

private struct Elements: UnkeyedEncodingContainer {
    let encoder: ValueEncoder
    var codingPath: [any CodingKey] { [] }
    var count: Int { 0 }

    func encodeNil() {
        encoder.json.separate()
        encoder.encodeNil()
    }

    func encode(_ value: some Encodable) {
        encoder.json.separate()
        encoder.encode(value)
    }

    func nestedContainer<Inner>(keyedBy type: Inner.Type) -> KeyedEncodingContainer<Inner> { unused() }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { unused() }
    func superEncoder() -> any Encoder { unused() }
}

private func unused() -> Never { preconditionFailure("no type of the API encodes itself by hand") }
