import ArgumentParser
import BabyBasicsOpenAPI
import BabyBasicsServer

/// Named after what it prints; `BabyBasicsOpenAPI` makes it.
struct PrintOpenAPI: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openapi",
        abstract: "Print the OpenAPI 3.1 document of the API, made from the endpoint table.")

    @Flag(help: "Print the kinds of events as the web app's types/kinds.js instead.")
    var javascript = false

    @Flag(help: "Print the types of all bodies as the web app's types/api.d.ts instead.")
    var typescript = false

    func run() {
        if javascript { return print(OpenAPI.javaScript, terminator: "") }
        if typescript { return print(OpenAPI.typeScript, terminator: "") }
        print(OpenAPI.document(version: Server.version), terminator: "")
    }
}
