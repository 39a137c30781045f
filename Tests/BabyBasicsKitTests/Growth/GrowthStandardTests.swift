import BabyBasicsAPI
import Foundation
import Testing

@testable import BabyBasicsKit

/// What the kit computes against what WHO has published, and against the values of the PyPI package pygrowup2; the web
/// app is held to the same files.
@Suite struct GrowthStandardTests {
    private static let project = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    private static let parts = project.appending(path: "Tests/EndToEndTests/webparts")
    private let who = GrowthStandard.who

    struct Published: Decodable {
        var percentiles: [String: [String: [String: [Double]]]]
        var scores: [String: [String: [String: [Double]]]]
    }

    @Test func theTablesAreTheWebApps() throws {
        let kit = try Data(contentsOf: Self.project.appending(path: "Sources/BabyBasicsKit/Growth/who-growth.json"))
        let web = try Data(contentsOf: Self.project.appending(path: "deploy/www/app/model/who-growth.json"))
        #expect(kit == web)
        #expect(PackageResources.who_growth_json == Array(kit))
        #expect(who.days == 1857)
    }

    @Test func everyPrintedCellIsMetToItsLastDigit() throws {
        let published = try JSONDecoder().decode(
            Published.self, from: Data(contentsOf: Self.parts.appending(path: "growth-published.json")))
        let zs = GrowthStandard.percentiles.map(\.z)
        #expect(try compare(published.percentiles["weight"], zs, .weight) == 610)
        #expect(try compare(published.percentiles["head"], zs, .head) == 610)
        #expect(try compare(published.scores["length"], [-3, -2, -1, 0, 1, 2, 3], .length) == 280)
    }

    private func compare(
        _ tables: [String: [String: [Double]]]?, _ zs: [Double], _ measure: GrowthStandard.Measure
    ) throws -> Int {
        var cells = 0
        for (sex, months) in try #require(tables) {
            let sex = try #require(GrowthStandard.Sex(rawValue: sex))
            for (month, printed) in months {
                let day = min(try #require(Double(month)) * 365.25 / 12, Double(who.days - 1))
                let lms = try #require(who.lms(sex, measure, day: day))
                for (z, cell) in zip(zs, printed) {
                    let tenths = (lms.value(z: z) * 10).rounded()
                    #expect(tenths == (cell * 10).rounded(), "\(measure) \(sex) month \(month) z \(z)")
                    cells += 1
                }
            }
        }
        return cells
    }

    @Test func aThousandMeasurementsHaveTheScoresOfThePackage() throws {
        let file = try Data(contentsOf: Self.parts.appending(path: "growth-points.json"))
        let points = try JSONDecoder().decode([Point].self, from: file)
        #expect(points.count == 1000)
        for point in points {
            let lms = try #require(who.lms(point.sex, point.measure, day: point.day))
            let z = lms.zScore(point.value, of: point.measure)
            #expect(abs(z - point.z) <= 0.01, "\(point): \(z)")
        }
        // The restricted application has its share.
        #expect(points.count { $0.measure == .weight && abs($0.z) > 3 } > 50)
    }

    private struct Point: Decodable {
        var sex: GrowthStandard.Sex
        var measure: GrowthStandard.Measure
        var day, value, z: Double

        init(from decoder: any Decoder) throws {
            var row = try decoder.unkeyedContainer()
            sex = try row.decode(GrowthStandard.Sex.self)
            measure = try #require(GrowthStandard.Measure(rawValue: try row.decode(String.self)))
            day = try row.decode(Double.self)
            value = try row.decode(Double.self)
            z = try row.decode(Double.self)
        }
    }

    @Test(arguments: [(0, 50), (-1.880793608, 3), (1.036433389, 85), (1.96, 97.5002), (-3, 0.134990), (4, 99.996833)])
    func percentilesAreThoseOfTheNormalDistribution(z: Double, percent: Double) {
        #expect(abs(GrowthStandard.percentile(z: z) - percent) < 1e-4)
    }

    @Test func aValueAndItsScoreAreEachOthersInverse() throws {
        for measure in GrowthStandard.Measure.allCases {
            let lms = try #require(who.lms(.girl, measure, day: 200))
            for z in [-2.5, -1, 0, 0.3, 2] { #expect(abs(lms.zScore(lms.value(z: z), of: measure) - z) < 1e-9) }
        }
    }

    @Test func beforeBirthAndAfterFiveYearsThereIsNone() {
        #expect(who.lms(.boy, .weight, day: -1) == nil)
        #expect(who.lms(.boy, .weight, day: 1856) != nil)
        #expect(who.lms(.boy, .weight, day: 1857) == nil)
    }
}
