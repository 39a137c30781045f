import BabyBasicsAPI
import BabyBasicsClient
import Foundation

@testable import BabyBasicsKit
@testable import babybasics_phone

/// One of the phones.
final class Device {
    let file: URL
    let userID: UserID
    let line: LossyLine
    private let client: APIClient
    private let environment: KitEnvironment
    private(set) var store: AccountStore
    private(set) var engine: SyncEngine
    /// The deletions that can still be undone.
    var deleted: [StoredEntry] = []

    init(file: URL, userID: UserID, client: APIClient, line: LossyLine, environment: KitEnvironment)
        throws
    {
        self.file = file
        self.userID = userID
        self.client = client
        self.line = line
        self.environment = environment
        store = try AccountStore(file: file, userID: userID, environment: environment)
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
        store = try AccountStore(file: file, userID: userID, environment: environment)
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
