import ArgumentParser

struct CheckConfig: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-config",
        abstract:
            "Say whether a worker could start with this environment, and what is wrong if not.")

    func run() throws {
        _ = try Environment(.ofThisProcess())
        print("The configuration is complete.")
    }
}
