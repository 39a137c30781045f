extension Language {
    /// Somebody's own text as it stands in a sentence. One of the other direction keeps its own: a Hebrew name in English, a Latin one in
    /// Arabic. Whatever has the sentence's direction stays as it is, without marks that nobody sees.
    public func isolated(_ text: String) -> String {
        let turns = text.unicodeScalars.contains { $0.isLetter && $0.isRightToLeft != isRightToLeft }
        return turns ? "\u{2068}\(text)\u{2069}" : text
    }
}

extension Unicode.Scalar {
    fileprivate var isLetter: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
        default: false
        }
    }

    /// By the blocks that Unicode keeps for such scripts.
    fileprivate var isRightToLeft: Bool {
        switch value {
        case 0x0590...0x08ff, 0xfb1d...0xfdff, 0xfe70...0xfeff, 0x10800...0x10fff, 0x1e800...0x1efff: true
        default: false
        }
    }
}
