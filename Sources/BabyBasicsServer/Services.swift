import BabyBasicsAPI
public import Cryptography
public import EventLoop
import FoundationEssentials
public import Logging
public import Postgres
public import SharedMemory

/// What every request shares, made once when the process starts.
public final class Services: Sendable {
    let configuration: ServerConfiguration
    let pool: Pool
    let passwords: PasswordHasher
    let userLimit: UserLimit
    let childFamilies = ChildFamilies()
    let sessionTouches: SessionTouches
    let health: HealthCheck
    let news: News
    let feedPages: FeedPages
    /// Nil where the server sends no mail.
    let mailSender: MailSender?
    let mailMetrics: MailMetrics
    /// Nil where the server pushes to nobody.
    let pushSender: PushSender?
    let pushMetrics: PushMetrics
    let notifier: Notifier
    let webhookCaller: WebhookCaller
    let webhookMetrics = WebhookMetrics()
    let notificationMetrics = NotificationMetrics()
    let clock: any Clock
    let random: @Sendable (Int) throws -> [UInt8]
    let timeZones = TimeZoneNames()
    let logger: Logger
    let requestLog: RequestLog
    let metrics = RequestMetrics(Route.all.map(\.endpoint))

    /// - Parameters:
    ///   - requestCounts: shared by the workers of a host.
    ///   - random: makes that many unpredictable bytes.
    ///   - mailTransport: makes what hands mails in; nil for the configured mail server.
    ///   - pushTransport: makes what hands pushes over; nil for the push services themselves.
    ///   - webhookTransport: makes what calls webhooks; nil for what calls their receivers themselves.
    public init(
        configuration: ServerConfiguration, pool: Pool, passwords: PasswordHasher,
        requestCounts: RateLimitTable, clock: any Clock = SystemClock(),
        random: @escaping @Sendable (Int) throws -> [UInt8] = { try SecureRandom.bytes($0) },
        mailTransport: (@Sendable () -> any MailTransport)? = nil,
        pushTransport: (@Sendable () -> any PushTransport)? = nil,
        webhookTransport: (@Sendable () -> any OutgoingTransport)? = nil, logger: Logger
    ) {
        self.configuration = configuration
        self.pool = pool
        self.passwords = passwords
        userLimit = UserLimit(requestCounts)
        sessionTouches = SessionTouches(pool, logger)
        health = HealthCheck(pool)
        news = News(pool, logger)
        feedPages = FeedPages(on: pool.loop)
        let mailMetrics = MailMetrics()
        self.mailMetrics = mailMetrics
        let mailSender = configuration.mail.map {
            MailSender($0, configuration, pool, mailMetrics, clock, logger, transport: mailTransport)
        }
        self.mailSender = mailSender
        let pushMetrics = PushMetrics()
        self.pushMetrics = pushMetrics
        let pushSender = configuration.push.map {
            PushSender($0, pool, pushMetrics, clock, logger, transport: pushTransport)
        }
        self.pushSender = pushSender
        notifier = Notifier(pool, notificationMetrics, clock, logger) { pushSender?.wake() }
        webhookCaller = WebhookCaller(
            configuration, pool, webhookMetrics, clock, logger, transport: webhookTransport,
            ending: WebhookEnding(pool: pool, clock: clock, sendsMail: configuration.mail != nil) {
                pushSender?.wake()
                mailSender?.delivery.wake()
            })
        self.clock = clock
        self.random = random
        self.logger = logger
        requestLog = RequestLog(logger)
    }

    public var loop: EventLoop { pool.loop }

    /// Has what may be late written every second, and hears what other workers change. On the loop.
    public func start() {
        loop.task { await self.sessionTouches.writeEverySecond() }
        loop.task { await self.news.run() }
        if let pushSender { loop.task { await pushSender.run() } }
        loop.task { await self.notifier.run() }
        loop.task { await self.webhookCaller.run() }
        guard let mailSender else { return }
        news.state.value.mailIsDue = { mailSender.delivery.wake() }
        loop.task { await mailSender.run() }
    }

    /// Has the requests that wait for changes answer now, and later ones wait no more. May be called from any thread.
    public func drain() { news.drain() }

    /// Writes what is left, and gives the database's connections back. Requests after this get 503. On the loop.
    public func close() async {
        await mailSender?.delivery.close()
        await notifier.delivery.close()
        await pushSender?.close()
        await webhookCaller.close()
        await sessionTouches.write()
        news.close()
        pool.close()
        passwords.close()
    }

    /// A UUID of version 7 (RFC 9562, with a finer clock by its method 3): in the order of time, so that new rows lie together in the database's
    /// indexes, and that what happened within one millisecond is listed as it happened.
    ///
    /// - Parameters:
    ///   - moment: 48 bits for the millisecond, 12 for its fraction.
    ///   - number: which of the request's identifiers it is, in 14 bits. 48 bits are random.
    func newIdentifier<Entity>(at moment: Timestamp, number: Int) throws -> Identifier<Entity> {
        let milliseconds = UInt64(moment.microsecondsSince1970 / 1000)
        let fraction = moment.microsecondsSince1970 % 1000 * 4096 / 1000
        var bytes = try random(16)
        for index in 0..<6 {
            bytes[index] = UInt8(truncatingIfNeeded: milliseconds >> UInt64(40 - index * 8))
        }
        bytes[6] = 0x70 | UInt8(truncatingIfNeeded: fraction >> 8)
        bytes[7] = UInt8(truncatingIfNeeded: fraction)
        bytes[8] = 0x80 | UInt8(truncatingIfNeeded: number >> 8) & 0x3f
        bytes[9] = UInt8(truncatingIfNeeded: number)
        return Identifier(
            UUID(
                uuid: (
                    bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7],
                    bytes[8], bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14],
                    bytes[15]
                )))
    }
}
