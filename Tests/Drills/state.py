"""What a service does at one moment, for a wait that nobody can explain afterwards."""

import itertools
import os
import pathlib
import shutil
import subprocess
import tempfile

from service import Service, say

NUMBERS = itertools.count(1)


def write_state(service: Service, why: str) -> None:
    """Stacks, descriptors and what each loop watches, of every worker; PostgreSQL's sessions; the sockets between them."""
    directory = pathlib.Path(os.environ.get("DRILL_LOGS") or tempfile.gettempdir())
    path = directory / f"{service.state.name}-state-{next(NUMBERS)}.txt"
    parts = [why, run("ss", "-xapn"), run("ss", "-tanp")]
    try:
        parts.append(service.psql(
            "select pid, state, wait_event_type, wait_event, now() - query_start, left(query, 120)"
            " from pg_stat_activity where usename = 'babybasics' order by pid", check=False))
        parts += [worker(pid) for pid in service.workers()]
    except (OSError, subprocess.TimeoutExpired) as error:
        parts.append(repr(error))
    path.write_text("\n\n".join(parts))
    say(f"{why}: what was going on is in {path}")


def worker(pid: int) -> str:
    place = pathlib.Path(f"/proc/{pid}")
    lines = [f"worker {pid}"]
    for descriptor in sorted((place / "fd").iterdir(), key=lambda one: int(one.name)):
        target = os.readlink(descriptor)
        lines.append(f"{descriptor.name} -> {target}")
        if "eventpoll" in target:
            lines.append((place / "fdinfo" / descriptor.name).read_text())
    for task in (place / "task").iterdir():
        lines.append(f"{task.name} {(task / 'comm').read_text().strip()} {(task / 'wchan').read_text()}")
    if shutil.which("gdb"):
        lines.append(run("gdb", "-p", str(pid), "-batch", "-ex", "thread apply all bt"))
    return "\n".join(lines)


def run(*command: str) -> str:
    if not shutil.which(command[0]):
        return f"{command[0]} is not there"
    finished = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=60)
    return finished.stdout
