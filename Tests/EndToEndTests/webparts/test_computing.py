"""The web app's computing parts, under node: no browser, no server."""

import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).parent
PROJECT = HERE.parents[2]
TESTS = sorted(path.name for path in HERE.glob("*.test.mjs"))


@pytest.mark.parametrize("cases", ["dashboard", "next"])
def test_cases_are_what_their_reference_says(cases):
    command = [sys.executable, PROJECT / "Tests/Fixtures" / cases / "make.py", "--check"]
    made = subprocess.run(command, capture_output=True, text=True)
    assert made.returncode == 0, made.stdout + made.stderr


@pytest.mark.parametrize("name", TESTS)
def test_under_node(name):
    # Without a package.json, an older node takes .js files for CommonJS unless told.
    command = ["node", "--experimental-default-type=module", "--test", HERE / name]
    done = subprocess.run(command, capture_output=True, text=True, cwd=PROJECT, timeout=300)
    print("\n".join(line for line in done.stdout.splitlines() if "%" in line))  # figures, for pytest -rP
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-2000:]
