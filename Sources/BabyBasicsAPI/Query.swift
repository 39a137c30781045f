/// What follows the question mark: one of the sets of parameters that the API's lists take. Absent ones are the server's defaults.
public struct Query: Hashable, Sendable {
    /// In the order written; names are plain words, values anything.
    public let items: [Item]

    public struct Item: Hashable, Sendable {
        public let name: String
        public let value: String
    }

    private init(_ items: (name: String, value: (any CustomStringConvertible)?)...) {
        self.items = items.compactMap { item in
            item.value.map { Item(name: item.name, value: $0.description) }
        }
    }

    public static let none = Query()

    /// A page of a list.
    /// - Parameters:
    ///   - limit: 1 to 200; 50 where absent.
    ///   - cursor: the `nextCursor` of the page before.
    public static func page(limit: Int? = nil, cursor: String? = nil) -> Query {
        Query(("limit", limit), ("cursor", cursor))
    }

    /// A page of one kind's events whose time is in `[from, to)`.
    public static func events(
        from: Timestamp? = nil, to: Timestamp? = nil, limit: Int? = nil, cursor: String? = nil
    ) -> Query {
        Query(("from", from), ("to", to), ("limit", limit), ("cursor", cursor))
    }

    /// A page of the timeline.
    /// - Parameter kinds: all of them where absent.
    public static func timeline(
        _ kinds: [EventKind]? = nil, from: Timestamp? = nil, to: Timestamp? = nil,
        limit: Int? = nil, cursor: String? = nil
    ) -> Query {
        Query(
            ("types", kinds?.map(\.name).joined(separator: ",")), ("from", from), ("to", to),
            ("limit", limit), ("cursor", cursor))
    }

    /// The dashboard of one day; of the caller's today where absent.
    public static func dashboard(date: CalendarDate? = nil) -> Query {
        Query(("date", date))
    }

    /// What changed after a revision; everything for 0.
    /// - Parameters:
    ///   - limit: 1 to 1000; 50 where absent.
    ///   - wait: how many seconds, at most 55, the answer may be held while there is nothing new; 0 where absent.
    public static func changes(since: Int64 = 0, limit: Int? = nil, wait: Int? = nil) -> Query {
        Query(("since", since), ("limit", limit), ("wait", wait))
    }
}

extension Query: CustomStringConvertible {
    /// Empty, or `?name=value&…`, with everything but RFC 3986's unreserved characters percent-encoded.
    public var description: String {
        items.isEmpty
            ? ""
            : "?"
                + items.map { "\($0.name)=\(percentEncoded($0.value))" }.joined(separator: "&")
    }
}

private func percentEncoded(_ text: String) -> String {
    text.utf8.reduce(into: "") { encoded, byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: "~"):
            encoded.unicodeScalars.append(Unicode.Scalar(byte))
        default:
            let digits = String(byte, radix: 16, uppercase: true)
            encoded += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
        }
    }
}
