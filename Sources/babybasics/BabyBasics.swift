import ArgumentParser

@main
struct BabyBasics: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "babybasics",
        abstract: "The Baby Basics server: families, sharing and baby tracking behind nginx.",
        version: "1.0.0",
        subcommands: [
            Serve.self, Migrate.self, Purge.self, CheckConfig.self,
            PrintOpenAPI.self,
        ])
}
