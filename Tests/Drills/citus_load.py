"""A phone's day on one machine and on three (Citus), in turn: what each takes of the processors. deploy/drill citus-load DIRECTORY."""

import os
import pathlib
import random
import re
import statistics
import subprocess
import sys

from citus_nodes import Machines, install
from service import PROJECT, Service, say

sys.path.insert(0, str(PROJECT / "deploy/benchmark"))

from load import OPERATIONS  # noqa: E402
from stack import machine_seconds, processor_seconds  # noqa: E402

FULL = ""
USERS, FAMILIES, EVENTS = 2000, 1000, 300
ROUNDS, SECONDS, CONNECTIONS = 3, 5, 16
SETTINGS = {"shared_buffers": "1GB", "max_wal_size": "4GB", "checkpoint_timeout": "30min", "random_page_cost": "1.1", "jit": "off",
            "autovacuum": "off"}


class Place:
    """A service with the benchmark's families, on one machine or on several."""

    def __init__(self, service: Service, machines: Machines | None):
        self.service, self.machines = service, machines

    def roots(self) -> dict[str, list[int]]:
        first = lambda path: int(pathlib.Path(path).read_text().split()[0])
        databases = self.machines.roots() if self.machines else {"PostgreSQL": [first(self.service.data / "postmaster.pid")]}
        return {"nginx": [first(self.service.values["NGINX_PID_FILE"])], "workers": self.service.workers()} | databases

    def users(self) -> pathlib.Path:
        """For load.lua: a line `token child family last revision…` for each."""
        def rows(text: str) -> list[list[str]]:
            return [line.split("|") for line in self.service.psql(text).splitlines()]

        last = dict(rows("select family_id, last_revision from feeds"))
        newest = dict(rows(
            "select family_id, string_agg(revision::text, ' ' order by revision) from (select family_id, revision,"
            " row_number() over (partition by family_id order by revision desc) as n from events) e where n <= 6 group by family_id"))
        lines = [f"{int(number):064} {child} {family} {last[family]} {newest[family]}\n" for number, child, family in rows(
            "select i, child_id, family_id from bench_users")]
        random.Random(1).shuffle(lines)
        path = self.service.state / "users"
        path.write_text("".join(lines))
        return path

    def measure(self, operation: str, seconds: int = SECONDS) -> dict[str, float]:
        command = ["wrk", "-t2", f"-c{CONNECTIONS}", f"-d{seconds}s", "--timeout", "10s", "--latency", "-s",
                   PROJECT / "deploy/benchmark/load.lua", f"https://127.0.0.1:{self.service.port}", "--", operation, self.users(), "2"]
        roots, machine = self.roots(), machine_seconds()
        before = processor_seconds(roots)
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
        after = processor_seconds(roots)
        found = re.search(r"^RESULT (\d+) (\d+) (\d+) (\d+) (\d+) (\d+)$", done.stdout, re.M)
        assert found, done.stdout + done.stderr
        count, microseconds, p50, p99, refused, broken = map(int, found.groups())
        assert not refused and not broken, f"{operation}: {refused} answers were not 2xx, {broken} connections broke"
        parts = {part: (after[part] - before[part]) * 1e6 / count for part in roots}
        return {"requests a second": count * 1e6 / microseconds, "p50": p50 / 1000, "p99": p99 / 1000, **parts}


def fill(service: Service, machines: Machines | None) -> None:
    for name, value in SETTINGS.items():
        service.psql(f"alter system set {name} = '{value}'")
    service.control("restart", "-m", "fast", "-l", str(service.data / "server.log"))
    text = (PROJECT / "deploy/benchmark/data.sql").read_text()
    service.psql(f"\\set users {USERS}\n\\set families {FAMILIES}\n\\set events {EVENTS}\n{text}")


def run(source: str) -> None:
    assert source, "deploy/drill citus-load DIRECTORY: where is Citus' source?"
    install(source)
    chosen = os.environ.get("OPERATIONS", " ".join(OPERATIONS)).split()
    with Service(workers=2, CLIENT_RATE="1000000") as one, Service(workers=2, CLIENT_RATE="1000000") as several:
        fill(one, None)
        fill(several, None)
        with Machines(several) as machines:
            for machine in machines.all:
                machine.set(**{name: value for name, value in SETTINGS.items() if name != "shared_buffers"})
                machine.sql("vacuum analyze")
            several.psql("vacuum analyze")
            places = {"one": Place(one, None), "three": Place(several, machines)}
            found: dict[tuple[str, str], list[dict]] = {}
            for place in places.values():
                place.measure("day", 3)
            for number in range(ROUNDS):
                for operation in chosen:
                    for name, place in places.items():
                        found.setdefault((operation, name), []).append(place.measure(operation))
            for operation in chosen:
                medians = {name: {key: statistics.median(run[key] for run in found[operation, name]) for key in found[operation, name][0]}
                           for name in places}
                for name, median in medians.items():
                    say(f"citus-load: {operation:10} on {name:5}: " + ", ".join(f"{key} {value:.0f}" for key, value in median.items()))
                database = {name: sum(value for key, value in median.items() if key not in (
                    "requests a second", "p50", "p99", "nginx", "workers")) for name, median in medians.items()}
                say(f"citus-load: {operation:10} databases' processor time of a request: {database['one']:.0f} µs on one,"
                    f" {database['three']:.0f} on three, {database['three'] / database['one']:.1f} times")
