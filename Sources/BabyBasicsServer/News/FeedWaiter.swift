import BabyBasicsAPI
import EventLoop

/// A request that waits for changes of a family.
///
/// Unchecked because the loop's thread alone uses it.
final class FeedWaiter: @unchecked Sendable {
    enum Outcome {
        /// There may be something.
        case news
        /// The time is over, somebody needs the slot, or the client has hung up: it answers with what there is.
        case over
    }

    let family: FamilyID
    /// What its client has already.
    let revision: Int64
    /// Known once it waits.
    var user: UserID?
    /// How many items about users had come when it began to listen.
    fileprivate var usersTold = 0
    private var outcome: Outcome?
    private var task: SuspendedTask?
    private var deadline: Timer?
    /// `Monotonic.now` when it was told of news.
    private(set) var toldAt: UInt64?
    private(set) var nanosecondsWaited: UInt64 = 0

    init(family: FamilyID, revision: Int64) {
        self.family = family
        self.revision = revision
    }

    var isOver: Bool { outcome == .over }

    func tell(_ new: Outcome) {
        // The end is final.
        if outcome != .over { outcome = new }
        if new == .news { toldAt = Monotonic.now }
        task.take()?.resume()
    }

    /// Begins its time, unless it has begun.
    func setDeadline(_ moment: UInt64, on loop: EventLoop) {
        guard deadline == nil else { return }
        deadline = loop.at(moment) { [unowned self] in tell(.over) }
    }

    /// Suspends until there is something to look for, or the wait is over. What it is told of from then on is newer.
    func wait() async {
        let start = Monotonic.now
        await withTaskCancellationHandler {
            if outcome == nil { await suspend { task = $0 } }
        } onCancel: {
            tell(.over)
        }
        nanosecondsWaited &+= Monotonic.now &- start
        if outcome == .news { outcome = nil }
    }

    func end() { deadline?.cancel() }
}

/// Who waits, by what they wait for and by whom they are.
struct FeedWaiters {
    /// Of one user’s requests at this worker; one more makes the oldest answer.
    static let limit = 8

    private var families: [FamilyID: [FeedWaiter]] = [:]
    private(set) var users: [UserID: [FeedWaiter]] = [:]
    private var usersTold = 0

    var waitingFamilies: [FamilyID] { Array(families.keys) }
    var all: [FeedWaiter] { families.values.flatMap { $0 } }

    mutating func add(_ waiter: FeedWaiter) {
        waiter.usersTold = usersTold
        families[waiter.family, default: []].append(waiter)
    }

    /// Notes whose request it is, which then begins to wait.
    mutating func begin(_ waiter: FeedWaiter, of user: UserID) {
        guard waiter.user == nil else { return }
        // One of them may have been about this user, whom nobody knew yet.
        if waiter.usersTold != usersTold { waiter.tell(.news) }
        waiter.user = user
        users[user, default: []].append(waiter)
        let waiting = users[user, default: []].filter { !$0.isOver }
        if waiting.count > Self.limit { waiting[0].tell(.over) }
    }

    mutating func remove(_ waiter: FeedWaiter) {
        Self.remove(waiter, from: &families, at: waiter.family)
        if let user = waiter.user { Self.remove(waiter, from: &users, at: user) }
    }

    private static func remove<Key: Hashable>(
        _ waiter: FeedWaiter, from waiters: inout [Key: [FeedWaiter]], at key: Key
    ) {
        waiters[key]?.removeAll { $0 === waiter }
        if waiters[key]?.isEmpty == true { waiters[key] = nil }
    }

    /// Tells whoever an item may concern; a family's waiters that have its revision already sleep on.
    mutating func tell(_ item: NewsItem) {
        switch item {
        case .family(let id, let revision):
            for waiter in families[id] ?? [] where waiter.revision < revision { waiter.tell(.news) }
        case .user(let id):
            usersTold &+= 1
            for waiter in users[id] ?? [] { waiter.tell(.news) }
        case .mail: break
        }
    }
}
