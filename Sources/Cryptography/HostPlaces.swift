import Glibc

/// Lets only so many hashes be computed at a time by all processes of a host that share a directory.
///
/// Each place is a file, and who holds the kernel's lock on it has it: whoever dies has left.
public struct HostPlaces: Sendable {
    private let paths: [String]

    /// - Parameters:
    ///   - directory: where the files are made. Where they cannot be, nobody waits.
    ///   - count: at least 1.
    public init(directory: String, count: Int = Self.allProcessorsButOne) {
        paths = (0..<max(1, count)).map { "\(directory)/hashing.\($0)" }
    }

    /// A low priority alone does not keep a processor free for PostgreSQL and nginx: Linux shares it first among sessions (autogroup) and
    /// services (cgroups), and only within them by priority.
    public static var allProcessorsButOne: Int { max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN)) - 1) }

    /// Waits for a place, in which `body` runs.
    func take<Value>(_ body: () throws -> Value) rethrows -> Value {
        let place = takePlace()
        defer { if place >= 0 { close(place) } }
        return try body()
    }

    private func takePlace() -> CInt {
        let paths = paths.shuffled()
        for path in paths.dropLast() {
            let place = Self.open(path)
            if place < 0 || flock(place, LOCK_EX | LOCK_NB) == 0 { return place }
            close(place)
        }
        let last = Self.open(paths[paths.count - 1])
        while last >= 0, flock(last, LOCK_EX) != 0, errno == EINTR {}
        return last
    }

    private static func open(_ path: String) -> CInt {
        unsafe Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    }
}
