import EventLoop
import Foundation
import TestSupport

@testable import BabyBasicsServer

extension TestServer {
    /// Calls webhooks with all that is due, until nothing is.
    func callWebhooks() {
        let caller = services.webhookCaller
        TestLoop.shared.sync {
            var isDone = false
            while !isDone {
                isDone = true
                while await caller.step() == .done { isDone = false }
                await caller.settle(for: .seconds(30))
            }
        }
    }

    /// Begins to, and waits for no answer.
    func beginToCallWebhooks() {
        let caller = services.webhookCaller
        TestLoop.shared.sync { _ = await caller.step() }
    }

    /// Waits for what was begun.
    func settleWebhooks() {
        let caller = services.webhookCaller
        TestLoop.shared.sync { await caller.settle(for: .seconds(30)) }
    }

    func comes(_ condition: () -> Bool) -> Bool {
        for _ in 0..<3000 {
            if condition() { return true }
            Thread.sleep(forTimeInterval: 0.01)
        }
        return false
    }
}
