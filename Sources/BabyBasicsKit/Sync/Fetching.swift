import BabyBasicsAPI
import BabyBasicsClient
import Foundation

extension SyncEngine {
    /// Reads which families the account belongs to. One that is missing is looked at by its own feed, which knows
    /// better.
    func fetchFamilies() async throws {
        let list = try await client.ask(Endpoints.listFamilies.description, as: ServerAnswer.Families.self)
        try await store.apply(list.families)
    }

    /// Reads a family's feed to its end.
    /// - Parameter wait: how long the server may hold the question while nothing is new.
    /// - Returns: whether anything was new.
    @discardableResult
    func fetchChanges(of family: FamilyID, wait: Duration = .zero) async throws -> Bool {
        var isNew = false
        var restarts = 0
        var wait = wait
        while let position = try await store.position(of: family) {
            try Task.checkCancellation()
            do {
                let page = try await changes(of: family, position, wait: wait)
                try await store.apply(page, asked: position, family: family)
                tellOf(page, family: family)
                isNew = isNew || !page.changes.isEmpty
                if !page.hasMore { break }
                if !position.isComplete, position.since == 0, !position.isResync {
                    try await fetchNewest(of: family)
                }
            } catch let failure as APIFailure where failure.status == 410 {
                try await store.beginResync(of: family)
                restarts += 1
                // Once is a long absence. Again and again is a server that cannot do it now.
                if restarts == 3 { throw failure }
            } catch let failure as APIFailure where failure.status == 403 {
                try await store.removeFamily(family)
                tell(.familyGone(family))
                return true
            }
            wait = .zero
        }
        return isNew
    }

    private func changes(of family: FamilyID, _ position: FeedPosition, wait: Duration)
        async throws -> ServerAnswer.Feed
    {
        var client = client
        // The server holds its answer that long, and the line may be slow besides.
        client.retries.timeout = wait + .seconds(30)
        return try await client.ask(
            Endpoints.listChanges.description, family,
            query: .changes(
                since: position.since, limit: configuration.pageSize,
                wait: wait > .zero ? Int(wait.components.seconds) : nil),
            as: ServerAnswer.Feed.self)
    }

    /// The feed begins with what is oldest. The first time, what a person looks for first is shown before it ends.
    private func fetchNewest(of family: FamilyID) async throws {
        for child in try await store.children(of: family) {
            let page = try await client.ask(
                Endpoints.getTimeline.description, child.id, query: .timeline(limit: 200), as: ServerAnswer.Many.self)
            try await store.apply(page.events.compactMap(\.event), family: family)
        }
    }

    private func tellOf(_ page: ServerAnswer.Feed, family: FamilyID) {
        guard !page.changes.isEmpty else { return }
        noteProgress()
        let deletions = page.changes.count { !$0.isPresent }
        tell(
            .fetchedChanges(
                .init(
                    familyID: family, modifications: page.changes.count - deletions,
                    deletions: deletions)))
    }
}
