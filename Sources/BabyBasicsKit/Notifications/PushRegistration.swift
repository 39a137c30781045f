public import BabyBasicsAPI
import BabyBasicsClient
public import Foundation
public import Observation

/// Whether this phone tells the person, and which of their devices do. iOS gives the token, the server gets it; it goes
/// with the session that named it.
@MainActor @Observable public final class PushRegistration {
    /// How this phone stands.
    public enum Step: Hashable, Sendable {
        /// The person does not want to be told here. An app calls `unregisterForRemoteNotifications()`.
        case off
        /// Wanted. An app calls `registerForRemoteNotifications()`, at each start, and hands over the token.
        case waitingForToken
        /// The server is still to be told of the token: it is tried again with the next sync.
        case waitingForServer
        /// The server knows this phone.
        case registered(DeviceID)
        /// The server does not tell this phone, and `message` says why: it tells no phones, or too many already.
        case refused
    }

    /// How this phone stands.
    public private(set) var step: Step
    /// The message about the last action.
    public private(set) var message: Message?
    /// The person's devices, as last read.
    public private(set) var devices: [Device] = []
    @ObservationIgnored private unowned let home: Home
    private var token: AppleDevice?
    private var isTelling = false
    private var hearing: Watching?

    init(_ home: Home) {
        self.home = home
        step =
            home.configuration.preferences.string(PreferenceKey.toldHere) == home.store.userID.description
            ? .waitingForToken : .off
        let engine = home.engine
        hearing = Watching(
            Task { [weak self] in
                for await event in await engine.events() {
                    guard case .didFetchChanges = event else { continue }
                    await self?.tellServer()
                }
            })
    }

    /// The person wants to be told here, and has allowed it.
    public func turnOn() {
        home.configuration.preferences.set(home.store.userID.description, for: PreferenceKey.toldHere)
        if step == .off { step = token == nil ? .waitingForToken : .waitingForServer }
    }

    /// iOS has given a token: `didRegisterForRemoteNotificationsWithDeviceToken`. The server is told of each new one.
    public func take(_ token: Data, environment: AppleDevice.Environment = .production) async {
        let hexadecimal = token.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let device = AppleDevice(token: hexadecimal, environment: environment)
        let isNew = device != self.token
        self.token = device
        guard step != .off else { return }
        if isNew || step == .refused { step = .waitingForServer }
        message = nil
        await tellServer()
    }

    /// The person does not want to be told here any more.
    public func turnOff() async {
        message = nil
        do {
            if case .registered(let id) = step { try await drop(id) }
            home.configuration.preferences.set(nil, for: PreferenceKey.toldHere)
            step = .off
        } catch {
            message = home.texts.failure(error)
        }
    }

    /// Reads the person's devices.
    public func readDevices() async {
        await act { devices = try await home.client.send(Endpoints.listDevices).body.devices }
    }

    /// Nothing is told on a device any more.
    public func remove(_ device: Device) async {
        if case .registered(device.id) = step {
            await turnOff()
        } else {
            await act { try await drop(device.id) }
        }
        devices.removeAll { $0.id == device.id && message == nil }
    }

    private func drop(_ id: DeviceID) async throws {
        do {
            try await home.client.tell(Endpoints.removeDevice.description, id)
        } catch let failure as APIFailure where failure.status == 404 {
            // Gone already is as good.
        }
    }

    private func tellServer() async {
        guard step == .waitingForServer, let device = token, !isTelling else { return }
        isTelling = true
        do {
            let answer = try await home.client.send(Endpoints.addDevice, body: .apns(device)).body
            if step == .waitingForServer, token == device { step = .registered(answer.device.id) }
        } catch let failure as APIFailure where [400, 404, 409].contains(failure.status) {
            message = home.texts.failure(failure)
            step = .refused
        } catch {
            // The next sync tries again.
        }
        isTelling = false
        // Another token came meanwhile.
        if token != device { await tellServer() }
    }

    private func act(_ request: () async throws -> Void) async {
        message = nil
        do { try await request() } catch { message = home.texts.failure(error) }
    }
}
