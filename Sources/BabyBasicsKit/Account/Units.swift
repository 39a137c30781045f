public import BabyBasicsAPI

/// The units of this device. Stored and sent values are metric.
public struct Units: Hashable, Sendable {
    /// Of a bottle's content.
    public var volume = VolumeUnit.milliliters
    /// Of a child.
    public var weight = WeightUnit.kilograms
    /// Of a child's length and head.
    public var length = LengthUnit.centimeters
    /// Of a child.
    public var temperature = TemperatureUnit.celsius

    /// Metric ones.
    public init() {}

    init(_ preferences: any Preferences) {
        func kept<Unit: RawRepresentable<String>>(_ key: String) -> Unit? {
            preferences.string(key).flatMap { Unit(rawValue: $0) }
        }
        volume = kept(PreferenceKey.volumeUnit) ?? volume
        weight = kept(PreferenceKey.weightUnit) ?? weight
        length = kept(PreferenceKey.lengthUnit) ?? length
        temperature = kept(PreferenceKey.temperatureUnit) ?? temperature
    }

    func keep(in preferences: any Preferences) {
        preferences.set(volume.rawValue, for: PreferenceKey.volumeUnit)
        preferences.set(weight.rawValue, for: PreferenceKey.weightUnit)
        preferences.set(length.rawValue, for: PreferenceKey.lengthUnit)
        preferences.set(temperature.rawValue, for: PreferenceKey.temperatureUnit)
    }
}

/// A unit for a bottle's content.
public enum VolumeUnit: String, Hashable, Sendable, CaseIterable {
    /// Millilitres.
    case milliliters = "ml"
    /// US fluid ounces.
    case fluidOunces = "fl oz"

    /// Millilitres of one US fluid ounce.
    private static let ounce = 29.5735

    /// An amount in this unit.
    public func value(of milliliters: Tenths) -> Double {
        self == .milliliters ? milliliters.double : (milliliters.double / Self.ounce).rounded(digits: 1)
    }

    /// An amount in millilitres, to one decimal.
    public func milliliters(_ value: Double) -> Tenths {
        stored(self == .milliliters ? value : value * Self.ounce)
    }
}

/// A unit for a child's weight.
public enum WeightUnit: String, Hashable, Sendable, CaseIterable {
    /// Kilograms.
    case kilograms = "kg"
    /// Pounds; shown with ounces, as scales and nurses have it.
    case pounds = "lb"

    /// Grams of one pound.
    private static let pound = 453.592_37

    /// A weight in this unit.
    public func value(ofGrams grams: Tenths) -> Double {
        self == .kilograms ? grams.double / 1000 : grams.double / Self.pound
    }

    /// A weight in whole grams.
    public func grams(_ value: Double) -> Tenths {
        stored((value * (self == .kilograms ? 1000 : Self.pound)).rounded())
    }

    /// `9 lb 9.4 oz`.
    static func poundsAndOunces(grams: Tenths) -> (pounds: Int, ounces: Double) {
        let tenthsOfOunces = Int((grams.double / Self.pound * 160).rounded())
        return (tenthsOfOunces / 160, Double(tenthsOfOunces % 160) / 10)
    }
}

/// A unit for a child's length and head.
public enum LengthUnit: String, Hashable, Sendable, CaseIterable {
    /// Centimetres.
    case centimeters = "cm"
    /// Inches.
    case inches = "in"

    /// A length in this unit.
    public func value(of centimeters: Tenths) -> Double {
        self == .centimeters ? centimeters.double : (centimeters.double / 2.54).rounded(digits: 2)
    }

    /// A length in centimetres, to one decimal.
    public func centimeters(_ value: Double) -> Tenths {
        stored(self == .centimeters ? value : value * 2.54)
    }
}

/// A unit for a child's temperature.
public enum TemperatureUnit: String, Hashable, Sendable, CaseIterable {
    /// Degrees Celsius.
    case celsius = "°C"
    /// Degrees Fahrenheit.
    case fahrenheit = "°F"

    /// A temperature in this unit.
    public func value(of celsius: Tenths) -> Double {
        self == .celsius ? celsius.double : (celsius.double * 1.8 + 32).rounded(digits: 1)
    }

    /// A temperature in degrees Celsius, to one decimal.
    public func celsius(_ value: Double) -> Tenths {
        stored(self == .celsius ? value : (value - 32) / 1.8)
    }
}

extension Double {
    fileprivate func rounded(digits: Int) -> Double {
        let scale = digits == 1 ? 10.0 : 100
        return (self * scale).rounded() / scale
    }
}

/// A number as it is stored. NaN and absurd numbers become one that every field refuses.
private func stored(_ value: Double) -> Tenths {
    abs(value) < 1e9 ? Tenths(floatLiteral: value) : Tenths(-1_000_000)
}
