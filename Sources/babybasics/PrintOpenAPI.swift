import ArgumentParser
import BabyBasicsAPI
import BabyBasicsServer

/// Named after what it prints; the module's own `OpenAPI` makes it.
struct PrintOpenAPI: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openapi",
        abstract: "Print the OpenAPI 3.1 document of the API, made from the endpoint table.")

    func run() {
        print(OpenAPI.document(version: Server.version), terminator: "")
    }
}
