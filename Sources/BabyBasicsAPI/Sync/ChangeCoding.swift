#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Which type the data of a change is read as depends on its entity.

extension Change: Decodable {
    private enum CodingKeys: CodingKey { case revision, entity, id, op, data }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let entity = try members.decode(Entity.self, forKey: .entity)
        func read<Details: EventDetails>(_ type: Details.Type) throws -> Content {
            .event(try members.decode(Event<Details>.self, forKey: .data))
        }
        let data: Content? =
            if try members.decodeNil(forKey: .data) {
                nil
            } else {
                switch entity {
                case .family: .family(try members.decode(Family.self, forKey: .data))
                case .familyMember: .familyMember(try members.decode(Member.self, forKey: .data))
                case .child: .child(try members.decode(SyncedChild.self, forKey: .data))
                case .plan: .plan(try members.decode(Plan.self, forKey: .data))
                default: try EventKind.details(named: entity.rawValue).map { try read($0) }
                }
            }
        self.init(
            revision: try members.decode(Int64.self, forKey: .revision), entity: entity,
            id: try members.decode(UUID.self, forKey: .id),
            op: try members.decode(Operation.self, forKey: .op), data: data)
    }
}

extension Change.Content: Hashable {
    private var value: AnyHashable {
        switch self {
        case .family(let family): AnyHashable(family)
        case .familyMember(let member): AnyHashable(member)
        case .child(let child): AnyHashable(child)
        case .plan(let plan): AnyHashable(plan)
        case .event(let event): AnyHashable(event)
        }
    }

    public static func == (left: Self, right: Self) -> Bool { left.value == right.value }

    public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
