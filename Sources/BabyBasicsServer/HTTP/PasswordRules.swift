import BabyBasicsAPI
import Normalization

/// A password as it is hashed, and first compared: keyboards write the same letters in several forms.
func normalizedPassword(_ password: String) -> String { password.canonicallyComposed }

extension Rule where Value == String {
    /// A password to be, normalized: at least 8 code points of any kind, and not what everybody guesses first.
    static let password = Rule { (value) throws(Problem) in
        let password = try longEnough.parse(value)
        guard !CommonPasswords.contains(password) else {
            throw Problem("is one of the most common passwords; choose another", .common)
        }
        return password
    }

    private static let longEnough = text("must have at least 8 characters", .tooShort) { text in
        let password = normalizedPassword(text)
        return password.unicodeScalars.count >= 8 ? password : nil
    }
}
