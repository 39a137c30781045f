import BabyBasicsAPI
import Postgres

/// The devices on which the caller is told, the newest first.
func listDevices(_ context: RequestContext, caller: Caller) async throws -> Reply<DeviceList> {
    let devices = try await context.database.rows(
        """
        select d.id, d.type, d.created_at, s.user_agent, s.id = \(caller.sessionID)
        from devices d join sessions s on s.id = d.session_id
        where d.user_id = \(caller.userID) and s.expires_at > \(context.now)
        order by d.created_at desc, d.id desc
        """
    ) {
        Device(
            id: try $0.next(), type: try $0.next(), createdAt: try $0.next(), userAgent: try $0.next(),
            current: try $0.next())
    }
    return Reply(DeviceList(devices: devices))
}
