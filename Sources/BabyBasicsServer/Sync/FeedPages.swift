import BabyBasicsAPI
import EventLoop
import FoundationEssentials
import Postgres

/// A page of a family's changes, and what its snapshot tells of the family besides.
struct FeedPage {
    let feed: FeedState
    let members: Set<UserID>
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

    /// - Parameter last: a number that the caller knows to be given already: a page without it is too old.
    func page(
        _ key: Key, upTo last: Int64, in database: Database, at now: Timestamp
    ) async throws -> FeedPage {
        while let reading = readings.value[key] {
            await reading.wait()
            // If it failed, or is too old, this caller reads for itself.
            if case .success(let page) = reading.result, page.feed.last >= last { return page }
        }
        let reading = Reading()
        readings.value[key] = reading
        pagesRead.add()
        let result: Result<FeedPage, any Error>
        do {
            result = .success(try await database.page(key, at: now))
        } catch {
            result = .failure(error)
        }
        readings.value[key] = nil
        reading.end(result)
        return try result.get()
    }
}

extension Database {
    fileprivate func page(_ key: FeedPages.Key, at now: Timestamp) async throws -> FeedPage {
        let statement = FeedStatement.sql.binding(key.family, key.revision, Int64(key.limit + 1), now)
        var feed: FeedState?
        var (events, others): ([StoredEvent], [ChangeRow]) = ([], [])
        var authors = Authors()
        _ = try await rows(statement) { row in
            if feed == nil {
                feed = try FeedState(&row)
            } else {
                row.skip(FeedState.columnCount)
            }
            let number = try row.next(Int16.self)
            switch EventRow.Other(rawValue: number) {
            case nil: events.append(try StoredEvent(number: Int(number), &row))
            case .author: try authors.add(&row)
            case let other?: others.append(try ChangeRow(other, &row))
            }
        }
        guard let feed else { throw APIError.notAMember }
        try await name(&events, by: authors)
        let changes = (events.map { ChangeRow($0) } + others).sorted { $0.revision < $1.revision }
        return FeedPage(
            feed: feed, members: Set(authors.names.keys),
            changes: Array(changes.prefix(key.limit)), hasMore: changes.count > key.limit)
    }
}
