import Foundation
import Synchronization

/// What the demo is doing, on standard error: one line that is drawn anew on a terminal, plain lines anywhere else.
final class Progress: Sendable {
    private let isTerminal = isatty(STDERR_FILENO) == 1
    /// How many tenths were told already, where there is no bar.
    private let tenths = Mutex(0)

    /// Something new begins.
    func say(_ text: String) {
        write(isTerminal ? "\r\u{1b}[K\(text) …" : "\(text)\n")
    }

    func show(_ done: Int, of all: Int, _ what: String) {
        guard all > 0 else { return }
        let tenth = done * 10 / all
        if isTerminal {
            let filled = done * 30 / all
            let bar =
                String(repeating: "█", count: filled) + String(repeating: "░", count: 30 - filled)
            write("\r\u{1b}[K\(bar) \(done) of \(all) \(what)")
        } else if tenths.withLock({ told in
            defer { told = tenth }
            return tenth > told
        }) {
            write("\(done) of \(all) \(what)\n")
        }
    }

    /// Leaves the terminal's line to what comes next.
    func finish() {
        if isTerminal { write("\r\u{1b}[K") }
    }

    private func write(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
