import BabyBasicsAPI

/// What may concern somebody who waits: a hint to look again, never the truth.
enum NewsItem: Hashable, Sendable {
    /// A family has changes up to a revision; `unknown` stands for any.
    case family(FamilyID, upTo: Int64)
    /// Sessions or memberships of a user may have ended.
    case user(UserID)
    /// There may be mail to send.
    case mail

    /// Of a change whose last number is not known, or that has none.
    static let unknown = Int64.max
}

extension NewsItem {
    /// As it travels: a letter, an identifier, and a family's revision.
    var text: String {
        switch self {
        case .family(let id, let revision): "f:\(id):\(revision)"
        case .user(let id): "u:\(id)"
        case .mail: "m"
        }
    }

    /// Nil for what another release may send.
    init?(_ text: Substring) {
        let parts = text.split(separator: ":")
        switch parts.first {
        case "f" where parts.count == 3:
            guard let id = FamilyID(parts[1]), let revision = Int64(parts[2]) else { return nil }
            self = .family(id, upTo: revision)
        case "u" where parts.count == 2:
            guard let id = UserID(parts[1]) else { return nil }
            self = .user(id)
        case "m" where parts.count == 1: self = .mail
        default: return nil
        }
    }
}

/// News that have yet to be sent: of each family the latest.
struct GatheredNews {
    /// What the database takes as one notification is below 8,000 bytes.
    private static let payloadBytes = 7_900
    /// More are not kept for a database that is away.
    private static let limit = 10_000

    private var families: [FamilyID: Int64] = [:]
    private var users: Set<UserID> = []
    private var hasMail = false

    var isEmpty: Bool { families.isEmpty && users.isEmpty && !hasMail }
    var count: Int { families.count + users.count + (hasMail ? 1 : 0) }

    mutating func add(_ item: NewsItem) {
        guard count < Self.limit else { return }
        switch item {
        case .family(let id, let revision): families[id] = max(revision, families[id] ?? 0)
        case .user(let id): users.insert(id)
        case .mail: hasMail = true
        }
    }

    /// Takes all of them out.
    mutating func take() -> [NewsItem] {
        defer { self = GatheredNews() }
        return families.map { NewsItem.family($0, upTo: $1) } + users.map(NewsItem.user)
            + (hasMail ? [.mail] : [])
    }

    static func payloads(of items: [NewsItem]) -> [String] {
        var payloads: [String] = []
        for item in items.map(\.text) {
            if let last = payloads.last, last.utf8.count + item.utf8.count < payloadBytes {
                payloads[payloads.count - 1] += " \(item)"
            } else {
                payloads.append(item)
            }
        }
        return payloads
    }
}
