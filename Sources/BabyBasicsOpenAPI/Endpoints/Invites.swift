import BabyBasicsAPI

extension About {
    static let invites = [
        About(
            Endpoints.createInvite, "createInvite", "Makes a link that lets one person join",
            "An open invite of the same role, email, label and `access_until` is answered again, with the same id and link. It lives for 7 days, in a `co_parent` family for 72 hours.",
            refuses: [
                .conflict:
                    "A `co_parent` family has two parents already, or a family too many open invites or members. With `send`: this server sends no mail."
            ]),
        About(
            Endpoints.acceptInvite, "acceptInvite", "Joins a family with the token of an invite",
            "Accepted again by whoever used this link and is a member: 200 with the same body.",
            answersAgain: true,
            refuses: [
                .validationError: "The caller made the invite.",
                .notFound:
                    "No open invite has this token, or it is for another email, or for one that the caller has not confirmed, where the server sends mail.",
                .conflict:
                    "The caller is a member already, or a `co_parent` family has two parents. The link stays unused.",
            ]),
        About(
            Endpoints.previewInvite, "previewInvite", "Shows who invites to which family", "Uses nothing up.",
            refuses: [.notFound: "No open invite has this token."]),
        About(
            Endpoints.listInvites, "listInvites", "The open invites of a family, oldest first",
            "Without their tokens, which were shown once."),
        About(
            Endpoints.revokeInvite, "revokeInvite", "Ends an open invite",
            refuses: [.notFound: "The family has no such open invite."]),
    ]
}

extension NewInvite: Described {
    static let remarks: [String: Remark] = [
        "role": "In a `co_parent` family `parent` alone.",
        "invitee_email": .email.described("Only the account with this email may accept."),
        "label": Remark(
            "Tells invites apart for the parents; whoever is invited never sees it. At most 50 characters after trimming; an empty one is none.",
            example: "Grandma Ruth", ["pattern": .string(Pattern.label(max: 50))]),
        "access_until": .accessUntil,
        "send": Remark(
            schema: [
                "description":
                    "Mails the invitee a link of its own, which also confirms the email. Needs `invitee_email` and a server that sends mail. At most 3 an hour to one address, 20 of one person.",
                "default": false,
            ]),
    ]
}

extension Invite: Described {
    static let remarks: [String: Remark] = [
        "join_url": Remark(
            "Holds the token.", example: "https://babybasics.example/join/xK9mLp2qR5tN8vW3yBcd4A"),
        "deep_link": Remark(
            "The same token for the app’s own scheme, in a `co_parent` family alone.",
            example: "babybasics://invite/c4af662e-9dae-479b-4df2-f5b7c8171de0"
        ).orAbsent,
        "invitee_email": Remark(
            "Who alone may accept; null for anybody.", example: "maria@example.com"),
        "label": Remark("For the parents alone.", example: "Grandma Ruth"),
        "access_until": "When the membership will end; null for never.",
    ]
}

extension OpenInvite: Described {
    static let remarks = Invite.remarks.filter {
        ["invitee_email", "label", "access_until"].contains($0.key)
    }
}

extension OpenInvite.Creator: Described {
    static let remarks: [String: Remark] = Author.remarks
}

extension InviteList: Described {
    static let remarks: [String: Remark] = ["count": .count]
}
