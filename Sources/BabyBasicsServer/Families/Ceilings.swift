import BabyBasicsAPI

/// How many of a thing there can be: more than any family needs, and few enough that nobody can make the server slow with them.
enum Ceiling {
    static let familiesOfUser = 50
    static let membersOfFamily = 50
    static let childrenOfFamily = 20
    static let openInvitesOfFamily = 20
    static let devicesOfUser = 10
    static let plansOfChild = 50
    static let remindersOfUser = 100
    static let tokensOfUser = 20
    static let webhooksOfFamily = 5
}

extension APIError {
    static let tooManyFamilies = APIError(
        .conflict, "You belong to \(Ceiling.familiesOfUser) families already")
    static let tooManyMembers = APIError(
        .conflict, "This family already has \(Ceiling.membersOfFamily) members")
    static let tooManyChildren = APIError(
        .conflict, "This family already has \(Ceiling.childrenOfFamily) children")
    static let tooManyPlans = APIError(
        .conflict, "This child already has \(Ceiling.plansOfChild) medicine plans")
    static let tooManyReminders = APIError(
        .conflict, "You already have \(Ceiling.remindersOfUser) reminders")
    static let tooManyTokens = APIError(
        .conflict, "You already have \(Ceiling.tokensOfUser) tokens. Delete one of them first.")
    static let tooManyWebhooks = APIError(
        .conflict, "This family already has \(Ceiling.webhooksOfFamily) webhooks")
    static let tooManyInvites = APIError(
        .conflict, "This family already has \(Ceiling.openInvitesOfFamily) open invites")
    static let tooManyDevices = APIError(
        .conflict, "You are told on \(Ceiling.devicesOfUser) devices already. Remove one of them first.")
}
