"""Requests that wait for changes, while what brings them breaks: listening connections, workers, PostgreSQL.

Every change is heard of by whoever follows, once asked again, and nobody waits longer than they said. Where somebody
does, what workers and PostgreSQL do at that moment is written down. By hand for an hour: news-soak.
"""

import concurrent.futures
import itertools
import os
import random
import signal
import threading
import time
import uuid

from clients import Client, people, settle
from service import Service, say, until
from state import write_state

SHORT, FULL = 4, 60
WAIT = 15
# For nginx, a crowded machine, and a database that starts.
GRACE = 15
FAMILIES = 6
# In turn; the short form has the first four.
BREAKS = ("listening", "kill", "drain", "database", "hang", "refused")
LISTENING = (
    "usename = 'babybasics' and (query ilike 'listen%' or query like '%pg_notify%' or query like 'with copied%'"
    " or query like 'select family_id, last_revision from feeds%')"
)


class Follower:
    """A phone that follows its family by waiting."""

    def __init__(self, service: Service, one):
        self.service, self.one = service, one
        self.client = Client(service, timeout=WAIT + GRACE + 30)
        self.seen: set[str] = set()
        self.since, self.longest, self.failed, self.ends = 0, 0.0, 0, False
        self.thread = threading.Thread(target=self.follow)
        self.thread.start()

    def follow(self) -> None:
        while not self.ends:
            path = f"/api/v1/families/{self.one.family}/changes?since={self.since}&wait={WAIT}&limit=200"
            late = threading.Timer(WAIT + GRACE, write_state, (self.service, "a request waits for too long"))
            late.start()
            began = time.monotonic()
            status, answer = self.client.request("GET", path, token=self.one.token)
            self.longest = max(self.longest, time.monotonic() - began)
            late.cancel()
            if status == 200:
                self.since = answer["next_since"]
                self.seen |= {change["id"] for change in answer["changes"]}
            else:
                assert status in (None, 429, 502, 503, 504), f"{status} {answer}"
                self.failed += 1
                time.sleep(0.5)


def log(client: Client, one) -> str:
    """An event with an id of its own, sent until it is there."""
    event = str(uuid.uuid4())
    body = {"id": event, "type": "wet", "occurred_at": "2026-01-01T08:00:00Z"}
    until(90, "an event", lambda: client.request("POST", f"/api/v1/children/{one.child}/diapers", body, one.token)[0] in (200, 201), 0.5)
    return event


def break_something(service: Service, kind: str, workers: int) -> None:
    if kind == "listening":
        service.psql(f"select pg_terminate_backend(pid) from pg_stat_activity where {LISTENING}")
    elif kind == "hang":
        hang(service, random.choice((5, 30)))  # it answers again before it is given up, or after
    elif kind == "refused":
        service.psql("alter role babybasics connection limit 1")
        service.psql(f"select pg_terminate_backend(pid) from pg_stat_activity where {LISTENING}")
        time.sleep(3)
        service.psql("alter role babybasics connection limit -1")
    elif kind == "database":
        service.control("restart", "-m", random.choice(("fast", "immediate")))
    else:
        victim = random.choice(until(60, "a living worker", service.workers))
        os.kill(victim, signal.SIGKILL if kind == "kill" else signal.SIGTERM)
        until(60, "the next worker", lambda: victim not in service.workers() and len(service.workers()) >= workers - 1)


def hang(service: Service, seconds: int) -> None:
    """PostgreSQL's end of a listening connection says nothing, and does not hang up."""
    if process := service.psql(f"select pid from pg_stat_activity where {LISTENING} limit 1"):
        os.kill(int(process), signal.SIGSTOP)
        time.sleep(seconds)
        try:
            os.kill(int(process), signal.SIGCONT)
        except ProcessLookupError:
            pass


def run(rounds: int) -> None:
    drill(itertools.islice(itertools.cycle(BREAKS), rounds))


def drill(breaks) -> None:
    with Service(workers=4) as service:
        follow(service, breaks)


def follow(service: Service, breaks) -> None:
    workers = len(service.workers())
    with concurrent.futures.ThreadPoolExecutor(1) as breaker:
        client = Client(service)
        homes = people(service, FAMILIES)
        for one in homes:
            settle(client, one)
        followers = [Follower(service, one) for one in homes]
        logged: dict[str, set[str]] = {one.id: set() for one in homes}
        slowest: dict[str, float] = {}
        rounds = 0
        try:
            for rounds, kind in enumerate(breaks, 1):
                time.sleep(2)
                breaking = breaker.submit(break_something, service, kind, workers)
                for follower in followers:
                    event = log(client, follower.one)
                    logged[follower.one.id].add(event)
                    began = time.monotonic()
                    try:
                        until(WAIT + GRACE, "a change heard of", lambda: event in follower.seen, 0.01)
                    except AssertionError:
                        write_state(service, f"round {rounds}, {kind}: a change is not heard of")
                        raise
                    slowest[kind] = max(slowest.get(kind, 0), time.monotonic() - began)
                breaking.result()
        finally:
            for follower in followers:
                follower.ends = True
            for follower in followers:
                follower.thread.join()
        for follower in followers:
            assert logged[follower.one.id] <= follower.seen
            assert follower.longest < WAIT + GRACE, f"a request took {follower.longest:.1f} s"
        say(f"news: {rounds} breaks, {sum(map(len, logged.values()))} changes heard of, the slowest after "
            + ", ".join(f"{seconds:.2f} s ({kind})" for kind, seconds in slowest.items())
            + f"; {sum(follower.failed for follower in followers)} requests asked again")
