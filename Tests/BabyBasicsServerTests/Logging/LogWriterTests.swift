import BabyBasicsAPI
import Foundation
import Logging
import Testing

@testable import BabyBasicsServer

struct LogWriterTests {
    @Test("A line is key=value throughout, and no value can make a field or a line of its own")
    func line() throws {
        let pipe = try LinePipe()
        let writer = try LogWriter(.lines(descriptor: pipe.input))
        let logger = Logger(label: "test") { _ in ServiceLogHandler(writer, level: .info) }
        logger.notice("it = happened", metadata: ["b": "two words\n level=\"x\"", "a": "1"])
        writer.flush()
        let line = try pipe.lines.first.required()
        #expect(
            line.hasPrefix("time=20")
                && line.dropFirst(29).hasPrefix(#" level=notice event="it = happened" "#))
        let time = line.dropFirst(5).prefix(24)
        #expect(try Timestamp(time).required().since(SystemClock().now()) > .seconds(-60))
        #expect(line.hasSuffix(#"a=1 b="two words\n level=\"x\"""#))
        writer.close()
    }

    @Test("The journal gets each field by itself, one of several lines too, and its own level")
    func journal() throws {
        let journal = try JournalStandIn()
        let writer = try LogWriter(.journal(path: journal.path))
        let logger = Logger(label: "test") { _ in ServiceLogHandler(writer, level: .trace) }
        logger.error("it broke", metadata: ["two-lines": "a=b\nPRIORITY=0", "plain": "yes"])
        let event = try journal.event()
        #expect(
            event == [
                "PRIORITY": "3", "SYSLOG_IDENTIFIER": "babybasics",
                "MESSAGE": "it broke plain=yes two-lines=a=b\nPRIORITY=0", "PLAIN": "yes",
                "TWO_LINES": "a=b\nPRIORITY=0",
            ])
        for (level, priority) in [
            (Logger.Level.trace, "7"), (.info, "6"), (.notice, "5"), (.warning, "4"),
            (.critical, "2"),
        ] {
            logger.log(level: level, "x")
            #expect(try journal.event()["PRIORITY"] == priority)
        }
        writer.close()
    }

    @Test("Lines of several threads come whole into a file that grows")
    func file() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        let descriptor = open(path.path, O_CREAT | O_WRONLY | O_APPEND, 0o600)
        defer {
            close(descriptor)
            unlink(path.path)
        }
        let writer = try LogWriter(.lines(descriptor: descriptor))
        _ = race(4) { thread in
            for number in 0..<2000 {
                var record = LogRecord(.line, level: .info, event: "e", summary: "")
                record.add("t", "\(thread)")
                record.add("n", "\(number)")
                writer.append(record.end())
            }
        }
        writer.flush()
        writer.close()
        var next = [0, 0, 0, 0]
        for line in try String(contentsOf: path, encoding: .utf8).split(separator: "\n") {
            let match = try #require(
                line.wholeMatch(of: /time=\S+ level=info event=e t=(\d) n=(\d+)/))
            let thread = try Int(match.1).required()
            #expect(Int(match.2) == next[thread])
            next[thread] += 1
        }
        #expect(next == [2000, 2000, 2000, 2000])
    }

    @Test("journald is used only where standard error leads there")
    func choice() throws {
        var file = stat()
        fstat(STDERR_FILENO, &file)
        for stream in [nil, "", "1:2", "\(file.st_dev):\(file.st_ino + 1)"] {
            #expect(LogOutput.chosen(journalStream: stream).form == .line, "\(stream ?? "none")")
        }
    }

    @Test("A level below the configured one writes nothing")
    func levels() throws {
        let pipe = try LinePipe()
        let writer = try LogWriter(.lines(descriptor: pipe.input))
        let logger = Logger(label: "test") { _ in ServiceLogHandler(writer, level: .warning) }
        logger.info("no")
        logger.warning("yes")
        writer.flush()
        #expect(pipe.lines.map { $0.hasSuffix("event=yes") } == [true])
        #expect(writer.statistics.lines == 1)
        writer.close()
    }

    @Test(
        "A reader that does not read holds nobody up: what does not fit is dropped, counted and reported",
        .timeLimit(.minutes(10)))
    func slowReader() throws {
        let pipe = try LinePipe()
        let writer = try LogWriter(.lines(descriptor: pipe.input), limit: 100_000)
        let logger = Logger(label: "test") { _ in ServiceLogHandler(writer, level: .info) }
        let (threads, each) = (4, 2500)
        // Over 1 MB, where pipe and buffer hold less than 200 kB: this would never end if anybody waited for the reader.
        _ = race(threads) { thread in
            for number in 0..<each {
                logger.info(
                    "filler",
                    metadata: ["n": "\(thread)-\(number)-\(String(repeating: "x", count: 60))"])
            }
        }
        let written = UInt64(threads * each)
        #expect(writer.statistics.lines == written)
        #expect(writer.statistics.dropped > written / 2)

        // The reader wakes up: everything that was not dropped is there, line by line, and the log tells of the rest.
        var lines: [String] = []
        var text = ""
        for round in 0..<400 {
            if round == 20 { logger.info("later") }
            text += pipe.text()
            if text.contains("event=later\n") && text.contains("dropped") { break }
            usleep(5000)
        }
        lines = text.split(separator: "\n").map(String.init)
        let fillers = lines.filter { $0.contains("event=filler") }
        let told = lines.compactMap { $0.firstMatch(of: /event="log lines dropped" count=(\d+)$/) }
            .compactMap { UInt64($0.output.1) }.reduce(0, +)
        #expect(fillers.allSatisfy { $0.contains(/\ n=\d+-\d+-x{60}$/) })
        #expect(Set(fillers.map { $0.split(separator: " ").last }).count == fillers.count)
        #expect(UInt64(fillers.count) + writer.statistics.dropped == written)
        #expect(told == writer.statistics.dropped)
        writer.close()
    }

    @Test("A reader that is gone costs lines, nothing else; journald's return is noticed")
    func goneReader() throws {
        let path: String
        let writer: LogWriter
        do {
            let journal = try JournalStandIn()
            path = journal.path
            writer = try LogWriter(.journal(path: path))
            writer.append(LogRecord(.journal, level: .info, event: "first", summary: "first").end())
            #expect(try journal.event()["MESSAGE"] == "first")
        }
        writer.append(LogRecord(.journal, level: .info, event: "lost", summary: "lost").end())
        writer.flush()
        #expect(writer.statistics.lines == 2 && writer.statistics.dropped == 1)
        let journal = try JournalStandIn(path: path)
        writer.append(
            LogRecord(.journal, level: .info, event: "third", summary: "third").end())
        let messages = try Set((0..<2).map { _ in try journal.event()["MESSAGE"] })
        #expect(messages == ["third", "log lines dropped count=1"])
        writer.close()
    }

    @Test("Lines of several threads and processes come whole, each in its thread's order")
    func order() throws {
        let pipe = try LinePipe()
        // Each as in a process of its own: they know nothing of one another.
        let writers = try (0..<2).map { _ in try LogWriter(.lines(descriptor: pipe.input)) }
        let each = 2000
        let done = Background {
            race(4) { thread in
                for number in 0..<each {
                    var record = LogRecord(.line, level: .info, event: "e", summary: "")
                    record.add("t", "\(thread)")
                    record.add("n", "\(number)")
                    writers[thread % 2].append(record.end())
                }
            }
        }
        var text = ""
        let ends = ContinuousClock.now + .seconds(60)
        while text.utf8.count(where: { $0 == 10 }) < 4 * each, ContinuousClock.now < ends {
            text += pipe.text()
            usleep(500)
        }
        _ = try done.value()
        var next = [0, 0, 0, 0]
        for line in text.split(separator: "\n") {
            let match = try #require(
                line.wholeMatch(of: /time=\S+ level=info event=e t=(\d) n=(\d+)/))
            let thread = try Int(match.1).required()
            #expect(Int(match.2) == next[thread])
            next[thread] += 1
        }
        #expect(next == [each, each, each, each])
        for writer in writers { writer.close() }
    }
}
