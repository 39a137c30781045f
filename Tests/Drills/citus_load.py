"""A phone's day on one machine and on three (Citus), in turn: what each role takes of the processors.

deploy/drill citus-load [DIRECTORY]: as for citus, by hand. The three are a coordinator and two machines with families.
Then an event as one statement and as steps, on both.
"""

import os
import pathlib
import random
import re
import statistics
import subprocess
import sys

from citus_nodes import Machines, install
from clients import Client
from restarts import Restarts
from service import PROJECT, Service, say, until

sys.path.insert(0, str(PROJECT / "deploy/benchmark"))

from stack import machine_seconds, processor_seconds  # noqa: E402

FULL = ""
USERS, FAMILIES, EVENTS = 2000, 1000, 300
ROUNDS, SECONDS, CONNECTIONS = 3, 10, 16
SETTINGS = {"shared_buffers": "512MB", "max_wal_size": "4GB", "checkpoint_timeout": "30min", "random_page_cost": "1.1", "jit": "off",
            "autovacuum": "off"}
# Of deploy/docs/capacity.md: what a family asks in its busiest hour, and how much of a processor may be in use.
REQUESTS, IN_USE, MANY = 0.004, 0.7, 10_000_000


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

        self.service.psql("delete from events where notes like 'bench%'")
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
        # 410: the feed is asked for what comes after a change that is still under way.
        assert refused <= count / 100 and not broken, f"{operation}: {refused} answers were not 2xx, {broken} connections broke"
        parts = {part: (after[part] - before[part]) * 1e6 / count for part in roots}
        return {"not 2xx": refused, "requests a second": count * 1e6 / microseconds, "p50": p50 / 1000, "p99": p99 / 1000, **parts}


    def answer_of_one_event(self) -> int:
        client = Client(self.service)
        child = self.service.psql("select child_id from bench_users where i = 1")
        body = {"type": "bottle", "started_at": "2026-01-15T10:00:00Z", "amount_ml": 90, "notes": "bench"}
        status, _ = client.request("POST", f"/api/v1/children/{child}/feedings", body, f"{1:064}")
        client.close()
        return status or 0

    def look_as(self, is_spread: bool | None) -> None:
        """Has the workers find that the families are spread, or not, whatever they are. None: as they are."""
        self.service.psql("create schema if not exists on_citus; grant usage on schema on_citus to babybasics;"
                          " drop table if exists on_citus.pg_extension")
        if is_spread is not None:
            found = "'citus'::text" if is_spread else "null::text"
            self.service.psql(f"create table on_citus.pg_extension as select {found} as extname;"
                              " grant select on on_citus.pg_extension to babybasics;"
                              " alter role babybasics set search_path = on_citus, public, pg_catalog")
        Restarts(self.service).all()


def fill(service: Service) -> None:
    for name, value in SETTINGS.items():
        service.psql(f"alter system set {name} = '{value}'")
    service.control("restart", "-m", "fast", "-l", str(service.data / "server.log"))
    text = (PROJECT / "deploy/benchmark/data.sql").read_text()
    service.psql(f"\\set users {USERS}\n\\set families {FAMILIES}\n\\set events {EVENTS}\n{text}")


def run(source: str) -> None:
    install(source)
    chosen = os.environ.get("OPERATIONS", "day").split()
    with Service(workers=2, CLIENT_RATE="1000000") as one, Service(workers=2, CLIENT_RATE="1000000") as several:
        fill(one)
        fill(several)
        with Machines(several) as machines:
            for machine in machines.all:
                machine.set(**SETTINGS)
                several.control("restart", "-m", "fast", "-l", str(machine.data / "server.log"), data=machine.data)
                machine.sql("vacuum analyze")
            several.psql("vacuum analyze")
            places = {"one": Place(one, None), "three": Place(several, machines)}
            for place in places.values():
                until(60, "the service", lambda: place.answer_of_one_event() == 201, 0.5)
                place.measure("day", 3)
            for operation in chosen:
                how_many_machines(compare(operation, places))
            one_statement_or_steps(places)


def compare(operation: str, places: dict[str, Place]) -> dict[str, dict[str, float]]:
    """In turn; the medians."""
    found: dict[str, list[dict]] = {name: [] for name in places}
    for _ in range(ROUNDS):
        for name, place in places.items():
            found[name].append(place.measure(operation))
    medians = {name: {key: statistics.median(run[key] for run in runs) for key in runs[0]} for name, runs in found.items()}
    for name, median in medians.items():
        say(f"citus-load: {operation} on {name}: " + ", ".join(f"{key} {value:.0f}" for key, value in median.items()))
    return medians


def how_many_machines(medians: dict[str, dict[str, float]]) -> None:
    """Processors of each role for MANY families, in the busiest hour."""
    def processors(microseconds: float) -> str:
        return f"{microseconds * 1e-6 * MANY * REQUESTS / IN_USE:.0f}"

    one, three = medians["one"], medians["three"]
    machines = sum(value for key, value in three.items() if key.startswith("machine"))
    say(f"citus-load: processors for {MANY:,} families: on one machine workers {processors(one['workers'])}, nginx"
        f" {processors(one['nginx'])}, PostgreSQL {processors(one['PostgreSQL'])}; spread workers {processors(three['workers'])}, nginx"
        f" {processors(three['nginx'])}, coordinator {processors(three['coordinator'])}, machines {processors(machines)} in all")


def one_statement_or_steps(places: dict[str, Place]) -> None:
    """An event in both forms, on both: workers do what they find on_citus.pg_extension says."""
    medians = {}
    for form, is_spread in (("one statement", False), ("steps", True)):
        able = {}
        for name, place in places.items():
            place.look_as(is_spread)
            if (status := place.answer_of_one_event()) == 201:
                place.measure("feeding", 3)
                able[name] = place
            else:
                log = (place.service.data / "server.log").read_text(errors="replace")
                errors = re.findall(r"ERROR: .*", log)
                say(f"citus-load: an event as {form} on {name}: {status}, {errors[-1] if errors else 'without an error of PostgreSQL'}")
        medians[form] = compare("feeding", able)
        for name, median in medians[form].items():
            database = sum(value for key, value in median.items() if key in ("PostgreSQL", "coordinator") or key.startswith("machine"))
            say(f"citus-load: an event as {form} on {name}: workers {median['workers']:.0f} µs, databases {database:.0f} µs")
    for place in places.values():
        place.look_as(None)
