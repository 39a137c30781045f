import ArgumentParser
import BabyBasicsServer

@main
struct BabyBasics: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "babybasics",
        abstract: "The Baby Basics server: families, sharing and baby tracking behind nginx.",
        version: Server.version,
        subcommands: [
            Serve.self, Migrate.self, Purge.self, CheckConfig.self, SendTestMail.self, RotatePushKey.self, User.self,
            PrintOpenAPI.self,
        ])
}
