import BabyBasicsAPI
import BabyBasicsClient
import Foundation
import GRDB

/// What the app says to a person, and what it offers to do about it.
public struct Message: Hashable, Sendable {
    /// How it is meant.
    public enum Tone: Hashable, Sendable {
        /// Something went well.
        case good
        /// Something to know.
        case note
        /// Something did not work.
        case problem
    }

    /// The words.
    public var text: String
    /// How they are meant.
    public var tone: Tone
    /// The field they are about, by its name on the wire; nil for the whole.
    public var field: String?

    /// A message.
    public init(_ text: String, _ tone: Tone = .problem, field: String? = nil) {
        self.text = text
        self.tone = tone
        self.field = field
    }
}

/// Every text of the kit. Each problem says what to do next.
public enum Texts {
    // MARK: Server

    static let notBabyBasics = Message(
        "That doesn't look like a Baby Basics server. Check the address for typing mistakes.")
    static let unreachable = Message(
        "We can't reach it. Check the address and your internet connection, then try again.")
    static let serverBusy = Message("It is busy. Wait a minute, then try again.")

    // MARK: Accounts

    static let wrongCredentials = Message(
        "That email and password don't fit together. Check both and try again.")
    static let emailTaken = Message(
        "There is an account with this email already. Log in instead.", field: "email")
    static let sessionEnded = Message(
        "You have been signed out. Log in again: everything you entered is still here.", .note)

    static func byInvitation(isInvited: Bool) -> Message {
        Message(
            "This server takes new people by invitation. "
                + (isInvited
                    ? "Your invite may have run out, or be for another email. Use the one it was sent to, "
                        + "or ask for a new link."
                    : "Ask someone in the family for an invite, then open its link."))
    }

    static let emailMissing = Message("Enter your email.", field: "email")
    static let linkSent = Message(
        "If there is an account for that address, a mail is on its way. It works for an hour.", .good)
    static let askWhoever = "Ask whoever runs this server."

    static func mailOnItsWay(to email: String) -> Message {
        Message("A mail is on its way to \(email). Its link works for 24 hours.", .good)
    }

    static func inviteMailed(to email: String) -> Message {
        Message("A mail with an invite link is on its way to \(email).", .good)
    }

    static func mailedEnough(again pause: Duration?) -> Message {
        let minutes = (Int(pause?.components.seconds ?? 60) + 59) / 60
        return Message(
            "We've mailed that a few times already. Look among the spam, or try again in "
                + "\(minutes <= 1 ? "a minute" : "\(minutes) minutes").", .note)
    }

    static func entriesWouldBeLost(_ count: Int, rejected: Int) -> Message {
        let help = rejected > 0 ? "Look at what couldn't be saved" : "Go online and wait a moment"
        return Message(
            "\(entries(count)) \(count == 1 ? "is" : "are") not saved on the server yet. "
                + "\(help), or sign out and lose \(count == 1 ? "it" : "them")."
        )
    }

    static let unlockFirst = Message(
        "Unlock your phone first: until then nobody can read what is on it.", .note)
    static let storeTooNew = Message(
        "A newer version of the app has been used on this phone. Update the app to go on.")

    static func deletingAccount(unsent: Int) -> String {
        let lost = unsent == 0 ? "" : " \(entries(unsent)) not saved on the server yet will be lost, too."
        return "Your account, and each family that nobody else is in, will be gone for good. "
            + "What you logged in other families stays.\(lost)"
    }

    static func onlyParent(of families: [String]) -> Message {
        Message(
            "You are the only parent of \(families.joined(separator: ", ")). "
                + "Make someone else a parent there first, or delete the family.")
    }

    // MARK: Invites

    /// The banner above the screens that make or open an account.
    public static let invited = "You've been invited to a family!"
    static let inviteNoLongerValid = Message(
        "This invite link is no longer valid. Ask for a new one, or set up your own family.")
    static let inviteUnconfirmed = Message(
        "This invite link is no longer valid. Or it was sent to your email, which you have not confirmed yet: "
            + "open the link in our mail to you, and we'll try the invite again. In your account you can have that "
            + "mail sent again.", .note)
    static let ownInvite = Message(
        "This is your own invite. Send it to the person you want to invite.", .note)
    static let inviteBusy = Message(
        "That was a lot at once. Your invite is kept, and tried again in a minute.", .note)
    static let serverBusyWithInvite = Message(
        "The server is busy. Your invite is kept and tried again.", .note)

    /// An invite that this account cannot use: it is a member already, or the family has no room.
    static func inviteRefused(_ failure: APIFailure) -> Message { Message(sentence(failure.message), .note) }

    static let noLink = Message(
        "There is no invite link in that. Copy the whole message you were sent and paste it here.")
    static let inviteWaits = Message(
        "No connection right now. Your invite is kept and tried again.", .note)

    static func otherHost(_ host: String, expected: String) -> Message {
        Message(
            "This link is for \(host), but you use \(expected). "
                + "Ask for a link from the same server, or change the server first.")
    }

    static func joined(_ family: String) -> Message { Message("You joined \(family)!", .good) }

    static func share(_ family: String, link: String) -> String {
        "Join \(family) on Baby Basics! \(link)"
    }

    static func roleName(_ role: MemberRole) -> String {
        switch role {
        case .parent: "Parent"
        case .caregiver: "Caregiver"
        case .viewer: "Viewer"
        default: newer
        }
    }

    static func roleMeaning(_ role: MemberRole) -> String {
        switch role {
        case .parent: "Parents can invite and manage family settings."
        case .caregiver: "Caregivers log and edit entries, but don't manage the family."
        case .viewer: "Viewers can look at everything and change nothing."
        default: ""
        }
    }

    // MARK: Set-up

    static func welcome(_ firstName: String) -> String { "Welcome, \(firstName)!" }

    static func familyName(_ firstName: String) -> String { "\(firstName)'s Family" }

    static let nameMissing = Message("Enter a name.", field: "name")
    static let babyNameMissing = Message("Enter your baby's name.", field: "baby_name")

    // MARK: Syncing

    /// For words of a later server.
    static let newer = "Something newer"

    static func waiting(_ count: Int) -> String { "\(entries(count)) waiting" }

    static func entries(_ count: Int) -> String { count == 1 ? "1 entry" : "\(count) entries" }

    static func obstacle(_ obstacle: SyncObstacle) -> String {
        switch obstacle {
        case .noConnection: "No connection. We'll send it when you're back online."
        case .busy: "The server is busy. We'll try again in a moment."
        case .notTheServer: "Something else answers here. Does this Wi-Fi want you to sign in?"
        case .storage: storageFails
        }
    }

    private static let storageFails =
        "This phone's storage doesn't work right now. Free some space, or close the app and open it again."
    private static let storageDamaged =
        "What is stored on this phone is damaged. Close the app and open it again: it will be put right."

    /// What is wrong with the store, and what to do.
    static func storage(_ error: any Error) -> Message {
        if error is StoreOpening.TooNew { return storeTooNew }
        return Message(StoreOpening.isDamage(error) ? storageDamaged : storageFails)
    }

    /// The words for a notice.
    public static func notice(_ notice: Notice) -> String {
        switch notice {
        case .conflict(let conflict):
            let holds = conflict.mineHolds ? conflict.mine : conflict.theirs
            return "Two people changed \(field(conflict.field)) of \(one(conflict.kind)): "
                + "you entered \(value(conflict.mine)), \(conflict.theirName ?? "someone else") \(value(conflict.theirs)). "
                + "We kept \(value(holds)), the later one. Edit the entry if that's wrong."
        case .entryGone(let kind, _):
            return "Someone deleted \(one(kind)) you had changed. "
                + "Log it again if it should be there."
        case .childGone(let name, let waiting, let unsent):
            return "\(name.isEmpty ? "A child" : name) was removed from the family. "
                + "\(entries(waiting)) had not been sent.\(unsent == nil ? "" : " You can save them as a file.")"
        case .familyGone(let name, let waiting, let unsent):
            let left = waiting == 0 ? "" : " \(entries(waiting)) had not been sent."
            return "You are no longer part of \(name).\(left)\(unsent == nil ? "" : " You can save them as a file.") "
                + "Ask a parent for an invite if that's a mistake."
        case .storeReplaced(let saved):
            let kept = saved == 0 ? "" : " \(entries(saved)) not sent yet could be saved."
            return "What was stored on this phone was damaged. It comes again from the server.\(kept)"
        case .reminderNotKept(let reason):
            return "A reminder couldn't be kept. \(sentence(reason)) Set it again if you still want it."
        case .clockCorrected:
            return "This phone's clock was wrong. What you logged is put right; check the clock in the settings."
        }
    }

    /// The words for an entry that couldn't be saved.
    public static func rejected(_ rejected: RejectedChange) -> String {
        let reasons = rejected.reasons.map { reason in
            reason.field.isEmpty
                ? reason.message : "\(field(reason.field)) \(words(reason.reason) ?? reason.message)"
        }
        return "This \(rejected.kind) couldn't be saved: \(reasons.joined(separator: "; ")). "
            + "Change it and try again, or discard it."
    }

    /// `a diaper`, `an activity`.
    private static func one(_ kind: String) -> String { EventKind.named(kind)?.one ?? "a \(kind)" }

    static func value(_ value: EntryValue?) -> String {
        switch value {
        case nil: "nothing"
        case .text(let text): "“\(text)”"
        case .number(let number): number.description
        case .flag(let flag): flag ? "yes" : "no"
        case .list(let list): "“\(list.joined(separator: ", "))”"
        }
    }

    /// Why a field was refused, after its name; nil where the server's own words tell more.
    private static func words(_ reason: ErrorBody.Detail.Reason?) -> String? {
        switch reason {
        case .required?, .blank?: "is missing"
        case .inFuture?: "is in the future"
        case .tooOld?: "is too long ago"
        case .order?: "is before the start"
        case .running?: "overlaps: another one is still going on"
        case .common?: "is one of the most common ones"
        case .taken?: "is taken"
        default: nil
        }
    }

    static func field(_ name: String) -> String {
        switch name {
        case "amount_ml": "the amount"
        case "weight_g": "the weight"
        case "length_cm": "the length"
        case "head_cm": "the head"
        case "celsius": "the temperature"
        case "site": "where it was taken"
        case "started_at": "the start"
        case "ended_at": "the end"
        case "occurred_at": "the time"
        case "child_id": "the child"
        case "every_hours": "the hours between doses"
        case "max_per_day": "the most a day"
        case "starts_on": "the first day"
        case "ends_on": "the last day"
        case "plan_id": "the plan"
        default: "the \(name.replacingOccurrences(of: "_", with: " "))"
        }
    }

    // MARK: Logging

    static func refusal(_ refusal: StoreRefusal, child: String, ago: String) -> Message {
        switch refusal {
        case .noSuchChild:
            Message("\(child) isn't in this family any more. Choose another child.")
        case .noSuchEntry: Message("This entry was deleted. Log it again if you need it.")
        case .viewersOnlyLook:
            Message("You can look, but not log here. Ask a parent to change your role.")
        case .parentsPlan:
            Message("Only parents can change medicine plans. Ask a parent of the family.")
        case .alreadyAsleep:
            Message("\(child) is asleep already, since \(ago). Stop that sleep first.")
        }
    }

    static func logged(_ kind: String, child: String) -> String {
        "\(kind.capitalized) logged for \(child)"
    }

    static func deleted(_ kind: String) -> String { "\(kind.capitalized) deleted" }

    static func missing(_ name: String, of kind: String) -> Message {
        let words =
            switch (kind, name) {
            case ("note", _): "Write something first."
            case ("plan", "every_hours"): "Say how many hours are between two doses."
            case ("plan", "times"): "Say at what times it is given, such as 08:00."
            case ("plan", _): "Say which medicine it is."
            case ("medication", _): "Say which medicine it was."
            case ("activity", _): "Say what it was."
            default: "Enter \(field(name))."
            }
        return Message(words, field: name)
    }

    static func oneMissing(_ names: [String]) -> Message {
        Message(
            "Enter at least one of these: \(names.map { field($0) }.joined(separator: ", ")).", field: names.first)
    }

    static func outside(_ name: String, from: String, to: String) -> Message {
        Message(
            "\(field(name).capitalizedFirst) must be between \(from) and \(to). Please correct it.", field: name)
    }

    static func tooLong(_ name: String, max: Int) -> Message {
        Message(
            "\(field(name).capitalizedFirst) can have \(max) characters at most. Please shorten it.", field: name)
    }

    /// Offered where a family has no activities of its own yet.
    static let commonActivities = ["Tummy time", "Bath", "Walk", "Play"]

    /// An entry in a few words: `Bottle 120 ml`, `Paracetamol`, `38.4 °C`.
    public static func title(_ entry: StoredEntry, _ units: Units) -> String {
        let number = { (name: String) in
            entry.fields[name]?.number.map { units.text($0, field: name) }
        }
        guard entry.isUnderstood else { return newer }
        switch (entry.kind, entry.type) {
        case ("feeding", "breast"):
            let side = entry.fields["side"]?.text ?? ""
            return side == "both" ? "Both breasts" : "\(side.capitalizedFirst) breast"
        case ("feeding", "bottle"): return number("amount_ml").map { "Bottle \($0)" } ?? "Bottle"
        case ("feeding", _): return entry.fields["food"]?.text ?? "Solid food"
        case ("discard", _): return number("amount_ml").map { "Poured away \($0)" } ?? "Poured away"
        case ("diaper", let type): return "\((type ?? "").capitalizedFirst) diaper"
        case ("sleep", "nap"): return "Nap"
        case ("sleep", "night"): return "Night sleep"
        case ("note", _): return String(entry.fields["content"]?.text?.prefix(60) ?? "Note")
        case ("pumping", _): return number("amount_ml").map { "Pumped \($0)" } ?? "Pumping"
        case ("measurement", _):
            let parts = [number("weight_g"), number("length_cm"), number("head_cm").map { "head \($0)" }]
            return parts.compactMap { $0 }.joined(separator: ", ")
        case ("temperature", _): return number("celsius") ?? "Temperature"
        case ("medication", _), ("activity", _), ("plan", _):
            return entry.fields["name"]?.text ?? entry.kind.capitalized
        default: return entry.kind.capitalized
        }
    }

    /// The last of its kind: `Woke up`, `Bottle 120 ml`.
    /// - Parameter bottles: those that belong to a feed: `Left breast, then 60 ml`.
    static func last(_ entry: StoredEntry, _ units: Units, then bottles: [StoredEntry] = []) -> String {
        if entry.kind == "sleep", entry.endedAt != nil { return "Woke up" }
        let rest = bottles.map { bottle in
            "then \(bottle.fields["amount_ml"]?.number.map { units.text($0, field: "amount_ml") } ?? "a bottle")"
        }
        return ([title(entry, units)] + rest).joined(separator: ", ")
    }

    /// A day beside today.
    static func day(_ day: CalendarDate, today: CalendarDate) -> String {
        switch today.daysSince1970 - day.daysSince1970 {
        case 0: return "The day so far"
        case 1: return "Yesterday"
        default:
            return noon(day).formatted(inUTC(Date.FormatStyle().weekday(.wide).day().month(.wide)))
        }
    }

    /// So that no zone makes another day of it.
    private static func noon(_ day: CalendarDate) -> Date {
        Timestamp(milliseconds: Int64(day.daysSince1970) * 86_400_000 + 43_200_000).date
    }

    private static func inUTC(_ style: Date.FormatStyle) -> Date.FormatStyle {
        var style = style
        style.timeZone = .gmt
        return style
    }

    /// `left 7 min, right 3 min`.
    static func sides(_ taken: [BreastSide: Duration]) -> String {
        BreastSide.allCases.compactMap { side in
            guard let time = taken[side], time > .zero else { return nil }
            return "\(side.rawValue) \(Int(time.components.seconds / 60)) min"
        }.joined(separator: ", ")
    }

    static func switchTo(_ side: BreastSide) -> String { "Switch to \(side.rawValue)" }

    static func overlap(_ pair: Overlaps.Pair, me: UserID, zone: TimeZone) -> String {
        func sleep(_ entry: StoredEntry) -> String {
            "the \(entry.type == "night" ? "night sleep" : "nap") from \(clock(entry.at, in: zone))"
        }
        let author = pair.other.author
        let who = author.userId == me ? "you" : author.name.isEmpty ? "someone" : author.name
        return "\(sleep(pair.one).capitalizedFirst) overlaps with \(sleep(pair.other)) by \(who)."
    }

    // MARK: Plans

    static let logAnyway = "Log anyway?"
    static let tooManyTimes = Message("A plan can have 8 times a day at most. Remove one.", field: "times")
    static let endsBeforeItStarts = Message("It can't end before it begins. Correct one of the days.", field: "ends_on")
    static let noDoseYet = "not given yet"

    static func lastDose(_ ago: String) -> String { "last \(ago)" }

    /// `Paracetamol due now`, `Paracetamol due at 20:00`.
    static func due(_ name: String, at time: Timestamp?, zone: TimeZone) -> String {
        "\(name) due \(time.map { "at \(clock($0, in: zone))" } ?? "now")"
    }

    /// `every 6 h, at most 4 times a day`.
    static func schedule(_ plan: StoredPlan) -> String {
        let often =
            plan.everyHours.map { "every \($0) h" } ?? plan.times.map { "at \(listed($0))" } ?? "when needed"
        return [often, plan.maxPerDay.map { "at most \(times($0)) a day" }].compactMap { $0 }.joined(separator: ", ")
    }

    /// `Rosa gave Paracetamol 2 h ago.`
    static func gave(_ dose: StoredEntry, of plan: StoredPlan, me: UserID, now: Timestamp, zone: TimeZone) -> String {
        let when = dose.at <= now ? ago(now.since(dose.at)) : "at \(clock(dose.at, in: zone))"
        let who = dose.author.userId == me ? "You" : dose.author.name.isEmpty ? "Someone" : dose.author.name
        return "\(who) gave \(dose.fields["name"]?.text ?? plan.name) \(when)."
    }

    static func reason(_ near: TooNear, of plan: StoredPlan) -> String {
        if near.code == .tooSoon, let hours = plan.everyHours { return "The plan says every \(hours) h." }
        return "That day it was given \(times(near.count)), and the plan says \(times(plan.maxPerDay ?? 1)) at most."
    }

    static func tooNear(_ pair: TooNear.Pair, me: UserID, zone: TimeZone) -> String {
        let (other, author) = (pair.near.other, pair.near.other.author)
        let who = author.userId == me ? "you" : author.name.isEmpty ? "someone" : author.name
        return "\(title(pair.one, Units())) was given at \(clock(pair.one.at, in: zone)), "
            + "and by \(who) at \(clock(other.at, in: zone)): "
            + (pair.near.code == .tooSoon ? "sooner than the plan says." : "more often than the plan says for a day.")
    }

    private static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }

    /// `08:00, 14:00 and 20:00`.
    private static func listed(_ words: [String]) -> String {
        words.count < 2 ? words.joined() : "\(words.dropLast().joined(separator: ", ")) and \(words[words.count - 1])"
    }

    /// A time of day.
    static func clock(_ time: Timestamp, in zone: TimeZone) -> String {
        var style = Date.FormatStyle(date: .omitted, time: .shortened)
        style.timeZone = zone
        return time.date.formatted(style)
    }

    // MARK: Reminders and notifications

    static let give = "Give"
    static let log = "Log"
    static let inHalfAnHour = "In 30 min"
    static let off = "Off"
    static let whenDue = "When it's due"
    static let placeGone = Message("That isn't here any more. Choose a child below.", .note)
    static let planGone = Message("That plan was deleted. Log the medicine if you gave it.", .note)

    static func bell(_ about: StoredReminder.About, child: String, plan: String) -> String {
        switch about {
        case .plan: "A dose of \(plan)"
        case .last(.feeding): "After the start of \(child)'s last feed"
        case .last(.diaper): "After \(child)'s last diaper"
        case .last(.sleep): "After \(child) has been awake for"
        case .last(.pumping): "After the start of the last pumping"
        }
    }

    /// `2½ h`, `1 h 15 min`.
    static func hours(minutes: Int) -> String {
        minutes % 60 == 30 && minutes > 60 ? "\(minutes / 60)½ h" : span(.seconds(60 * minutes))
    }

    static func dueReminder(_ subject: Reminder.Subject, passed: Duration) -> String {
        switch subject {
        case .feeding: "\(span(passed)) since the last feed"
        case .diaper: "\(span(passed)) since the last diaper"
        case .pumping: "\(span(passed)) since the last pumping"
        case .sleep: "Awake for \(span(passed))"
        }
    }

    /// `1 h 20 min`.
    static func span(_ duration: Duration) -> String {
        let minutes = Int(duration.components.seconds / 60)
        if minutes < 60 { return "\(minutes) min" }
        return minutes % 60 == 0 ? "\(minutes / 60) h" : "\(minutes / 60) h \(minutes % 60) min"
    }

    // MARK: While somebody was away, and what may come next

    static func nextFeed(_ about: String) -> String { "Next feed \(about)" }

    static func nextSleep(awake: Duration, _ about: String) -> String { "Awake for \(span(awake)), sleepy \(about)" }

    /// `about 16:10 (15:40 to 17:00)`, in tens of minutes.
    static func about(_ time: Timestamp, from: Timestamp, to: Timestamp, _ zone: TimeZone) -> String {
        let (first, last) = (tens(from, .down, zone), tens(to, .up, zone))
        let about = "about \(tens(time, .toNearestOrAwayFromZero, zone))"
        return first == last ? about : "\(about) (\(first) to \(last))"
    }

    private static func tens(_ time: Timestamp, _ rule: FloatingPointRoundingRule, _ zone: TimeZone) -> String {
        clock(Timestamp(milliseconds: Int64((Double(time.milliseconds) / 600_000).rounded(rule)) * 600_000), in: zone)
    }

    static func away(
        _ away: WhileAway, since: Timestamp, now: Timestamp, borders: DayBorders, _ units: Units
    ) -> String {
        let time = clock(since, in: borders.timeZone)
        let date = borders.date(of: since)
        let today = borders.date(of: now)
        let when = date == today ? time : "\(day(date, today: today)), \(time)"
        return "Since \(when), \(away.people.map { person($0, units) }.joined(separator: ". "))"
    }

    static func person(_ person: WhileAway.Person, _ units: Units) -> String {
        "\(person.name.isEmpty ? "Someone" : person.name): \(person.sums.map { sum($0, units) }.joined(separator: ", "))"
    }

    /// `2 bottles (240 ml)`, `1 nap of 1 h 10 min`.
    private static func sum(_ sum: WhileAway.Sum, _ units: Units) -> String {
        let (one, many) = things[sum.what] ?? ("other entry", "other entries")
        let name = "\(sum.count) \(sum.count == 1 ? one : many)"
        if sum.milliliters > 0 { return "\(name) (\(units.text(sum.milliliters, field: "amount_ml")))" }
        guard ["nap", "night", "sleep"].contains(sum.what), sum.lasted >= .seconds(60) else { return name }
        return sum.count == 1 ? "\(name) of \(span(sum.lasted))" : "\(name) (\(span(sum.lasted)))"
    }

    private static let things = [
        "breast": ("breast feed", "breast feeds"), "bottle": ("bottle", "bottles"), "solid": ("meal", "meals"),
        "nap": ("nap", "naps"), "night": ("night sleep", "night sleeps"), "sleep": ("sleep", "sleeps"),
        "diaper": ("diaper", "diapers"), "medication": ("medicine", "medicines"), "pumping": ("pumping", "pumpings"),
        "note": ("note", "notes"), "temperature": ("temperature", "temperatures"),
        "measurement": ("measurement", "measurements"), "activity": ("activity", "activities"),
        "discard": ("time milk thrown away", "times milk thrown away"),
    ]

    // MARK: A month, pumped milk, what is asked in the night

    /// `June 2026`.
    static func month(_ first: CalendarDate) -> String {
        noon(first).formatted(inUTC(Date.FormatStyle().month(.wide).year()))
    }

    /// `Pumped and not given yet: 180 ml, the oldest from yesterday.`
    static func stash(_ amount: Tenths, oldest: CalendarDate?, today: CalendarDate, _ units: Units) -> String {
        guard let oldest else { return "All pumped milk has been given." }
        let day =
            switch today.daysSince1970 - oldest.daysSince1970 {
            case 0: "today"
            case 1: "yesterday"
            default: day(oldest, today: today)
            }
        return "Pumped and not given yet: \(units.text(amount, field: "amount_ml")), the oldest from \(day)."
    }

    static func asked(_ asked: AskedInTheNight, now: Timestamp) -> [String] {
        func length(_ minutes: Int) -> String { span(.seconds(60 * minutes)) }
        let (feeds, here, before) = (asked.feedsOfADay, asked.longestSleepThisWeek, asked.longestSleepLastWeek)
        let sleep = "Longest sleep this week \(length(here))" + (before > 0 ? ", last week \(length(before))" : "")
        return [
            feeds > 0 ? "\(feeds) \(feeds == 1 ? "feed" : "feeds") in the last 24 hours" : nil, here > 0 ? sleep : nil,
            asked.wetAt.map { "Last wet diaper \(ago(now.since($0)))" },
        ].compactMap { $0 }
    }

    static func deletedAgo(_ duration: Duration) -> String { "deleted \(ago(duration))" }

    static func isBack(_ title: String) -> Message { Message("\(title) is back", .good) }

    /// How long ago something was: `2 h 10 min ago`.
    public static func ago(_ duration: Duration) -> String {
        let minutes = Int(duration.components.seconds / 60)
        return switch minutes {
        case ..<1: "just now"
        case ..<60: "\(minutes) min ago"
        case ..<1440 where minutes % 60 == 0: "\(minutes / 60) h ago"
        case ..<1440: "\(minutes / 60) h \(minutes % 60) min ago"
        case ..<2880: "1 day ago"
        default: "\(minutes / 1440) days ago"
        }
    }

    /// A clock that runs: `1:05:09`, `12:30`.
    public static func clock(_ duration: Duration) -> String {
        let seconds = max(0, Int(duration.components.seconds))
        let two = { (value: Int) in value < 10 ? "0\(value)" : "\(value)" }
        return seconds < 3600
            ? "\(seconds / 60):\(two(seconds % 60))"
            : "\(seconds / 3600):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    }

    // MARK: Growth

    static func weeksEarly(_ weeks: Int) -> String {
        "\(weeks) \(weeks == 1 ? "week" : "weeks") early: age is counted from the due date until two years"
    }

    /// `P42, z −0.20`. Beyond the printed tables it is said as they do.
    static func growth(percentile: Double, z: Double) -> String {
        let place =
            percentile < 1 ? "below P1" : percentile >= 99 ? "above P99" : "P\(Int(percentile.rounded()))"
        let hundredths = Int((abs(z) * 100).rounded())
        let sign = z < 0 && hundredths > 0 ? "−" : ""
        let rest = hundredths % 100
        return "\(place), z \(sign)\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }

    // MARK: Failures

    /// Who can do what this account may not.
    enum Helper {
        case owner, parent
        /// The account's own password was wrong.
        case password

        static func inFamily(_ family: StoredFamily, userID: UserID) -> Helper {
            let isForOwner = family.sharingPolicy == .coParent && family.role == .parent
            return isForOwner && family.ownerID != userID ? .owner : .parent
        }
    }

    /// What went wrong with a request, and what to do.
    public static func failure(_ error: any Error) -> Message { failure(error, helper: .parent) }

    static func failure(_ error: any Error, helper: Helper) -> Message {
        switch error {
        case let failure as APIFailure: refusal(failure, helper)
        case let failure as TransportFailure:
            failure.reason == .untrustedServer
                ? Message(
                    "We can't be sure this is your server, so nothing was sent. "
                        + "Try another network.")
                : Message("No connection. Check your internet and try again.")
        case is UnreadableAnswer: Message(obstacle(.notTheServer))
        case let refusal as StoreRefusal:
            self.refusal(refusal, child: "Your child", ago: "a while ago")
        case is DatabaseError, is StoreOpening.TooNew: storage(error)
        default: Message("Something went wrong. Please try again.")
        }
    }

    private static func refusal(_ failure: APIFailure, _ helper: Helper) -> Message {
        switch failure.status {
        case 400:
            if let detail = failure.details.first {
                Message(
                    "\(field(detail.field).capitalizedFirst) \(words(detail.reason) ?? detail.message). Please correct it.",
                    field: detail.field)
            } else {
                Message("\(failure.message). Please correct it.")
            }
        case 401: sessionEnded
        case 403:
            switch helper {
            case .password: Message("That password is wrong. Check it and try again.", field: "password")
            case .owner: Message("\(sentence(failure.message)) Ask the owner of the family to do it.")
            case .parent: Message("\(sentence(failure.message)) Ask a parent of the family.")
            }
        case 409: Message(sentence(failure.message))
        case 404: Message("It isn't there any more. Go back and look again.")
        case 429: Message("That was a lot at once. Wait a minute, then try again.")
        case 503: serverBusy
        default: Message("The server has a problem. Wait a minute, then try again.")
        }
    }

    private static func sentence(_ text: String) -> String {
        text.hasSuffix(".") ? text : text + "."
    }
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
