public import BabyBasicsAPI
import FoundationEssentials
public import Postgres

// How the API's types stand in the database.

extension Identifier: PostgresValue {
    public static var oid: TypeOID { UUID.oid }

    public func encode(into encoder: inout ValueEncoder) { uuid.encode(into: &encoder) }

    public static func decode(_ bytes: RawSpan, type: TypeOID) throws(ValueError) -> Identifier {
        Identifier(try UUID.decode(bytes, type: type))
    }
}

extension Timestamp: PostgresValue {
    /// PostgreSQL counts from 2000-01-01 UTC.
    private static var epoch: Int64 { 946_684_800_000_000 }

    public static var oid: TypeOID { .timestamptz }

    public func encode(into encoder: inout ValueEncoder) {
        encoder.append(bigEndian: microsecondsSince1970 - Self.epoch)
    }

    public static func decode(_ bytes: RawSpan, type: TypeOID) throws(ValueError) -> Timestamp {
        // The largest values stand for infinity, which nothing here is.
        let (value, overflow) = try bytes.bigEndian(Int64.self).addingReportingOverflow(epoch)
        guard !overflow else { throw ValueError("infinite") }
        return Timestamp(microsecondsSince1970: value)
    }
}

extension Timestamp: PostgresArrayElement {
    public static var arrayOID: TypeOID { .timestamptzArray }
}

extension CalendarDate: PostgresValue {
    /// PostgreSQL counts from 2000-01-01.
    private static var epoch: Int { 10_957 }

    public static var oid: TypeOID { .date }

    public func encode(into encoder: inout ValueEncoder) {
        encoder.append(bigEndian: Int32(truncatingIfNeeded: daysSince1970 - Self.epoch))
    }

    public static func decode(_ bytes: RawSpan, type: TypeOID) throws(ValueError) -> CalendarDate {
        CalendarDate(daysSince1970: Int(try bytes.bigEndian(Int32.self)) + epoch)
    }
}

extension Role: PostgresValue {}

extension SharingPolicy: PostgresValue {}

extension TokenScope: PostgresValue {}

extension DeviceType: PostgresValue {}

extension AppleDevice.Environment: PostgresValue {}
