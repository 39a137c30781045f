public import BabyBasicsAPI
import BabyBasicsClient
public import Foundation
public import Observation

/// Who is signed in on this device.
@MainActor @Observable public final class Account {
    /// How the account stands.
    public enum Step: Hashable, Sendable {
        /// Nobody is signed in.
        case signedOut
        /// The session has ended; the same person's entries are still here.
        case expired
        /// Somebody is.
        case signedIn(UserID)
    }

    /// What became of signing out.
    public enum SignOut: Hashable, Sendable {
        /// Done: the account's store is gone from this device.
        case done
        /// Entries wait, or were refused, that the server does not have: ask first.
        case wouldLose(Int, Message)
    }

    /// How the account stands.
    public private(set) var step = Step.signedOut
    /// Everything of the account that is signed in.
    public private(set) var home: Home?
    let configuration: KitConfiguration
    private var listening: Watching?

    /// An account of this device; `start` finds out whose.
    public init(_ configuration: KitConfiguration) {
        self.configuration = configuration
    }

    /// Finds out who was signed in when the app was last open.
    ///
    /// A Keychain outlives the app: after it was deleted and installed again, what is left there is forgotten.
    public func start() throws {
        let preferences = configuration.preferences
        if preferences.string(PreferenceKey.installed) == nil {
            try configuration.tokens.clear()
            preferences.set("yes", for: PreferenceKey.installed)
        }
        if let kept = try configuration.tokens.read() { try open(kept) }
    }

    /// The server that accounts are made and opened at.
    public var server: URL? {
        get { configuration.preferences.string(PreferenceKey.server).flatMap { URL(string: $0) } }
        set {
            configuration.preferences.set(
                newValue?.absoluteString, for: PreferenceKey.server)
        }
    }

    /// Makes an account and signs it in.
    public func register(name: String, email: String, password: String) async throws {
        let server = try chosenServer()
        let answer = try await client(server).send(
            Endpoints.register,
            body: Registration(
                name: name, email: email, password: password,
                timezone: configuration.surroundings.timeZone().identifier))
        try await keep(answer.body, server: server)
    }

    /// Signs an account in. The person who was signed out finds everything as it was.
    public func logIn(email: String, password: String) async throws {
        let server = try chosenServer()
        let answer = try await client(server).send(
            Endpoints.logIn, body: Credentials(email: email, password: password))
        try await keep(answer.body, server: server)
    }

    /// Signs out, and deletes the account's store from this device.
    /// - Parameter losing: whether entries that the server does not have may be lost.
    public func signOut(losing: Bool = false) async throws -> SignOut {
        guard let home else {
            try configuration.tokens.clear()
            step = .signedOut
            return .done
        }
        if !losing {
            try? await home.engine.sendChanges()
            let refused = try await home.store.unsaved().count
            let lost = try await home.store.pendingChanges().count + refused
            if lost > 0 { return .wouldLose(lost, Texts.entriesWouldBeLost(lost, refused: refused)) }
        }
        // Without network, the session ends by itself in time.
        _ = try? await home.client.send(Endpoints.logOut)
        let user = home.store.userID
        let server = home.client.baseURL
        await leave()
        try configuration.tokens.clear()
        try files.delete(server: server, userID: user)
        configuration.preferences.set(nil, for: PreferenceKey.activeFamily)
        step = .signedOut
        return .done
    }

    /// The session has ended: back to signing in, with everything kept.
    func expire() async {
        guard home != nil else { return }
        await leave()
        try? configuration.tokens.clear()
        step = .expired
    }

    private func leave() async {
        listening = nil
        await home?.engine.stop()
        try? home?.store.close()
        home = nil
    }

    private var files: StoreFiles { StoreFiles(directory: configuration.directory) }

    private func chosenServer() throws -> URL {
        guard let server else {
            throw TransportFailure(.badURL, "No server was chosen")
        }
        return server
    }

    private func client(_ server: URL, token: String? = nil) -> APIClient {
        APIClient(
            server, token: token, retries: RetryPolicy(tries: 2, totalTime: .seconds(20)),
            transport: configuration.transport)
    }

    private func keep(_ answer: SignedIn, server: URL) async throws {
        // Absent only where it is in a cookie, which is not asked for here.
        guard let token = answer.session.token else {
            throw TransportFailure(.other, "The answer holds no token")
        }
        if home != nil { await leave() }
        let user = answer.user
        let kept = SignedInAccount(
            server: server, token: token,
            profile: Profile(
                id: user.id, email: user.email, name: user.name, timezone: user.timezone,
                dayStartTime: user.dayStartTime))
        try configuration.tokens.write(kept)
        try open(kept)
        try await home?.store.setProfile(kept.profile)
    }

    private func open(_ kept: SignedInAccount) throws {
        let store = try files.open(
            server: kept.server, userID: kept.profile.id,
            surroundings: configuration.surroundings)
        let home = Home(
            store: store, client: client(kept.server, token: kept.token),
            profile: kept.profile, configuration: configuration)
        self.home = home
        step = .signedIn(kept.profile.id)
        let engine = home.engine
        listening = Watching(
            Task { [weak self] in
                for await event in await engine.events() {
                    guard case .accountChange(.signedOut) = event else { continue }
                    await self?.expire()
                    return
                }
            })
    }
}
