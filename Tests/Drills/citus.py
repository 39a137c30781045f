"""Families on several machines (Citus): what statements ask, the feed, the purge, load while shards move, end to end.

deploy/drill citus [DIRECTORY]: Citus' source, an unpacked release or a git directory, which is built and installed unless
Citus is there. By hand and as root, half an hour or more. No hot statement asks more than one machine for its families.
"""

import os
import re
import subprocess
import time

import news
from citus_nodes import Machines, install
from citus_tests import end_to_end
from clients import Client, people, settle
from pair import Node
from phones import Phones
from service import Service, free_ports, say, until
from verify import verify
from writers import Writers

FULL = ""


def run(source: str) -> None:
    install(source)
    with Service(workers=2, CLIENT_RATE="1000000") as service, Machines(service) as machines:
        say(f"citus: families are on {machines.shards()} (shards of events by port)")
        shards_asked(service, machines)
        feeds(service)
        purged(service)
        under_load(service, machines)
    # With the limits that tests ask about. They keep all processors busy: a password would wait for one otherwise.
    settings = {"HASH_PRIORITY": "normal", "METRICS_PORT": str(free_ports(1)[0]), "LOG_LEVEL": "info"}
    with Service(workers=2, **settings) as service, Machines(service):
        end_to_end(service)


def feeds(service: Service) -> None:
    """Who follows a family hears of everything, whichever worker dies, and of nothing twice or out of order."""
    news.follow(service, ("listening", "kill", "drain", "listening", "kill", "drain"))


def purged(service: Service) -> None:
    """What was deleted long ago goes, and what has expired; nothing else does."""
    client, one = Client(service), people(service, 1)[0]
    settle(client, one)
    path = f"/api/v1/children/{one.child}/diapers"
    body = {"type": "wet", "occurred_at": "2026-01-01T08:00:00Z"}
    made = [client.request("POST", path, body, one.token)[1]["diaper"]["id"] for _ in range(3)]
    for event in made[:2]:
        assert client.request("DELETE", f"{path}/{event}", token=one.token)[0] == 204
    before = int(service.psql("select count(*) from events"))
    service.psql("update events set deleted_at = now() - interval '40 days'"
                 f" where family_id = '{one.family}' and deleted_at is not null; insert into sessions (user_id, token_hash, created_at, expires_at)"
                 f" values ('{one.id}', 'old', now() - interval '60 days', now() - interval '30 days')")
    command = [service.place / "bin/babybasics", "purge"]
    said = subprocess.run(command, env=os.environ | {"DATABASE_URL": service.values["SERVER_DATABASE_URL"]}, check=True,
                          capture_output=True, text=True, timeout=120).stdout
    assert "removed 2 events" in said and "removed 1 expired sessions" in said, said
    assert int(service.psql("select count(*) from events")) == before - 2
    status, answer = client.request("GET", f"/api/v1/families/{one.family}/changes?since=0", token=one.token)
    assert status == 200 and made[2] in {change["id"] for change in answer["changes"]}, answer
    say(f"citus: purge: {'; '.join(said.split(chr(10))[1:3])}")
    client.close()


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
    # So that the dashboard has one to show.
    plan = {"name": "Vitamin D", "dose": "1 drop", "times": ["08:00"], "starts_on": "2026-01-01"}
    assert client.request("POST", f"{path}/plans", plan, one.token)[0] == 201
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
            # What every machine has may be in a deadlock with the move: whoever is told so asks again.
            assert {status for _, status in failed} <= {503}, failed
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
    places = f"'127.0.0.1', {source}, '127.0.0.1', {target}"
    command = f"select citus_move_shard_placement({shard}, {places}, 'force_logical')"

    def is_moved() -> bool:
        """Citus ends the move when it and writes wait for each other; nothing is moved then, and one asks again."""
        try:
            service.psql(command)
        except AssertionError as error:
            assert "distributed deadlock" in str(error), error
            say("citus: the move was ended as a distributed deadlock, and is asked for again")
            return False
        return True

    until(300, "a shard moved", is_moved, 1)


def add_machine(service: Service, machines: Machines) -> None:
    machine = machines.add()
    service.psql("select citus_rebalance_start(shard_transfer_mode := 'force_logical')")
    until(600, "the shards spread anew", lambda: service.psql(
        "select count(*) from citus_rebalance_status() where state in ('scheduled', 'running')") == "0", 1)
    assert machines.shards().get(machine.port, 0) >= 5, machines.shards()
