/// bcrypt's work for one password, which any process can do: a few bytes there and 60 back.
struct HashingJob: Equatable {
    /// As `Bcrypt.crypt` takes it, so without NUL.
    let secret: [UInt8]
    /// As well: salt and cost of a hash to make, or a whole hash to compare with.
    let setting: String

    /// Of a message, the longest of which has 60 bytes of setting, a NUL and 72 of secret.
    static let room = 256

    init(_ secret: [UInt8], setting: String) {
        self.secret = secret
        self.setting = setting
    }

    /// - Returns: nil for what is no message.
    init?(message: some Collection<UInt8>) {
        guard let end = message.firstIndex(of: 0) else { return nil }
        setting = String(decoding: message[..<end], as: UTF8.self)
        secret = Array(message[end...].dropFirst())
    }

    var message: [UInt8] { Array(setting.utf8) + [0] + secret }

    /// Does the work, here.
    func result() throws(CryptographyError) -> String {
        try Bcrypt.crypt(secret, setting: setting)
    }

    /// Whether that is what another process may have made of this job: a whole hash with the job's own salt and cost.
    func isAnswered(by answer: String) -> Bool {
        // Of the salt's last digit only two bits count.
        Bcrypt.cost(of: answer) != nil && answer.utf8.starts(with: setting.utf8.prefix(28))
    }
}
