import Glibc

/// A file of a fixed size that the processes of a host have in their memory, or memory of this process alone.
@safe final class MappedFile: Sendable {
    // `unsafe`: it is mapped until `deinit`. How it is touched is up to whoever uses it.
    nonisolated(unsafe) let start: UnsafeMutableRawPointer
    private let bytes: Int

    init(path: String?, bytes: Int) throws(SharedMemoryError) {
        var descriptor: CInt = -1
        if let path { descriptor = try Self.open(path, bytes) }
        defer { if descriptor >= 0 { close(descriptor) } }
        let flags = MAP_SHARED | (path == nil ? MAP_ANONYMOUS : 0)
        let memory = unsafe mmap(nil, bytes, PROT_READ | PROT_WRITE, flags, descriptor, 0)
        guard let memory = unsafe memory, unsafe memory != MAP_FAILED else {
            throw SharedMemoryError("mmap", path ?? "memory", errno)
        }
        unsafe start = memory
        self.bytes = bytes
    }

    deinit { _ = unsafe munmap(start, bytes) }

    /// The file at the path. One that is no file of this size is replaced, never resized: whoever has mapped it would be killed.
    private static func open(_ path: String, _ bytes: Int) throws(SharedMemoryError) -> CInt {
        // Processes that start together must not replace each other's files.
        let lock = try lockDirectory(of: path)
        defer { close(lock) }
        let existing = unsafe Glibc.open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        if existing >= 0 {
            if isUsable(existing, bytes) { return existing }
            close(existing)
        }
        if unsafe unlink(path) != 0, errno != ENOENT {
            throw SharedMemoryError("unlink", path, errno)
        }
        let made = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard made >= 0 else { throw SharedMemoryError("open", path, errno) }
        // All of it at once: a page that has no room later would end the process.
        let code = posix_fallocate(made, 0, off_t(bytes))
        guard code == 0 else {
            close(made)
            throw SharedMemoryError("posix_fallocate", path, code)
        }
        return made
    }

    /// The lock ends with the descriptor, and so with the process.
    private static func lockDirectory(of path: String) throws(SharedMemoryError) -> CInt {
        let end = path.lastIndex(of: "/").map { path[...$0] } ?? "./"
        let directory = String(end)
        let descriptor = unsafe Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SharedMemoryError("open", path, errno) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else {
                close(descriptor)
                throw SharedMemoryError("flock", path, errno)
            }
        }
        return descriptor
    }

    private static func isUsable(_ descriptor: CInt, _ bytes: Int) -> Bool {
        var file = stat()
        return unsafe fstat(descriptor, &file) == 0 && file.st_mode & S_IFMT == S_IFREG
            && file.st_size == off_t(bytes) && fchmod(descriptor, 0o600) == 0
    }
}
