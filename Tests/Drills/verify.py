"""The journal against the database: nothing acknowledged is missing, nothing is there twice."""

from writers import Writers


def verify(writers: Writers, port: int | None = None) -> dict[str, int]:
    """Compares everything, and raises with what is wrong. Gives back counts."""
    journal, service = writers.journal, writers.service

    def column(text: str) -> list[str]:
        return service.psql(text, port).splitlines()

    tables = {"child": "children", "family": "families", "feeding": "feedings", "diaper": "diapers"}
    stored = {kind: set(column(f"select id from {table}")) for kind, table in tables.items()}
    contents = column("select content from notes")
    lost, double = [], []
    for key, (_, kind, value) in journal.acknowledged.items():
        if kind in stored and key not in stored[kind]:
            lost.append(f"{kind} {key}")
    # A batch is whole or not there at all.
    written = set(contents)
    for key, (kind, _, value) in journal.tried.items():
        if kind == "diaper" and (key in stored["diaper"]) != (value in written):
            lost.append(f"half of the batch {key}")
        if kind == "note" and key in journal.acknowledged and key not in written:
            lost.append(f"note {key}")
    double += [f"note {one}" for one in {one for one in contents if contents.count(one) > 1}] if (
        len(written) < len(contents)) else []

    # Each change is in the audit log exactly as often as it was made.
    renames = column("select changes->'name'->>'new' from audit_logs where entity_type = 'child' and action = 'update'")
    if len(set(renames)) < len(renames):
        double += [f"rename {one}" for one in set(renames) if renames.count(one) > 1]
    known = set(renames)
    lost += [f"audit of rename {key}" for key, (_, kind, _) in journal.acknowledged.items()
             if kind == "rename" and key not in known]
    for kind in ("child", "family"):
        table = tables[kind]
        bad = column(
            f"select t.id from {table} t left join audit_logs a on a.entity_id = t.id and a.entity_type = '{kind}'"
            " and a.action = 'create' group by t.id having count(a.id) <> 1")
        double += [f"{kind} {one} has not one audit row" for one in bad]

    # The name is the last acknowledged one, or one whose outcome nobody knew that was sent after it.
    present = dict(line.split("|") for line in column("select id, name from children where name <> 'Second'"))
    for child, names in journal.names.items():
        last = max((number for number, (_, good) in enumerate(names) if good), default=-1)
        possible = {name for name, _ in names[max(last, 0):]} | ({"Baby"} if last < 0 else set())
        if present.get(child) not in possible:
            lost.append(f"the name of child {child}")

    # Revisions are the family's counter: none twice, none above it.
    bad = column(
        "with numbers as (select family_id, revision from children union all select family_id, revision from events)"
        " select family_id from numbers group by family_id, revision having count(*) > 1"
        " union all select n.family_id from numbers n join feeds f on f.family_id = n.family_id where n.revision > f.last_revision")
    double += [f"revision in family {one}" for one in bad]

    assert not lost, f"{len(lost)} LOST: {lost[:5]}"
    assert not double, f"{len(double)} DOUBLE: {double[:5]}"
    assert not journal.unexpected, f"{len(journal.unexpected)} unexpected answers: {journal.unexpected[:5]}"
    return {"acknowledged": len(journal.acknowledged), "lost": 0, "double": 0, "unknown": len(journal.unknown)}
