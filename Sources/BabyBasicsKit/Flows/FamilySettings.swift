public import BabyBasicsAPI
import BabyBasicsClient
import Foundation
public import Observation

/// The screen of one family: members, children, and this account's permissions.
@MainActor @Observable public final class FamilySettings {
    /// Where the screen is.
    public enum Step: Hashable, Sendable {
        /// Nothing has been read yet.
        case loading
        /// The family is shown.
        case showing
        /// The family is gone from this device.
        case gone
    }

    /// Where the screen is.
    public private(set) var step = Step.loading
    /// The family.
    public private(set) var family: StoredFamily?
    /// Its members, without those whose time is over.
    public private(set) var members: [StoredMember] = []
    /// Its children.
    public private(set) var children: [StoredChild] = []
    /// The message about the last action.
    public private(set) var message: Message?
    /// Whether a request is under way: buttons wait.
    public private(set) var isWorking = false
    private let home: Home
    private let id: FamilyID
    private var watching: Watching?

    private struct Seen: Equatable, Sendable {
        var family: StoredFamily?
        var members: [StoredMember]
        var children: [StoredChild]
    }

    /// The screen of a family.
    public init(_ home: Home, family id: FamilyID) {
        self.home = home
        self.id = id
        watching = home.store.watch { db in
            Seen(
                family: try AccountStore.families(db).first { $0.id == id },
                members: try AccountStore.members(of: id, db),
                children: try AccountStore.children(of: id, db))
        } deliver: { [weak self] in
            self?.show($0)
        }
    }

    private func show(_ seen: Seen) {
        family = seen.family
        let now = home.now
        members = seen.members.filter { $0.accessUntil.map { $0 > now } ?? true }
        children = seen.children
        step = seen.family == nil ? .gone : .showing
    }

    /// This account's permissions; nil while the family is unknown.
    public var permissions: FamilyPermissions? {
        family.map {
            FamilyPermissions(family: $0, members: members, userID: home.store.userID)
        }
    }

    /// A role as it is written beside a name.
    public func roleName(_ member: StoredMember) -> String { home.texts.roleName(member.role) }

    /// Gives the family another name.
    public func rename(_ name: String) async {
        await act { [self] in
            try await home.client.tell(Endpoints.updateFamily.description, id, body: FamilyChanges(name: name))
        }
    }

    /// Removes a member.
    public func remove(_ member: StoredMember) async {
        await act { [self] in
            try await home.client.tell(Endpoints.removeMember.description, id, member.id)
        }
    }

    /// Gives a member another role.
    public func change(_ member: StoredMember, to role: Role) async {
        await act { [self] in
            try await home.client.tell(
                Endpoints.changeMember.description, id, member.id, body: MemberChanges(role: role))
        }
    }

    /// Sets or removes the end of a membership.
    public func change(_ member: StoredMember, access: MemberChanges.Access) async {
        await act { [self] in
            try await home.client.tell(
                Endpoints.changeMember.description, id, member.id, body: MemberChanges(access: access))
        }
    }

    /// Hands the family over to another parent.
    public func transfer(to member: StoredMember) async {
        await act { [self] in
            try await home.client.tell(Endpoints.transferFamily.description, id, body: NewOwner(userId: member.id))
        }
    }

    /// Adds a child. The id is made once for a form: pressing twice adds one.
    public func addChild(_ form: ChildForm) async {
        await act { [self] in
            try await home.makeChild(form.id, name: form.name, dateOfBirth: form.dateOfBirth, in: id)
        }
    }

    /// Changes a child's name or date of birth.
    public func change(_ child: StoredChild, name: String, dateOfBirth: CalendarDate) async {
        await act { [self] in
            try await home.client.tell(
                Endpoints.updateChild.description, child.id,
                body: ChildChanges(name: name, dateOfBirth: dateOfBirth))
        }
    }

    /// Deletes a child with everything that was logged for it.
    public func delete(_ child: StoredChild) async {
        await act { [self] in
            try await home.client.tell(Endpoints.deleteChild.description, child.id)
        }
    }

    /// This account leaves the family.
    public func leave() async {
        await goAway { [self] in
            try await home.client.tell(Endpoints.leaveFamily.description, id)
        }
    }

    /// Deletes the family with everything in it.
    public func deleteFamily() async {
        await goAway { [self] in
            try await home.client.tell(Endpoints.deleteFamily.description, id)
        }
    }

    /// Makes another family, which comes on screen. The id is made once for a form.
    public func createFamily(_ form: FamilyForm) async {
        await act { [self] in
            home.activeFamily.switch(to: try await home.makeFamily(form.id, name: form.name))
        }
    }

    /// A form for a child.
    public struct ChildForm: Hashable, Sendable {
        let id: ChildID
        /// The child's name.
        public var name: String
        /// The child's date of birth.
        public var dateOfBirth: CalendarDate
    }

    /// A form for a family.
    public struct FamilyForm: Hashable, Sendable {
        let id: FamilyID
        /// The family's name.
        public var name: String
    }

    /// An empty form for a child.
    public func newChild() -> ChildForm {
        let id = ChildID(home.configuration.environment.makeUUID())
        return ChildForm(id: id, name: "", dateOfBirth: home.now.utcDate)
    }

    /// A form for a family, with a name filled in.
    public func newFamily() -> FamilyForm {
        FamilyForm(
            id: FamilyID(home.configuration.environment.makeUUID()),
            name: home.texts.familyName(home.profile.firstName))
    }

    private func act(_ request: () async throws -> Void) async {
        guard !isWorking else { return }
        isWorking = true
        defer { isWorking = false }
        message = nil
        do {
            try await request()
        } catch {
            message = home.texts.failure(
                error, helper: family.map { .inFamily($0, userID: home.store.userID) } ?? .parent)
            return
        }
        // The change comes by the feed.
        try? await home.engine.fetchChanges()
    }

    private func goAway(_ request: () async throws -> Void) async {
        await act { [self] in
            // Pending changes are sent before this account is out.
            try? await home.engine.sendChanges()
            try await request()
            try await home.store.leaveFamily(id)
        }
    }
}
