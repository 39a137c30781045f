import BabyBasicsAPI

/// One child.
func getChild(_ context: RequestContext, membership: ChildMembership) throws -> Reply<ChildAnswer> {
    Reply(ChildAnswer(child: membership.child), revision: membership.child.revision)
}
