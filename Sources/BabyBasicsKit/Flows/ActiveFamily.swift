public import BabyBasicsAPI
import Foundation
public import Observation

/// The family on screen, which decides whose children are shown. If it goes away, the oldest one left takes its place.
@MainActor @Observable public final class ActiveFamily {
    /// The family on screen; nil if the account has none, and has to set one up.
    public private(set) var family: StoredFamily?
    /// Whether the account has no family, as far as is known: it has to set one up.
    public private(set) var isEmpty = false
    /// All families of the account, oldest first.
    public private(set) var families: [StoredFamily] = []
    /// The children of the family on screen.
    public private(set) var children: [StoredChild] = []
    private let engine: SyncEngine
    private let preferences: any Preferences
    private var watching: Watching?

    private struct Seen: Equatable, Sendable {
        var families: [StoredFamily]
        var children: [StoredChild]
    }

    init(store: AccountStore, engine: SyncEngine, preferences: any Preferences) {
        self.engine = engine
        self.preferences = preferences
        watching = store.watch { db in
            let families = try AccountStore.families(db)
            return Seen(
                families: families,
                children: try families.flatMap { try AccountStore.children(of: $0.id, db) })
        } deliver: { [weak self] seen in
            self?.show(seen)
        }
    }

    private var allChildren: [StoredChild] = []

    /// Another family comes on screen.
    public func `switch`(to family: FamilyID) {
        preferences.set(family.description, for: PreferenceKey.activeFamily)
        show(Seen(families: families, children: allChildren))
    }

    private func show(_ seen: Seen) {
        families = seen.families
        isEmpty = seen.families.isEmpty
        allChildren = seen.children
        let wanted = preferences.string(PreferenceKey.activeFamily)
        family = families.first { $0.id.description == wanted } ?? families.first
        children = allChildren.filter { $0.familyID == family?.id }
        let id = family?.id
        Task { [engine] in await engine.setActiveFamily(id) }
    }
}
