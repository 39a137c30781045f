import Synchronization

/// Remembers which answers have been made lately, as far as a small memory goes: of two that meet in one place the later one.
///
/// To keep an answer costs more than to make it. In a family that writes more than it reads nobody would ever be given what was kept, so
/// only what was made before, and not changed since, is worth it.
final class MadeBefore: Sendable {
    private let places = Mutex([Int](repeating: 0, count: 4096))

    /// Whether the same key was among the last that were noted. It is noted now.
    func note(_ key: some Hashable) -> Bool {
        let hash = key.hashValue
        return places.withLock { places in
            let place = Int(UInt(bitPattern: hash) % UInt(places.count))
            defer { places[place] = hash }
            return places[place] == hash
        }
    }
}
