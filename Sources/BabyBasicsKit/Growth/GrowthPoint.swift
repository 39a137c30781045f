public import BabyBasicsAPI
public import Foundation

/// A measurement beside the standard.
public struct GrowthPoint: Hashable, Sendable, Identifiable {
    /// The entry's id.
    public let id: UUID
    /// The day it was measured, by the person's clocks.
    public let date: CalendarDate
    /// Kilograms or centimetres.
    public let value: Double
    /// Days since birth.
    public let daysSinceBirth: Int
    /// The age that counts: corrected where the child was born early.
    public let ageDays: Int
    /// Whether it is corrected.
    public let isCorrected: Bool
    /// Nil where there is no standard: before the due date, and after five years.
    public let zScore: Double?

    /// The share of children of this age that measure less, in percent; nil as the z-score is.
    public var percentile: Double? { zScore.map { GrowthStandard.percentile(z: $0) } }

    /// Nil for an entry that does not have the measure.
    init?(
        _ entry: StoredEntry, _ measure: GrowthStandard.Measure, sex: GrowthStandard.Sex, born: CalendarDate,
        due: CalendarDate?, at zone: TimeZone
    ) {
        guard let number = entry.fields[measure.field]?.number else { return nil }
        id = entry.id
        date = DayBorders.calendarDate(of: entry.at, in: zone)
        value = number.double * measure.factor
        daysSinceBirth = date.daysSince1970 - born.daysSince1970
        let early = GrowthAge.daysEarly(born: born, due: due)
        isCorrected = early > 0 && daysSinceBirth < GrowthAge.twoYears
        ageDays = isCorrected ? daysSinceBirth - early : daysSinceBirth
        zScore = GrowthStandard.who.lms(sex, measure, day: Double(ageDays)).map { [value] in
            $0.zScore(value, of: measure)
        }
    }
}

/// How the age of a child that was born early counts.
enum GrowthAge {
    /// Until then it is corrected.
    static let twoYears = 731
    private static let fullTerm = 280
    private static let preterm = 37 * 7

    /// 0 unless the child was born before 37 weeks, and for a due date that cannot be.
    static func daysEarly(born: CalendarDate, due: CalendarDate?) -> Int {
        let early = due.map { $0.daysSince1970 - born.daysSince1970 } ?? 0
        return early > fullTerm - preterm && early < fullTerm ? early : 0
    }
}

extension GrowthStandard.Measure {
    /// The field of a measurement that holds it.
    var field: String {
        switch self {
        case .weight: "weight_g"
        case .length: "length_cm"
        case .head: "head_cm"
        }
    }

    /// From the field's unit to the standard's.
    var factor: Double { self == .weight ? 0.001 : 1 }
}
