// The devices on which a person is told.

extension Endpoints {
    /// Named again by the same person it answers 200 with what it is.
    public static let addDevice = Endpoint<NewDevice, DeviceAnswer>(
        .post, "\(base)/users/me/devices", access: .user, success: 201)
    public static let listDevices = Endpoint<Empty, DeviceList>(
        .get, "\(base)/users/me/devices", access: .user)
    public static let removeDevice = Endpoint<Empty, Empty>(
        .delete, "\(base)/users/me/devices/:deviceId", access: .user, success: 204)

    static let devices = [addDevice.description, listDevices.description, removeDevice.description]
}

public enum DeviceType: String, Codable, Hashable, Sendable, CaseIterable {
    /// A browser.
    case webPush = "web_push"
    /// Apple's own push service.
    case apns
}

/// Where somebody wants to be told.
public enum NewDevice: Hashable, Sendable {
    case webPush(WebPushSubscription)
    case apns(AppleDevice)
}

/// What a browser's `PushSubscription` is as JSON.
public struct WebPushSubscription: Codable, Hashable, Sendable {
    /// `https://`, at a push service that the server knows.
    public var endpoint: String
    public var keys: Keys
    /// The server's key that it was made with, `push_key` of `GET /server` then: 65 bytes in base64url.
    public var applicationServerKey: String?

    public struct Keys: Codable, Hashable, Sendable {
        /// 65 bytes in base64url.
        public var p256dh: String
        /// 16 bytes in base64url.
        public var auth: String

        public init(p256dh: String, auth: String) {
            self.p256dh = p256dh
            self.auth = auth
        }
    }

    public init(endpoint: String, keys: Keys, applicationServerKey: String? = nil) {
        self.endpoint = endpoint
        self.keys = keys
        self.applicationServerKey = applicationServerKey
    }
}

public struct AppleDevice: Codable, Hashable, Sendable {
    /// What iOS gives the app, in hexadecimal digits.
    public var token: String
    public var environment: Environment

    /// Which of Apple's push services knows the token: that of apps from the store, or of those that are being made.
    public enum Environment: String, Codable, Hashable, Sendable, CaseIterable {
        case production
        case sandbox
    }

    public init(token: String, environment: Environment) {
        self.token = token
        self.environment = environment
    }
}

extension NewDevice: Codable {
    private enum CodingKeys: CodingKey { case type }

    public init(from decoder: any Decoder) throws {
        switch try decoder.container(keyedBy: CodingKeys.self).decode(DeviceType.self, forKey: .type) {
        case .webPush: self = .webPush(try WebPushSubscription(from: decoder))
        case .apns: self = .apns(try AppleDevice(from: decoder))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .webPush(let subscription):
            try container.encode(DeviceType.webPush, forKey: .type)
            try subscription.encode(to: encoder)
        case .apns(let device):
            try container.encode(DeviceType.apns, forKey: .type)
            try device.encode(to: encoder)
        }
    }
}

/// One of the caller's own devices.
public struct Device: Codable, Hashable, Sendable {
    public var id: DeviceID
    public var type: DeviceType
    public var createdAt: Timestamp
    /// What the client called itself when it signed in.
    public var userAgent: String?
    /// Whether the session that asks named it.
    public var current: Bool

    public init(id: DeviceID, type: DeviceType, createdAt: Timestamp, userAgent: String?, current: Bool) {
        self.id = id
        self.type = type
        self.createdAt = createdAt
        self.userAgent = userAgent
        self.current = current
    }
}

public typealias DeviceID = Identifier<Device>

public struct DeviceAnswer: Codable, Hashable, Sendable {
    public var device: Device

    public init(device: Device) {
        self.device = device
    }
}

public struct DeviceList: Codable, Hashable, Sendable {
    public var devices: [Device]
    public var count: Int

    public init(devices: [Device]) {
        self.devices = devices
        count = devices.count
    }
}
