import HeapModule

/// An action that is due at a moment. For the loop's thread alone.
public final class Timer {
    let moment: UInt64
    private(set) var action: (() -> Void)?

    init(moment: UInt64, action: @escaping () -> Void) {
        self.moment = moment
        self.action = action
    }

    /// Whether its moment has passed, or it was cancelled.
    public var isDue: Bool { action == nil }

    /// The action is not called any more.
    public func cancel() { action = nil }

    func fire() {
        let due = action
        action = nil
        due?()
    }
}

/// The timers of a loop, the next one first. Cancelled ones stay until their moment.
struct TimerQueue {
    private struct Entry: Comparable {
        let timer: Timer

        static func < (left: Entry, right: Entry) -> Bool { left.timer.moment < right.timer.moment }
        static func == (left: Entry, right: Entry) -> Bool { left.timer.moment == right.timer.moment }
    }

    private var entries = Heap<Entry>()

    mutating func insert(_ timer: Timer) { entries.insert(Entry(timer: timer)) }

    /// Takes out the next one that is due.
    mutating func next(at now: UInt64) -> Timer? {
        guard let first = entries.min, first.timer.moment <= now else { return nil }
        return entries.removeMin().timer
    }

    /// How long there is nothing to do, rounded up; -1 for ever.
    func milliseconds(from now: UInt64) -> CInt {
        guard let first = entries.min else { return -1 }
        guard first.timer.moment > now else { return 0 }
        return CInt(clamping: (first.timer.moment - now + 999_999) / 1_000_000)
    }
}
