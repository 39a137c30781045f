import BabyBasicsAPI
import Glibc
import Logging

/// One line an event on standard error, `key=value`, written with one call so that lines of several threads and processes stay whole.
struct LineLogHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .info

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var line = "level=\(event.level) event=\(quoted("\(event.message)"))"
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        for (key, value) in all.sorted(by: { $0.key < $1.key }) {
            line += " \(key)=\(quoted("\(value)"))"
        }
        line += "\n"
        line.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    /// As it is where it is one plain word, otherwise in double quotes with escapes: a value cannot make a line or a field of its own.
    private func quoted(_ value: String) -> String {
        let plain = value.utf8.allSatisfy {
            $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "=")
        }
        return plain && !value.isEmpty ? value : value.debugDescription
    }
}
