import BabyBasicsAPI
import BabyBasicsClient
import Foundation

@testable import BabyBasicsKit
@testable import babybasics_phone

/// A family with two children and the phones of three of its members.
struct TortureHouse {
    let family: FamilyID
    let children: [ChildID]
    private let devices: [Device]
    private let client: APIClient
    private let directory: URL
    private let seed: UInt64
    private let clock: TestClock
    private let transport: Transport
    private var environment: KitEnvironment { KitEnvironment(now: clock.ticking) }

    init(_ server: InProcessServer, directory: URL, seed: UInt64) async throws {
        self.directory = directory
        self.seed = seed
        clock = server.clock
        transport = server.transport
        let environment = KitEnvironment(now: clock.ticking)
        let people = try await Self.register(["Maria", "Johnny", "Sam"], transport)
        let client = people[0].client
        let family = try await client.send(
            Endpoints.createFamily, body: NewFamily(name: "The Family")
        ).body.family.id
        var children: [ChildID] = []
        for name in ["Wren", "Robin"] {
            children.append(
                try await client.send(
                    Endpoints.createChild, path: family,
                    body: NewChild(name: name, dateOfBirth: environment.now().utcDate)
                ).body.child.id)
        }
        for (person, role) in zip(people.dropFirst(), [Role.parent, .caregiver]) {
            let link = try await client.send(
                Endpoints.createInvite, path: family, body: NewInvite(role: role)
            ).body.invite.joinUrl
            try await person.client.send(
                Endpoints.acceptInvite,
                body: InviteToken(token: String(link.split(separator: "/").last ?? "")))
        }
        var devices: [Device] = []
        for (number, person) in people.enumerated() {
            let line = LossyLine(over: transport, seed: seed &+ UInt64(number) &* 7919)
            var client = person.client
            client = APIClient(
                client.baseURL, token: client.token, retries: .never, transport: line.transport)
            let device = try Device(
                file: directory.appendingPathComponent("phone-\(number).sqlite"),
                userID: person.user.id, client: client, line: line, environment: environment)
            try await device.store.setProfile(Profile(person.user))
            devices.append(device)
        }
        for device in devices { _ = try await device.sync() }
        self.family = family
        self.children = children
        self.devices = devices
        self.client = client
    }

    private static func register(_ names: [String], _ transport: Transport)
        async throws -> [(client: APIClient, user: SignedIn.Account)]
    {
        var people: [(client: APIClient, user: SignedIn.Account)] = []
        for name in names {
            var client = APIClient(InProcessServer.url, retries: .never, transport: transport)
            let answer = try await client.send(
                Endpoints.register,
                body: Registration(
                    name: name, email: "\(name.lowercased())-\(UUID())@example.com",
                    password: "\(UUID())")
            ).body
            client.token = answer.session.token
            people.append((client, answer.user))
        }
        return people
    }

    func torture(loss: Double) -> Torture {
        Torture(
            devices: devices, children: children, seed: seed, loss: loss, clock: clock)
    }

    /// Another phone of the first member, which has read everything from the beginning.
    func witness() async throws -> Device {
        let device = try Device(
            file: directory.appendingPathComponent("witness-\(UUID()).sqlite"),
            userID: devices[0].userID, client: client,
            line: LossyLine(over: transport, seed: 0), environment: environment)
        while let pause = try await device.sync() { clock.advance(pause) }
        return device
    }
}
