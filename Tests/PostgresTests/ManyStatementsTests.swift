import Foundation
import TestSupport
import Testing

@testable import Postgres

/// Statements of several requests that differ in their values alone and are sent as one.
struct ManyStatementsTests {
    let fixture: Fixture
    /// Places of a word, the highest first, and when that was found out.
    private let places = SQLTemplate(
        unescaped: """
            select p.place, coalesce(p.word, 'none'), extract(epoch from statement_timestamp())::float8, $2::uuid
            from places p where p.word is not distinct from $1 order by p.place desc
            """, mayBeMany: true)

    init() throws {
        fixture = try Fixture()
        try fixture.session.script(
            """
            create table places (word text, place int8);
            insert into places values ('a', 1), ('a', 3), ('a', 2), ('b', 7), (null, 0), ('zero', -1);
            """)
    }

    private struct Found: Equatable {
        let place: Int64
        let word: String
        let at: Double
        let id: UUID?
    }

    private func pool(sessions: Int = 2) throws -> Pool {
        let pool = fixture.database.pool { $0.maximumSessions = sessions }
        try pool.fill(sessions)
        return pool
    }

    private func rows(_ sent: PipelinedStatement?) throws -> [Found]? {
        try #require(sent).rows {
            Found(place: try $0.next(), word: try $0.next(), at: try $0.next(), id: try $0.next())
        }
    }

    @Test
    func `what comes while another is under way is one statement, and each gets its own rows`()
        throws
    {
        let pool = try pool()
        defer { pool.close() }
        let pipelines = Pipelines(pool, sessions: 1)
        let words = ["b", "a", "no such word", nil, "", "a", "zero"]
        let ids = words.indices.map { $0 % 3 == 0 ? nil : UUID() }
        for _ in 0..<3 {
            let first = pipelines.send("select pg_sleep(0.01)")
            let sent = zip(words, ids).map { pipelines.send(places.binding($0, $1)) }
            let found = try sent.reversed().map { try #require(try rows($0)) }.reversed()
            let expected: [[Int64]] = [[7], [3, 2, 1], [], [0], [], [3, 2, 1], [-1]]
            #expect(found.map { $0.map(\.place) } == expected)
            for ((word, id), rows) in zip(zip(words, ids), found) {
                #expect(rows.allSatisfy { $0.word == word ?? "none" && $0.id == id })
            }
            #expect(Set(found.joined().map(\.at)).count == 1, "one statement")
            #expect(try #require(first).rows { _ in }?.count == 1)
            #expect(pool.statistics.inUse == 0)
        }
    }

    @Test func `one alone is sent as it stands`() throws {
        let pool = try pool()
        defer { pool.close() }
        let pipelines = Pipelines(pool, sessions: 1)
        for _ in 0..<2 {
            let found = try rows(pipelines.send(places.binding("a", nil as UUID?)))
            #expect(found?.map(\.place) == [3, 2, 1])
        }
        try pool.withSession { first in
            try pool.withSession { second in
                #expect(first.preparedStatements + second.preparedStatements == 1)
            }
        }
    }

    @Test func `others go in between, each by itself or with its own kind`() throws {
        let pool = try pool()
        defer { pool.close() }
        let other = SQLTemplate(unescaped: "select $1::int8 * 2, $2::text", mayBeMany: true)
        let alone = SQLTemplate(unescaped: "select $1::int8 * 3, $2::text")
        let pipelines = Pipelines(pool, sessions: 1)
        let first = pipelines.send("select pg_sleep(0.01)")
        var sent: [(Int64, String, PipelinedStatement?)] = []
        var places: [PipelinedStatement?] = []
        for number in 0..<5 as Range<Int64> {
            sent.append((number * 2, "x", pipelines.send(other.binding(number, "x"))))
            sent.append((number * 3, "y", pipelines.send(alone.binding(number, "y"))))
            places.append(pipelines.send(self.places.binding("a", nil as UUID?)))
        }
        for (number, text, one) in sent {
            let found = try #require(one).rows {
                (try $0.next(Int64.self), try $0.next(String.self))
            }
            #expect(found?.map(\.0) == [number])
            #expect(found?.map(\.1) == [text])
        }
        let found = try places.map { try #require(try rows($0)) }
        #expect(found.allSatisfy { $0.map(\.place) == [3, 2, 1] })
        #expect(Set(found.joined().map(\.at)).count == 1)
        #expect(try #require(first).rows { _ in }?.count == 1)
    }

    @Test func `where one fails none has rows, and whoever comes then has`() throws {
        let pool = try pool()
        defer { pool.close() }
        let inverse = SQLTemplate(unescaped: "select 1 / $1::int8", mayBeMany: true)
        let pipelines = Pipelines(pool, sessions: 1)
        let first = pipelines.send("select pg_sleep(0.01)")
        let sent = [1, 0, -1].map { pipelines.send(inverse.binding(Int64($0))) }
        for one in sent {
            #expect(try #require(one).rows { try $0.next(Int64.self) } == nil)
        }
        #expect(try #require(first).rows { _ in }?.count == 1)
        try pool.fill(2)
        let next = try #require(pipelines.send(inverse.binding(Int64(-1))))
        #expect(try next.rows { try $0.next(Int64.self) } == [-1])
    }

    /// A plan of before is no reason for an answer that was not given.
    @Test func `after the schema has changed they are run by themselves`() throws {
        let pool = try pool()
        defer { pool.close() }
        let all = SQLTemplate(
            unescaped: "select p.* from places p where p.word = $1", mayBeMany: true)
        let pipelines = Pipelines(pool, sessions: 1)
        func ask() throws -> [Int?] {
            let first = pipelines.send("select pg_sleep(0.01)")
            let sent = ["a", "b"].map { pipelines.send(all.binding($0)) }
            let counts = try sent.map { try #require($0).rows { _ in }?.count }
            _ = try first?.rows { _ in }
            return counts
        }
        #expect(try ask() == [3, 1])
        try fixture.session.script("alter table places add remark text")
        #expect(try ask() == [nil, nil])
        try pool.fill(2)
        #expect(try ask() == [3, 1])
    }

    @Test func `rows that are not in the order of the statements are nobody's`() throws {
        func shares(_ query: SQL, of count: Int) throws -> [Range<Int32>]? {
            try fixture.session.live().run(query).shares(of: count)
        }
        let rows: SQL = "select n from (values (1::int8), (1), (3)) v (n)"
        #expect(try shares(rows, of: 3) == [0..<2, 2..<2, 2..<3])
        #expect(try shares(rows, of: 4) == [0..<2, 2..<2, 2..<3, 3..<3])
        #expect(try shares(rows, of: 2) == nil)
        #expect(try shares("select n from (values (2::int8), (1)) v (n)", of: 2) == nil)
        #expect(try shares("select 1::int4", of: 1) == nil)
        #expect(try shares("select null::int8", of: 1) == nil)
        #expect(try shares("select 1::int8 where false", of: 2) == [0..<0, 0..<0])
    }

    /// Joined in whatever order costs least, as a query over all of their values would be, the rows would be nobody's.
    @Test func `it is planned as for one`() throws {
        try fixture.session.script(
            """
            create table readings (place int8, value int8);
            insert into readings select n % 1000, n from generate_series(1, 20000) n;
            analyze readings;
            """)
        let values = SQLTemplate(
            unescaped: "select value from readings where place = $1", mayBeMany: true)
        let places: [Int64] = [7, 3, 1000, 999, 3]
        let many = try #require(SQL.many(places.map { values.binding($0) }))
        let shares = try fixture.session.live().run(many).shares(of: places.count)
        #expect(shares?.map(\.count) == [20, 20, 0, 20, 20])
    }

    @Test func `many threads at once get their own answers`() throws {
        let pool = try pool(sessions: 4)
        defer { pool.close() }
        let pipelines = Pipelines(pool, sessions: 2)
        let echo = SQLTemplate(
            unescaped: "select $1::int8 from generate_series(1, $1 % 3)", mayBeMany: true)
        let workers = (0..<8).map { thread in
            Worker {
                var wrong: [[Int64]?] = []
                for round in 0..<300 {
                    let number = Int64(thread * 1000 + round)
                    var sent: PipelinedStatement?
                    while sent == nil {
                        sent = pipelines.send(echo.binding(number))
                        if sent == nil { usleep(100) }
                    }
                    while round % 2 == 0, sent?.isHere == false { usleep(50) }
                    let rows = try sent?.rows { try $0.next(Int64.self) }
                    let expected = Array(repeating: number, count: Int(number % 3))
                    if rows != expected { wrong.append(rows) }
                }
                return wrong
            }
        }
        let wrong = try workers.flatMap { try $0.join() }
        #expect(wrong.isEmpty)
        #expect(pool.statistics.inUse == 0)
    }
}
