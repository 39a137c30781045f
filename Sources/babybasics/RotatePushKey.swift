import ArgumentParser
import Cryptography
import FoundationEssentials
import Glibc

struct RotatePushKey: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate-push-key",
        abstract: "Put a new key in front of those in a file that PUSH_KEY is read from.",
        discussion:
            """
            The newest of the keys before it stays, so that devices which subscribed with it are told on. They subscribe anew by themselves \
            once all workers have been restarted: then, or at the next rotation, the old one is worth nothing.
            """)

    @Argument(help: "The file. Where there is none it is made.")
    var file: String

    func run() throws {
        let before = FileManager.default.contents(atPath: file).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let lines = before.split(whereSeparator: \.isNewline).prefix(1).map(String.init)
        guard lines.allSatisfy({ Encoding.bytes(hex: $0).flatMap(P256Key.init(number:)) != nil }) else {
            throw ValidationError("the file has something else than keys in it; nothing was changed")
        }
        var number = try SecureRandom.bytes(32)
        while P256Key(number: number) == nil { number = try SecureRandom.bytes(32) }
        let text = ([Encoding.hex(number)] + lines).joined(separator: "\n") + "\n"
        try replace(with: text)
        print("New subscriptions are made with the new key once the workers have been restarted.")
    }

    /// The whole file or nothing of it, for its owner's eyes alone from the first byte.
    private func replace(with text: String) throws {
        let new = "\(file).new"
        _ = try? FileManager.default.removeItem(atPath: new)
        guard
            FileManager.default.createFile(
                atPath: new, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
        else { throw ValidationError("the file cannot be written") }
        guard rename(new, file) == 0 else { throw ValidationError("the file cannot be replaced") }
    }
}
