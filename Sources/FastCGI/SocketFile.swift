import Glibc

/// The file of a unix socket, and how a server puts its own there.
struct SocketFile {
    let path: String

    /// The name it is bound under before it is renamed into place.
    private var temporaryPath: String { path + ".new" }

    /// A listening, non-blocking descriptor.
    ///
    /// Bound under another name and renamed into place, so that the path leads at any moment to
    /// somebody who listens, with the mode already right.
    func bind(mode: UInt32, backlog: CInt) throws(FastCGIError) -> CInt {
        let directory = try lockDirectory()
        defer { close(directory) }
        try refuseIfTaken()
        let type = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = try systemCall("socket") { socket(AF_UNIX, type, 0) }
        do throws(FastCGIError) {
            // Linux gives the file the mode of the socket less the umask; the umask belongs to the
            // whole process, and setting it would race with other threads.
            _ = try systemCall("fchmod") { fchmod(descriptor, mode) }
            _ = unsafe unlink(temporaryPath)
            _ = try unsafe withAddress(of: temporaryPath) { address, size throws(FastCGIError) in
                try systemCall("bind") { unsafe Glibc.bind(descriptor, address, size) }
            }
            _ = try systemCall("chmod") { unsafe chmod(temporaryPath, mode) }
            _ = try systemCall("listen") { listen(descriptor, backlog) }
            _ = try systemCall("rename") { unsafe rename(temporaryPath, path) }
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    /// Two servers starting at once must not both find the path free. No file of its own for the
    /// lock: nobody would ever know when to remove it.
    private func lockDirectory() throws(FastCGIError) -> CInt {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let parent = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let directory = try systemCall("open \(parent)") {
            unsafe open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        }
        for _ in 0..<1_000 {
            if flock(directory, LOCK_EX | LOCK_NB) == 0 { return directory }
            usleep(5_000)
        }
        close(directory)
        throw .addressInUse(path)
    }

    private func refuseIfTaken() throws(FastCGIError) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else {
            if errno == ENOENT { return }
            throw .systemCall("stat \(path)", errno: errno)
        }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path) }
        let type = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let probe = try systemCall("socket") { socket(AF_UNIX, type, 0) }
        defer { close(probe) }
        let failure = try unsafe withAddress(of: path) { address, size -> CInt in
            unsafe connect(probe, address, size) == 0 ? 0 : errno
        }
        switch failure {
        case ECONNREFUSED, ENOENT: return
        // EAGAIN: it listens, and its queue is full.
        case 0, EAGAIN: throw .addressInUse(path)
        default: throw .systemCall("connect \(path)", errno: failure)
        }
    }

    private func withAddress<Result>(
        of path: String,
        _ body: (UnsafePointer<sockaddr>, socklen_t) throws(FastCGIError) -> Result
    ) throws(FastCGIError) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let room = MemoryLayout.size(ofValue: address.sun_path) - 1
        guard temporaryPath.utf8.count <= room, !bytes.contains(0) else {
            throw .pathTooLong(self.path)
        }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        return try unsafe withUnsafePointer(to: &address) { pointer throws(FastCGIError) in
            try unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                address throws(FastCGIError) in try unsafe body(address, size)
            }
        }
    }

    /// An integer option of a socket, or nil if it has none such.
    static func option(_ name: CInt, of descriptor: CInt) -> CInt? {
        var value: CInt = 0
        var size = socklen_t(MemoryLayout<CInt>.size)
        let result = unsafe getsockopt(descriptor, SOL_SOCKET, name, &value, &size)
        return result == 0 ? value : nil
    }
}
