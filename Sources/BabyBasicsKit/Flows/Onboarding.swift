public import BabyBasicsAPI
import BabyBasicsClient
public import Foundation
public import Observation

/// From opening the app for the first time to a family's dashboard, with or without an invite.
@MainActor @Observable public final class Onboarding {
    /// Which screen is shown.
    public enum Step: Hashable, Sendable {
        /// The phone is still locked: nothing can be read.
        case locked
        /// Which server?
        case server
        /// Create Account, I Have an Invite, Log In.
        case doors
        /// Name, email, password.
        case createAccount
        /// A field to paste a link into.
        case enterInvite
        /// Email, password.
        case logIn
        /// The device has no family yet: it joins one, or asks for the account's; `retry` tries again.
        case checking
        /// Family's name, baby's name and date of birth.
        case setUp
        /// The dashboard.
        case home
    }

    /// Which screen is shown.
    public private(set) var step = Step.doors
    /// The message above it.
    public private(set) var message: Message?
    /// Whether a request is under way: buttons wait.
    public private(set) var isWorking = false {
        didSet { if !isWorking, isDue { goOnLater() } }
    }
    /// A pause ended while something was under way.
    private var isDue = false
    /// The screen for the server's address.
    public let address: ServerAddress
    /// The account.
    public let account: Account
    /// The doors of this server, in order. Where it takes people by invitation, nobody creates an account without one.
    public private(set) var doors = everyDoor
    /// The banner of the account's screens while an invite waits.
    public private(set) var banner: String?

    /// The person's name.
    public var name = ""
    /// The account's email.
    public var email = ""
    /// The account's password; forgotten once it is used.
    public var password = ""
    /// The pasted text.
    public var inviteText = ""
    /// The family's name: filled in, and editable.
    public var familyName = ""
    /// The baby's name.
    public var babyName = ""
    /// The baby's date of birth, or the day it is due.
    public var dateOfBirth: CalendarDate

    /// The same as a moment of that day on this device's calendar, for a date picker.
    public var birthday: Date {
        get { calendar.date(from: DateComponents(dateOfBirth)) ?? Date(timeIntervalSince1970: 0) }
        set {
            let parts = calendar.dateComponents([.year, .month, .day], from: newValue)
            guard let year = parts.year, let month = parts.month, let day = parts.day else { return }
            dateOfBirth = CalendarDate(year: year, month: month, day: day) ?? dateOfBirth
        }
    }

    private var calendar: Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = configuration.environment.timeZone()
        return calendar
    }

    private static let everyDoor: [Step] = [.createAccount, .enterInvite, .logIn]
    private let pending: PendingInvite
    private let configuration: KitConfiguration
    private var preferences: any Preferences { configuration.preferences }
    private var isStarted = false
    private var backoff = Backoff(first: .seconds(2), longest: .seconds(120))
    /// The next try after a failure.
    private var nextTry: (timer: Watching, isAsked: Bool)?
    private var networkChanges: Watching?

    /// The way in for an account of this device.
    public init(_ account: Account) {
        let configuration = account.configuration
        self.account = account
        self.configuration = configuration
        address = ServerAddress(transport: configuration.transport) { account.texts }
        let now = configuration.environment.now
        pending = PendingInvite(preferences: configuration.preferences, now: now)
        dateOfBirth = now().utcDate
        account.onExpiry = { [weak self] in self?.sessionEnded() }
        networkChanges = Watching(
            Task { [weak self, network = configuration.network] in
                for await _ in network.changes() { await self?.networkChanged() }
            })
    }

    /// The greeting of the set-up screen.
    public var welcome: String { account.texts.welcome(account.home?.profile.firstName ?? "") }

    // MARK: Beginning

    /// The app was opened, or the phone is unlocked now.
    public func start() async {
        do {
            try await account.start()
        } catch {
            message = account.texts.storage(error)
            step = .checking
            return
        }
        guard account.step != .locked else {
            step = .locked
            message = account.texts.unlockFirst
            return
        }
        if step == .locked { message = nil }
        isStarted = true
        showInvite()
        if account.home != nil {
            await goOn()
        } else {
            step = account.server == nil ? .server : .doors
        }
    }

    /// Call it whenever the app's scene becomes active: syncing goes on, and failed steps are tried again.
    public func activate() async {
        account.isOnScreen = true
        if !isStarted { await start() }
        do { try await account.activate() } catch { message = account.texts.storage(error) }
        if isStarted, nextTry != nil || awaitsConfirmation { await goOn() }
    }

    /// Asks the server which doors it has. Call it when they appear; without an answer they stay.
    public func look() async {
        guard let server = account.server, let facts = try? await account.clientOfNobody().serverFacts(),
            account.server == server
        else { return }
        doors = facts.isByInvitation ? Self.everyDoor.filter { $0 != .createAccount } : Self.everyDoor
    }

    /// The app leaves the screen: call it whenever its scene is in the background.
    public func suspend() async {
        await account.suspend()
    }

    /// The person has entered the server's address.
    public func checkAddress() async {
        await address.check()
        guard case .found(let url) = address.step else { return }
        account.server = url
        doors = Self.everyDoor
        step = pending.token == nil ? .doors : .createAccount
    }

    /// The person wants another server.
    public func changeServer() {
        step = .server
        message = nil
    }

    /// One of the three doors, or the way back to them.
    public func choose(_ door: Step) {
        message = nil
        step = door
    }

    /// The session has ended: the same person signs in again.
    public func sessionEnded() {
        step = .logIn
        message = account.texts.sessionEnded
    }

    // MARK: Invites

    /// The app was opened by a link.
    public func open(_ url: URL) async {
        await take(url.absoluteString)
    }

    /// The person has pasted a link.
    public func enterInvite() async {
        await take(inviteText)
    }

    private func take(_ text: String) async {
        do {
            let link = try JoinLink(in: text, hosts: hosts, scheme: configuration.linkScheme)
            message = nil
            pending.keep(link.token)
            showInvite()
            if account.home != nil {
                await goOn()
            } else if account.server == nil {
                // The link tells which server it is for; that it is one has to be seen first.
                address.text = link.address ?? address.text
                step = .server
            } else {
                step = .createAccount
            }
        } catch {
            switch error {
            case .noLink: message = account.texts.noLink
            case .otherHost(let host):
                message = account.texts.otherHost(host, expected: account.server?.host ?? "")
            }
        }
    }

    private var hosts: Set<String>? {
        account.server.map { configuration.linkHosts.union([$0.host ?? ""]) }
    }

    // MARK: Accounts

    /// The person has filled in name, email and password.
    public func createAccount() async {
        await signIn { [account, name, email, password, invite = pending.token] in
            try await account.register(name: name, email: email, password: password, invite: invite)
        }
    }

    /// The person has filled in email and password.
    public func logIn() async {
        await signIn { [account, email, password] in
            try await account.logIn(email: email, password: password)
        }
    }

    private func signIn(_ request: () async throws -> Void) async {
        guard !isWorking else { return }
        isWorking = true
        message = nil
        do {
            try await request()
            password = ""
        } catch let failure as APIFailure where failure.status == 401 {
            message = account.texts.wrongCredentials
        } catch let failure as APIFailure where failure.status == 409 {
            message = account.texts.emailTaken
        } catch let failure as APIFailure where failure.status == 403 {
            message = account.texts.byInvitation(isInvited: pending.token != nil)
        } catch {
            message = account.texts.failure(error)
        }
        isWorking = false
        if account.home != nil { await goOn() }
    }

    // MARK: After signing in

    /// Tries a failed step again. That also happens without a call: when the network is back, and
    /// after a while.
    public func retry() async {
        message = nil
        if isStarted { await goOn() } else { await start() }
    }

    private func goOn() async {
        guard let home = account.home, !isWorking else { return }
        isWorking = true
        nextTry = nil
        // The device's data is shown at once, without waiting for the network.
        let isEmpty = (try? await home.store.families().isEmpty) ?? true
        if step != .home { step = isEmpty ? .checking : .home }
        await recallInvite(home)
        let token = pending.token
        if await !accept(token, home) { await findFamily(home) }
        isWorking = false
        showInvite()
        // A link was opened meanwhile.
        if let next = pending.token, next != token { await goOn() }
    }

    private func drop(_ token: String) {
        // Another link may have been opened meanwhile.
        if pending.token == token { pending.clear() }
        showInvite()
    }

    private var awaitsConfirmation: Bool { account.home.map { pending.isAside(for: $0.store.userID) } ?? false }

    /// An invite that was set aside is tried again once the email is confirmed.
    private func recallInvite(_ home: Home) async {
        guard awaitsConfirmation, (try? await home.client.emailIsToBeConfirmed()) == false else { return }
        pending.recall(for: home.store.userID)
    }

    private func showInvite() { banner = pending.token == nil ? nil : account.texts.invited }

    private func networkChanged() async {
        // A pause that the server asked for is kept.
        if let next = nextTry, !next.isAsked { await goOn() }
    }

    private func tryAgain(after asked: Duration? = nil) {
        let pause = asked ?? backoff.pause(fraction: configuration.environment.fraction)
        let sleep = configuration.environment.sleep
        let timer = Watching(
            Task { [weak self] in
                guard (try? await sleep(pause)) != nil else { return }
                self?.goOnLater()
            })
        nextTry = (timer, asked != nil)
    }

    /// In a task of its own: the timer's is cancelled as soon as the next try begins.
    private func goOnLater() {
        Task {
            isDue = isWorking
            await goOn()
        }
    }

    /// - Returns: whether the invite decided which screen comes next.
    private func accept(_ token: String?, _ home: Home) async -> Bool {
        guard let token else { return false }
        do {
            let joined = try await home.client.ask(
                Endpoints.acceptInvite.description, body: InviteToken(token: token), as: ServerAnswer.Joined.self
            ).family
            drop(token)
            backoff.succeeded()
            try await home.store.adopt(joined, at: home.now)
            home.activeFamily.switch(to: joined.id)
            message = account.texts.joined(joined.name)
            step = .home
            // The rest of the family comes as soon as it can.
            try? await home.engine.fetchChanges()
            return true
        } catch let failure as APIFailure {
            return await refused(failure, token, home)
        } catch {
            message = account.texts.inviteWaits
            tryAgain()
        }
        return false
    }

    private func refused(_ failure: APIFailure, _ token: String, _ home: Home) async -> Bool {
        switch failure.status {
        case 404: await unknown(token, home)
        case 400:
            drop(token)
            message = account.texts.ownInvite
        case 409:
            drop(token)
            message = account.texts.inviteRefused(failure)
        case 401:
            // The token is kept until the person has signed in again.
            await expire(home)
            return true
        case 429:
            message = account.texts.inviteBusy
            tryAgain(after: failure.retryAfter ?? .seconds(60))
        default:
            message = account.texts.serverBusyWithInvite
            tryAgain(after: failure.retryAfter)
        }
        return false
    }

    /// The server knows no such invite for this account: it is over, or for an email that is not confirmed yet.
    private func unknown(_ token: String, _ home: Home) async {
        do {
            let isToBeConfirmed = try await home.client.emailIsToBeConfirmed()
            if isToBeConfirmed, pending.token == token { pending.setAside(for: home.store.userID) }
            drop(token)
            message = isToBeConfirmed ? account.texts.inviteUnconfirmed : account.texts.inviteNoLongerValid
        } catch {
            message = account.texts.inviteWaits
            tryAgain()
        }
    }

    private func findFamily(_ home: Home) async {
        do {
            try await home.engine.fetchFamilies()
            if try await home.store.families().isEmpty {
                step = .setUp
            } else if step == .checking {
                // Otherwise the dashboard is on screen since before the request, or the person went on from there.
                step = .home
            }
        } catch let failure as APIFailure where failure.status == 401 {
            await expire(home)
            return
        } catch {
            if step == .checking {
                message = message ?? account.texts.failure(error)
                if nextTry == nil { tryAgain(after: (error as? APIFailure)?.retryAfter) }
            }
        }
        if step == .setUp, familyName.isEmpty {
            familyName = account.texts.familyName(home.profile.firstName)
        }
    }

    /// The server has ended the session. A person who has signed out meanwhile is not told.
    private func expire(_ home: Home) async {
        guard account.home === home else { return }
        await account.expire()
    }

    /// The account has lost its last family: it sets one up, without registering.
    public func familiesGone() {
        guard let home = account.home else { return }
        familyName = account.texts.familyName(home.profile.firstName)
        step = .setUp
    }

    // MARK: Setting up

    /// The person has filled in the set-up screen: makes the family and the child.
    ///
    /// The ids are made here and kept until both are there, so that pressing twice, or again after a lost answer or a
    /// restart, makes one.
    public func getStarted() async {
        guard let home = account.home, !isWorking else { return }
        let family = familyName.trimmingCharacters(in: .whitespacesAndNewlines)
        let baby = babyName.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !family.isEmpty else {
            message = account.texts.nameMissing
            return
        }
        guard !baby.isEmpty else {
            message = account.texts.babyNameMissing
            return
        }
        isWorking = true
        message = nil
        defer { isWorking = false }
        do {
            let made = try await home.makeFamily(kept(own(PreferenceKey.setUpFamily, home)), name: family)
            try await home.makeChild(
                kept(own(PreferenceKey.setUpChild, home)), name: baby, dateOfBirth: dateOfBirth, in: made)
            for key in [PreferenceKey.setUpFamily, PreferenceKey.setUpChild] {
                preferences.set(nil, for: own(key, home))
            }
            home.activeFamily.switch(to: made)
            step = .home
        } catch let failure as APIFailure where failure.status == 401 {
            await expire(home)
        } catch {
            message = account.texts.failure(error)
        }
    }

    /// Another account's set-up is another one.
    private func own(_ key: String, _ home: Home) -> String { "\(key).\(home.store.userID)" }

    private func kept<Entity>(_ key: String) -> Identifier<Entity> {
        if let id = preferences.string(key).flatMap({ Identifier<Entity>($0) }) { return id }
        let id = Identifier<Entity>(configuration.environment.makeUUID())
        preferences.set(id.description, for: key)
        return id
    }
}

extension DateComponents {
    fileprivate init(_ date: CalendarDate) {
        let parts = date.components
        self.init(year: parts.year, month: parts.month, day: parts.day, hour: 12)
    }
}
