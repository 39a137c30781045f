import ArgumentParser
import BabyBasicsAPI
import BabyBasicsKit
import Foundation

struct Server: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Choose the server.")
    @OptionGroup var phone: PhoneOptions
    @Argument(help: "Its address.") var address: String

    @MainActor mutating func run() async throws {
        let account = Account(phone.configuration)
        let onboarding = Onboarding(account)
        await onboarding.start()
        onboarding.address.text = address
        await onboarding.checkAddress()
        say(onboarding.address.message)
        guard let server = account.server else { throw ExitCode.failure }
        print(server.absoluteString)
    }
}

struct Register: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Make an account.")
    @OptionGroup var phone: PhoneOptions
    @Argument(help: "The person's name.") var name: String
    @Argument(help: "The person's email.") var email: String

    @MainActor mutating func run() async throws {
        let onboarding = Onboarding(Account(phone.configuration))
        await onboarding.start()
        onboarding.name = name
        onboarding.email = email
        onboarding.password = try PhoneOptions.password()
        await onboarding.createAccount()
        try report(onboarding)
    }
}

struct LogIn: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Open an account.")
    @OptionGroup var phone: PhoneOptions
    @Argument(help: "The account's email.") var email: String

    @MainActor mutating func run() async throws {
        let onboarding = Onboarding(Account(phone.configuration))
        await onboarding.start()
        onboarding.email = email
        onboarding.password = try PhoneOptions.password()
        await onboarding.logIn()
        try report(onboarding)
    }
}

struct SignOut: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Sign out, and delete what is on this phone.")
    @OptionGroup var phone: PhoneOptions
    @Flag(help: "Even if entries wait that the server does not have.") var losing = false

    @MainActor mutating func run() async throws {
        let (account, _) = try await phone.signedIn()
        if case .wouldLose(_, let message) = try await account.signOut(losing: losing) {
            say(message)
            throw ExitCode.failure
        }
    }
}

struct SetUp: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Make a family with a child.")
    @OptionGroup var phone: PhoneOptions
    @Argument(help: "The baby's name.") var baby: String
    @Argument(help: "Its date of birth, YYYY-MM-DD.") var born: String
    @Option(help: "The family's name.") var family: String?

    @MainActor mutating func run() async throws {
        guard let born = CalendarDate(born) else { throw ValidationError("\(born) is no date.") }
        let onboarding = Onboarding(Account(phone.configuration))
        await onboarding.start()
        guard onboarding.step == .setUp else {
            throw ValidationError("There is a family already, or nobody is signed in.")
        }
        onboarding.familyName = family ?? onboarding.familyName
        onboarding.babyName = baby
        onboarding.dateOfBirth = born
        await onboarding.getStarted()
        try report(onboarding)
    }
}

struct Join: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Join a family: paste the message with the link.")
    @OptionGroup var phone: PhoneOptions
    @Argument(help: "The link, with whatever is around it.") var text: String

    @MainActor mutating func run() async throws {
        let onboarding = Onboarding(Account(phone.configuration))
        await onboarding.start()
        onboarding.inviteText = text
        await onboarding.enterInvite()
        try report(onboarding)
    }
}

struct Speak: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Choose what this phone and its account's mails speak.")
    @OptionGroup var phone: PhoneOptions
    @Argument(help: "A language's tag: \(Language.allCases.map(\.tag).joined(separator: ", ")).") var language: String

    @MainActor mutating func run() async throws {
        guard let language = Language(rawValue: language) else { throw ValidationError("There are no words in that.") }
        try await phone.signedIn().home.speak(language)
    }
}

struct Offline: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Cut this phone off, or not any more; lossy: every fifth request and answer gets lost.")
    static let key = "offline"
    enum State: String, ExpressibleByArgument, CaseIterable { case on, off, lossy }
    @OptionGroup var phone: PhoneOptions
    @Argument var state: State

    mutating func run() async throws {
        phone.configuration.preferences.set(state == .off ? nil : state.rawValue, for: Self.key)
    }
}

/// Prints where the flow is; a problem is a failure for scripts.
@MainActor private func report(_ onboarding: Onboarding) throws {
    say(onboarding.message)
    print(String(describing: onboarding.step))
    if onboarding.message?.tone == .problem { throw ExitCode.failure }
}
