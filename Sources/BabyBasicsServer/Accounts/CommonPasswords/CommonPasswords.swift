import BabyBasicsAPI

/// The passwords that everybody who guesses tries first.
///
/// The list beside this file is Royce Williams's of the 20,000 most common, as the Django package on PyPI carries it (BSD-3-Clause, see
/// LICENSE), without those that are too short anyway. `deploy/common-passwords` renews it. It is part of the executable, so that no
/// server runs without it.
enum CommonPasswords {
    private static let list = Set(
        PackageResources.common_passwords_txt.split(separator: UInt8(ascii: "\n"))
            .map { String(decoding: $0, as: UTF8.self) })

    /// Whether a password is on the list, in whatever case it is written.
    static func contains(_ password: String) -> Bool {
        list.contains(password.lowercased())
    }
}
