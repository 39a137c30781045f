import Cryptography
import Foundation
import Postgres
import TestSupport

/// The password of every account that `TestServer.account` makes.
let testPassword = "a fine long password"

/// Hashed once for all tests.
private let testPasswordHash: String? = try? TestLoop.run {
    try await PasswordHasher(cost: 10, isIdle: false).hash(testPassword)
}

extension TestServer {
    /// Makes an account with a session and `testPassword`, past registration and its costs.
    func account(_ name: String, email: String? = nil) throws -> TestUser {
        let user = try user(name, email: email)
        try database.execute(
            "update users set password_hash = \(testPasswordHash.required()) where id = \(user.id)::uuid"
        )
        return user
    }

    func logIn(_ email: String, _ password: String = testPassword, from address: String? = nil)
        -> Answer
    {
        send(
            "POST", "auth/login", ["email": .string(email), "password": .string(password)],
            from: address)
    }

    /// Signs an account in once more; answers the other session.
    func anotherSession(of user: TestUser) throws -> TestUser {
        let token = try logIn(user.email).json["session"]["token"].string.required()
        return TestUser(id: user.id, name: user.name, email: user.email, token: token)
    }

    func deleteAccount(_ user: TestUser, _ password: String = testPassword) -> Answer {
        send("DELETE", "users/me", as: user, ["password": .string(password)])
    }

    func isSignedIn(_ user: TestUser) -> Bool {
        send("GET", "users/me", as: user).status == 200
    }
}

extension TestDatabase {
    /// Waits until so many sessions of the server wait for somebody's lock.
    func waitUntilBlocked(_ sessions: Int = 1) throws {
        for _ in 0..<500 {
            let blocked = try asSuperuser {
                try $0.first(
                    """
                    select count(*) from pg_stat_activity
                    where datname = current_database() and usename = 'babybasics' and wait_event_type = 'Lock'
                    """
                ) { try $0.next(Int64.self) }
            }
            if blocked == Int64(sessions) { return }
            Thread.sleep(forTimeInterval: 0.01)
        }
        throw Missing()
    }

    /// Every value of every column of every table, as text.
    func everything() throws -> String {
        let columns = try texts(
            "select table_name::text from information_schema.tables where table_schema = 'public'")
        return try columns.flatMap { table in
            try texts("select t::text from \(unescaped: table) t")
        }.joined(separator: "\n")
    }
}

/// Runs a body on a thread of its own; the answer waits for it.
final class Background<Value: Sendable>: Sendable {
    private let done = DispatchSemaphore(value: 0)
    private let result = ResultBox()

    /// `@unchecked`: written before the semaphore is signalled, read after it was waited for.
    private final class ResultBox: @unchecked Sendable {
        var value: Value?
    }

    init(_ body: @escaping @Sendable () -> Value) {
        let (done, result) = (done, result)
        Thread.detachNewThread {
            result.value = body()
            done.signal()
        }
    }

    func value() throws -> Value {
        done.wait()
        return try result.value.required()
    }
}
