import BabyBasicsAPI
import BabyBasicsClient
import Foundation
public import Observation

/// The screen for a forgotten password: the server mails a link to a page of its own, or says who can help.
@MainActor @Observable public final class ForgotPassword {
    /// Where the screen is.
    public enum Step: Hashable, Sendable {
        /// What the server can is not known yet; `look` asks.
        case checking
        /// The person types the email.
        case entering
        /// If there is such an account, a mail is on its way; the message says so.
        case sent
        /// The server sends no mail: who can help, in the words of whoever runs it.
        case whoHelps(String)
    }

    /// Where the screen is.
    public private(set) var step = Step.checking
    /// The account's email.
    public var email: String
    /// The message; nil for none.
    public private(set) var message: Message?
    /// Whether a request is under way: buttons wait.
    public private(set) var isWorking = false
    private let account: Account

    /// The screen for an account of the chosen server.
    /// - Parameter email: what was typed where the person came from.
    public init(_ account: Account, email: String = "") {
        self.account = account
        self.email = email
    }

    /// Asks what the server can. Call it when the screen appears, and to try again.
    public func look() async {
        await act { [self] in try await ask() }
    }

    /// Has a link mailed. The answer is the same for whoever has no account.
    public func send() async {
        let email = email.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !email.isEmpty else {
            message = account.texts.emailMissing
            return
        }
        await act { [self] in
            do {
                try await account.clientOfNobody().send(Endpoints.forgotPassword, body: EmailOfAccount(email: email))
                step = .sent
                message = account.texts.linkSent
            } catch let failure as APIFailure where failure.status == 409 {
                // It has stopped sending mail.
                try await ask()
                if step == .entering { throw failure }
            }
        }
    }

    /// Back to the email, which may have been mistyped.
    public func again() {
        guard step == .sent else { return }
        step = .entering
        message = nil
    }

    private func ask() async throws {
        let facts = try await account.clientOfNobody().serverFacts()
        step = facts.sendsMail ? .entering : .whoHelps(facts.support ?? account.texts.askWhoever)
    }

    private func act(_ request: () async throws -> Void) async {
        guard !isWorking else { return }
        isWorking = true
        message = nil
        defer { isWorking = false }
        do {
            try await request()
        } catch {
            message = account.texts.failure(error)
        }
    }
}
