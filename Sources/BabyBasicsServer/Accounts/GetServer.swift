public import BabyBasicsAPI
public import JSON

/// What clients need to know before anybody has signed in.
func getServer(_ context: RequestContext) async -> Reply<AboutServer> {
    let configuration = context.services.configuration
    return Reply(
        AboutServer(
            server: .init(
                name: "Baby Basics", version: Server.version,
                registration: configuration.registration == .open ? .open : .invite, mail: configuration.mail != nil,
                pushKey: nil, languages: Letters.all.map(\.tag))))
}

extension AboutServer: JSONWritable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member(
                "server",
                object: {
                    $0.member("name", server.name)
                    $0.member("version", server.version)
                    $0.member("registration", server.registration.rawValue)
                    $0.member("mail", server.mail)
                    $0.member("push_key", server.pushKey)
                    $0.member("languages", server.languages)
                })
        }
    }
}
