import ArgumentParser

@main
struct BabyBasics: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "babybasics", abstract: "The Baby Basics server.")
}
