import BabyBasicsAPI

extension About {
    static let devices = [
        About(
            Endpoints.addDevice, "addDevice", "Has the caller told on a device",
            "A browser by its `PushSubscription`, subscribed with `push_key` of `GET /server`; an app by its token. It belongs to the session that names it, and goes with it. Named again it answers 200. At most 10.",
            answersAgain: true,
            refuses: [.conflict: "The account has 10 devices. Or the server pushes to no such devices."]),
        About(Endpoints.listDevices, "listDevices", "The devices on which the caller is told"),
        About(
            Endpoints.removeDevice, "removeDevice", "Has the caller told on a device no more",
            refuses: [.notFound: "The caller has no such device."]),
    ]
}

extension DeviceType: SchemaDescribed {}
extension AppleDevice.Environment: SchemaDescribed {}

extension NewDevice: SchemaComposed {
    static func schema(_ use: SchemaUse, _ schemas: inout Schemas) -> JSON {
        func form(_ type: DeviceType, _ members: any Decodable.Type) -> JSON {
            var form = schemas.object(members, use)
            form["properties"] = (["type": Schemas.only(type.rawValue)] as JSON).merging(form["properties"] ?? [:])
            form["required"] = .array(["type"] + (form["required"]?.elements ?? []))
            return (["title": .string(type.rawValue)] as JSON).merging(form)
        }
        return ["oneOf": [form(.webPush, WebPushSubscription.self), form(.apns, AppleDevice.self)]]
    }
}

extension WebPushSubscription: Described {
    static let remarks: [String: Remark] = [
        "endpoint": Remark(
            "At a push service that the server knows; at most 2048 characters.",
            example: "https://updates.push.services.mozilla.com/wpush/v2/gAAAAABkQ3v0",
            ["format": "push-endpoint", "maxLength": 2048]),
        "application_server_key": Remark(
            "`push_key` of the server that the browser has subscribed with, the newest unless said.",
            example: "BDd3_hVL9fZi9Ybo2UUzA284WG5FZR30_95YeZJsiApwXKpNcF1rRPF3foIiBHXRdJI2Qhumhf6_LFTeZaNndIo",
            ["format": "p256-point"]),
    ]
}

extension WebPushSubscription.Keys: Described {
    static let remarks: [String: Remark] = [
        "p256dh": Remark(
            "An uncompressed point of P-256, 65 bytes in base64url.",
            example: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            ["format": "p256-point"]),
        "auth": Remark(
            "16 bytes in base64url.", example: "BTBZMqHH6r4Tts7J_aSIgg",
            ["pattern": "^[A-Za-z0-9_\\-]{21}[AQgw](==)?$"]),
    ]
}

extension AppleDevice: Described {
    static let remarks: [String: Remark] = [
        "token": Remark(
            "64 to 200 hexadecimal digits, an even number of them.",
            example: "f1e2d3c4b5a697887766554433221100ffeeddccbbaa99887766554433221100",
            ["pattern": "^([0-9A-Fa-f]{2}){32,100}$"]),
        "environment": "Which of Apple’s push services knows the token.",
    ]
}

extension Device: Described {
    static let remarks: [String: Remark] = [
        "user_agent": Remark(
            "What the client called itself when it signed in.", example: "BabyBasics/1.0 iOS/18.0"),
        "current": "Whether the session that asks named it.",
    ]
}

extension DeviceList: Described {
    static let remarks: [String: Remark] = ["count": .count]
}
