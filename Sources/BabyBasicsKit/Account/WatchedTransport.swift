import BabyBasicsAPI
import BabyBasicsClient
import Foundation

extension Transport {
    /// The same, looked at: each answer tells the server's time, and any 401 that the session has ended.
    func watched(by store: AccountStore, sessionEnded: @escaping @Sendable () -> Void) -> Transport {
        Transport { [perform] request, timeout in
            let sent = store.clock.device()
            let answer = try await perform(request, timeout)
            if let date = answer["Date"].flatMap({ Timestamp(httpDate: $0) }),
                let offset = store.clock.learn(date: date, sent: sent, arrived: store.clock.device())
            {
                do { try await store.setClockOffset(offset) } catch { store.report(error) }
            }
            if answer.status == 401, request.headers.contains(where: { $0.name == "Authorization" }) {
                sessionEnded()
            }
            return answer
        }
    }
}

extension Timestamp {
    /// Reads `Wed, 25 Nov 2026 12:00:00 GMT`, the one form of RFC 9110 that servers write.
    init?(httpDate text: String) {
        let parts = text.split(separator: " ")
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        guard parts.count == 6, parts[5] == "GMT", parts[1].count == 2,
            let month = months.firstIndex(of: String(parts[2]))
        else { return nil }
        let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
        self.init("\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z")
    }
}
