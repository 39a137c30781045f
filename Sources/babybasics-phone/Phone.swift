import ArgumentParser

@main
struct Phone: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "babybasics-phone", abstract: "Baby Basics at a terminal, on the kit of the phone app.")
}
