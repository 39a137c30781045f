"""Mixed writes under way while things die, each acknowledgement in a journal, and what must then be in the database."""

import collections
import contextlib
import json
import pathlib
import random
import threading
import time
import uuid

from clients import Client, Person, people, settle
from service import Service

# What a client may be told while parts die: 502 and 504 by nginx, 503 by the workers. `None`: no answer.
UNKNOWN = {502, 503, 504, None}
# Writes of the same moment begin at whole multiples of it, in seconds.
BEAT = 0.1


def wait_for_beat() -> None:
    time.sleep(-time.monotonic() % BEAT)


# A family has 20 children at most, a person 50 families, and each has one of them from the beginning.
ENOUGH = {"child": 18, "family": 45}


class Journal:
    """One line for each acknowledgement, in a file: what the clients know."""

    def __init__(self, path: pathlib.Path):
        self.file = path.open("w")
        self.lock = threading.Lock()
        self.tried: dict[str, tuple[str, str, str]] = {}  # key: kind, child or user, value
        self.acknowledged: dict[str, tuple[float, str, str]] = {}
        self.unknown: list[tuple[float, int | None]] = []
        self.unexpected: list[str] = []
        self.names: dict[str, list[tuple[str, bool]]] = {}  # child: the names it was given, in order

    def trying(self, key: str, kind: str, owner: str, value: str) -> None:
        with self.lock:
            self.tried[key] = (kind, owner, value)

    def answered(self, key: str, kind: str, value: str, status: int | None, good: tuple[int, ...], answer: dict) -> bool:
        with self.lock:
            if status in good:
                self.acknowledged[key] = (time.monotonic(), kind, value)
                self.file.write(json.dumps([key, kind, value]) + "\n")
                self.file.flush()
                return True
            if status in UNKNOWN:
                self.unknown.append((time.monotonic(), status))
            else:
                self.unexpected.append(f"{kind}: {status} {answer}")
            return False


class Writers:
    """Threads that write until told to stop; each has its people, so that all it knows is in order."""

    def __init__(self, service: Service, threads: int = 8, each: int = 6, port: int | None = None,
                 database_port: int | None = None):
        self.service, self.port = service, port
        self.journal = Journal(service.state / "journal")
        self.over = threading.Event()
        self.made = collections.Counter()  # (person, kind): how often it was asked for
        # Held by a writer while it sends, so that whoever has all of them has quiet.
        self.sending = [threading.Lock() for _ in range(threads)]
        self.people = people(service, threads * each, database_port)
        client = Client(service, port)
        for one in self.people:
            settle(client, one)
        client.close()
        self.threads = [
            threading.Thread(target=self.write, args=(self.people[number::threads], number), daemon=True)
            for number in range(threads)
        ]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_) -> None:
        self.stop()

    def stop(self) -> None:
        self.over.set()
        for thread in self.threads:
            thread.join(120)
            assert not thread.is_alive(), "a client has been waiting for its answer for two minutes"

    @property
    def count(self) -> int:
        return len(self.journal.acknowledged)

    @contextlib.contextmanager
    def quiet(self):
        """Nothing is under way, and its outcome is known or will never be."""
        with contextlib.ExitStack() as all_of_them:
            for lock in self.sending:
                all_of_them.enter_context(lock)
            yield

    def wait_for(self, count: int, seconds: float = 120) -> None:
        """Until so many more writes have been acknowledged."""
        goal, deadline = self.count + count, time.monotonic() + seconds
        while self.count < goal:
            if time.monotonic() > deadline:
                raise AssertionError(f"no {count} writes within {seconds:.0f} s; {self.journal.unexpected[:3]}")
            time.sleep(0.02)

    def write(self, mine: list[Person], seed: int) -> None:
        random_source = random.Random(seed)
        client = Client(self.service, self.port)
        while not self.over.is_set():
            ready = [one for one in mine if one.may_send()]
            if not ready:
                time.sleep(0.02)
                continue
            one = random_source.choice(ready)
            kind = random_source.choice(("child", "feeding", "note", "together", "together", "together", "rename", "family", "batch"))
            if kind in ENOUGH and self.made[one.id, kind] >= ENOUGH[kind]:
                kind = "note"
            self.made[one.id, kind] += 1
            with self.sending[seed]:
                getattr(self, kind)(client, one, random_source)
        client.close()

    def send(self, client: Client, one: Person, method: str, path: str, body: dict, key: str, kind: str, value: str,
             good: tuple[int, ...], repeats: int) -> bool:
        """With `repeats`, sends the same again until the outcome is known, as the app does with an id of its own."""
        owner = one.id if kind == "family" else one.family if kind == "child" else one.child
        self.journal.trying(key, kind, owner, value)
        for attempt in range(repeats + 1):
            while not one.may_send() and not self.over.is_set():
                time.sleep(0.02)
            one.sent = time.monotonic()
            status, answer = client.request(method, f"/api/v1{path}", body, one.token)
            if status == 429:
                self.journal.tried.pop(key, None)
                time.sleep(1)
                return False
            if self.journal.answered(key, kind, value, status, good, answer):
                return True
            if self.over.is_set():
                return False
            time.sleep(0.05)
        return False

    def child(self, client, one, source):
        key = str(uuid.uuid4())
        body = {"id": key, "name": "Second", "date_of_birth": "2026-01-02"}
        repeats = source.choice((0, 20))
        self.send(client, one, "POST", f"/families/{one.family}/children", body, key, "child", "Second", (201, 200), repeats)

    def family(self, client, one, source):
        key = str(uuid.uuid4())
        self.send(client, one, "POST", "/families", {"id": key, "name": "More"}, key, "family", "More", (201, 200),
                  source.choice((0, 20)))

    def feeding(self, client, one, source):
        key = str(uuid.uuid4())
        body = {"id": key, "type": "bottle", "started_at": "2026-01-15T10:00:00Z", "amount_ml": 90}
        self.send(client, one, "POST", f"/children/{one.child}/feedings", body, key, "feeding", "90", (201, 200),
                  source.choice((0, 20)))

    def note(self, client, one, source):
        """Without an id: whoever sends it twice has it twice."""
        key = str(uuid.uuid4())
        body = {"content": key, "occurred_at": "2026-01-15T11:00:00Z"}
        self.send(client, one, "POST", f"/children/{one.child}/notes", body, key, "note", key, (201,), 0)

    def together(self, client, one, source):
        """A note at the same moment as others': the server makes one transaction of them."""
        wait_for_beat()
        self.note(client, one, source)

    def batch(self, client, one, source):
        key, other = str(uuid.uuid4()), str(uuid.uuid4())
        events = [
            {"type": "diaper", "event": {"id": key, "type": "wet", "occurred_at": "2026-01-15T12:00:00Z"}},
            {"type": "note", "event": {"id": other, "content": other, "occurred_at": "2026-01-15T12:00:00Z"}},
        ]
        self.send(client, one, "POST", f"/children/{one.child}/events", {"events": events}, key, "diaper", other, (201,),
                  source.choice((0, 20)))

    def rename(self, client, one, source):
        """Each name once: the audit log has it once if it was given once."""
        key = str(uuid.uuid4())
        good = self.send(client, one, "PATCH", f"/children/{one.child}", {"name": key}, key, "rename", key, (200,), 0)
        if key in self.journal.tried:
            self.journal.names.setdefault(one.child, []).append((key, good))
