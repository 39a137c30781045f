/// The number by which PostgreSQL knows a data type (`pg_type.oid`).
///
/// Numbers of built-in types never change between servers; those of types made by
/// `CREATE TYPE` do, so such columns are read with a cast (`::text`).
public struct TypeOID: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: UInt32

    @inlinable
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public var description: String { "type \(rawValue)" }
}

extension TypeOID {
    @inlinable public static var bool: TypeOID { TypeOID(rawValue: 16) }
    @inlinable public static var bytea: TypeOID { TypeOID(rawValue: 17) }
    @inlinable public static var name: TypeOID { TypeOID(rawValue: 19) }
    @inlinable public static var int8: TypeOID { TypeOID(rawValue: 20) }
    @inlinable public static var int2: TypeOID { TypeOID(rawValue: 21) }
    @inlinable public static var int4: TypeOID { TypeOID(rawValue: 23) }
    @inlinable public static var text: TypeOID { TypeOID(rawValue: 25) }
    @inlinable public static var json: TypeOID { TypeOID(rawValue: 114) }
    @inlinable public static var float4: TypeOID { TypeOID(rawValue: 700) }
    @inlinable public static var float8: TypeOID { TypeOID(rawValue: 701) }
    @inlinable public static var bpchar: TypeOID { TypeOID(rawValue: 1042) }
    @inlinable public static var varchar: TypeOID { TypeOID(rawValue: 1043) }
    @inlinable public static var date: TypeOID { TypeOID(rawValue: 1082) }
    @inlinable public static var time: TypeOID { TypeOID(rawValue: 1083) }
    @inlinable public static var timestamp: TypeOID { TypeOID(rawValue: 1114) }
    @inlinable public static var timestamptz: TypeOID { TypeOID(rawValue: 1184) }
    @inlinable public static var interval: TypeOID { TypeOID(rawValue: 1186) }
    @inlinable public static var numeric: TypeOID { TypeOID(rawValue: 1700) }
    @inlinable public static var uuid: TypeOID { TypeOID(rawValue: 2950) }
    @inlinable public static var jsonb: TypeOID { TypeOID(rawValue: 3802) }
}

extension TypeOID {
    /// The type of arrays of this type; nil for one that has none here.
    var array: TypeOID? {
        switch self {
        case .bool: .boolArray
        case .bytea: .byteaArray
        case .int2: .int2Array
        case .int4: .int4Array
        case .int8: .int8Array
        case .text: .textArray
        case .float8: .float8Array
        case .timestamptz: .timestamptzArray
        case .date: .dateArray
        case .uuid: .uuidArray
        default: nil
        }
    }

    @inlinable public static var boolArray: TypeOID { TypeOID(rawValue: 1000) }
    @inlinable public static var byteaArray: TypeOID { TypeOID(rawValue: 1001) }
    @inlinable public static var int2Array: TypeOID { TypeOID(rawValue: 1005) }
    @inlinable public static var int4Array: TypeOID { TypeOID(rawValue: 1007) }
    @inlinable public static var textArray: TypeOID { TypeOID(rawValue: 1009) }
    @inlinable public static var int8Array: TypeOID { TypeOID(rawValue: 1016) }
    @inlinable public static var float8Array: TypeOID { TypeOID(rawValue: 1022) }
    @inlinable public static var timestamptzArray: TypeOID { TypeOID(rawValue: 1185) }
    @inlinable public static var dateArray: TypeOID { TypeOID(rawValue: 1182) }
    @inlinable public static var uuidArray: TypeOID { TypeOID(rawValue: 2951) }
}
