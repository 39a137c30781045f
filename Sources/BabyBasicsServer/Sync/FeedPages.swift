import BabyBasicsAPI
import EventLoop
import FoundationEssentials
import Postgres

/// A page of a family's changes, and what its snapshot tells of the family besides.
struct FeedPage {
    /// The last number that was given to anything.
    let last: Int64
    /// The highest number of what was purged.
    let purged: Int64
    let members: Set<UserID>
    /// The numbers of the kinds that the family has.
    let kinds: Set<Int16>
    let changes: [ChangeRow]
    let hasMore: Bool
}

/// Pages that are being read: who asks for one of them meanwhile waits for the same reading, as the devices of a family do that one change
/// has woken. Nothing is kept.
final class FeedPages: Sendable {
    struct Key: Hashable {
        let family: FamilyID
        let revision: Int64
        let limit: Int
    }

    /// A reading under way.
    private final class Reading {
        private(set) var result: Result<FeedPage, any Error>?
        private var waiting: [SuspendedTask] = []

        func end(_ result: Result<FeedPage, any Error>) {
            self.result = result
            for task in waiting { task.resume() }
            waiting.removeAll()
        }

        func wait() async { if result == nil { await suspend { waiting.append($0) } } }
    }

    private let readings: LoopBound<[Key: Reading]>
    let pagesRead = Counter()

    init(on loop: EventLoop) { readings = LoopBound([:], on: loop) }

    /// - Parameters:
    ///   - last: a number that the caller knows to be given already: a page without it is too old.
    ///   - kinds: those that the family had at a look before; a page that tells of more is read again.
    func page(
        _ key: Key, upTo last: Int64, kinds: Set<Int16>, in database: Database, at now: Timestamp
    ) async throws -> FeedPage {
        while let reading = readings.value[key] {
            await reading.wait()
            // One that failed has said nothing about this caller's.
            if case .success(let page) = reading.result, page.last >= last { return page }
        }
        let reading = Reading()
        readings.value[key] = reading
        pagesRead.add()
        let result: Result<FeedPage, any Error>
        do {
            result = .success(try await database.page(key, ofAtLeast: kinds, at: now))
        } catch {
            result = .failure(error)
        }
        readings.value[key] = nil
        reading.end(result)
        return try result.get()
    }
}

extension Database {
    /// A page of whatever kinds the family has by then: it may get another one between any two looks.
    fileprivate func page(
        _ key: FeedPages.Key, ofAtLeast kinds: Set<Int16>, at now: Timestamp
    ) async throws -> FeedPage {
        var kinds = kinds
        while true {
            let page = try await page(key, kinds, at: now)
            if page.kinds.isSubset(of: kinds) { return page }
            kinds = page.kinds
        }
    }

    private func page(
        _ key: FeedPages.Key, _ kinds: Set<Int16>, at now: Timestamp
    ) async throws -> FeedPage {
        let statement = FeedStatement.sql(for: kinds).binding(key.family, key.revision, Int64(key.limit + 1), now)
        var head: (last: Int64, purged: Int64, kinds: Set<Int16>, members: Set<UserID>)?
        let rows = try await rows(statement) { row -> ChangeRow? in
            if head == nil {
                head = (
                    try row.next(), try row.next(), Set(try row.next([Int16].self)),
                    Set(try row.next([UUID].self).map(UserID.init))
                )
            } else {
                row.skip(4)
            }
            return try ChangeRow(&row)
        }
        guard let head else { throw APIError.notAMember }
        let changes = rows.compactMap { $0 }
        return FeedPage(
            last: head.last, purged: head.purged, members: head.members, kinds: head.kinds,
            changes: Array(changes.prefix(key.limit)), hasMore: changes.count > key.limit)
    }
}
