"""What a migration must leave as it is, because the version before it still runs (deploy/docs/upgrading.md).

It compares the catalog before and after, so it does not matter how the SQL is written. What it cannot see: whether a
new constraint or trigger refuses what the version before writes, and how long it holds a lock.
"""

import json

Schema = dict[str, dict[str, list]]

SNAPSHOT = """
    select json_build_object(
        'columns', (select coalesce(json_object_agg(c.oid::regclass || '.' || a.attname, json_build_array(
                format_type(a.atttypid, a.atttypmod), a.attnotnull,
                a.atthasdef or a.attidentity <> '' or not a.attnotnull,
                array(select kind from unnest(array['select', 'insert', 'update']) kind
                    where has_column_privilege('babybasics', c.oid, a.attnum, kind)
                    union all select 'delete' where has_table_privilege('babybasics', c.oid, 'delete')))), '{}')
            from pg_attribute a join pg_class c on c.oid = a.attrelid
            where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v')
                and a.attnum > 0 and not a.attisdropped),
        'functions', (select coalesce(json_object_agg(oid::regprocedure, json_build_array()), '{}')
            from pg_proc where pronamespace = 'public'::regnamespace))"""


def parse(text: str) -> Schema:
    return json.loads(text)


def breaks(before: Schema, after: Schema) -> list[str]:
    """What the version before would stumble over."""
    found = [f"{function} is gone" for function in before["functions"] if function not in after["functions"]]
    old, new = before["columns"], after["columns"]
    tables = {name.rsplit(".", 1)[0] for name in old}
    for name, (kind, is_required, may_be_left_out, rights) in old.items():
        if name not in new:
            found.append(f"{name} is gone")
            continue
        kind_now, is_required_now, may_be_left_out_now, rights_now = new[name]
        # A longer varchar, too: PostgreSQL refuses statements that are prepared already and whose result changed.
        if kind != kind_now:
            found.append(f"{name} was {kind} and is {kind_now}")
        if is_required_now and not is_required:
            found.append(f"{name} may not be null any more")
        if may_be_left_out and not may_be_left_out_now:
            found.append(f"{name} has no default any more")
        if lost := set(rights) - set(rights_now):
            found.append(f"{name}: the workers lost {', '.join(sorted(lost))}")
    for name, (_, _, may_be_left_out, _) in new.items():
        if name not in old and name.rsplit(".", 1)[0] in tables and not may_be_left_out:
            found.append(f"{name} is new, not null and without a default")
    return sorted(found)
