import BabyBasicsAPI
import Foundation

extension Texts {
    func waiting(_ count: Int) -> String { say(.waitingEntries, count: count) }

    func obstacle(_ obstacle: SyncObstacle) -> String {
        switch obstacle {
        case .noConnection: sentences(say(.troubleOffline), say(.thenSentOnline))
        case .busy: sentences(say(.troubleServerBusy), say(.thenAgainSoon))
        case .notTheServer: say(.troubleOtherAnswers)
        case .storage: say(.storeFails)
        }
    }

    /// The words for a notice.
    public func notice(_ notice: Notice) -> String {
        switch notice {
        case .conflict(let conflict): return told(conflict)
        case .entryGone: return say(.noticeDeletedByOthers, count: 1)
        case .childGone(let name, let waiting, let unsent):
            let gone = name.isEmpty ? say(.noticeAChildGone) : say(.noticeChildGone, .theirs("child", name))
            return sentences(gone, leftBehind(waiting, unsent))
        case .familyGone(let name, let waiting, let unsent):
            let gone = say(.noticeNotInFamily, .theirs("family", name))
            return sentences(gone, leftBehind(waiting, unsent), say(.noticeAskForInvite))
        case .storeReplaced(let saved):
            return sentences(say(.noticeStoreReplaced), saved == 0 ? nil : say(.noticeStoreSaved, count: saved))
        case .reminderNotKept(let reason):
            // The reason is the server's, which speaks English.
            let problem = sentences(language == .en ? sentence(reason) : nil, say(.noticeSetAgain))
            return say(.reminderNotKept, .ours("problem", problem))
        case .clockCorrected: return say(.noticeClockWrong)
        }
    }

    private func leftBehind(_ waiting: Int, _ unsent: [UnsentEntries]?) -> String? {
        waiting == 0 ? nil : say(unsent == nil ? .noticeStillWaiting : .waitingToSave, count: waiting)
    }

    private func told(_ conflict: Notice.Conflict) -> String {
        let holds = conflict.mineHolds ? conflict.mine : conflict.theirs
        return say(
            conflict.theirName == nil ? .noticeConflictSomeone : .noticeConflictNamed,
            .ours("kind", kind(conflict.kind)), .ours("field", field(conflict.field)),
            .ours("mine", value(conflict.mine)), .theirs("name", conflict.theirName ?? ""),
            .ours("theirs", value(conflict.theirs)), .ours("kept", value(holds)))
    }

    /// The words for an entry that couldn't be saved.
    public func rejected(_ rejected: RejectedChange) -> String {
        let reasons = rejected.reasons.map { reason in
            let why = reason.field.isEmpty ? reason.message : refused(reason.field, reason.reason, reason.message)
            return why.hasSuffix(".") ? String(why.dropLast()) : why
        }
        return say(
            .rejectedWhy, .ours("kind", kind(rejected.kind)),
            .ours("reasons", sentence(reasons.joined(separator: "; "))))
    }

    func value(_ value: EntryValue?) -> String {
        switch value {
        case nil: say(.valueNothing)
        case .text(let text): say(.valueQuoted, .theirs("text", text))
        case .number(let number): self.number(number.double)
        case .flag(let flag): say(flag ? .valueYes : .valueNo)
        case .list(let list): say(.valueQuoted, .theirs("text", inRow(list)))
        }
    }

    // MARK: Fields

    /// `Diaper`.
    func kind(_ name: String) -> String { word("kind", name) ?? newer }

    /// In English as it stands in a sentence: `the amount`.
    func field(_ name: String) -> String {
        let label = fieldLabel(name)
        return language == .en ? "the \(label.prefix(1).lowercased())\(label.dropFirst())" : label
    }

    private func fieldLabel(_ name: String) -> String {
        switch name {
        case "email": say(.commonEmail)
        case "password": say(.commonPassword)
        case "date_of_birth": say(.commonDateOfBirth)
        // One of a later server, or of no kind, has its own name.
        default: word("field", name) ?? name.replacingOccurrences(of: "_", with: " ").capitalizedFirst
        }
    }

    /// Why a field was refused. What the server says to people is English, and may tell more.
    func refused(_ field: String, _ reason: ErrorBody.Detail.Reason?, _ message: String) -> String {
        let name = self.field(field)
        let word = reason == .blank ? ErrorBody.Detail.Reason.required.rawValue : reason?.rawValue ?? ""
        if let own = KitWord(rawValue: "refused.\(word)") { return say(own, .ours("field", name)) }
        if language == .en { return "\(name) \(message)" }
        return say(.refusalField, .ours("field", name), .ours("why", self.word("reason", word) ?? message))
    }
}
