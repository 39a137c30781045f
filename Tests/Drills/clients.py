"""Clients of the drills: one kept HTTPS connection each, and people who need no bcrypt."""

import hashlib
import http.client
import itertools
import json
import random
import secrets
import time
import uuid

from service import Service

# The contract's limit is 100 requests a minute for each person: seconds from one to the next.
PACE = 60 / 90


class Client:
    """Sends one request after the other. `None` for an answer that did not arrive."""

    addresses = (f"127.{a}.{b}.{c}" for a, b, c in itertools.product(range(1, 255), range(255), range(1, 255)))

    def __init__(self, service: Service, port: int | None = None, timeout: float | None = None, doors: list | None = None):
        self.service, self.timeout = service, timeout or service.patience
        self.doors = doors or ([("127.0.0.1", port)] if port else service.doors)
        self.door = random.randrange(len(self.doors))
        self.source = next(self.addresses)
        self.connection: http.client.HTTPSConnection | None = None

    def request(self, method: str, path: str, body: dict | None = None, token: str = "") -> tuple[int | None, dict]:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        content = None
        if body is not None:
            content, headers["Content-Type"] = json.dumps(body), "application/json"
        try:
            if not self.connection:
                host, port = self.doors[self.door % len(self.doors)]
                source = (self.source, 0) if host == "127.0.0.1" else None
                self.connection = http.client.HTTPSConnection(
                    host, port, timeout=self.timeout, context=self.service.tls, source_address=source)
            self.connection.request(method, path, content, headers)
            answer = self.connection.getresponse()
            text = answer.read()
            if answer.will_close:
                self.close()
            self.headers = answer.headers
            try:
                return answer.status, json.loads(text) if text else {}
            except ValueError:
                return answer.status, {}
        except (OSError, http.client.HTTPException):
            self.close()
            self.door += 1  # as a phone does whose name has several addresses
            return None, {}

    def close(self) -> None:
        if self.connection:
            self.connection.close()
        self.connection = None

    def is_healthy(self) -> bool:
        return self.request("GET", "/health")[0] == 200


class Person:
    """A user with a session, who stays below the limit of requests."""

    def __init__(self):
        self.id, self.token = str(uuid.uuid4()), secrets.token_hex(32)
        self.family = self.child = ""
        self.sent = 0.0

    def may_send(self) -> bool:
        return time.monotonic() > self.sent + PACE


def people(service: Service, count: int, port: int | None = None) -> list[Person]:
    """Registered people, each with a family and a child: put into the database, as bcrypt would take a minute."""
    made = [Person() for _ in range(count)]
    rows = []
    for number, one in enumerate(made):
        rows.append(f"insert into users (id, email, name, password_hash) values ('{one.id}', '{one.id}@example.com', 'Writer {number}', '*');")
    service.psql("".join(rows), port)
    for one in made:
        sign_in(service, one, port)
    return made


def sign_in(service: Service, one: Person, port: int | None = None) -> None:
    digest = hashlib.sha256(one.token.encode()).hexdigest()
    service.psql(f"insert into sessions (user_id, token_hash, expires_at) values ('{one.id}', '{digest}', now() + interval '1 day')", port)


def settle(client: Client, one: Person) -> None:
    """Gives a person a family and a child, through the API."""
    def made(path: str, body: dict, kind: str) -> str:
        status, answer = client.request("POST", path, body, one.token)
        assert status == 201, f"{path}: {status} {answer}"
        return answer[kind]["id"]

    one.family = made("/api/v1/families", {"name": "Drill"}, "family")
    one.child = made(f"/api/v1/families/{one.family}/children", {"name": "Baby", "date_of_birth": "2026-01-01"}, "child")
