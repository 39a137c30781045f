public import BabyBasicsAPI
public import BabyBasicsClient
import Foundation
public import Observation

/// Everything of the signed-in account: its store, its engine, and the state that screens share.
@MainActor @Observable public final class Home {
    /// The data on this device.
    public let store: AccountStore
    /// The engine that keeps store and server equal.
    public let engine: SyncEngine
    /// Which family is on screen.
    public let activeFamily: ActiveFamily
    /// The quiet line about pending changes.
    public let status: SyncStatus
    /// The account's own settings.
    public private(set) var profile: Profile
    /// The last action, while Undo is offered.
    public private(set) var undo: UndoOffer?
    /// For everything that has no screen here: `home.client.send(Endpoints.changePassword, …)`.
    public let client: APIClient
    /// Whether this phone tells the person.
    @ObservationIgnored public private(set) lazy var push = PushRegistration(self)
    /// Which language this device speaks.
    public let languageChoice: LanguageChoice
    let configuration: KitConfiguration
    private var watching: Watching?

    init(
        store: AccountStore, client: APIClient, profile: Profile, configuration: KitConfiguration,
        languageChoice: LanguageChoice? = nil
    ) {
        self.store = store
        self.client = client
        self.profile = profile
        self.configuration = configuration
        self.languageChoice = languageChoice ?? LanguageChoice(configuration)
        units = Units(configuration.preferences)
        feedClock = FeedClock(configuration.preferences)
        showsNext = configuration.preferences.string(PreferenceKey.showsNoNext) == nil
        engine = SyncEngine(
            store: store, client: client, configuration: configuration.sync,
            network: configuration.network)
        activeFamily = ActiveFamily(
            store: store, engine: engine, preferences: configuration.preferences)
        status = SyncStatus(store: store, engine: engine)
        watching = store.watch {
            try AccountStore.profile($0)
        } deliver: { [weak self] profile in
            if let profile { self?.profile = profile }
        }
        status.texts = { [weak self] in self?.texts ?? Texts(.en) }
    }

    /// The present by the server's clock, as far as this device knows it.
    var now: Timestamp { store.clock.now() }

    /// Where the person's days begin and end.
    public var borders: DayBorders {
        DayBorders(timezone: profile.timezone, dayStart: profile.dayStartTime)
            ?? .utc
    }

    /// The units of this device; stored values are metric.
    public var units: Units {
        didSet { units.keep(in: configuration.preferences) }
    }

    /// Which feed this device counts from.
    public var feedClock: FeedClock {
        didSet { feedClock.keep(in: configuration.preferences) }
    }

    /// Whether Today says when the next feed and sleep may come: a setting of this device.
    public var showsNext: Bool {
        didSet { configuration.preferences.set(showsNext ? nil : "yes", for: PreferenceKey.showsNoNext) }
    }

    /// Changes the account's own settings, at the server and here.
    public func update(_ changes: UserChanges) async throws {
        let user = try await client.send(Endpoints.updateMe, body: changes).body.user
        try await store.setProfile(Profile(user))
    }

    /// Reads the account's own settings.
    func readProfile() async throws {
        try await store.setProfile(Profile(try await client.send(Endpoints.getMe).body.user))
    }

    // MARK: Language

    /// What the person is spoken to in.
    public var language: Language { languageChoice.language(of: profile.language) }

    /// What the app says, as it stands: in this language and with these units. A screen takes it anew each time.
    public var texts: Texts {
        Texts(language, region: configuration.environment.locale(), units: units, zone: borders.timeZone)
    }

    /// The person chooses a language: on this device at once, and for mails and notifications as soon as the server
    /// answers.
    public func speak(_ language: Language) async throws {
        languageChoice.chosen = language
        try await update(UserChanges(language: language.tag))
    }

    // MARK: Taking back

    /// Something that was just done and can be taken back.
    public struct UndoOffer: Hashable, Sendable {
        /// The action.
        public enum Action: Hashable, Sendable {
            /// It was logged.
            case logged
            /// It was deleted.
            case deleted
        }

        /// The entry.
        public let entry: StoredEntry
        /// The action on it.
        public let action: Action
        /// Until when it is offered.
        public let until: Timestamp
        /// The words beside the button.
        public let text: String
    }

    /// How long something can be taken back with one touch.
    public static let undoTime = Duration.seconds(10)

    func offerUndo(_ action: UndoOffer.Action, _ entry: StoredEntry, text: String) {
        let offer = UndoOffer(
            entry: entry, action: action, until: now.adding(Self.undoTime), text: text)
        undo = offer
        let sleep = configuration.environment.sleep
        Task { [weak self] in
            try? await sleep(Self.undoTime)
            if self?.undo == offer { self?.undo = nil }
        }
    }

    /// Undoes the last action, if that is still offered.
    public func takeBack() async throws {
        guard let offer = undo else { return }
        undo = nil
        guard now <= offer.until else { return }
        switch offer.action {
        case .logged: try await store.delete(offer.entry.id)
        case .deleted: try await store.undoDelete(offer.entry)
        }
    }

    /// Logs something and offers to take it back.
    @discardableResult
    public func log(kind: String, _ fields: Fields, for child: StoredChild) async throws -> StoredEntry {
        let entry = try await store.log(kind: kind, fields, for: child.id)
        offerUndo(.logged, entry, text: texts.logged(kind, child: child.name))
        return entry
    }

    /// Deletes an entry and offers to take it back.
    public func delete(_ entry: StoredEntry) async throws {
        try await store.delete(entry.id)
        offerUndo(.deleted, entry, text: texts.deleted(entry.kind))
    }
}
