import BabyBasicsAPI

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
