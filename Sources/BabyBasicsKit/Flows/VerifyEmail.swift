import BabyBasicsAPI
import BabyBasicsClient
public import Observation

/// The row of the account that says whether the email is confirmed, and sends the mail again.
@MainActor @Observable public final class VerifyEmail {
    /// Where the row is.
    public enum Step: Hashable, Sendable {
        /// There is nothing to say: the email is confirmed, the server sends no mail, or it was not asked yet.
        case hidden
        /// The email is not confirmed.
        case unverified
        /// A mail is on its way; the message says where to.
        case sent
    }

    /// Where the row is.
    public private(set) var step = Step.hidden
    /// The message; nil for none.
    public private(set) var message: Message?
    /// Whether a request is under way: buttons wait.
    public private(set) var isWorking = false
    private let home: Home

    /// The row of the account that is signed in.
    public init(_ home: Home) {
        self.home = home
    }

    /// Asks quietly. Call it when the screen appears, and when the app comes back from a mail.
    public func look() async {
        guard !isWorking else { return }
        isWorking = true
        defer { isWorking = false }
        // Without an answer the row stays as it is.
        try? await read()
    }

    /// Has the mail sent again.
    public func send() async {
        guard !isWorking else { return }
        isWorking = true
        message = nil
        defer { isWorking = false }
        do {
            try await home.client.tell(Endpoints.sendVerification.description)
            step = .sent
            message = home.texts.mailOnItsWay(to: home.profile.email)
        } catch let failure as APIFailure where failure.status == 409 {
            // Confirmed in the meantime, or the server has stopped sending mail.
            try? await read()
            if step != .hidden { message = home.texts.failure(failure) }
        } catch let failure as APIFailure where failure.status == 429 {
            message = home.texts.mailedEnough(again: failure.retryAfter)
        } catch {
            message = home.texts.failure(error)
        }
    }

    private func read() async throws {
        guard try await home.client.emailIsToBeConfirmed() else {
            step = .hidden
            message = nil
            return
        }
        if step == .hidden { step = .unverified }
    }
}
