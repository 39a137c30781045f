import BabyBasicsAPI
import Postgres
import Synchronization

/// Which family a child belongs to, which never changes: so every statement on a family's rows can name the family.
///
/// Two generations, so that what is in use stays: the older one goes when the newer is full, or a day old. An identifier that was purged,
/// which takes 30 days, may come to life in another family.
final class ChildFamilies: Sendable {
    private static let limit = 65_536
    private static let age = Duration.seconds(86_400)

    private struct Known {
        private var newer: [ChildID: FamilyID] = [:]
        private var older: [ChildID: FamilyID] = [:]
        private var began = ContinuousClock.now

        mutating func family(of child: ChildID) -> FamilyID? {
            if began.duration(to: .now) > age { beginAnew() }
            return newer[child] ?? older[child]
        }

        mutating func learn(_ family: FamilyID, of child: ChildID) {
            if newer.count >= limit { beginAnew() }
            newer[child] = family
        }

        private mutating func beginAnew() {
            (newer, older, began) = ([:], newer, .now)
        }
    }

    private let known = Mutex(Known())

    /// Nil where there is no such child. That the caller may know is for the question to find out.
    func family(of child: ChildID, in database: Database) async throws -> FamilyID? {
        if let family = known.withLock({ $0.family(of: child) }) { return family }
        let family = try await database.first("select family_id from children where id = \(child)") {
            try $0.next(FamilyID.self)
        }
        if let family { known.withLock { $0.learn(family, of: child) } }
        return family
    }
}
