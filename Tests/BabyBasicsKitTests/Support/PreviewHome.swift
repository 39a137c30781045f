import BabyBasicsAPI
import Foundation

@testable import BabyBasicsKit

/// Maria's account with a family and its children, in memory and without a server, by a test's clock.
@MainActor func previewHome(
    _ clock: TestClock, children: [String] = ["Wren"], languages: [String] = ["en"]
) async throws -> (Home, StoredChild) {
    var environment = clock.environment
    environment.languages = { languages }
    let home = try Home.preview(.preview(environment: environment), children: children)
    let family = try await home.store.families()[0].id
    return (home, try await home.store.children(of: family)[0])
}
