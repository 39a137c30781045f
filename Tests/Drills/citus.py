"""Families on three machines (Citus), under the end-to-end tests and under load while shards move and a machine is added.

deploy/drill citus DIRECTORY: Citus' source, an unpacked release or a git directory, is needed; it is built and installed.
By hand and as root, a quarter of an hour. No hot statement asks more than one machine for its families.
"""

import os
import re
import subprocess
import time

import news
from citus_nodes import Machines, install
from clients import Client, people, settle
from pair import Node
from phones import Phones
from service import PROJECT, Service, say, until
from verify import verify
from writers import Writers

FULL = ""
TESTS = PROJECT / "Tests/EndToEndTests"
# Of the server's, those that ask the database for something.
END_TO_END = (
    "test_accounts.py", "test_bodies.py", "test_integrations.py", "test_limits.py", "test_live.py", "test_mail.py",
    "test_oddities.py", "test_push.py", "test_races.py", "test_tracking.py", "test_webhooks.py",
)


def run(source: str) -> None:
    assert source, "deploy/drill citus DIRECTORY: where is Citus' source?"
    assert os.geteuid() == 0, "deploy/drill citus installs Citus, so it needs root"
    install(source)
    with Service(workers=2, CLIENT_RATE="1000000") as service, Machines(service) as machines:
        say(f"families are on {machines.shards()} (shards of events by port)")
        shards_asked(service, machines)
        end_to_end(service)
        feeds(service)
        under_load(service, machines)


def end_to_end(service: Service) -> None:
    """The server's tests, races among them, as they are."""
    command = [os.environ.get("PYTHON", str(PROJECT / ".build/python/bin/python")), "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    command += [str(TESTS / name) for name in END_TO_END]
    # Those that bring a service of their own spread its families, too.
    environment = os.environ | {"STATE_DIR": str(service.state), "SPREAD": str(PROJECT / "Tests/Drills/citus_nodes.py")}
    finished = subprocess.run(
        command, cwd=PROJECT, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert finished.returncode == 0, finished.stdout[-6000:] + finished.stderr[-2000:]
    say(f"citus: end to end: {finished.stdout.strip().splitlines()[-1]}")


def feeds(service: Service) -> None:
    """Who follows a family hears of everything, whichever worker dies, and of nothing twice or out of order."""
    news.follow(service, ("listening", "kill", "drain", "listening", "kill", "drain"))


# --- What a statement asks --------------------------------------------------------------------------------------------


def shards_asked(service: Service, machines: Machines) -> None:
    """The plans of what a phone's day sends, as the server sends it: each asks one shard."""
    client, one = Client(service), people(service, 1)[0]
    settle(client, one)
    machines.restart({"shared_preload_libraries": "citus, auto_explain"})
    coordinator = Node(service, "coordinator", service.data, service.database_port)
    coordinator.set(**{"auto_explain.log_min_duration": "0", "auto_explain.log_level": "log", "log_line_prefix": "%m [%p] %u "})
    until(60, "the service", client.is_healthy)
    log = service.data / "server.log"
    path = f"/api/v1/children/{one.child}"
    event = {"type": "bottle", "started_at": "2026-01-15T10:00:00Z", "amount_ml": 90}
    batch = {"events": [{"type": "diaper", "event": {"type": "wet", "occurred_at": "2026-01-15T12:00:00Z"}}] * 5}
    made = client.request("POST", f"{path}/feedings", event, one.token)[1]["feeding"]["id"]
    requests = {
        "an event": ("POST", f"{path}/feedings", event), "a batch": ("POST", f"{path}/events", batch),
        "a change": ("PATCH", f"{path}/feedings/{made}", {"amount_ml": 100}), "the timeline": ("GET", f"{path}/timeline", None),
        "the feed": ("GET", f"/api/v1/families/{one.family}/changes?since=0", None),
        "the dashboard": ("GET", f"{path}/dashboard", None), "the children": ("GET", "/api/v1/children", None),
    }
    for name, (method, where, body) in requests.items():
        # Twice, as a statement's first plans are made of its values.
        for _ in range(8):
            before = log.stat().st_size
            status, answer = client.request(method, where, body, one.token)
            assert status in (200, 201), f"{name}: {status} {answer}"
            plans = plans_of(log, before)
        assert plans, f"{name}: no plan was written down"
        for text in plans:
            counts = [int(count) for count in re.findall(r"Task Count: (\d+)", text)]
            assert set(counts) <= {1}, f"{name} asks several shards:\n{text}"
        say(f"citus: {name}: {len(plans)} statements, {sum(text.count('Task Count: 1') for text in plans)} tasks,"
            f" {sum(text.count('Distributed Subplan') for text in plans)} subplans")
    coordinator.set(**{"auto_explain.log_min_duration": "-1"})
    machines.restart({"shared_preload_libraries": "citus"})
    until(60, "the service", client.is_healthy)
    client.close()


def plans_of(log, since: int) -> list[str]:
    """What auto_explain wrote of the server's statements."""
    time.sleep(0.1)
    with log.open("rb") as file:
        file.seek(since)
        text = file.read().decode(errors="replace")
    entries = re.split(r"^(?=\d{4}-\d\d-\d\d )", text, flags=re.M)
    return [entry for entry in entries if " babybasics LOG:" in entry and "Query Text:" in entry and "Citus" in entry]


# --- Under load -------------------------------------------------------------------------------------------------------


def under_load(service: Service, machines: Machines) -> None:
    with Writers(service, threads=6, each=6) as writers, Phones(service, families=6, readers=4) as phones:
        writers.wait_for(60)
        for name, move in (("one shard moved", move_one), ("a machine added", add_machine)):
            began, unknown, started = time.monotonic(), len(writers.journal.unknown), writers.count
            move(service, machines)
            took = time.monotonic() - began
            writers.wait_for(60)
            with writers.quiet():
                found = verify(writers)
            failed = writers.journal.unknown[unknown:]
            say(f"citus: {name} in {took:.0f} s, {writers.count - started} writes beside it, {len(failed)} without answer"
                f" {[status for _, status in failed][:5]}, {phones.failed_reads(began)} reads failed; {found}; shards {machines.shards()}")
        writers.stop()
        until(60, "what was logged heard of", lambda: phones.unheard() == 0)
        say(f"citus: {verify(writers)}, 0 changes unheard of")


def move_one(service: Service, machines: Machines) -> None:
    """The shard of a family that is being written to, and all that is with it, to the other machine."""
    family = service.psql("select family_id from feeds order by last_revision desc limit 1")
    shard, source = service.psql(
        f"select shardid, nodeport from citus_shards where table_name = 'events'::regclass"
        f" and shardid = get_shard_id_for_distribution_column('events', '{family}'::uuid)").split("|")
    target = next(machine.port for machine in machines.all if machine.port != int(source))
    service.psql(
        f"select citus_move_shard_placement({shard}, '127.0.0.1', {source}, '127.0.0.1', {target}, 'force_logical')")


def add_machine(service: Service, machines: Machines) -> None:
    machine = machines.add()
    service.psql("select citus_rebalance_start(shard_transfer_mode := 'force_logical')")
    until(600, "the shards spread anew", lambda: service.psql(
        "select count(*) from citus_rebalance_status() where state in ('scheduled', 'running')") == "0", 1)
    assert machines.shards().get(machine.port, 0) >= 5, machines.shards()
