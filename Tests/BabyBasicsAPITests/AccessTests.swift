import Testing

@testable import BabyBasicsAPI

@Suite("Who may call an endpoint")
struct AccessTests {
    private static let endpoints = Endpoints.all + Endpoints.awaited

    private static func name(_ endpoint: EndpointDescription) -> String {
        "\(endpoint.method.rawValue) \(endpoint.path)"
    }
    /// What concerns nobody but the member.
    private static let own: Set<String> = [
        "POST \(Endpoints.base)/families/:familyId/leave", "PUT \(Endpoints.base)/families/:familyId/notifications",
    ]

    private static let ofMembers = endpoints.filter { endpoint in
        switch endpoint.access {
        case .family, .child: true
        case .anyone, .admin, .user: false
        }
    }

    @Test(
        "A viewer changes nothing, and is told the same everywhere",
        arguments: ofMembers.map(name))
    func viewers(_ name: String) throws {
        let endpoint = try #require(Self.ofMembers.first { Self.name($0) == name })
        let refusal = endpoint.refusal(of: .viewer)
        if Self.own.contains(name) {
            #expect(refusal == nil)
        } else if endpoint.method != .get {
            #expect(refusal == "Viewers can only look")
        } else {
            #expect(refusal == endpoint.refusal(of: .caregiver), "reads what a caregiver reads")
        }
    }

    @Test("Parents may do everything, caregivers log", arguments: ofMembers.map(name))
    func others(_ name: String) throws {
        let endpoint = try #require(Self.ofMembers.first { Self.name($0) == name })
        #expect(endpoint.refusal(of: .parent) == nil)
        let isLogging =
            endpoint.path.hasPrefix("\(Endpoints.base)/children/:childId/") && !endpoint.path.contains("/plans")
            || Self.own.contains(name)
        if isLogging { #expect(endpoint.refusal(of: .caregiver) == nil) }
        switch endpoint.access {
        case .family(.parent(let message)), .child(.parent(let message)):
            #expect(endpoint.refusal(of: .caregiver) == message)
        default: break
        }
    }
}
