/// On whose behalf a password is hashed or checked. It decides the lane in which the work waits.
public enum PasswordCaller: Sendable, Hashable {
    /// A registration, or a sign-in from a device that this account has not used before: what a flood consists of.
    case newDevice
    /// A sign-in from a device that this account has used before.
    case knownDevice
    /// A signed-in user, by id, who checks or changes their own password. One at a time: a second one is refused.
    case user(UInt128)

    var lane: HashingLanes.Lane { self == .newDevice ? .new : .known }

    var user: UInt128? {
        if case .user(let id) = self { id } else { nil }
    }
}
