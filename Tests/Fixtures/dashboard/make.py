#!/usr/bin/env python3
"""Writes the cases: what happened comes from cases.py, what a dashboard says about it from reference.py.

make.py                  writes *.json
make.py --check          writes nothing; fails if a file isn't what would be written
make.py --edges PSQL…    asks PostgreSQL for every day border of every case: --edges psql -h /run/postgresql -U postgres
"""

import json
import subprocess
import sys
from datetime import date, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from cases import FILES
from reference import begin, dashboard, milliseconds

HERE = Path(__file__).parent
KINDS = ("feeding", "diaper", "sleep")


def solved(case):
    case = dict(case)
    kinds = KINDS + tuple(case.pop("more_kinds", ()))
    return case | {"expected": dashboard(case, kinds)}


def text(cases):
    """JSON with a line an event, so that a difference is read at a glance."""

    def line(value):
        return json.dumps(value, ensure_ascii=False)

    def block(name, values):
        return (
            f'    "{name}": [' + ",".join(f"\n      {line(value)}" for value in values) + ("\n    ]" if values else "]")
        )

    def member(name, value):
        if name == "events":
            return block(name, value)
        if name == "expected":
            inner = ",\n".join(f'      "{key}": {line(part)}' for key, part in value.items())
            return f'    "expected": {{\n{inner}\n    }}'
        return f'    "{name}": {line(value)}'

    parts = ["  {\n" + ",\n".join(member(*pair) for pair in case.items()) + "\n  }" for case in cases]
    return "[\n" + ",\n".join(parts) + "\n]\n"


def check_edges(psql, cases):
    asked, mine = [], []
    for case in cases:
        last = date.fromisoformat(case["expected"]["day"]["date"]) + timedelta(days=1)
        for back in range(8):
            day = last - timedelta(days=back)
            zone, start = case["timezone"], case["day_start_time"]
            asked.append(f"(timestamp '{day} {start}' at time zone '{zone}')")
            mine.append(begin(day, start, ZoneInfo(zone)))
    query = (
        f"select extract(epoch from t) * 1000 from unnest(array[{','.join(asked)}]) with ordinality u(t, n) order by n"
    )
    answer = subprocess.run([*psql, "-AtXc", query], check=True, capture_output=True, text=True).stdout.split()
    assert len(answer) == len(mine)
    wrong = [pair for pair in zip(asked, mine, answer) if pair[1] != round(float(pair[2]))]
    # "Today" too: the last day whose border isn't later than now, by PostgreSQL's borders.
    for place, case in enumerate(cases):
        following, begins = (round(float(answer[place * 8 + back])) for back in (0, 1))
        if not case.get("date") and not begins <= milliseconds(case["now"]) < following:
            wrong.append(case["name"])
    print(f"{len(mine)} borders, {len(wrong)} differ", *wrong, sep="\n")
    return 1 if wrong else 0


def main(arguments):
    files = {name: [solved(case) for case in cases] for name, cases in FILES.items()}
    every = [case for cases in files.values() for case in cases]
    assert len({case["name"] for case in every}) == len(every), "two cases of one name"
    if arguments[:1] == ["--edges"]:
        return check_edges(arguments[1:], every)
    if arguments == ["--check"]:
        stale = [n for n, cases in files.items() if (HERE / f"{n}.json").read_text() != text(cases)]
        stale += sorted({path.stem for path in HERE.glob("*.json")} - set(files))
        print(f"{len(every)} cases", *(f"{name}.json is stale" for name in stale), sep="\n")
        return 1 if stale else 0
    for name, cases in files.items():
        (HERE / f"{name}.json").write_text(text(cases))
    print(f"{len(every)} cases in {len(files)} files")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
