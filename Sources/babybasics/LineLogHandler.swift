import BabyBasicsServer
import Logging

/// The name of before, until its caller says `ServiceLogHandler(.standardError, level: level)`.
typealias LineLogHandler = ServiceLogHandler

extension ServiceLogHandler {
    init() { self.init(.standardError, level: .info) }
}
