/// What is usual at an age, in days. Between two points it changes evenly; before the first and after the last it does not.
struct Growth {
    private let points: [(age: Double, value: Double)]

    init(_ points: (age: Double, value: Double)...) {
        self.points = points
    }

    func callAsFunction(_ age: Int) -> Double {
        let age = Double(age)
        guard let after = points.firstIndex(where: { $0.age > age }) else {
            return points[points.count - 1].value
        }
        guard after > 0 else { return points[0].value }
        let (from, to) = (points[after - 1], points[after])
        return from.value + (to.value - from.value) * (age - from.age) / (to.age - from.age)
    }

    // Minutes of the local day.
    static let wake = Growth((0, 420), (120, 400), (240, 385))
    static let bed = Growth((0, 1290), (60, 1245), (120, 1185), (200, 1155))

    // Sleep: how many, and minutes of one.
    static let naps = Growth((0, 5), (60, 4.6), (110, 3.8), (180, 3), (240, 2.1), (365, 1.5))
    static let napLength = Growth((0, 75), (90, 65), (180, 72), (300, 85))
    static let nightWakings = Growth((0, 4), (60, 3), (120, 1.9), (180, 1.2), (260, 0.5))

    // Feeds: minutes from one to the next by day, and what they are.
    static let feedInterval = Growth((0, 130), (60, 155), (120, 180), (180, 205), (260, 235))
    static let bottleShare = Growth((0, 0.2), (90, 0.3), (200, 0.45))
    static let bottleMillilitres = Growth((0, 55), (30, 90), (90, 125), (150, 160), (210, 190))
    static let breastMinutes = Growth((0, 24), (60, 18), (150, 12), (240, 9))
    /// Meals a day beside the milk.
    static let meals = Growth((164, 0), (165, 1), (195, 1.4), (240, 2.6), (300, 3))

    static let pumpedMillilitres = Growth((0, 60), (40, 95), (120, 120), (200, 100))

    // The body: grams and centimetres.
    static let weight = Growth(
        (0, 3600), (4, 3380), (14, 3600), (28, 4100), (61, 5200), (92, 5850), (122, 6400), (152, 7000), (183, 7600),
        (274, 8700), (365, 9500))
    static let length = Growth(
        (0, 50.5), (31, 54.2), (61, 58), (92, 60.2), (122, 62), (152, 64.6), (183, 67), (365, 75))
    static let head = Growth((0, 34.8), (31, 37), (61, 38.6), (122, 41), (183, 42.6), (365, 45.3))

    // Diapers: minutes from one to the next by day.
    static let diaperInterval = Growth((0, 135), (60, 155), (150, 185), (260, 215))
    static let nightChange = Growth((0, 0.9), (90, 0.5), (200, 0.25))
    static let dirtyShare = Growth((0, 0.5), (60, 0.35), (165, 0.27), (220, 0.32))
}
