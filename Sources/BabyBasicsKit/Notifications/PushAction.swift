public import BabyBasicsAPI
import Foundation

/// What a notification is about, as its payload has it.
public struct PushSubject: Hashable, Sendable {
    /// What a notification tells.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The last of a kind is long ago.
        case reminder
        /// A dose is due.
        case dose
        /// Somebody else logged something.
        case told
    }

    /// A newer one with the same tag takes its place.
    public let tag: String
    /// What it tells.
    public let kind: Kind
    /// The family.
    public let familyID: FamilyID
    /// The child; nil for what is about the family.
    public let childID: ChildID?
    /// The kind that is logged by a touch, by its wire name.
    public let eventKind: String?
    /// The plan whose dose is given by a touch.
    public let planID: PlanID?

    /// - Parameter userInfo: of the notification's content. Nil for one that is not the server's, or of a later one.
    public init?(_ userInfo: [AnyHashable: Any]) {
        func text(_ name: String) -> String? { userInfo[name] as? String }
        guard let kind = text("kind").flatMap({ Kind(rawValue: $0) }),
            let family = text("family_id").flatMap({ FamilyID($0) })
        else { return nil }
        tag = text("tag") ?? ""
        self.kind = kind
        familyID = family
        childID = text("child_id").flatMap { ChildID($0) }
        eventKind = text("event_kind")
        planID = text("plan_id").flatMap { PlanID($0) }
    }
}

/// The buttons of a kind of notification: a `UNNotificationCategory`, which an app registers at its start.
public struct PushCategory: Hashable, Sendable, Identifiable {
    /// What the payload's `category` names.
    public let id: String
    /// The buttons, in order.
    public let buttons: [Button]

    /// A `UNNotificationAction`.
    public struct Button: Hashable, Sendable, Identifiable {
        /// What iOS answers with.
        public let id: String
        /// `Give`, `Log`, `In 30 min`.
        public let title: String
        /// Whether it opens the app: a dose may want a question, a form wants to be filled in.
        public let opensApp: Bool
    }

    /// Those that the server's notifications name, in the words of `Account.texts`.
    public static func all(_ texts: Texts) -> [PushCategory] {
        PushSubject.Kind.allCases.map { PushCategory($0, texts) }
    }

    private init(_ kind: PushSubject.Kind, _ texts: Texts) {
        let later = Button(id: PushAction.laterID, title: texts.inHalfAnHour, opensApp: false)
        id = kind.rawValue
        buttons =
            switch kind {
            case .reminder: [Button(id: PushAction.logID, title: texts.log, opensApp: true), later]
            case .dose: [Button(id: PushAction.giveID, title: texts.give, opensApp: true), later]
            case .told: []
            }
    }
}

/// What the person did with a notification.
public enum PushAction: Hashable, Sendable {
    /// A tap on it: its child, or its family.
    case open(FamilyID, ChildID?)
    /// `Give`.
    case give(PlanID, ChildID, FamilyID)
    /// `Log`.
    case log(String, ChildID, FamilyID)
    /// `In 30 min`: the same notification once more.
    case later(tag: String)

    static let giveID = "give"
    static let logID = "log"
    static let laterID = "later"
    /// `UNNotificationDismissActionIdentifier`.
    private static let dismissID = "com.apple.UNNotificationDismissActionIdentifier"
    /// So long "In 30 min" waits.
    public static let later = Duration.seconds(30 * 60)

    /// - Parameters:
    ///   - button: `actionIdentifier` of the response.
    ///   - userInfo: of the notification's content.
    /// - Returns: nil where there is nothing to do: it was swiped away, or is not the server's.
    public init?(button: String, userInfo: [AnyHashable: Any]) {
        guard button != Self.dismissID, let subject = PushSubject(userInfo) else { return nil }
        switch (button, subject.childID, subject.planID, subject.eventKind) {
        case (Self.giveID, let child?, let plan?, _): self = .give(plan, child, subject.familyID)
        case (Self.logID, let child?, _, let kind?): self = .log(kind, child, subject.familyID)
        case (Self.laterID, _, _, _): self = .later(tag: subject.tag)
        default: self = .open(subject.familyID, subject.childID)
        }
    }
}

/// What an app does after an action.
public enum PushOutcome: Sendable {
    /// It shows Today of the child; of the first of the family where it is nil.
    case shows(StoredChild?)
    /// It shows Today of the child: a dose was given, and `Home.undo` takes it back.
    case given(StoredEntry, StoredChild)
    /// It asks: `Home.give(_:to:)` gives the dose where the person says yes.
    case asks(DoseQuestion, StoredChild)
    /// It shows the form of the kind.
    case logs(EventKind, StoredChild)
    /// It shows the same notification again after so long, as a local one with the same identifier.
    case tellsAgain(tag: String, after: Duration)
    /// It says that this is not there any more.
    case gone(Message)
}

extension PushAction {
    fileprivate var familyID: FamilyID? {
        switch self {
        case .open(let family, _), .give(_, _, let family), .log(_, _, let family): family
        case .later: nil
        }
    }

    fileprivate var childID: ChildID? {
        switch self {
        case .open(_, let child): child
        case .give(_, let child, _), .log(_, let child, _): child
        case .later: nil
        }
    }
}

extension Home {
    /// Does what the person wants of a notification. Nothing is marked as read by it.
    ///
    /// Before a dose is given, and before something is said to be gone, the server is asked for what others did meanwhile, for
    /// at most 4 seconds. Without an answer what the phone knows holds.
    public func perform(_ action: PushAction) async throws -> PushOutcome {
        if case .later(let tag) = action { return .tellsAgain(tag: tag, after: PushAction.later) }
        if try await needsNews(action) { await catchUp() }
        guard let family = action.familyID, try await store.families().contains(where: { $0.id == family }) else {
            return .gone(texts.placeGone)
        }
        activeFamily.switch(to: family)
        let child = try await store.children(of: family).first { $0.id == action.childID }
        guard let child else { return action.childID == nil ? .shows(nil) : .gone(texts.placeGone) }
        switch action {
        case .open, .later: return .shows(child)
        case .log(let kind, _, _): return EventKind.named(kind).map { .logs($0, child) } ?? .shows(child)
        case .give(let plan, _, _):
            guard let known = try await store.plans(of: child.id).first(where: { $0.id == plan }) else {
                return .gone(texts.planGone)
            }
            if let (_, question) = try await planned(child.id, name: known.name, plan: plan, at: now), let question {
                return .asks(question, child)
            }
            return .given(try await give(known, to: child), child)
        }
    }

    private func needsNews(_ action: PushAction) async throws -> Bool {
        guard case .give = action else {
            guard let family = action.familyID, let child = action.childID else { return false }
            return try await !store.children(of: family).contains { $0.id == child }
        }
        return true
    }

    private func catchUp() async {
        await Deadline(.seconds(4), sleep: store.environment.sleep).run { [engine] in try await engine.fetchChanges() }
    }
}
