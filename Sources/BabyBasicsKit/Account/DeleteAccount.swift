import BabyBasicsAPI
import BabyBasicsClient
public import Observation

/// The screen that deletes the account: at the server, with families that have no other member, and on this device.
@MainActor @Observable public final class DeleteAccount {
    /// Where the screen is.
    public enum Step: Hashable, Sendable {
        /// The person reads the warning, and enters the password.
        case asking
        /// Others are in these families, of which this account is the only parent: they need another one first.
        case onlyParent([String])
        /// The account is gone.
        case deleted
    }

    /// Where the screen is.
    public private(set) var step = Step.asking
    /// The account's password, once more; forgotten once it is used.
    public var password = ""
    /// The message about the last try.
    public private(set) var message: Message?
    /// Whether a request is under way: buttons wait.
    public private(set) var isWorking = false
    /// How many changes the server does not have: they are lost.
    public private(set) var unsent = 0
    private let account: Account

    /// The screen of the account that is signed in.
    public init(_ account: Account) {
        self.account = account
    }

    /// The warning.
    public var warning: String { account.texts.deletingAccount(unsent: unsent) }

    /// Counts the changes that would be lost.
    public func look() async {
        guard let store = account.home?.store else { return }
        do {
            unsent = try await store.pendingChanges().count + store.rejectedChanges().count
        } catch {
            message = account.texts.failure(error)
        }
    }

    /// The person means it.
    public func confirm() async {
        guard !isWorking, step != .deleted else { return }
        isWorking = true
        message = nil
        defer { isWorking = false }
        do {
            try await account.delete(password: password)
            password = ""
            step = .deleted
        } catch let failure as APIFailure where failure.status == 409 {
            step = .onlyParent(failure.details.map(\.message))
            message = account.texts.onlyParent(of: failure.details.map(\.message))
        } catch {
            message = account.texts.failure(error, helper: .password)
        }
    }
}
