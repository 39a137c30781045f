import ArgumentParser
import Cryptography

/// Of no effect any more: passwords are hashed on a thread of the worker. It goes with its callers' `hashing:`.
struct Hash: ParsableCommand {
    static let configuration = CommandConfiguration(shouldDisplay: false)

    static let command = HashingCommand(arguments: [])
}
