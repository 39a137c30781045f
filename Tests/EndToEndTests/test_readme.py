"""The walk of the README does what it says."""

import os
import pathlib
import re
import subprocess

README = pathlib.Path(__file__).parents[2] / "README.md"


def test_the_walk(stack, tmp_path):
    walk = re.search(r"<!-- walk -->\n```sh\n(.*?)```", README.read_text(), re.S)[1]
    # From an address of its own, as everybody in these tests.
    walk = walk.replace("curl -sS", f"curl --interface {next(stack.addresses)} -sS")
    for name in ("johnny", "maria"):
        walk = walk.replace(f"{name}@example.com", f"{name}-{os.getpid()}-walk@example.com")
    walk = walk.replace("$BASE_URL", stack.address)
    (tmp_path / ".run").symlink_to(stack.state)
    shell = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", walk], cwd=tmp_path, timeout=60, capture_output=True, text=True
    )
    assert shell.returncode == 0 and shell.stderr == "", shell.stderr
    answers = shell.stdout.splitlines()
    names = ["session", "family", "child", "invite", "session", "invite", "family", "feeding", "events", "dashboard"]
    said = [re.match(r'\{"(\w+)"', answer)[1] for answer in answers]
    assert said == [*names, "diaper", "changes"]
    shown = re.search(r"The first answers.*?```\n(.*?)```", README.read_text(), re.S)[1].splitlines()
    assert [re.match(r'\{"(\w+)"', answer)[1] for answer in shown] == names
    assert '"amount_ml":120' in answers[8] and '"bottle_ml":120' in answers[9]
    assert '"entity":"diaper"' in answers[11]
