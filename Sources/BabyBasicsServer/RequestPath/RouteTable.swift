import BabyBasicsAPI

extension Route {
    /// Every endpoint with its handler: the table of contents of the server.
    static let all: [Route] = [
        Route(Endpoints.getHealth, getHealth),

        Route(Endpoints.register, register),
        Route(Endpoints.logIn, logIn),
        Route(Endpoints.logOut, logOut),
        Route(Endpoints.resetPassword, resetPassword),
        Route(Endpoints.changePassword, changePassword),
        Route(Endpoints.listSessions, listSessions),
        Route(Endpoints.endSession, endSession),

        Route(Endpoints.getMe, getMe),
        Route(Endpoints.updateMe, updateMe),
        Route(Endpoints.deleteMe, deleteMe),

        Route(Endpoints.createFamily, createFamily),
        Route(Endpoints.listFamilies, listFamilies),
        Route(Endpoints.getFamily, getFamily),
        Route(Endpoints.updateFamily, updateFamily),
        Route(Endpoints.deleteFamily, deleteFamily),

        Route(Endpoints.listMembers, listMembers),
        Route(Endpoints.removeMember, removeMember),

        Route(Endpoints.createInvite, createInvite),
        Route(Endpoints.acceptInvite, acceptInvite),
        Route(Endpoints.previewInvite, previewInvite),
        Route(Endpoints.listInvites, listInvites),
        Route(Endpoints.revokeInvite, revokeInvite),

        Route(Endpoints.createChild, createChild),
        Route(Endpoints.listChildren, listChildren),
        Route(Endpoints.getChild, getChild),
        Route(Endpoints.replaceChild, replaceChild),
        Route(Endpoints.updateChild, updateChild),
        Route(Endpoints.deleteChild, deleteChild),
    ]
}
