import BabyBasicsAPI
import BabyBasicsClient
import Foundation

/// The accounts, the family and the child on the server, made where they are not there yet.
struct Household {
    let scenario: Scenario
    /// Of nobody.
    let client: APIClient
    let progress: Progress

    struct Settled {
        /// By person, each signed in.
        let clients: [Person: APIClient]
        let child: Child
        /// Open, for another caregiver.
        let invite: Invite
    }

    func settle() async throws -> Settled {
        var clients: [Person: APIClient] = [:]
        var isNew = false
        for account in scenario.accounts {
            progress.say("\(isNew ? "Registering" : "Signing in") \(account.name)")
            let (token, wasMade) = try await token(of: account, registerFirst: isNew)
            isNew = wasMade
            clients[account.person] = client.signedIn(token)
        }
        guard let owner = clients[.mother], let father = clients[.father],
            let caregiver = clients[.caregiver], let grandmother = clients[.grandmother]
        else { throw Complaint("the scenario lacks somebody") }
        progress.say("\(Scenario.familyName) and \(Scenario.childName)")
        let child = try await child(by: owner)
        try await plan(for: child, by: owner)
        let family = try await owner.send(Endpoints.getFamily, path: scenario.familyID).body.family
        for (person, role, joining) in [
            (Person.father, Role.parent, father), (.caregiver, .caregiver, caregiver),
            (.grandmother, .viewer, grandmother),
        ] {
            let account = scenario.accounts[person.rawValue]
            guard !family.members.contains(where: { $0.email == account.email }) else { continue }
            progress.say("\(account.name) joins as \(role.rawValue)")
            let invite = try await invite(as: role, by: owner)
            guard let token = invite.joinUrl.split(separator: "/").last else {
                throw Complaint("no token in the invite's link")
            }
            try await joining.send(
                Endpoints.acceptInvite, body: InviteToken(token: String(token)))
        }
        return Settled(
            clients: clients, child: child, invite: try await invite(as: .caregiver, by: owner))
    }

    /// Signs in or registers, whichever is more likely to be right first: both are limited to five a minute.
    private func token(
        of account: Scenario.Account, registerFirst: Bool
    ) async throws -> (token: String, wasMade: Bool) {
        if registerFirst, let token = try await register(account) { return (token, true) }
        if let token = try await logIn(account) { return (token, false) }
        if !registerFirst, let token = try await register(account) { return (token, true) }
        throw Complaint(
            "\(account.email) exists with another password; choose another --seed")
    }

    /// Nil where the account does not exist, or has another password.
    private func logIn(_ account: Scenario.Account) async throws -> String? {
        do {
            return try await client.send(
                Endpoints.logIn,
                body: Credentials(email: account.email, password: account.password)
            ).body.session.token
        } catch let failure as APIFailure where failure.code == .unauthorized {
            return nil
        }
    }

    /// Nil where the account exists.
    private func register(_ account: Scenario.Account) async throws -> String? {
        do {
            return try await client.send(
                Endpoints.register,
                body: Registration(
                    name: account.name, email: account.email, password: account.password,
                    timezone: Scenario.zoneName)
            ).body.session.token
        } catch let failure as APIFailure where failure.code == .conflict {
            return nil
        }
    }

    private func child(by owner: APIClient) async throws -> Child {
        do {
            try await owner.send(
                Endpoints.createFamily,
                body: NewFamily(id: scenario.familyID, name: Scenario.familyName))
            let today = Timestamp(
                microsecondsSince1970: Int64(Date().timeIntervalSince1970 * 1_000_000)
            ).utcDate
            let birth = CalendarDate(daysSince1970: today.daysSince1970 - Scenario.age)
            return try await owner.send(
                Endpoints.createChild, path: scenario.familyID,
                body: NewChild(
                    id: scenario.childID, name: Scenario.childName, dateOfBirth: birth)
            ).body.child
        } catch let failure as APIFailure where failure.code == .conflict {
            throw Complaint("somebody deleted this demo's family or child; choose another --seed")
        }
    }

    /// A drop of Vitamin D a day, and Paracetamol when it is needed. A plan that somebody deleted stays so.
    private func plan(for child: Child, by owner: APIClient) async throws {
        for plan in [
            NewPlan(
                id: scenario.vitaminPlanID, name: "Vitamin D", dose: "1 drop", times: ["08:00"],
                startsOn: child.dateOfBirth),
            NewPlan(
                id: scenario.feverPlanID, name: "Paracetamol", dose: "2.5 ml", maxPerDay: 4,
                startsOn: child.dateOfBirth,
                notes: "From 38.5 °C, at least 6 hours apart"),
        ] {
            do {
                try await owner.send(Endpoints.createPlan, path: child.id, body: plan)
            } catch let failure as APIFailure where failure.code == .gone {
                continue
            }
        }
    }

    /// An open link for a role; the same one as long as nobody used it.
    private func invite(as role: Role, by owner: APIClient) async throws -> Invite {
        try await owner.send(
            Endpoints.createInvite, path: scenario.familyID, body: NewInvite(role: role)
        ).body.invite
    }
}

extension APIClient {
    fileprivate func signedIn(_ token: String) -> APIClient {
        var client = self
        client.token = token
        return client
    }
}

/// Why the demo cannot go on, for a person.
struct Complaint: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
