// The two forms of a letter, made from the same words.

import BabyBasicsAPI

extension Letter {
    /// Lines end with LF.
    func plainText(foot: [String]) -> String {
        var parts = [greeting] + paragraphs
        if let link { parts.append("\(link.label):\n\(link.url)") }
        parts += notes
        parts.append("-- \n" + foot.joined(separator: "\n"))
        return parts.joined(separator: "\n\n") + "\n"
    }

    /// No pictures, nothing from elsewhere; readable on the narrowest phone and in the dark.
    func html(language: Language, foot: [String]) -> String {
        var body = ([greeting] + paragraphs).map { "<p>\(escaped($0))</p>" }
        if let link {
            body.append("<p><a class=\"button\" href=\"\(escaped(link.url))\">\(escaped(link.label))</a></p>")
            body.append("<p class=\"soft\" dir=\"ltr\">\(escaped(link.url))</p>")
        }
        body += notes.map { "<p class=\"soft\">\(escaped($0))</p>" }
        body.append("<p class=\"soft foot\">\(foot.map(escaped).joined(separator: "<br>"))</p>")
        return """
            <!doctype html>
            <html lang="\(language.tag)" dir="\(language.direction)">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(escaped(subject))</title>
            <style>
            :root { color-scheme: light dark; }
            body { margin: 0; padding: 24px 16px; background: #faf6ef; color: #2b2a33; \
            font: 17px/1.5 -apple-system, "Segoe UI", Roboto, sans-serif; }
            main { max-width: 480px; margin: 0 auto; overflow-wrap: anywhere; text-wrap: pretty; }
            .button { display: inline-block; padding: 12px 20px; border-radius: 12px; background: #4a4a8f; color: #fff; \
            font-weight: 600; text-decoration: none; }
            .soft { color: #5d5a66; font-size: 15px; }
            .foot { margin-top: 32px; }
            @media (prefers-color-scheme: dark) {
            body { background: #13151c; color: #f0ece4; }
            .button { background: #b9b8f2; color: #13151c; }
            .soft { color: #b4b0bc; }
            }
            </style>
            </head>
            <body>
            <main>
            \(body.joined(separator: "\n"))
            </main>
            </body>
            </html>

            """
    }
}

/// As HTML has it, in text and in quotes. Ends of lines are white space, of which it takes no notice.
private func escaped(_ text: String) -> String {
    text.reduce(into: "") { html, character in
        switch character {
        case "&": html += "&amp;"
        case "<": html += "&lt;"
        case ">": html += "&gt;"
        case "\"": html += "&quot;"
        default: html.append(character)
        }
    }
}
