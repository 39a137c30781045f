import BabyBasicsAPI
import Postgres

/// Has the caller told on a device for as long as the session lives. A device that somebody else had is the caller's alone from now on.
func addDevice(_ context: RequestContext, caller: Caller) async throws -> Reply<DeviceAnswer> {
    let push = context.services.configuration.push
    let named = try NamedDevice(context.fields(), push)
    let (database, user) = (context.database, caller.userID)
    return try await database.transaction {
        // One at a time, before the session, as whoever ends sessions does: the next one counts this one's device.
        try database.lockUser(user)
        let userAgent = try await database.first(
            "select user_agent from sessions where id = \(caller.sessionID) for key share"
        ) { try $0.next(String?.self) }
        guard let userAgent else { throw APIError.invalidToken }
        // A subscription keeps the key that it was made with, whoever has it. Who does not say which has the newest.
        let before = try await database.change(
            """
            delete from devices where address = \(named.address) and user_id <> \(user) returning p256dh, push_key
            """
        ) { (p256dh: try $0.next([UInt8]?.self), key: try $0.next(String?.self)) }.first
        let kept = before?.p256dh == named.keys?.p256dh ? before?.key : nil
        let key = named.keys.flatMap { $0.ours ?? kept ?? push?.publicKey }
        let known = try await database.change(
            """
            update devices set session_id = \(caller.sessionID), service = \(named.service), type = \(named.type),
                push_key = case when p256dh = \(named.keys?.p256dh) then coalesce(\(named.keys?.ours), push_key) else \(key) end,
                p256dh = \(named.keys?.p256dh), auth = \(named.keys?.auth), environment = \(named.environment)
            where address = \(named.address) and user_id = \(user)
            returning id, created_at
            """
        ) { (id: try $0.next(DeviceID.self), createdAt: try $0.next(Timestamp.self)) }.first
        let id = try known?.id ?? context.newIdentifier()
        let device = Device(
            id: id, type: named.type, createdAt: known?.createdAt ?? context.now, userAgent: userAgent, current: true)
        if known != nil { return Reply(DeviceAnswer(device: device), status: 200) }
        try await insert(device, named, key, caller, context)
        return Reply(DeviceAnswer(device: device))
    }
}

/// - Throws: `APIError` 409 where there are as many as may be.
private func insert(
    _ device: Device, _ named: NamedDevice, _ key: String?, _ caller: Caller, _ context: RequestContext
) async throws {
    let inserted = try await context.database.execute(
        """
        insert into devices (id, user_id, session_id, type, address, service, p256dh, auth, push_key, environment, created_at)
        select \(device.id), \(caller.userID), \(caller.sessionID), \(named.type), \(named.address), \(named.service),
            \(named.keys?.p256dh), \(named.keys?.auth), \(key), \(named.environment), \(device.createdAt)
        where (
            select count(*) from devices d join sessions s on s.id = d.session_id
            where d.user_id = \(caller.userID) and s.expires_at > \(context.now)
        ) < \(Ceiling.devicesOfUser)
        """)
    guard inserted == 1 else { throw APIError.tooManyDevices }
}
