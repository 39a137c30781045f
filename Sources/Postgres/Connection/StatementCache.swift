/// The statements that a connection has prepared, by their text and the types of their parameters.
struct StatementCache {
    private struct Entry {
        let name: String
        let types: [UInt32]
        var lastUse: UInt64
    }

    private var entries: [StatementText: Entry] = [:]
    private var uses: UInt64 = 0
    private var made: UInt64 = 0
    /// Counts how often all were removed.
    private(set) var generation = 0
    let capacity: Int

    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    var count: Int { entries.count }

    /// The name under which the server knows the statement.
    mutating func name(of statement: SQL) -> String? {
        guard let index = entries.index(forKey: StatementText(statement.text)) else { return nil }
        if statement.hasTypes(entries.values[index].types) { return use(index) }
        guard
            let index = entries.index(
                forKey: StatementText(Self.longKey(statement)))
        else { return nil }
        return use(index)
    }

    private mutating func use(_ index: Dictionary<StatementText, Entry>.Index) -> String {
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
        let isFirst = entries[StatementText(statement.text)] == nil
        let key = isFirst ? statement.text : Self.longKey(statement)
        entries[StatementText(key)] = Entry(name: name, types: types, lastUse: uses)
        return (name, key, types)
    }

    mutating func remove(_ key: String) {
        entries[StatementText(key)] = nil
    }

    /// Gives the name that the server knew it by.
    mutating func remove(_ statement: SQL) -> String? {
        let text = StatementText(statement.text)
        if let entry = entries[text], statement.hasTypes(entry.types) { return entries.removeValue(forKey: text)?.name }
        return entries.removeValue(forKey: StatementText(Self.longKey(statement)))?.name
    }

    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        generation += 1
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

/// A statement's text as a key. Texts are long, few and the program's own, and most are the same
/// string each time, which makes them equal at a glance: their lengths tell them apart well enough.
private struct StatementText: Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    func hash(into hasher: inout Hasher) { hasher.combine(text.utf8.count) }
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
