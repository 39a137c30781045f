public import BabyBasicsAPI
public import Foundation

/// What the engine tells the app. The store has it already: an event is for what a person should hear of.
public enum SyncEvent: Sendable {
    /// Who is signed in has changed.
    case accountChange(AccountChange)
    /// Changes are about to be read.
    case willFetchChanges
    /// A page of a family's changes is in the store.
    case fetchedChanges(FetchedChanges)
    /// A family is on this device no more.
    case familyGone(FamilyID)
    /// All there was is read.
    case didFetchChanges
    /// What waits is about to be sent.
    case willSendChanges
    /// The server has answered a request.
    case sentChanges(SentChanges)
    /// Nothing waits any more.
    case didSendChanges
    /// The engine stops for a while, and goes on by itself.
    case pausing(Duration, because: SyncObstacle)

    /// How the account stands.
    public enum AccountChange: Hashable, Sendable {
        /// The session has ended: the person has to sign in again. The outbox stays as it is.
        case signedOut
    }

    /// What a page of the feed brought.
    public struct FetchedChanges: Hashable, Sendable {
        /// The family.
        public var familyID: FamilyID
        /// How many things are new or changed.
        public var modifications: Int
        /// How many are gone.
        public var deletions: Int
    }

    /// What became of one request.
    public struct SentChanges: Hashable, Sendable {
        /// The entries that the server has taken, or had already.
        public var saved: [UUID] = []
        /// The entries that are deleted there.
        public var deleted: [UUID] = []
        /// The entries that are put on top of a newer version and sent again.
        public var rebased: [UUID] = []
        /// The entries that the server refused.
        public var rejected: [UUID] = []
    }
}

/// Why nothing can be sent or read at the moment.
public enum SyncObstacle: Hashable, Sendable {
    /// No answer comes: no network, or the server is away.
    case noConnection
    /// The server asks for a pause.
    case busy
    /// What answers is not the server: a hotel's sign-in page, say.
    case notTheServer
    /// This device's own storage fails: it is full, or damaged.
    case storage
}

/// How the engine stands.
public enum SyncPhase: Hashable, Sendable {
    /// Not on screen.
    case stopped
    /// On screen, all is well.
    case running
    /// Waiting to try again.
    case pausing(SyncObstacle)
    /// Another process of the same app syncs; this one sees what it does.
    case watching
    /// The person has to sign in.
    case signedOut
}
