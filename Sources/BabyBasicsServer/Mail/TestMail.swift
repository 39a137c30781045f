import BabyBasicsAPI
import Curl
import FoundationEssentials

extension ServerConfiguration {
    /// Sends a mail that says that mail works. Blocks.
    /// - Returns: false for what is no mailbox, or where the server sends no mail.
    public func sendTestMail(to address: String) throws -> Bool {
        guard let mail, let to = Mailbox(address) else { return false }
        let letters = Letters(.en)
        let message = MailMessage(
            id: UUID(), from: mail.from, to: to, date: SystemClock().now(), language: .en,
            letter: letters.test(server: baseURL), foot: letters.foot(server: baseURL, support: support))
        try MailConnection(mail.server).send(message.bytes, from: mail.from.address, to: to.address)
        return true
    }
}
