import BabyBasicsAPI
import BabyBasicsClient
import Foundation

/// What to look at now, with the commands that show it.
struct Tour: CustomStringConvertible {
    let scenario: Scenario
    let url: String
    let certificateAuthority: String?
    let household: Household.Settled
    let events: Int

    var description: String {
        let accounts = scenario.accounts
        let roles = ["parent, owner", "parent", "caregiver", "viewer: only looks"]
        let logins = zip(accounts, roles).map { account, role in
            "  \(padded(account.email, 24)) \(padded(account.password, 24)) \(account.name) (\(role))"
        }
        let child = household.child.id
        let credentials =
            #"{"email":"\#(accounts[0].email)","password":"\#(accounts[0].password)"}"#
        return """

            \(household.child.name) of \(Scenario.familyName), \(events) events

            Logins
            \(logins.joined(separator: "\n"))

            A tour, to paste into a shell
              TOKEN=$(\(curl("/api/v1/auth/login")) \(json) -d '\(credentials)' | grep -oE '[0-9a-f]{64}')

              # today, and the week
              \(authorized("/api/v1/children/\(child)/dashboard"))

              # what happened last
              \(authorized("/api/v1/children/\(child)/timeline?limit=5"))

              # nights and naps alone
              \(authorized("/api/v1/children/\(child)/timeline?types=sleep&limit=5"))

              # the last temperatures and medicines
              \(authorized("/api/v1/children/\(child)/timeline?types=temperature,medication&limit=5"))

              # who is in the family
              \(authorized("/api/v1/families/\(scenario.familyID)"))

              # log a bottle
              \(authorized("/api/v1/children/\(child)/feedings")) \(json) -d "{\\"type\\":\\"bottle\\",\\"amount_ml\\":120,\\"started_at\\":\\"$(date -u +%FT%TZ)\\"}"

              # invite another caregiver: open this link, or send it to somebody
              \(household.invite.joinUrl)

            """
    }

    private let json = "-H 'Content-Type: application/json'"

    init(
        scenario: Scenario, url: String, certificateAuthority: String?,
        household: Household.Settled, events: Int
    ) {
        self.scenario = scenario
        self.url = url.hasSuffix("/") ? String(url.dropLast()) : url
        self.certificateAuthority = certificateAuthority
        self.household = household
        self.events = events
    }

    private func curl(_ path: String) -> String {
        let authority = certificateAuthority.map { " --cacert \(quoted($0))" } ?? ""
        return "curl -s\(authority) \(quoted(url + path))"
    }

    private func authorized(_ path: String) -> String {
        "\(curl(path)) -H \"Authorization: Bearer $TOKEN\""
    }
}

/// As one word of a shell.
private func quoted(_ text: String) -> String {
    let plain = text.allSatisfy {
        $0.isASCII && ($0.isLetter || $0.isNumber || "/:._-".contains($0))
    }
    return plain ? text : "'\(text.replacingOccurrences(of: "'", with: #"'\''"#))'"
}

private func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
}
