import ArgumentParser

@main
struct Phone: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "babybasics-phone",
        abstract: "Baby Basics at a terminal: the phone app's kit without its pixels.",
        subcommands: [
            Server.self, Register.self, LogIn.self, SignOut.self, SetUp.self, Families.self,
            List.self, Log.self, Edit.self, Delete.self, Summary.self, Plans.self, PlanCommand.self, Give.self,
            Remind.self, GrowthCommand.self, Sync.self, Watch.self, Speak.self,
            Invite.self, Join.self, Offline.self, Scribble.self, OpenStore.self,
        ])
}
