import BabyBasicsAPI
public import Curl
import EventLoop
import FoundationEssentials
import Logging
import Postgres
import Synchronization

/// Hands mails in, one at a time. Called on a thread of its own, never twice at once.
public protocol MailTransport: Sendable {
    func send(_ message: [UInt8], from sender: String, to recipient: String) throws(MailFailure)
    func close()
}

extension MailConnection: MailTransport {}

/// Sends the mails that wait: each is claimed, handed to the mail server on a thread of its own, and removed.
///
/// Any number of workers do so at once. What the mail server did not take stays, and is tried again later.
public final class MailSender: Sendable {
    let delivery: Delivery
    private let metrics: MailMetrics
    private let pool: Pool
    private let configuration: ServerConfiguration
    private let mail: MailConfiguration
    private let clock: any Clock
    private let logger: Logger
    private let makeTransport: @Sendable () -> any MailTransport
    /// Made for the first of the mails that wait, and let go after the last.
    private let transport: LoopBound<(any MailTransport)?>

    init(
        _ mail: MailConfiguration, _ configuration: ServerConfiguration, _ pool: Pool, _ metrics: MailMetrics,
        _ clock: any Clock, _ logger: Logger, transport: (@Sendable () -> any MailTransport)?
    ) {
        self.metrics = metrics
        delivery = Delivery(on: pool.loop)
        self.pool = pool
        self.configuration = configuration
        self.mail = mail
        self.clock = clock
        self.logger = logger
        makeTransport = transport ?? { MailConnection(mail.server) }
        self.transport = LoopBound(nil, on: pool.loop)
    }

    static let rows = DueRows(table: "mails")

    /// On the loop, until `delivery` is closed.
    func run() async { await delivery.run { await self.step() } }

    /// Sends one mail.
    func step() async -> Delivery.Step {
        do {
            let step = try await sendNext()
            if step == .idle {
                // Taking leave of the mail server takes as long as its answer.
                if let transport = transport.value.take() { try await pool.loop.blocking { transport.close() } }
                try await countWaiting()
            }
            return step
        } catch {
            logger.warning("mails wait for the database", metadata: ["reason": "\(loggable(error))"])
            return .idle
        }
    }

    private func sendNext() async throws -> Delivery.Step {
        guard let waiting = try await claim() else { return .idle }
        guard waiting.kind != nil else {
            // What a newer release writes is for its own workers.
            try await settle(Self.rows.postponement(of: waiting.claim, by: .seconds(60), at: sharedClock))
            return .done
        }
        guard let message = try await message(of: waiting) else {
            // What was tried before came too late for somebody.
            (waiting.claim.attempts > 1 ? metrics.givenUp : metrics.dropped).add()
            try await settle(Self.rows.removal(of: waiting.claim))
            return .done
        }
        return try await send(message, waiting)
    }

    private func send(_ message: MailMessage, _ waiting: WaitingMail) async throws -> Delivery.Step {
        let transport = transport.value ?? makeTransport()
        self.transport.value = transport
        let (bytes, from, to) = (message.bytes, message.from.address, message.to.address)
        let failure: MailFailure? = try await pool.loop.blocking {
            do throws(MailFailure) {
                try transport.send(bytes, from: from, to: to)
                return nil
            } catch {
                return error
            }
        }
        guard let failure else {
            metrics.sent.add()
            try await settle(Self.rows.removal(of: waiting.claim))
            return .done
        }
        metrics.failed.add()
        try await postpone(waiting, failure)
        return failure.isOfServer ? .idle : .done
    }

    private func postpone(_ waiting: WaitingMail, _ failure: MailFailure) async throws {
        let reason: Logger.Metadata = ["reason": "\(failure)", "attempt": "\(waiting.claim.attempts)"]
        guard let delay = waiting.claim.delay(at: clock.now()) else {
            metrics.givenUp.add()
            logger.error("a mail was given up", metadata: reason)
            return try await settle(Self.rows.removal(of: waiting.claim))
        }
        try await settle(Self.rows.postponement(of: waiting.claim, by: delay, at: sharedClock))
        logger.warning("a mail was not sent", metadata: reason)
    }

    private func claim() async throws -> WaitingMail? {
        let columns = "kind, user_id, share_link_id, recipient, \(WaitingMail.languageColumn)"
        return try await Database(pool).change(Self.rows.claim(columns, at: sharedClock)) { try WaitingMail(&$0) }.first
    }

    /// Writes down what came of a claim, for as long as the claim is good: what was sent is not to be sent again because the database was
    /// away for a moment.
    private func settle(_ statement: SQL) async throws {
        let end = Monotonic.now + 15_000_000_000
        while true {
            do {
                try await Database(pool).execute(statement)
                return
            } catch  where Monotonic.now < end && !delivery.isClosed {
                await pool.loop.sleep(.milliseconds(500))
            }
        }
    }

    private func countWaiting() async throws {
        let waiting = try await Database(pool).first("select count(*) from mails") { try $0.next(Int64.self) }
        metrics.waiting.store(Int(waiting ?? 0), ordering: .relaxed)
    }

    private var sharedClock: SQL {
        "(clock_timestamp() + \(clock.offset.microseconds) * interval '1 microsecond')"
    }

    /// Nil for a mail that would say what is not so any more.
    private func message(of waiting: WaitingMail) async throws -> MailMessage? {
        guard let to = Mailbox(waiting.recipient) else { return nil }
        let database = Database(pool)
        let facts = LetterFacts(database: database, configuration: configuration, clock: clock)
        guard let letter = try await facts.letter(of: waiting, at: sharedClock) else { return nil }
        return MailMessage(
            id: waiting.claim.id, from: mail.from, to: to, date: waiting.claim.createdAt, language: waiting.language,
            letter: letter,
            foot: Letters(waiting.language).foot(server: configuration.baseURL, support: configuration.support))
    }
}

/// A claimed row of `mails`.
struct WaitingMail {
    let claim: DueRows.Claim
    /// Nil for one that only a newer release knows.
    let kind: MailKind?
    let user: UserID?
    let invite: InviteID?
    let recipient: String
    let language: Language

    /// The account's that it goes to, known by now or not; else the inviter's.
    static let languageColumn = """
        coalesce(
            (select u.language from users u where u.id = mails.user_id),
            (select u.language from users u where u.email = mails.recipient),
            (select u.language from share_links l join users u on u.id = l.created_by where l.id = mails.share_link_id),
            mails.language)
        """

    init(_ row: inout Row) throws {
        claim = try DueRows.Claim(&row)
        kind = MailKind(rawValue: try row.next())
        user = try row.next()
        invite = try row.next()
        recipient = try row.next()
        language = Language(tag: try row.next())
    }
}
