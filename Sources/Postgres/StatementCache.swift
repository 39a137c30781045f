/// The statements that a connection has prepared, by their text and the types of their parameters.
struct StatementCache {
    private struct Entry {
        let name: String
        let types: [UInt32]
        var lastUse: UInt64
    }

    /// Texts are long: the busiest bring the hash value along, and what is found is nearly always the very same storage.
    private struct Text: Hashable {
        let text: String
        let hash: Int

        init(_ text: String, hash: Int? = nil) {
            self.text = text
            self.hash = hash ?? text.hashValue
        }

        init(_ statement: SQL) { self.init(statement.text, hash: statement.textHash) }

        static func == (left: Text, right: Text) -> Bool {
            left.hash == right.hash && left.text == right.text
        }

        func hash(into hasher: inout Hasher) { hasher.combine(hash) }
    }

    private var entries: [Text: Entry] = [:]
    private var uses: UInt64 = 0
    private var made: UInt64 = 0
    let capacity: Int

    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    var count: Int { entries.count }

    /// The name under which the server knows the statement.
    mutating func name(of statement: SQL) -> String? {
        guard let index = entries.index(forKey: Text(statement)) else { return nil }
        if statement.hasTypes(entries.values[index].types) { return use(index) }
        guard let index = entries.index(forKey: Text(Self.longKey(statement))) else { return nil }
        return use(index)
    }

    private mutating func use(_ index: Dictionary<Text, Entry>.Index) -> String {
        uses += 1
        entries.values[index].lastUse = uses
        return entries.values[index].name
    }

    /// A new name for a statement; names are never used twice on a connection.
    ///
    /// - Returns: also the key by which it can be removed.
    mutating func add(_ statement: SQL) -> (name: String, key: String, types: [UInt32]) {
        uses += 1
        made += 1
        let name = "s\(made)"
        let types = statement.parameters.map { $0.type.rawValue }
        // The text alone is the key of the first statement that has it.
        let isFirst = entries[Text(statement)] == nil
        let key = isFirst ? statement.text : Self.longKey(statement)
        entries[Text(key)] = Entry(name: name, types: types, lastUse: uses)
        return (name, key, types)
    }

    mutating func remove(_ key: String) {
        entries[Text(key)] = nil
    }

    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
    }

    /// Takes out the statement that was not used for longest, and gives its name.
    mutating func removeOldest() -> String? {
        guard let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) else {
            return nil
        }
        entries[oldest.key] = nil
        return oldest.value.name
    }

    /// No text holds NUL, so this is no other statement's text.
    static func longKey(_ statement: SQL) -> String {
        statement.parameters.reduce(into: statement.text) { key, parameter in
            key += "\0\(parameter.type.rawValue)"
        }
    }
}

extension SQL {
    fileprivate func hasTypes(_ types: [UInt32]) -> Bool {
        guard parameters.count == types.count else { return false }
        for index in types.indices where parameters[index].type.rawValue != types[index] {
            return false
        }
        return true
    }
}
