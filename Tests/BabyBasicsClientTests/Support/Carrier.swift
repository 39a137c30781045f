import BabyBasicsClient
import Foundation

/// Every transport that there is here.
enum Carrier: CaseIterable {
    case urlSession, curl

    var transport: Transport {
        switch self {
        case .urlSession: .urlSession()
        case .curl: .curl(certificateAuthority: URL(fileURLWithPath: "/dev/null"))
        }
    }
}
