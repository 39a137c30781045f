public import BabyBasicsAPI
import BabyBasicsClient
import Foundation
public import Observation

/// What this person is told of: by family and kind, when never, and in which words. These are the server's settings, and
/// want a network.
@MainActor @Observable public final class TellMe {
    /// Where the screen is.
    public enum Step: Hashable, Sendable {
        /// Asking the server.
        case reading
        /// As the server has it.
        case showing
        /// It did not answer: `read()` tries again.
        case failed
    }

    /// Where the screen is.
    public private(set) var step = Step.reading
    /// When nothing is told, in the person's zone; nil for never.
    public private(set) var quiet: QuietHours?
    /// Whether sentences on a locked phone name medicines and temperatures.
    public private(set) var showsDetails = false
    /// What is told of a family.
    public private(set) var families: [FamilyID: NotificationSettings] = [:]
    /// The message about the last change.
    public private(set) var message: Message?
    private let home: Home

    /// The screen; `read` fills it.
    public init(_ home: Home) { self.home = home }

    /// Reads the settings, of the person and of each of their families.
    public func read() async {
        step = .reading
        message = nil
        do {
            show(try await home.client.send(Endpoints.getMe).body.user)
            var found: [FamilyID: NotificationSettings] = [:]
            for family in home.activeFamily.families {
                found[family.id] =
                    try await home.client.send(Endpoints.getNotifications, path: family.id).body.notifications
            }
            families = found
            step = .showing
        } catch {
            message = home.texts.failure(error)
            step = .failed
        }
    }

    /// Sets the quiet hours; nil for none.
    public func setQuiet(_ hours: QuietHours?) async {
        await change(UserChanges(quiet: hours.map { .hours($0) } ?? .never))
    }

    /// Names medicines and temperatures on a locked phone, or does not.
    public func setShowsDetails(_ shows: Bool) async { await change(UserChanges(showDetails: shows)) }

    /// Sets what is told of a family.
    public func set(_ settings: NotificationSettings, of family: FamilyID) async {
        await act {
            families[family] =
                try await home.client.send(Endpoints.replaceNotifications, path: family, body: settings)
                .body.notifications
        }
    }

    private func change(_ changes: UserChanges) async {
        await act { show(try await home.client.send(Endpoints.updateMe, body: changes).body.user) }
    }

    private func show(_ user: User) {
        quiet = user.quiet
        showsDetails = user.showDetails
    }

    private func act(_ change: () async throws -> Void) async {
        message = nil
        do { try await change() } catch { message = home.texts.failure(error) }
    }
}
