"""Requests that wait for changes, while what brings them breaks: listening connections, workers, PostgreSQL.

Every change is heard of by whoever follows, once asked again, and nobody waits longer than they said.
"""

import os
import random
import signal
import threading
import time
import uuid

from clients import Client, people, settle
from service import Service, say, until

SHORT, FULL = 4, 60
WAIT = 15
# For nginx, a crowded machine, and a database that starts.
GRACE = 15
FAMILIES = 6


class Follower:
    """A phone that follows its family by waiting."""

    def __init__(self, service: Service, one):
        self.one, self.client = one, Client(service, timeout=WAIT + GRACE + 30)
        self.seen: set[str] = set()
        self.since, self.longest, self.failed, self.ends = 0, 0.0, 0, False
        self.thread = threading.Thread(target=self.follow)
        self.thread.start()

    def follow(self) -> None:
        while not self.ends:
            path = f"/api/v1/families/{self.one.family}/changes?since={self.since}&wait={WAIT}&limit=200"
            began = time.monotonic()
            status, answer = self.client.request("GET", path, token=self.one.token)
            self.longest = max(self.longest, time.monotonic() - began)
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


def break_something(service: Service, number: int) -> str:
    kind = ("listening", "kill", "drain", "database")[number % 4]
    if kind == "listening":
        service.psql("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'babybasics'"
                     " and (query ilike 'listen%' or query like '%pg_notify%' or query like '%last_revision from feeds%'"
                     " or query like 'update installation%')")
    elif kind == "database":
        service.control("restart", "-m", random.choice(("fast", "immediate")))
    else:
        victim = random.choice(until(60, "a living worker", service.workers))
        os.kill(victim, signal.SIGKILL if kind == "kill" else signal.SIGTERM)
        until(60, "the next worker", lambda: victim not in service.workers() and len(service.workers()) >= 3)
    return kind


def run(rounds: int) -> None:
    with Service(workers=4) as service:
        client = Client(service)
        homes = people(service, FAMILIES)
        for one in homes:
            settle(client, one)
        followers = [Follower(service, one) for one in homes]
        logged: dict[str, set[str]] = {one.id: set() for one in homes}
        slowest = 0.0
        try:
            for number in range(rounds):
                time.sleep(2)
                breaker = threading.Thread(target=break_something, args=(service, number))
                breaker.start()
                for follower in followers:
                    event = log(client, follower.one)
                    logged[follower.one.id].add(event)
                    began = time.monotonic()
                    until(WAIT + GRACE, "a change heard of", lambda: event in follower.seen, 0.01)
                    slowest = max(slowest, time.monotonic() - began)
                breaker.join()
        finally:
            for follower in followers:
                follower.ends = True
            for follower in followers:
                follower.thread.join()
        for follower in followers:
            assert logged[follower.one.id] <= follower.seen
            assert follower.longest < WAIT + GRACE, f"a request took {follower.longest:.1f} s"
        say(f"news: {rounds} breaks, {sum(map(len, logged.values()))} changes heard of, the slowest after {slowest:.2f} s,"
            f" {sum(follower.failed for follower in followers)} requests asked again")
