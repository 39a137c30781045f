import ArgumentParser
import BabyBasicsAPI
import BabyBasicsKit
import Foundation

struct Families: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Show families, members, children.")
    @OptionGroup var phone: PhoneOptions

    @MainActor mutating func run() async throws {
        let home = try await phone.signedIn().home
        try? await home.engine.fetchChanges()
        for family in try await home.store.families() {
            print("\(family.id)\t\(family.name)\t\(family.role.rawValue)")
            for member in try await home.store.members(of: family.id) {
                print("\tmember\t\(member.name)\t\(member.role.rawValue)")
            }
            for child in try await home.store.children(of: family.id) {
                print("\tchild\t\(child.name)\t\(child.dateOfBirth)")
            }
        }
    }
}

struct Invite: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Make a link for somebody to join.")
    @OptionGroup var phone: PhoneOptions
    @Argument(help: "parent, caregiver or viewer.") var role: String
    @Option(help: "Who it is for, to tell links apart.") var label = ""

    @MainActor mutating func run() async throws {
        let home = try await phone.signedIn().home
        let flow = InviteFlow(home, family: try await phone.family(home))
        flow.role = MemberRole(rawValue: role)
        flow.label = label
        await flow.create()
        say(flow.message)
        guard case .created(let invite) = flow.step else { throw ExitCode.failure }
        print(invite.shareText)
    }
}
