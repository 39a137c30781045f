"""Phones of a drill that breaks things: some open the app, some wait for what the other parent logs."""

import collections
import random
import threading
import time
import uuid

from clients import Client, people, settle
from service import Service

WAIT = 20
# A wait that ends empty so long after somebody logged something was not woken.
SLACK = 2.0
# The reads of a phone's day, as deploy/benchmark/load.lua has them.
DAY = {
    "families/{family}/changes?since=0&limit=20": 60, "children/{child}/dashboard": 4, "children/{child}/timeline?limit=50": 4,
    "children": 3,
}


class Phones:
    """`families` of two phones each, and `readers` beside them."""

    def __init__(self, service: Service, families: int = 5, readers: int = 4):
        self.over, self.lock = threading.Event(), threading.Lock()
        homes = people(service, families + readers)
        client = Client(service)
        for one in homes:
            settle(client, one)
        client.close()
        self.families = [Family(service, one, self.over) for one in homes[:families]]
        self.reads: list[tuple[float, int | None, float]] = []  # when asked, the answer, after how long
        self.threads = [threading.Thread(target=self.read, args=(service, one), daemon=True) for one in homes[families:]]
        self.threads += [
            threading.Thread(target=work, daemon=True) for family in self.families for work in (family.log, family.wait)]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_) -> None:
        self.over.set()
        for thread in self.threads:
            thread.join(120)

    def read(self, service: Service, one) -> None:
        client = Client(service)
        while not self.over.wait(random.uniform(0.7, 1.0)):
            path = random.choices(list(DAY), list(DAY.values()))[0].format(family=one.family, child=one.child)
            began = time.monotonic()
            status, _ = client.request("GET", f"/api/v1/{path}", token=one.token)
            with self.lock:
                self.reads.append((began, status, time.monotonic() - began))
        client.close()

    def failed_reads(self, began: float) -> int:
        with self.lock:
            return sum(status != 200 for at, status, _ in self.reads if at >= began)

    def count(self, began: float) -> dict[str, float]:
        """Of what was logged since: changes heard of, the longest way of one, waits that were not woken, changes unheard of."""
        heard, slowest, unwoken = 0, 0.0, 0
        for family in self.families:
            with family.lock:
                ways = [family.seen[event] - at for event, at in family.logged.items() if at >= began and event in family.seen]
                unwoken += sum(at >= began for at in family.unwoken)
            heard, slowest = heard + len(ways), max([slowest, *ways])
        return {"heard": heard, "slowest": slowest, "unwoken": unwoken}

    def unheard(self) -> int:
        return sum(len(family.logged.keys() - family.seen.keys()) for family in self.families)


class Family:
    """One phone logs now and then, the other waits for it."""

    def __init__(self, service: Service, one, over: threading.Event):
        self.service, self.one, self.over = service, one, over
        self.lock = threading.Lock()
        self.logged: dict[str, float] = {}  # when it was acknowledged
        self.seen: dict[str, float] = {}
        self.unwoken: list[float] = []
        self.failed: collections.Counter = collections.Counter()

    def log(self) -> None:
        client = Client(self.service)
        while not self.over.wait(random.uniform(1, 6)):
            event = str(uuid.uuid4())
            body = {"id": event, "type": "wet", "occurred_at": "2026-01-01T08:00:00Z"}
            while not self.over.is_set():
                status, answer = client.request("POST", f"/api/v1/children/{self.one.child}/diapers", body, self.one.token)
                if status in (200, 201):
                    with self.lock:
                        self.logged[event] = time.monotonic()
                    break
                assert status in (None, 429, 502, 503, 504), f"{status} {answer}"
                self.over.wait(1)
        client.close()

    def wait(self) -> None:
        client, since = Client(self.service, timeout=WAIT + 15), 0
        while not self.over.is_set():
            path = f"/api/v1/families/{self.one.family}/changes?since={since}&wait={WAIT}&limit=200"
            status, answer = client.request("GET", path, token=self.one.token)
            now = time.monotonic()
            if status != 200:
                assert status in (None, 429, 502, 503, 504), f"{status} {answer}"
                self.failed[status] += 1
                self.over.wait(1)
                continue
            since = answer["next_since"]
            with self.lock:
                for change in answer["changes"]:
                    self.seen.setdefault(change["id"], now)
                if not answer["changes"] and any(
                        at < now - SLACK for event, at in self.logged.items() if event not in self.seen):
                    self.unwoken.append(now)
        client.close()
