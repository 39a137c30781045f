import Foundation
import Testing

@testable import BabyBasicsKit

@Suite struct JoinLinkTests {
    private static let token = "xK9mLp2qR5tN8vW3yBcd4A"
    private static let uuid = "c4af662e-9dae-479b-4df2-f5b7c8171de0"
    private static let hosts: Set = ["baby.bretzfam.com"]

    @Test(arguments: [
        "https://baby.bretzfam.com/join/\(token)",
        "http://baby.bretzfam.com/join/\(token)",
        "HTTPS://BABY.BRETZFAM.COM/join/\(token)",
        "https://baby.bretzfam.com:8443/join/\(token)",
        "baby.bretzfam.com/join/\(token)",
        "Join Johnny’s Family on Baby Basics! https://baby.bretzfam.com/join/\(token)",
        "Hi!\n\nhttps://baby.bretzfam.com/join/\(token)\n\nLove, Mum",
        "(https://baby.bretzfam.com/join/\(token))",
        "<https://baby.bretzfam.com/join/\(token)>.",
        "“https://baby.bretzfam.com/join/\(token)”,",
        "https://baby.bretzfam.com/join/\(token)/",
        "https://baby.bretzfam.com/join/\(token)!",
        "*https://baby.bretzfam.com/join/\(token)*",
        "_https://baby.bretzfam.com/join/\(token)_",
        "https://baby.bretzfam.com/join/\(token)?utm_source=sms#top",
        "https%3A%2F%2Fbaby.bretzfam.com%2Fjoin%2F\(token)",
        "https://l.example/?u=https%253A%252F%252Fbaby.bretzfam.com%252Fjoin%252F\(token)",
        "https://evil.example/ or https://baby.bretzfam.com/join/\(token)",
        "https://evil.example/join/aaaaaaaaaaaaaaaaaaaaaA https://baby.bretzfam.com/join/\(token)",
        "  \(token)\n",
    ])
    func whatPeoplePaste(text: String) throws {
        #expect(try JoinLink(in: text, hosts: Self.hosts).token == Self.token)
    }

    @Test(arguments: [
        "babybasics://invite/\(uuid)", "BABYBASICS://invite/\(uuid.uppercased())",
        "Open babybasics://invite/\(uuid).", "babybasics%3A%2F%2Finvite%2F\(uuid)", uuid,
        "https://baby.bretzfam.com/join/\(uuid)",
    ])
    func theAppsOwnScheme(text: String) throws {
        let link = try JoinLink(in: text, hosts: Self.hosts)
        #expect(link.token.lowercased() == Self.uuid)
    }

    @Test(arguments: [
        "", "hello", "https://baby.bretzfam.com/", "https://baby.bretzfam.com/join/short",
        "https://baby.bretzfam.com/join/\(token)x", "otherapp://invite/\(uuid)",
        "https://baby.bretzfam.com/join/", "what is \(token) for?",
    ])
    func whatIsNone(text: String) {
        #expect(throws: JoinLink.Problem.noLink) { try JoinLink(in: text, hosts: Self.hosts) }
    }

    @Test(arguments: [
        "https://evil.example/join/\(token)",
        "https://baby.bretzfam.com.evil.example/join/\(token)",
        "https://evil.example/baby.bretzfam.com:1@x.example/join/\(token)",
        "https://user@evil.example/join/\(token)",
    ])
    func anotherHost(text: String) {
        #expect {
            try JoinLink(in: text, hosts: Self.hosts)
        } throws: { error in
            guard case .otherHost(let host) = error as? JoinLink.Problem else { return false }
            return host != "baby.bretzfam.com"
        }
    }

    @Test func withoutAServerEveryHostIsTaken() throws {
        let link = try JoinLink(in: "https://any.example/join/\(Self.token)")
        #expect(link.host == "any.example")
    }

    @Test func aUniversalLink() throws {
        let url = try #require(URL(string: "https://baby.bretzfam.com/join/\(Self.token)"))
        #expect(try JoinLink(url, hosts: Self.hosts).host == "baby.bretzfam.com")
    }
}
