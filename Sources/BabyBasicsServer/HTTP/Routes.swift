import BabyBasicsAPI

extension Route {
    /// Every endpoint with its handler: the table of contents of the server.
    static let all = numbered(features + EventKind.allDetails.flatMap { events(of: $0) })

    private static let features: [Route] = [
        Route(Endpoints.getHealth, getHealth),
        Route(Endpoints.getServer, getServer),

        Route(Endpoints.register, register),
        Route(Endpoints.logIn, logIn),
        Route(Endpoints.logOut, logOut),
        Route(Endpoints.resetPassword, resetPassword),
        Route(Endpoints.changePassword, changePassword),
        Route(Endpoints.changeEmail, changeEmail),
        Route(Endpoints.forgotPassword, forgotPassword),
        Route(Endpoints.verifyEmail, verifyEmail),
        Route(Endpoints.sendVerification, sendVerification),
        Route(Endpoints.listSessions, listSessions),
        Route(Endpoints.endSession, endSession),

        Route(Endpoints.getMe, getMe),
        Route(Endpoints.updateMe, updateMe),
        Route(Endpoints.deleteMe, deleteMe),
        Route(Endpoints.createToken, createToken),
        Route(Endpoints.listTokens, listTokens),
        Route(Endpoints.deleteToken, deleteToken),
        Route(Endpoints.addDevice, addDevice),
        Route(Endpoints.listDevices, listDevices),
        Route(Endpoints.removeDevice, removeDevice),

        Route(Endpoints.createFamily, createFamily),
        Route(Endpoints.listFamilies, asking: listFamilies),
        Route(Endpoints.getFamily, getFamily),
        Route(Endpoints.updateFamily, updateFamily),
        Route(Endpoints.transferFamily, transferFamily),
        Route(Endpoints.deleteFamily, deleteFamily),

        Route(Endpoints.listMembers, listMembers),
        Route(Endpoints.changeMember, changeMember),
        Route(Endpoints.removeMember, removeMember),
        Route(Endpoints.leaveFamily, leaveFamily),

        Route(Endpoints.createInvite, createInvite),
        Route(Endpoints.acceptInvite, asking: acceptInvite),
        Route(Endpoints.previewInvite, previewInvite),
        Route(Endpoints.listInvites, listInvites),
        Route(Endpoints.revokeInvite, revokeInvite),

        Route(Endpoints.createChild, createChild),
        Route(Endpoints.listChildren, asking: listChildren),
        Route(Endpoints.getChild, getChild),
        Route(Endpoints.replaceChild, replaceChild),
        Route(Endpoints.updateChild, updateChild),
        Route(Endpoints.deleteChild, deleteChild),

        Route(Endpoints.createPlan, createPlan),
        Route(Endpoints.listPlans, listPlans),
        Route(Endpoints.getPlan, getPlan),
        Route(Endpoints.updatePlan, updatePlan),
        Route(Endpoints.deletePlan, deletePlan),
        Route(Endpoints.restorePlan, restorePlan),

        Route(Endpoints.createReminder, createReminder),
        Route(Endpoints.listReminders, listReminders),
        Route(Endpoints.deleteReminder, deleteReminder),
        Route(Endpoints.getNotifications, getNotifications),
        Route(Endpoints.replaceNotifications, replaceNotifications),

        Route(Endpoints.listChanges, asking: listChanges),
        Route(Endpoints.listAuditEntries, listAuditEntries),

        Route(Endpoints.createWebhook, createWebhook),
        Route(Endpoints.listWebhooks, listWebhooks),
        Route(Endpoints.getWebhook, getWebhook),
        Route(Endpoints.updateWebhook, updateWebhook),
        Route(Endpoints.deleteWebhook, deleteWebhook),
        Route(Endpoints.listDeliveries, listDeliveries),
        Route(Endpoints.retryDelivery, retryDelivery),

        Route(Endpoints.createEvents, asking: createEvents),
        Route(Endpoints.getTimeline, asking: getTimeline),
        Route(Endpoints.getDashboard, asking: getDashboard),
    ]

    /// The same for each kind of event.
    private static func events<Details: EventDetails>(of details: Details.Type) -> [Route] {
        [
            Route(Endpoints.createEvent(details), asking: createEvent),
            Route(Endpoints.listEvents(details), asking: listEvents),
            Route(Endpoints.getEvent(details), asking: getEvent),
            Route(Endpoints.replaceEvent(details), asking: replaceEvent),
            Route(Endpoints.updateEvent(details), asking: updateEvent),
            Route(Endpoints.deleteEvent(details), asking: { try await deleteEvent($0, of: Details.kind) }),
            Route(Endpoints.restoreEvent(details), asking: restoreEvent),
        ]
    }

    private static func numbered(_ routes: [Route]) -> [Route] {
        routes.enumerated().map { Route($1.endpoint, $1.handler, number: $0) }
    }
}
