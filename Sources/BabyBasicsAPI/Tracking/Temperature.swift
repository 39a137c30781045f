/// A child's temperature.
public typealias Temperature = Event<TemperatureDetails>
public typealias TemperatureID = Identifier<Temperature>

public struct TemperatureDetails: EventDetails {
    public enum Site: String, Codable, Hashable, Sendable, CaseIterable {
        case rectal, oral, ear, forehead, armpit
    }

    public var occurredAt: Timestamp
    /// 30 to 45 °C.
    public var celsius: Tenths
    /// Where it was taken.
    public var site: Site?

    public init(occurredAt: Timestamp, celsius: Tenths, site: Site? = nil) {
        self.occurredAt = occurredAt
        self.celsius = celsius
        self.site = site
    }

    public static let kind = EventKind(
        6, name: "temperature", plural: "temperatures", time: "occurred_at",
        fields: [
            EventField("occurred_at", .time, required: true),
            EventField("celsius", .number(30...45), required: true),
            .choice("site", of: Site.self),
        ])
}
