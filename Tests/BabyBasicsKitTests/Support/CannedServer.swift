import BabyBasicsAPI
import BabyBasicsClient
import Foundation
import Synchronization

@testable import BabyBasicsKit

/// Answers by method and path, where there is no server: `POST /api/v1/auth/login`. Anything else is a 404.
final class CannedServer: Sendable {
    static let url = URL(string: "https://baby.example") ?? URL(fileURLWithPath: "/")
    private let answers: Mutex<[String: HTTPAnswer]>
    private let asked = Mutex<[String]>([])

    init(_ answers: [String: HTTPAnswer] = [:]) { self.answers = Mutex(answers) }

    subscript(_ line: String) -> HTTPAnswer? {
        get { answers.withLock { $0["\(line)"] } }
        set { answers.withLock { $0[line] = newValue } }
    }

    var requests: [String] { asked.withLock { $0 } }

    var transport: Transport {
        Transport { [self] request, _ in
            let line = "\(request.method.rawValue) \(request.url.path.replacing("/api/v1", with: ""))"
            asked.withLock { $0.append(line) }
            return self[line] ?? .error(404)
        }
    }

    /// A phone whose requests it answers.
    @MainActor func phone(_ clock: TestClock, in directory: URL) async -> Onboarding {
        var configuration = KitConfiguration.preview(environment: clock.environment, transport: transport)
        configuration.directory = directory
        configuration.installation = Installation(directory: directory)
        let account = Account(configuration)
        account.server = Self.url
        let onboarding = Onboarding(account)
        await onboarding.start()
        return onboarding
    }

    /// What registering is answered with.
    static let signedIn = HTTPAnswer.json(
        201,
        """
        {"session":{"token":"secret","expires_at":"2027-01-01T00:00:00.000Z"},"user":{
        "id":"01a1fce8-3fa2-7001-b41f-d05cffc6ba06","email":"maria@example.com","name":"Maria",
        "timezone":"Europe/Berlin","day_start_time":"07:00"}}
        """)
}
