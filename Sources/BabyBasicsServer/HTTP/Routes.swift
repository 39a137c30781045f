import BabyBasicsAPI

extension Route {
    /// Every endpoint with its handler: the table of contents of the server.
    static let all = numbered(features + EventKind.allDetails.flatMap { events(of: $0) })

    private static let features: [Route] = [
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
        Route(Endpoints.listChildren, authenticating: listChildren),
        Route(Endpoints.getChild, getChild),
        Route(Endpoints.replaceChild, replaceChild),
        Route(Endpoints.updateChild, updateChild),
        Route(Endpoints.deleteChild, deleteChild),

        Route(Endpoints.listChanges, listChanges),
        Route(Endpoints.listAuditEntries, listAuditEntries),

        Route(Endpoints.createEvents, createEvents),
        Route(Endpoints.getTimeline, getTimeline),
        Route(Endpoints.getDashboard, getDashboard),
    ]

    /// The same for each kind of event.
    private static func events<Details: EventDetails>(of details: Details.Type) -> [Route] {
        guard let table = EventTable.of(Details.kind) else { return [] }
        return [
            Route(Endpoints.createEvent(details)) { try await createEvent($0, $1, in: table) },
            Route(Endpoints.listEvents(details)) { try await listEvents($0, $1, in: table) },
            Route(Endpoints.getEvent(details)) { try await getEvent($0, $1, in: table) },
            Route(Endpoints.replaceEvent(details)) { try await replaceEvent($0, $1, in: table) },
            Route(Endpoints.updateEvent(details)) { try await updateEvent($0, $1, in: table) },
            Route(Endpoints.deleteEvent(details)) { try await deleteEvent($0, $1, in: table) },
            Route(Endpoints.restoreEvent(details)) { try await restoreEvent($0, $1, in: table) },
        ]
    }

    private static func numbered(_ routes: [Route]) -> [Route] {
        routes.enumerated().map { Route($1.endpoint, $1.handler, number: $0) }
    }
}
