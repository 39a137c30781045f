import Foundation

/// The WHO Child Growth Standards by day of age, 0 to 5 years: what a child's measurements are compared with.
public struct GrowthStandard: Sendable {
    /// Boys and girls have tables of their own.
    public enum Sex: String, Hashable, Sendable, Codable, CaseIterable {
        /// A boy.
        case boy
        /// A girl.
        case girl
    }

    /// A measure.
    public enum Measure: String, Hashable, Sendable, CaseIterable {
        /// In kilograms.
        case weight
        /// In centimetres; lying until two years, then standing.
        case length
        /// The head's circumference in centimetres.
        case head
    }

    /// The distribution of a measure at one age (Cole's LMS method).
    public struct LMS: Hashable, Sendable {
        /// The power that makes it normal.
        public let l: Double
        /// The median.
        public let m: Double
        /// The coefficient of variation.
        public let s: Double
    }

    /// The tables that the kit carries.
    public static let who = GrowthStandard(PackageResources.who_growth_json)

    /// How many days of age the tables have, from 0 on.
    public let days: Int
    private let tables: [Sex: [Measure: [LMS]]]

    /// The form of the tables is told in the file itself.
    init(_ json: [UInt8]) {
        guard let file = try? JSONDecoder().decode(File.self, from: Data(json)) else {
            preconditionFailure("who-growth.json is part of the kit, and a test reads it")
        }
        days = file.days
        tables = [.boy: file.boy, .girl: file.girl].mapValues { its in
            [.weight: its.weight.rows, .length: its.length.rows, .head: its.head.rows]
        }
    }

    /// The distribution at an age. Between two days, which only curves and tables by month ask for, it lies on the line
    /// that joins them.
    /// - Returns: nil before birth and after the last day.
    public func lms(_ sex: Sex, _ measure: Measure, day: Double) -> LMS? {
        guard let rows = tables[sex]?[measure], day >= 0, day <= Double(days - 1) else { return nil }
        let before = rows[Int(day)]
        let part = day - day.rounded(.down)
        guard part > 0 else { return before }
        let after = rows[Int(day) + 1]
        return LMS(
            l: before.l * (1 - part) + after.l * part, m: before.m * (1 - part) + after.m * part,
            s: before.s * (1 - part) + after.s * part)
    }
}

extension GrowthStandard.LMS {
    /// The measurement that has a z-score.
    public func value(z: Double) -> Double {
        l == 0 ? m * exp(s * z) : m * pow(1 + l * s * z, 1 / l)
    }

    /// The z-score of a measurement.
    ///
    /// Of weights beyond 3 it goes on in equal steps, the distance from 2 to 3: WHO's restricted application of the
    /// method. Lengths and heads are normally distributed, and there both are the same.
    public func zScore(_ value: Double, of measure: GrowthStandard.Measure) -> Double {
        let z = l == 0 ? log(value / m) / s : (pow(value / m, l) - 1) / (l * s)
        guard measure == .weight, abs(z) > 3 else { return z }
        let side = z < 0 ? -1.0 : 1.0
        let third = self.value(z: 3 * side)
        return 3 * side + (value - third) / abs(third - self.value(z: 2 * side))
    }
}

extension GrowthStandard {
    /// The share of children below a z-score, in percent.
    public static func percentile(z: Double) -> Double { 50 * erfc(-z / 2.0.squareRoot()) }

    /// The percentiles that are drawn, with the z-score of each.
    public static let percentiles: [(name: String, z: Double)] = [
        ("P3", -1.880_793_608_151_250_9), ("P15", -1.036_433_389_493_789_6), ("P50", 0),
        ("P85", 1.036_433_389_493_789_6), ("P97", 1.880_793_608_151_250_9),
    ]
}

/// Each column is kept as its value at birth, in whole units of its last digit, and the steps from day to day.
private struct File: Decodable {
    var days: Int
    var boy: Tables
    var girl: Tables

    struct Tables: Decodable {
        var weight: Columns
        var length: Columns
        var head: Columns
    }

    struct Columns: Decodable {
        var l: [Int]
        var m: [Int]
        var s: [Int]

        var rows: [GrowthStandard.LMS] {
            zip(zip(summed(l, 1e4), summed(m, 1e4)), summed(s, 1e5)).map {
                GrowthStandard.LMS(l: $0.0, m: $0.1, s: $1)
            }
        }

        private func summed(_ steps: [Int], _ scale: Double) -> [Double] {
            var value = 0
            return steps.map { step in
                value += step
                return Double(value) / scale
            }
        }
    }
}
