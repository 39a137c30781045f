public import BabyBasicsAPI
public import Postgres

// The types whose arrays the dashboard reads.

extension Timestamp: PostgresArrayElement {
    public static var arrayOID: TypeOID { .timestamptzArray }
}

extension Tenths: PostgresArrayElement {
    /// `numeric[]`.
    public static var arrayOID: TypeOID { TypeOID(rawValue: 1231) }
}
