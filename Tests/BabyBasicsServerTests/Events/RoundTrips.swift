@testable import BabyBasicsServer

extension TestServer {
    /// How often the request that was logged last asked the database.
    func roundTripsOfLastRequest() throws -> Int {
        let line = try log.lines.last { $0.contains("db_trips") }.required()
        let match = try line.firstMatch(of: /db_trips\W+(\d+)/).required()
        return try Int(match.1).required()
    }
}
