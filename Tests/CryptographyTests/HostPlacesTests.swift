import Foundation
import Glibc
import Synchronization
import Testing

@testable import Cryptography

@Suite("Places for hashing on a host")
struct HostPlacesTests {
    private let directory = FileManager.default.temporaryDirectory
        .appending(path: "places-\(UUID().uuidString)").path

    init() throws {
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
    }

    /// As many at a time as one sees of a number of threads that each take a place for a while, by processes of their own as it were.
    private func most(of count: Int, in directory: String) -> Int {
        let running = Mutex((now: 0, most: 0))
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            let places = HostPlaces(directory: directory, count: count)
            places.take {
                running.withLock {
                    $0.now += 1
                    $0.most = max($0.most, $0.now)
                }
                usleep(30_000)
                running.withLock { $0.now -= 1 }
            }
        }
        return running.withLock { $0.most }
    }

    @Test("No more at a time than there are places", arguments: [1, 2])
    func bounded(count: Int) {
        #expect(most(of: count, in: directory) <= count)
    }

    @Test("All of them are used")
    func used() throws {
        let places = HostPlaces(directory: directory, count: 2)
        // Each waits for the other, so that it ends only if both are in.
        let met = DispatchSemaphore(value: 0)
        let other = DispatchSemaphore(value: 0)
        let done = DispatchGroup()
        for (mine, theirs) in [(met, other), (other, met)] {
            DispatchQueue.global().async(group: done) {
                places.take {
                    theirs.signal()
                    _ = mine.wait(timeout: .now() + 20)
                }
            }
        }
        #expect(done.wait(timeout: .now() + 10) == .success)
    }

    @Test("A process that dies leaves its place, and a hash waits for it")
    func leaving() throws {
        let holder = Process()
        holder.executableURL = URL(filePath: "/usr/bin/flock")
        holder.arguments = [
            "--no-fork", "\(directory)/hashing.0", "sh", "-c", "echo held; exec sleep 60",
        ]
        let output = Pipe()
        holder.standardOutput = output
        try holder.run()
        #expect(try output.fileHandleForReading.read(upToCount: 5) == Data("held\n".utf8))
        let hasher = try PasswordHasher(
            cost: 10, concurrency: 1, queue: 1, patience: .seconds(30),
            places: HostPlaces(directory: directory, count: 1))
        let hash = Mutex<String?>(nil)
        let done = DispatchGroup()
        DispatchQueue.global().async(group: done) {
            let made = try? hasher.hash("correct horse")
            hash.withLock { $0 = made }
        }
        #expect(done.wait(timeout: .now() + 1) == .timedOut)
        kill(holder.processIdentifier, SIGKILL)
        #expect(done.wait(timeout: .now() + 20) == .success)
        #expect(hash.withLock { $0 }?.hasPrefix("$2b$10$") == true)
    }

    @Test("Where there can be no files nobody waits")
    func nowhere() {
        let places = HostPlaces(directory: "\(directory)/not/there", count: 1)
        #expect(places.take { places.take { 7 } } == 7)
    }

    @Test("One processor is left to the others")
    func usual() {
        #expect(
            HostPlaces.allProcessorsButOne == max(1, ProcessInfo.processInfo.processorCount - 1))
    }
}
