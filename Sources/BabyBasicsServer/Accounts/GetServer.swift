import BabyBasicsAPI

/// What clients need to know before anybody has signed in.
func getServer(_ context: RequestContext) async throws -> Reply<AboutServer> {
    let configuration = context.services.configuration
    let registration: AboutServer.Description.Registration = try await context.takesAnybody() ? .open : .invite
    return Reply(
        AboutServer(
            server: .init(
                name: "Baby Basics", version: Server.version,
                registration: registration, mail: configuration.mail != nil, support: configuration.support,
                pushKey: configuration.push?.publicKey, languages: Language.allCases.map(\.tag))))
}
