import BabyBasicsAPI

extension Today {
    /// How a breast feed stands that goes on.
    public struct Sides: Hashable, Sendable {
        /// The side that has it now, or had it last.
        public let current: BreastSide
        /// Whether the clock stands still.
        public let isPaused: Bool
        /// `left 7 min, right 3 min`; nil until somebody has switched or paused.
        public let text: String?
        /// `Switch to right`.
        public let switchTitle: String
    }

    func sides(of entry: StoredEntry) -> Sides? {
        guard entry.kind == "feeding" else { return nil }
        let standing = clock(of: entry).standing(at: home.now)
        guard let last = standing.last else { return nil }
        return Sides(
            current: last, isPaused: standing.isPaused, text: isTouched(entry) ? home.texts.sides(standing.taken) : nil,
            switchTitle: home.texts.switchTo(last.other))
    }

    /// The other side from now on. The minutes so far are in the feed at once: who stops it elsewhere has them.
    public func switchSide(_ running: Running) async {
        guard let sides = running.sides else { return }
        let next = sides.current.other
        await act { [self] in
            let now = max(home.now, running.entry.at)
            var fields = clock(of: running.entry).fields(at: now)
            note(next, of: running.entry, at: now)
            fields["side"] = .text("both")
            fields["last_side"] = .text(next.rawValue)
            try await home.store.edit(running.entry.id, fields)
        }
    }

    /// The clock stands still, or goes on where it stood. A pause is in no field: only minutes are.
    public func pause(_ running: Running) {
        guard let sides = running.sides else { return }
        note(sides.isPaused ? sides.current : nil, of: running.entry, at: max(home.now, running.entry.at))
        tick()
    }

    /// What ends a breast feed; one that stood still ended when it was paused. Empty for everything else.
    func endOfFeed(_ entry: StoredEntry) -> FieldChanges {
        guard entry.kind == "feeding" else { return [:] }
        let clock = clock(of: entry)
        let end = clock.pausedAt ?? max(home.now, entry.at)
        var fields = isTouched(entry) ? clock.fields(at: end) : [:]
        fields["ended_at"] = .text(end.description)
        return fields
    }

    private func clock(of entry: StoredEntry) -> BreastClock { clocks[entry.id] ?? BreastClock(of: entry) }

    private func isTouched(_ entry: StoredEntry) -> Bool {
        clocks[entry.id] != nil || entry.fields["last_side"] != nil
    }

    private func note(_ side: BreastSide?, of entry: StoredEntry, at now: Timestamp) {
        var clock = clock(of: entry)
        clock.changes.append(.init(at: now, side: side))
        clocks.keep(clock, of: entry.id, at: now)
    }

    private var clocks: BreastClocks { BreastClocks(preferences: home.configuration.preferences) }
}
