import ArgumentParser
import BabyBasicsAPI
import BabyBasicsClient
import BabyBasicsKit
import Foundation

/// Where this phone keeps its things, and what it is connected with.
struct PhoneOptions: ParsableArguments {
    @Option(help: "The phone's directory (environment: BABY_BASICS_HOME; otherwise ~/.babybasics).")
    var home: String?
    @Option(help: "A PEM file of the one authority to trust (environment: BABY_BASICS_CA).")
    var ca: String?

    var directory: URL {
        let environment = ProcessInfo.processInfo.environment
        if let path = home ?? environment["BABY_BASICS_HOME"] { return URL(filePath: path) }
        return FileManager.default.homeDirectoryForCurrentUser.appending(path: ".babybasics")
    }

    var configuration: KitConfiguration {
        let environment = ProcessInfo.processInfo.environment
        let carrier: Transport =
            (ca ?? environment["BABY_BASICS_CA"]).map {
                .curl(certificateAuthority: URL(filePath: $0))
            } ?? .urlSession()
        var configuration = KitConfiguration.files(in: directory)
        let preferences = configuration.preferences
        let lossy = LossyLine(over: carrier, seed: .random(in: .min ... .max))
        lossy.setLoss(0.2)
        configuration.transport = Transport { request, timeout in
            // Looked at each time: another command may change it while this one stays on screen.
            switch preferences.string(Offline.key).flatMap(Offline.State.init) {
            case .on: throw TransportFailure(.cannotConnect, "This phone is offline")
            case .lossy: return try await lossy.transport.perform(request, timeout)
            case .off, nil: return try await carrier.perform(request, timeout)
            }
        }
        return configuration
    }

    /// The account that is signed in.
    @MainActor func signedIn() async throws -> (account: Account, home: Home) {
        let account = Account(configuration)
        try await account.start()
        guard let home = account.home else {
            throw ValidationError("Nobody is signed in. Use register or log-in first.")
        }
        return (account, home)
    }

    /// The family on screen.
    func family(_ home: Home) async throws -> StoredFamily {
        let wanted = configuration.preferences.string("activeFamilyId")
        let families = try await home.store.families()
        guard let family = families.first(where: { $0.id.description == wanted }) ?? families.first
        else { throw ValidationError("There is no family yet. Use set-up or join first.") }
        return family
    }

    /// A child of the family on screen.
    func child(_ name: String?, _ home: Home) async throws -> StoredChild {
        let children = try await home.store.children(of: try await family(home).id)
        guard let child = children.first(where: { name == nil || $0.name == name }) else {
            throw ValidationError("There is no such child. Use families to see them.")
        }
        return child
    }

    /// The account's password: never an argument, which every user of the machine may read.
    static func password() throws -> String {
        if let password = ProcessInfo.processInfo.environment["BABY_BASICS_PASSWORD"] {
            return password
        }
        FileHandle.standardError.write(Data("Password: ".utf8))
        guard let line = readLine(), !line.isEmpty else { throw ValidationError("No password.") }
        return line
    }
}

/// One line for a person or a script: the id, the kind, when, and the fields.
func line(_ entry: StoredEntry) -> String {
    let fields = entry.fields.sorted { $0.key < $1.key }.map { name, value in
        switch value {
        case .text(let text): "\(name)=\(text)"
        case .number(let number): "\(name)=\(number)"
        case .flag(let flag): "\(name)=\(flag)"
        case .list(let list): "\(name)=\(list.joined(separator: ","))"
        }
    }
    let waiting = entry.isWaiting ? "waiting" : "saved"
    return [entry.id.uuidString.lowercased(), waiting, entry.kind, entry.author.name]
        .joined(separator: "\t") + "\t" + fields.joined(separator: "\t")
}

/// What is asked before a dose, and how to say yes.
func say(_ question: DoseQuestion) { print("\(question.reason) \(question.text) Then use --anyway.") }

func say(_ message: Message?) {
    if let message { print(message.text) }
}
