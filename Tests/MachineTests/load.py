"""Families at their phones: reads and writes over kept HTTPS connections, each answer checked and each event noted.

As a program it is the load itself (JSON report out, ended by closing its standard input).
"""

import hashlib
import http.client
import json
import pathlib
import select
import subprocess
import sys
import threading
import time
import uuid

USERS, THREADS = 1000, 6  # 100 requests a minute are allowed to each user


def token(number: int) -> str:
    return hashlib.sha256(f"load {number}".encode()).hexdigest()


def identifier(kind: str, number: int) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"{kind} {number}"))


def make_families(machine) -> None:
    """Straight into the database: five registrations a minute would be all that the API allows."""
    users = ",".join(f"('{identifier('user', n)}', 'load{n}@example.com', 'Load {n}', 'x', 'UTC', '07:00')" for n in range(USERS))
    sessions = ",".join(
        f"('{identifier('session', n)}', '{identifier('user', n)}', '{hashlib.sha256(token(n).encode()).hexdigest()}', "
        "now(), now(), now() + interval '30 days')" for n in range(USERS))
    machine.sql(f"""
        insert into users (id, email, name, password_hash, timezone, day_start_time) values {users};
        insert into sessions (id, user_id, token_hash, created_at, last_used_at, expires_at) values {sessions};""")


class Load:
    """Runs while the `with` block does. `pause`: seconds, by one phone alone, between two rounds of requests."""

    def __init__(self, machine, pause: float = 0) -> None:
        self.machine, self.pause = machine, pause

    def __enter__(self) -> "Load":
        self.began = time.monotonic()
        self.process = subprocess.Popen(self.machine.beside("python3", __file__, str(self.pause)), stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        assert line == "running\n", line + self.process.stderr.read()
        return self

    def __exit__(self, kind, *_) -> None:
        out, errors = self.process.communicate(timeout=90)
        self.seconds = time.monotonic() - self.began
        assert self.process.returncode == 0, errors
        report = json.loads(out)
        self.requests, self.failures, self.slowest = report["requests"], report["failures"], report["slowest"]
        self.noted = report["noted"]
        if kind is None:
            kept = int(self.machine.sql(
                f"select count(*) from events where id = any('{{{','.join(self.noted)}}}'::uuid[])"))
            self.lost = len(self.noted) - kept

    def __str__(self) -> str:
        return (f"{self.requests} requests in {self.seconds:.0f} s, {len(self.failures)} failed, "
                f"{len(self.noted)} events noted and {self.lost} lost, slowest {self.slowest:.2f} s")


class Phone(threading.Thread):
    def __init__(self, number: int, stop: threading.Event, pause: float) -> None:
        super().__init__()
        self.stop, self.pause, self.mine = stop, pause, range(number, USERS, THREADS)
        self.source = f"127.0.1.{number + 1}"  # each with an address of its own, as phones have
        self.requests, self.slowest, self.failures, self.noted = 0, 0.0, [], []
        self.connection: http.client.HTTPSConnection | None = None

    def call(self, user: int, method: str, path: str, body: dict | None, wanted: tuple[int, ...]) -> dict:
        began = time.monotonic()
        try:
            if not self.connection:
                self.connection = http.client.HTTPSConnection(
                    "127.0.0.1", timeout=40, context=trusting(), source_address=(self.source, 0))
            headers = {"Authorization": f"Bearer {token(user)}"}
            if body is not None:
                headers["Content-Type"] = "application/json"
            self.connection.request(method, f"/api/v1{path}", json.dumps(body) if body is not None else None, headers)
            answer = self.connection.getresponse()
            text = answer.read()
            if answer.status not in wanted:
                self.failures.append(f"{method} {path}: {answer.status} {text[:300]!r} after {time.monotonic() - began:.1f} s")
                return {}
            return json.loads(text or b"{}")
        except (OSError, http.client.HTTPException) as error:
            self.failures.append(f"{method} {path}: {error!r} after {time.monotonic() - began:.1f} s")
            self.connection = None
            return {}
        finally:
            self.requests += 1
            self.slowest = max(self.slowest, time.monotonic() - began)

    def run(self) -> None:
        while not self.stop.is_set():
            for user in self.mine:
                if self.stop.is_set():
                    return
                self.day(user)

    def day(self, user: int) -> None:
        family, child = identifier("family", user), identifier("child", user)
        # Both are there from the second time on.
        self.call(user, "POST", "/families", {"id": family, "name": "Load"}, (200, 201))
        self.call(user, "POST", f"/families/{family}/children",
                  {"id": child, "name": "Baby", "date_of_birth": "2026-01-01"}, (200, 201))
        event = str(uuid.uuid4())
        feeding = {"id": event, "type": "bottle", "amount_ml": 90, "started_at": "2026-03-01T08:00:00Z"}
        if self.call(user, "POST", f"/children/{child}/feedings", feeding, (201,)):
            self.noted.append(event)
        self.call(user, "PATCH", f"/children/{child}/feedings/{event}", {"amount_ml": 120}, (200,))
        self.call(user, "GET", f"/children/{child}/feedings?limit=5", None, (200,))
        self.call(user, "GET", f"/children/{child}/dashboard?date=2026-03-01", None, (200,))
        diaper = str(uuid.uuid4())
        self.call(user, "POST", f"/children/{child}/diapers",
                  {"id": diaper, "type": "wet", "occurred_at": "2026-03-01T08:00:00Z"}, (201,))
        self.call(user, "DELETE", f"/children/{child}/diapers/{diaper}", None, (204,))
        self.stop.wait(self.pause)


def main(pause: float) -> None:
    stop = threading.Event()
    phones = [Phone(number, stop, pause or 0.1) for number in range(1 if pause else THREADS)]
    for phone in phones:
        phone.start()
    print("running", flush=True)
    select.select([sys.stdin], [], [])
    stop.set()
    for phone in phones:
        phone.join()
    print(json.dumps({
        "requests": sum(phone.requests for phone in phones), "slowest": max(phone.slowest for phone in phones),
        "failures": [failure for phone in phones for failure in phone.failures],
        "noted": [event for phone in phones for event in phone.noted]}))


if __name__ == "__main__":
    sys.path.insert(0, str(pathlib.Path(__file__).parent))
    from machine import trusting

    main(float(sys.argv[1]))
