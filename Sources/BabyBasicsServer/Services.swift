import BabyBasicsAPI
public import Cryptography
import FoundationEssentials
public import Logging
public import Postgres

/// What every request shares, made once when the process starts.
public final class Services: Sendable {
    let configuration: ServerConfiguration
    let pool: Pool
    let pipelines: Pipelines
    let passwords: PasswordHasher
    let grants: RequestGrants
    let sessionUses: SessionUses
    let clock: any Clock
    let random: @Sendable (Int) throws -> [UInt8]
    let timeZones = TimeZoneNames()
    let logger: Logger
    let requestLog: RequestLog
    let metrics = RequestMetrics(Route.all.map(\.endpoint))

    /// - Parameters:
    ///   - random: makes that many unpredictable bytes.
    public init(
        configuration: ServerConfiguration, pool: Pool, passwords: PasswordHasher,
        grants: RequestGrants, clock: any Clock = SystemClock(),
        random: @escaping @Sendable (Int) throws -> [UInt8] = { try SecureRandom.bytes($0) },
        logger: Logger
    ) {
        self.configuration = configuration
        self.pool = pool
        pipelines = Pipelines(pool)
        self.passwords = passwords
        self.grants = grants
        sessionUses = SessionUses(pool, logger)
        self.clock = clock
        self.random = random
        self.logger = logger
        requestLog = RequestLog(logger)
    }

    /// - Parameters:
    ///   - hashers: passwords hashed at the same time; sixteen times as many may wait, where that is likely to take less than 4 s.
    ///   - sharedDirectory: of all workers of the host, which share memory and leave a processor free of hashing.
    ///   - hashing: starts a process that hashes.
    public convenience init(
        configuration: ServerConfiguration, pool: Pool, hashers: Int, sharedDirectory: String?,
        hashing: HashingCommand, logger: Logger
    ) throws {
        let processes = HashingProcesses(hashing) { reason in
            logger.warning("a password was hashed in the worker", metadata: ["reason": "\(reason)"])
        }
        let passwords = try PasswordHasher(
            concurrency: hashers, queue: 16 * hashers, patience: .seconds(5),
            places: sharedDirectory.map { HostPlaces(directory: $0) }, processes: processes)
        let grants = try RequestGrants(directory: sharedDirectory)
        self.init(
            configuration: configuration, pool: pool, passwords: passwords, grants: grants,
            logger: logger)
    }

    /// Has what may be late written every second, until `close()`. Once only.
    /// - Throws: where no thread is to be had.
    public func start() throws {
        try sessionUses.writeEverySecond()
    }

    /// Writes what is left, gives the database sessions back and ends the processes that hash. Requests after this get 503.
    public func close() {
        sessionUses.write()
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
