/// What a mail says, once for both of its forms.
struct Letter {
    struct Link {
        let label: String
        let url: String
    }

    var subject: String
    var greeting: String
    var paragraphs: [String]
    var link: Link?
    /// What is good to know, smaller.
    var notes: [String]
}
