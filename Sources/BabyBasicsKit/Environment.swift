public import BabyBasicsAPI
public import Foundation

/// Time, chance, pauses, zone, language and the log, as they come in from outside; tests set their own.
public struct KitEnvironment: Sendable {
    /// The present.
    public var now: @Sendable () -> Timestamp
    /// Waits; throws `CancellationError` once the task is cancelled.
    public var sleep: @Sendable (Duration) async throws -> Void
    /// 64 random bits.
    public var random: @Sendable () -> UInt64
    /// Where the device is: an account that is made here gets this zone.
    public var timeZone: @Sendable () -> TimeZone
    /// What the device's owner reads, as the system has it: tags such as `de-AT`, the dearest first.
    public var languages: @Sendable () -> [String]
    /// How the device's region writes numbers, dates and times.
    public var locale: @Sendable () -> Locale
    /// Takes lines for a developer's log: no names, no addresses, no secrets, nothing that was logged for a child.
    public var log: @Sendable (LogLevel, String) -> Void

    /// How much a line of the log matters.
    public enum LogLevel: Hashable, Sendable {
        /// An event.
        case info
        /// A failure.
        case error
    }

    /// The system's own clock, random numbers, zone and language, unless others are given.
    public init(
        now: @escaping @Sendable () -> Timestamp = { .systemNow },
        sleep: @escaping @Sendable (Duration) async throws -> Void = {
            try await Task.sleep(for: $0)
        },
        random: @escaping @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) },
        timeZone: @escaping @Sendable () -> TimeZone = { .current },
        languages: @escaping @Sendable () -> [String] = { Locale.preferredLanguages },
        locale: @escaping @Sendable () -> Locale = { .current },
        log: @escaping @Sendable (LogLevel, String) -> Void = { _, _ in }
    ) {
        self.now = now
        self.sleep = sleep
        self.random = random
        self.timeZone = timeZone
        self.languages = languages
        self.locale = locale
        self.log = log
    }

    /// A UUID of version 7 (RFC 9562): ids made later sort later.
    public func makeUUID() -> UUID {
        let time = UInt64(max(0, now().milliseconds))
        let high = time << 16 | 0x7000 | random() & 0x0fff
        let low = random() & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000
        let bytes =
            (0..<8).map { UInt8(truncatingIfNeeded: high >> (56 - 8 * $0)) }
            + (0..<8).map { UInt8(truncatingIfNeeded: low >> (56 - 8 * $0)) }
        return UUID(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7],
                bytes[8], bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14],
                bytes[15]
            ))
    }

    /// 0 up to 1.
    var fraction: Double { Double(random() >> 11) / Double(1 << 53) }
}

extension Timestamp {
    /// The system clock's present.
    public static var systemNow: Timestamp { Timestamp(Date()) }

    /// The moment of a Foundation date, to the millisecond.
    public init(_ date: Date) {
        self.init(milliseconds: Int64((date.timeIntervalSince1970 * 1000).rounded(.down)))
    }

    /// As a Foundation date.
    public var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }

    init(milliseconds: Int64) {
        self.init(microsecondsSince1970: milliseconds * 1000)
    }

    var milliseconds: Int64 { truncatedToMilliseconds.microsecondsSince1970 / 1000 }
}
