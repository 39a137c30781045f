/// A statement and its parameters. Interpolation binds, it never pastes text:
///
/// ```swift
/// let open: SQL = "used_at is null and revoked_at is null"
/// try await connection.execute("""
///     update share_links set revoked_at = \(now)
///     where family_id = \(family) and \(fragment: open)
///     """)
/// ```
///
/// | written | sent |
/// |---|---|
/// | `\(value)`, `\(optional)` | `$n` and the value in binary format, or NULL |
/// | `\(fragment: sql)` | the fragment's text and parameters, renumbered |
/// | `\(unescaped: text)` | the text itself: never for anything that came from outside |
///
/// A parameter has the type of its Swift value (`text` for `String`); where PostgreSQL needs
/// another one, cast it: `\(name)::citext`. At most 65,535 parameters.
public struct SQL: ExpressibleByStringInterpolation, Sendable, CustomStringConvertible {
    @usableFromInline
    struct Parameter: Sendable {
        @usableFromInline var type: TypeOID
        /// Where the value begins in `bytes`.
        @usableFromInline var offset: Int
        /// −1 is NULL.
        @usableFromInline var length: Int32
        /// Where `$n` begins in the text, in UTF-8 bytes: what makes renumbering a copy.
        @usableFromInline var position: Int32

        @inlinable
        init(type: TypeOID, offset: Int, length: Int32, position: Int32) {
            self.type = type
            self.offset = offset
            self.length = length
            self.position = position
        }
    }

    /// The text with `$1`, `$2` … in place of the values.
    public internal(set) var text: String
    @usableFromInline var encoder = ValueEncoder()
    @usableFromInline var parameters: [Parameter] = []

    public init(stringLiteral text: String) {
        self.text = text
    }

    public init(stringInterpolation interpolation: StringInterpolation) {
        text = interpolation.text
        encoder = interpolation.encoder
        parameters = interpolation.parameters
    }

    /// The text; values are never shown.
    public var description: String { text }
}

extension SQL {
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        @usableFromInline var text = ""
        @usableFromInline var encoder = ValueEncoder()
        @usableFromInline var parameters: [Parameter] = []

        public init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 3 * interpolationCount)
            if interpolationCount > 0 {
                parameters.reserveCapacity(interpolationCount)
                encoder.bytes.reserveCapacity(16 * interpolationCount)
            }
        }

        public mutating func appendLiteral(_ literal: String) {
            text += literal
        }

        /// Binds the value.
        @inlinable
        public mutating func appendInterpolation<Value: PostgresValue>(_ value: Value) {
            let start = encoder.bytes.count
            value.encode(into: &encoder)
            appendParameter(
                Value.oid, offset: start,
                length: Int32(truncatingIfNeeded: encoder.bytes.count - start))
        }

        /// Binds the value, or NULL.
        @inlinable
        public mutating func appendInterpolation<Value: PostgresValue>(_ value: Value?) {
            if let value {
                appendInterpolation(value)
            } else {
                appendParameter(Value.oid, offset: encoder.bytes.count, length: -1)
            }
        }

        /// Puts another statement's text here, its parameters renumbered.
        public mutating func appendInterpolation(fragment: SQL) {
            append(fragment)
        }

        /// Puts text into the statement as it is. Never use it for anything that came from outside.
        public mutating func appendInterpolation(unescaped raw: String) {
            text += raw
        }

        @usableFromInline
        mutating func appendParameter(_ type: TypeOID, offset: Int, length: Int32) {
            parameters.append(
                Parameter(
                    type: type, offset: offset, length: length,
                    position: Int32(truncatingIfNeeded: text.utf8.count)))
            text += "$"
            text += Self.numeral(parameters.count)
        }

        mutating func append(_ fragment: SQL) {
            let base = encoder.bytes.count
            encoder.bytes += fragment.encoder.bytes
            let utf8 = fragment.text.utf8
            var copied = utf8.startIndex
            for (index, parameter) in fragment.parameters.enumerated() {
                precondition(parameter.position >= 0, "a template's statement is no fragment")
                let position = utf8.index(utf8.startIndex, offsetBy: Int(parameter.position))
                text += fragment.text[copied..<position]
                appendParameter(
                    parameter.type, offset: base + parameter.offset, length: parameter.length)
                copied = utf8.index(position, offsetBy: 1 + Self.numeral(index + 1).utf8.count)
            }
            text += fragment.text[copied...]
        }

        /// Most statements have few parameters: their numbers need no formatting.
        private static func numeral(_ number: Int) -> String {
            number < numerals.count ? numerals[number] : String(number)
        }

        private static let numerals = (0..<64).map(String.init)
    }
}

extension Sequence<SQL> {
    /// One statement of all, `separator` between them: for lists of rows or conditions.
    public func joined(separator: String) -> SQL {
        var whole = SQL.StringInterpolation(literalCapacity: 0, interpolationCount: 0)
        var isFirst = true
        for part in self {
            if !isFirst { whole.appendLiteral(separator) }
            whole.append(part)
            isFirst = false
        }
        return SQL(stringInterpolation: whole)
    }
}
