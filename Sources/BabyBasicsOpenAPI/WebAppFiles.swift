import BabyBasicsAPI

// What the web app has from the API's description: the kinds of events as an ES module, and the types of all bodies.

extension OpenAPI {
    /// `deploy/www/app/types/kinds.js`: every kind with its fields, their forms and bounds.
    public static var javaScript: String {
        """
        // Made by `babybasics openapi --javascript` from the server's own description of the kinds. Not changed by hand.

        /** @type {Record<string, import("./api").Kind>} */
        export const kinds = {
        \(EventKind.all.map(\.javaScript).joined(separator: "\n"))
        };

        """
    }

    /// `deploy/www/app/types/api.d.ts`: what requests and answers are made of.
    public static var typeScript: String {
        let schemas = contract(version: "").schemas.components
        let events = EventKind.all.map { "  \($0.name): \($0.name.capitalizedFirst);" }
        return """
            // Made by `babybasics openapi --typescript` from the endpoint table. Not changed by hand.

            /** An event of each kind. */
            export interface Events {
            \(events.joined(separator: "\n"))
            }
            export type KindName = keyof Events;

            /** A kind as `kinds.js` describes it. `time` and `end` name fields. */
            export interface Kind {
              number: number;
              plural: string;
              time: "started_at" | "occurred_at";
              end?: "ended_at";
              atLeastOneOf?: string[];
              fields: Record<string, Field>;
            }

            /** What a field may hold. With `types` it belongs to events of these types alone. */
            export interface Field {
              form: "choice" | "line" | "text" | "time" | "number" | "whole" | "flag" | "identifier";
              words?: string[];
              least?: number;
              most?: number;
              longest?: number;
              required?: true;
              types?: string[];
            }

            \(schemas.map { "export type \($0.name) = \($0.value.typeScript(indentation: "\n"));" }.joined(separator: "\n"))

            """
    }
}

extension EventKind {
    fileprivate var javaScript: String {
        var members = ["number: \(number)", "plural: \"\(plural)\"", "time: \"\(fields[time].name)\""]
        if let end { members.append("end: \"\(fields[end].name)\"") }
        if !atLeastOneOf.isEmpty { members.append("atLeastOneOf: \(list(atLeastOneOf.map { fields[$0].name }))") }
        return """
              \(name): {
                \(members.joined(separator: ", ")),
                fields: {
            \(fields.map { "      \($0.name): { \($0.javaScript) }," }.joined(separator: "\n"))
                },
              },
            """
    }
}

extension EventField {
    fileprivate var javaScript: String {
        var members =
            switch form {
            case .choice(let words): ["form: \"choice\"", "words: \(list(words))"]
            case .line(let max): ["form: \"line\"", "longest: \(max)"]
            case .text(let max): ["form: \"text\"", "longest: \(max)"]
            case .time: ["form: \"time\""]
            case .number(let range):
                ["form: \"number\"", "least: \(JSON(range.lowerBound))", "most: \(JSON(range.upperBound))"]
            case .whole(let range): ["form: \"whole\"", "least: \(range.lowerBound)", "most: \(range.upperBound)"]
            case .flag: ["form: \"flag\""]
            case .identifier: ["form: \"identifier\""]
            }
        if isRequired { members.append("required: true") }
        if let types { members.append("types: \(list(types.sorted()))") }
        return members.joined(separator: ", ")
    }
}

/// Words of the wire, which need no escapes.
private func list(_ words: [String]) -> String { "[\(words.map { "\"\($0)\"" }.joined(separator: ", "))]" }

extension JSON {
    /// A schema as a type. Bounds and patterns have no types.
    fileprivate func typeScript(indentation: String) -> String {
        if let reference = self["$ref"]?.text { return String(reference.split(separator: "/").last ?? "") }
        if let properties = self["properties"]?.members {
            let required = Set(self["required"]?.elements ?? [])
            let inner = indentation + "  "
            let members = properties.map { member in
                let mark = required.contains(.string(member.name)) ? "" : "?"
                return "\(inner)\(member.name)\(mark): \(member.value.typeScript(indentation: inner));"
            }
            return "{\(members.joined())\(indentation)}"
        }
        if let variants = self["oneOf"] ?? self["anyOf"] {
            return union(variants.elements.map { $0.typeScript(indentation: indentation) })
        }
        if let words = self["enum"] { return union(words.elements.map(\.description)) }
        if let only = self["const"] { return only.description }
        if let types = self["type"]?.elements, !types.isEmpty {
            return union(types.map { merging(["type": $0]).typeScript(indentation: indentation) })
        }
        return switch self["type"]?.text {
        case "string": "string"
        case "integer", "number": "number"
        case "boolean": "boolean"
        case "null": "null"
        case "array": "Array<\(self["items"]?.typeScript(indentation: indentation) ?? "unknown")>"
        case "object":
            "Record<string, \(self["additionalProperties"]?.typeScript(indentation: indentation) ?? "unknown")>"
        default: "unknown"
        }
    }

    private func union(_ types: [String]) -> String { types.joined(separator: " | ") }
}
