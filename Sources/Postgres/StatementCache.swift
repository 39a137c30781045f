/// The statements that a connection has prepared, by their text.
struct StatementCache {
    private struct Entry {
        let name: String
        var lastUse: UInt64
    }

    private var entries: [String: Entry] = [:]
    private var uses: UInt64 = 0
    private var made: UInt64 = 0
    let capacity: Int

    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    var count: Int { entries.count }

    /// The name under which the server knows the statement.
    mutating func name(of text: String) -> String? {
        guard let index = entries.index(forKey: text) else { return nil }
        uses += 1
        entries.values[index].lastUse = uses
        return entries.values[index].name
    }

    /// A new name for a statement; names are never used twice on a connection.
    mutating func add(_ text: String) -> String {
        uses += 1
        made += 1
        let name = "s\(made)"
        entries[text] = Entry(name: name, lastUse: uses)
        return name
    }

    mutating func remove(_ text: String) {
        entries[text] = nil
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
}
