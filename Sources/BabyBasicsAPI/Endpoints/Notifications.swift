extension Endpoints {
    public static let getNotifications = Endpoint<Empty, NotificationSettingsAnswer>(
        .get, "\(base)/families/:familyId/notifications", access: .family(.member))
    public static let replaceNotifications = Endpoint<NotificationSettings, NotificationSettingsAnswer>(
        .put, "\(base)/families/:familyId/notifications", access: .family(.member))

    static let notifications = [getNotifications.description, replaceNotifications.description]
}

/// What a member wants to be told of in a family, of what others do.
public struct NotificationSettings: Codable, Hashable, Sendable {
    /// The names of the kinds of which each entry of somebody else is told.
    public var kinds: [String]
    /// Whether it is told who joined or left.
    public var members: Bool
    /// Whether it is told when somebody's access ends.
    public var accessEnds: Bool

    public init(kinds: [String], members: Bool, accessEnds: Bool) {
        self.kinds = kinds
        self.members = members
        self.accessEnds = accessEnds
    }
}

public struct NotificationSettingsAnswer: Codable, Hashable, Sendable {
    public var notifications: NotificationSettings

    public init(notifications: NotificationSettings) {
        self.notifications = notifications
    }
}
