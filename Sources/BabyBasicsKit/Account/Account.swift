public import BabyBasicsAPI
import BabyBasicsClient
public import Foundation
public import Observation

/// The account of this device.
@MainActor @Observable public final class Account {
    /// How the account stands.
    public enum Step: Hashable, Sendable {
        /// No account is signed in.
        case signedOut
        /// The phone was not unlocked since its start: the account cannot be read yet.
        case locked
        /// The session has ended; the same person's entries are still here.
        case expired
        /// An account is signed in.
        case signedIn(UserID)
    }

    /// The result of signing out.
    public enum SignOut: Hashable, Sendable {
        /// Done: the account's store is gone from this device.
        case done
        /// Entries wait, or were rejected, that the server does not have: ask first.
        case wouldLose(Int, Message)
    }

    /// How the account stands.
    public private(set) var step = Step.signedOut
    /// Everything of the account that is signed in.
    public private(set) var home: Home?
    /// The server that accounts are made and opened at.
    public var server: URL? {
        didSet { configuration.preferences.set(server?.absoluteString, for: PreferenceKey.server) }
    }
    /// Which language this device speaks.
    public let languageChoice: LanguageChoice
    let configuration: KitConfiguration
    /// Called when the server has ended the session.
    @ObservationIgnored var onExpiry: () -> Void = {}
    /// Whether the app is on screen: then the engine runs.
    @ObservationIgnored var isOnScreen = false
    /// The signed-in account, also if its store cannot be opened.
    private var current: SignedInAccount?
    private var starting: Task<Void, any Error>?

    /// The account of this device; `start` reads it.
    public init(_ configuration: KitConfiguration) {
        self.configuration = configuration
        languageChoice = LanguageChoice(configuration)
        server = configuration.preferences.string(PreferenceKey.server).flatMap { URL(string: $0) }
    }

    /// Finds out who was signed in when the app was last open. Where the phone is still locked, it finds out nothing
    /// and changes nothing: call it again once it is unlocked.
    /// - Throws: an error of the store's opening.
    public func start() async throws {
        if let starting { return try await starting.value }
        let task = Task { try await findOut() }
        starting = task
        defer { starting = nil }
        try await task.value
    }

    private func findOut() async throws {
        guard home == nil else { return }
        do {
            try configuration.installation.confirm { try configuration.tokens.clear() }
            current = try configuration.tokens.read()
        } catch {
            configuration.environment.log(.error, "Who is signed in cannot be read: \(type(of: error))")
            step = .locked
            return
        }
        server = configuration.preferences.string(PreferenceKey.server).flatMap { URL(string: $0) } ?? current?.server
        guard let current else {
            step = .signedOut
            return
        }
        try await open(current)
    }

    /// What the app says, as it stands: in the language of whoever is signed in, or of this device.
    public var texts: Texts {
        let environment = configuration.environment
        return home?.texts
            ?? Texts(
                languageChoice.language(of: nil), region: environment.locale(),
                units: Units(configuration.preferences), zone: environment.timeZone())
    }

    // MARK: Signing in

    /// Makes an account and signs it in.
    /// - Parameter invite: the token of an invite, which a server may want to see; it is not used up.
    public func register(name: String, email: String, password: String, invite: String? = nil) async throws {
        let server = try chosenServer()
        let language = languageChoice.language(of: nil).tag
        let answer = try await client(server).send(
            Endpoints.register,
            body: Registration(
                name: name, email: email, password: password,
                timezone: configuration.environment.timeZone().identifier, language: language, invite: invite))
        try await keep(answer.body, server: server, language: language)
    }

    /// Signs an account in. The person who was signed out finds everything as it was.
    public func logIn(email: String, password: String) async throws {
        let server = try chosenServer()
        let answer = try await client(server).send(
            Endpoints.logIn, body: Credentials(email: email, password: password))
        try await keep(answer.body, server: server)
        // The answer doesn't tell in which language the account is spoken to.
        let deadline = Deadline(Self.longestLook, sleep: configuration.environment.sleep)
        if let home { await deadline.run { try await home.readProfile() } }
    }

    /// How long signing in waits for what its answer doesn't tell.
    private static let longestLook = Duration.seconds(3)

    private func keep(_ answer: SignedIn, server: URL, language: String? = nil) async throws {
        // Absent only where it is in a cookie, which is not asked for here.
        guard let token = answer.session.token else {
            throw TransportFailure(.other, "The answer holds no token")
        }
        await leave()
        var profile = Profile(answer.user)
        profile.language = language
        let signedIn = SignedInAccount(server: server, token: token, profile: profile)
        try configuration.tokens.write(signedIn)
        current = signedIn
        try await open(signedIn)
        try await home?.store.setProfile(signedIn.profile)
    }

    private func open(_ account: SignedInAccount) async throws {
        let store = try await files.open(
            server: account.server, userID: account.profile.id, environment: configuration.environment,
            isShared: configuration.sharesStore)
        let watched = configuration.transport.watched(by: store) { [weak self] in
            Task { await self?.expire(token: account.token) }
        }
        home = Home(
            store: store, client: client(account.server, token: account.token, transport: watched),
            profile: account.profile, configuration: configuration, languageChoice: languageChoice)
        step = .signedIn(account.profile.id)
        if isOnScreen { await home?.engine.start() }
    }

    // MARK: Signing out

    /// How long signing out may take where no answer comes.
    static let longestSignOut = Duration.seconds(3)

    /// Signs out, and deletes the account's store from this device.
    /// - Parameter losing: whether entries that the server does not have may be lost.
    public func signOut(losing: Bool = false) async throws -> SignOut {
        let deadline = Deadline(Self.longestSignOut, sleep: configuration.environment.sleep)
        if let home {
            if !losing {
                await deadline.run { try await home.engine.sendChanges() }
                let rejected = try await home.store.rejectedChanges().count
                let lost = try await home.store.pendingChanges().count + rejected
                if lost > 0 { return .wouldLose(lost, texts.entriesWouldBeLost(lost, rejected: rejected)) }
            }
            // Without network, the session ends by itself in time.
            await deadline.run { try await home.client.send(Endpoints.logOut) }
        }
        try await forget()
        step = .signedOut
        return .done
    }

    /// Deletes the account at the server, and everything of it on this device.
    /// - Throws: `APIFailure` 403 for a wrong password, 409 with the families that have no other parent.
    public func delete(password: String) async throws {
        guard let home else { return }
        try await home.client.send(Endpoints.deleteMe, body: AccountDeletion(password: password))
        try await forget()
        step = .signedOut
    }

    /// The server has ended the session: back to signing in, with everything kept.
    func expire(token: String? = nil) async {
        guard home != nil, token.map({ $0 == current?.token }) ?? true else { return }
        await leave()
        current = nil
        try? configuration.tokens.clear()
        step = .expired
        onExpiry()
    }

    private func leave() async {
        guard let home else { return }
        self.home = nil
        await home.engine.stop()
        try? home.store.close()
    }

    /// Takes the account and its data off this device.
    private func forget() async throws {
        await leave()
        try configuration.tokens.clear()
        if let current { try files.delete(server: current.server, userID: current.profile.id) }
        current = nil
        configuration.preferences.set(nil, for: PreferenceKey.activeFamily)
    }

    // MARK: Requests

    private var files: StoreFiles {
        StoreFiles(directory: configuration.directory, protection: configuration.protection)
    }

    private func chosenServer() throws -> URL {
        guard let server else {
            throw TransportFailure(.badURL, "No server was chosen")
        }
        return server
    }

    /// A caller of the chosen server who is not signed in.
    func clientOfNobody() throws -> APIClient { client(try chosenServer()) }

    private func client(_ server: URL, token: String? = nil, transport: Transport? = nil) -> APIClient {
        APIClient(
            server, token: token, retries: RetryPolicy(tries: 2, totalTime: .seconds(20)),
            transport: transport ?? configuration.transport)
    }
}

extension Profile {
    init(_ user: SignedIn.Account) {
        self.init(
            id: user.id, email: user.email, name: user.name, timezone: user.timezone,
            dayStartTime: user.dayStartTime)
    }

    init(_ user: User) {
        self.init(
            id: user.id, email: user.email, name: user.name, timezone: user.timezone,
            dayStartTime: user.dayStartTime, language: user.language)
    }
}
