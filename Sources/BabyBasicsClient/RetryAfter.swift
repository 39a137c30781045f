import Foundation

/// How long an answer asks to wait: RFC 9110's `Retry-After`, in either form. Nil where it says nothing readable.
/// - Parameter now: what a date is counted from.
func retryAfter(of answer: HTTPAnswer, now: Date) -> Duration? {
    guard let text = answer["Retry-After"]?.trimmingCharacters(in: .whitespaces) else {
        return nil
    }
    // Nine digits are thirty years: more would only serve to overflow something.
    if !text.isEmpty, text.utf8.count <= 9, text.utf8.allSatisfy({ (48...57).contains($0) }) {
        return Int64(text).map { .seconds($0) }
    }
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return formatter.date(from: text).map { .seconds(max(0, $0.timeIntervalSince(now))) }
}
