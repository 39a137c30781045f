import BabyBasicsAPI
import Foundation

/// An edit of this device on top of the server's present version.
///
/// A field that only this device changed keeps its new value. Where both changed it, the later change holds, and the
/// person is told.
struct Rebase {
    /// The changes that are left to send.
    var changes: FieldChanges = [:]
    /// The server's values of these fields.
    var base: Fields = [:]
    /// The entry as it is shown.
    var fields: Fields
    var conflicts: [Notice.Conflict] = []

    /// - Parameters:
    ///   - current: the entry's fields without this edit.
    ///   - changedAt: when the server's version was made.
    ///   - editor: its author; nil if unknown.
    init(_ edit: PendingChange, onto current: Fields, changedAt: Timestamp, by editor: Author? = nil) {
        let kind = EventKind.named(edit.kind)
        for (name, mine) in edit.changes where current[name] != mine {
            let theirs = current[name]
            let onlyMine = edit.base[name] == theirs
            if !onlyMine {
                conflicts.append(
                    Notice.Conflict(
                        entryID: edit.entryID, kind: edit.kind, field: name, mine: mine,
                        theirs: theirs, mineHolds: edit.madeAt > changedAt, theirName: editor?.name))
            }
            if onlyMine || edit.madeAt > changedAt {
                changes.updateValue(mine, forKey: name)
                base[name] = theirs
            }
        }
        fields = current.applying(changes, kind: kind)
        dropWhatDoesNotFit(kind, current)
        if edit.kind == PlanKind.name { keepOneSchedule(current, isLater: edit.madeAt > changedAt) }
    }

    /// A plan has hours or times: where each of two people chose another one, the later choice holds.
    private mutating func keepOneSchedule(_ current: Fields, isLater: Bool) {
        let ways = ["every_hours", "times"]
        guard ways.allSatisfy({ fields[$0] != nil }) else { return }
        for way in ways where changes.keys.contains(way) != isLater {
            fields[way] = nil
            if isLater {
                changes.updateValue(nil, forKey: way)
                base[way] = current[way]
            } else {
                changes.removeValue(forKey: way)
                base[way] = nil
            }
        }
    }

    /// The other person may have changed the type, to which some fields do not belong.
    private mutating func dropWhatDoesNotFit(_ kind: EventKind?, _ current: Fields) {
        guard let kind, let type = kind.typeField, let word = fields[type]?.text, kind.knowsType(of: fields)
        else { return }
        for field in kind.fields where field.types?.contains(word) == false {
            fields[field.name] = nil
            if changes.keys.contains(field.name), changes[field.name] != .some(nil) {
                changes[field.name] = nil
                base[field.name] = nil
            }
        }
    }
}
