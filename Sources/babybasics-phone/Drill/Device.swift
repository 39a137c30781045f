import BabyBasicsAPI
import BabyBasicsClient
import BabyBasicsKit
import Foundation

/// One of the drill's phones.
final class Device {
    let file: URL
    let userID: UserID
    let line: LossyLine
    private let client: APIClient
    private let surroundings: Surroundings
    private(set) var store: Store
    private(set) var engine: SyncEngine
    /// The deletions that can still be undone.
    var deleted: [Entry] = []

    init(file: URL, userID: UserID, client: APIClient, line: LossyLine, surroundings: Surroundings)
        throws
    {
        self.file = file
        self.userID = userID
        self.client = client
        self.line = line
        self.surroundings = surroundings
        store = try Store(file: file, userID: userID, surroundings: surroundings)
        engine = SyncEngine(store: store, client: client, configuration: Self.configuration)
    }

    /// Small pages and batches, so that there are many of both.
    private static var configuration: SyncEngine.Configuration {
        var configuration = SyncEngine.Configuration()
        configuration.pageSize = 23
        configuration.batchSize = 7
        return configuration
    }

    /// The app dies and is opened again: what is not in the file is gone.
    func crash() throws {
        try store.close()
        store = try Store(file: file, userID: userID, surroundings: surroundings)
        engine = SyncEngine(store: store, client: client, configuration: Self.configuration)
    }

    /// Sends and reads what can be sent and read.
    /// - Returns: how long the server asks to be left alone, if it does.
    func sync() async throws -> Duration? {
        do {
            try await engine.sendChanges()
            try await engine.fetchChanges()
        } catch is TransportFailure {
            return nil
        } catch let failure as APIFailure where failure.status == 429 || failure.status >= 500 {
            return failure.retryAfter ?? .seconds(1)
        }
        return nil
    }
}
