import BabyBasicsAPI
import Postgres

/// Has the caller told on one of the devices no more. What waits for it goes with it.
func removeDevice(_ context: RequestContext, caller: Caller) async throws -> Reply<Empty> {
    let noSuchDevice = APIError(.notFound, "Device not found")
    let device = try context.identifier(0, of: Device.self, otherwise: noSuchDevice)
    let removed = try await context.database.execute(
        "delete from devices where id = \(device) and user_id = \(caller.userID)")
    guard removed == 1 else { throw noSuchDevice }
    return .nothing
}
