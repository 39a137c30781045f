import BabyBasicsAPI
import Foundation

@testable import BabyBasicsServer
@testable import FastCGI

/// A method and a request target: which endpoint is found, with which parameters, and what its query says, as the rules read slowly have it.
///
/// The whole walk of the request follows, as far as it goes without a database.
enum RoutesTarget {
    @Sendable static func run(_ bytes: [UInt8]) {
        var input = Input(bytes)
        let method = method(&input)
        switch input.byte() % 3 {
        case 0: filledIn(&input)
        case 1: written(&input)
        default: any(method, input.remaining())
        }
    }

    private static func method(_ input: inout Input) -> String {
        let choice = Int(input.byte())
        let known = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "get", ""]
        return choice < known.count ? known[choice] : input.text()
    }

    // MARK: Any target

    private static func any(_ method: String, _ target: [UInt8]) {
        // What a C string can hold: libfcgi ends it at the first NUL.
        let target = Array(target.prefix { $0 != 0 })
        let path = Array(target.prefix { $0 != UInt8(ascii: "?") })
        let request = request(method, target)
        let response = LoneServer.respond(request)
        let found = ReferenceRoute.find(path: path, method: method)
        switch found {
        case nil: check(response.status == 404, "\(path) is no path, yet \(response.status)")
        case .wrongMethod(let allowed):
            check(response.status == 405, "\(method) is none of the path's, yet \(response.status)")
            let allow = response.headers.first { $0.name == "Allow" }?.value
            check(allow == allowed, "Allow is \(allow ?? "absent"), not \(allowed)")
        case .route(let endpoint, let parameters):
            check(![404, 405].contains(response.status), "\(endpoint.path) was not found")
            let match = try? LoneServer.router.match(method: method, path: path[...])
            check(leads(match, to: endpoint), "\(endpoint.path) is not what was found")
            check(match?.parameters.map(String.init) == parameters, "the path's parameters")
        }
        query(target, of: request)
    }

    private static func request(_ method: String, _ target: [UInt8]) -> Request {
        // By way of the environment that libfcgi makes: a `String` would repair what is not UTF-8.
        LoneServer.request([
            Array("REQUEST_METHOD=\(method)".utf8), Array("REQUEST_URI=".utf8) + target,
        ])
    }

    // MARK: The query

    private static func query(_ target: [UInt8], of request: Request) {
        let expected = ReferenceQuery(target)
        let query = LoneServer.context(request).query
        for name in ["limit", "cursor", "from", "to", "types", "since", "date", "a"] {
            let value = query.optional(name, "") { $0 }
            switch expected.values[Array(name.unicodeScalars)] {
            case nil: check(value == .some(nil), "\(name) is absent")
            case .some(let given):
                guard given.count == 1, let only = given[0] else {
                    check(value == nil, "\(name) is given \(given.count) times or badly encoded")
                    continue
                }
                guard case .some(.some(let text)) = value else { fail("\(name) is given") }
                check(Array(text.unicodeScalars) == only, "the text of \(name)")
            }
        }
        let limit = LoneServer.context(request).query.limit()
        let given = expected.values[Array("limit".unicodeScalars)]
        let wanted = given.map { $0.count == 1 ? $0[0].flatMap(number) : nil } ?? 50
        check(limit == wanted, "limit is \(wanted as Int?), not \(limit as Int?)")
    }

    /// 1 to 200 in up to three digits.
    private static func number(_ scalars: [Unicode.Scalar]) -> Int? {
        guard (1...3).contains(scalars.count),
            scalars.allSatisfy({ ("0"..."9").contains($0) })
        else { return nil }
        let value = scalars.reduce(0) { $0 * 10 + Int($1.value - 48) }
        return (1...200).contains(value) ? value : nil
    }

    private static func leads(
        _ match: (route: Route, parameters: [Substring])?, to endpoint: EndpointDescription
    ) -> Bool {
        match?.route.endpoint.method == endpoint.method
            && match?.route.endpoint.path == endpoint.path
    }

    // MARK: Round trips

    /// A path that the client fills in is found again.
    private static func filledIn(_ input: inout Input) {
        let endpoint = input.choice(Endpoints.all)
        let parameters: [Identifier<Child>] = (0..<endpoint.parameterCount).map { _ in
            input.identifier()
        }
        let match = try? LoneServer.router.match(
            method: endpoint.method.rawValue, path: Array(endpoint.path(parameters).utf8)[...])
        check(leads(match, to: endpoint), "\(endpoint.path) is not found again")
        let read = match?.parameters.map { Identifier<Child>($0) }
        check(read == parameters.map(Optional.some), "the identifiers of \(endpoint.path)")
    }

    /// A query that the client writes is read again.
    private static func written(_ input: inout Input) {
        let text = input.text().unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7f }
        var cursor = String.UnicodeScalarView()
        cursor.append(contentsOf: text)
        let from = Timestamp(
            microsecondsSince1970: Int64(input.number() as Int32) * 1_000_000)
        let limit = Int(input.byte())
        let query = Query.timeline(from: from, limit: limit, cursor: String(cursor))
        let read = LoneServer.context(request("GET", Array("/\(query)".utf8))).query
        let again = read.optional("cursor", "") { $0 }
        check(
            again??.unicodeScalars.elementsEqual(cursor) == true, "the cursor of \(query)")
        check(read.optional("from", "") { Timestamp($0) } == from, "the time of \(query)")
        let inRange = (1...200).contains(limit)
        check(read.limit() == (inRange ? limit : nil), "the limit of \(query)")
    }
}
