"""The people of the tests: each with an address, an account and a session of their own."""

import re
import secrets
import time
from datetime import datetime, timedelta, timezone

import httpx

from copied_accounts import copy_account
from stack import Stack

PASSWORD = "correct horse battery"


class Person:
    def __init__(self, stack: Stack, name: str, password: str = PASSWORD, original: "Person | None" = None):
        """Registers, or gets a copy of an account that did."""
        self.stack, self.name, self.password = stack, name, password
        self.email = f"{re.sub(r'[^a-z0-9]', '', name.lower())[:20]}-{secrets.token_hex(6)}@example.com"
        self.http = stack.client()
        if original:
            self.password = original.password
            self.id, token = copy_account(stack.values["DATABASE_URL"], original.id, name, self.email)
            self.take(token)
            self.user = {**original.user, "id": self.id, "name": name, "email": self.email}
            return
        account = {"name": name, "email": self.email, "password": password}
        for _ in range(4):
            answer = self.http.post("/api/v1/auth/register", json=account)
            if answer.status_code != 503:
                break
            time.sleep(2)  # as clients do: passwords get what the processors have left, and tests leave little
        assert answer.status_code == 201, answer.text
        self.user = answer.json()["user"]
        self.id = self.user["id"]
        self.take(answer.json()["session"]["token"])

    def take(self, token: str) -> None:
        self.token = token
        self.http.headers["Authorization"] = f"Bearer {token}"

    def move(self) -> None:
        """To another address, where the limits by address start anew."""
        headers = self.http.headers
        self.http.close()
        self.http = self.stack.client()
        self.http.headers = headers

    def call(self, method: str, path: str, body: dict | None = None, **options) -> httpx.Response:
        return self.http.request(method, f"/api/v1{path}", json=body, **options)

    def ok(self, method: str, path: str, body: dict | None = None, status: int = 200) -> dict:
        answer = self.call(method, path, body)
        assert answer.status_code == status, f"{method} {path}: {answer.status_code} {answer.text}"
        return answer.json() if answer.content else {}

    def create_family(self, name: str | None = None) -> str:
        return self.ok("POST", "/families", {"name": name or f"{self.name}'s Family"}, 201)["family"]["id"]

    def create_child(self, family: str, name: str = "Baby Bretz") -> str:
        body = {"name": name, "date_of_birth": "2026-03-15"}
        return self.ok("POST", f"/families/{family}/children", body, 201)["child"]["id"]

    def invite(self, family: str, role: str) -> str:
        """The token of an open invitation."""
        invite = self.ok("POST", f"/families/{family}/invites", {"role": role}, 201)["invite"]
        base, _, token = invite["join_url"].rpartition("/join/")
        assert base == self.stack.base_url
        return token

    def accept(self, token: str) -> httpx.Response:
        return self.call("POST", "/invites/accept", {"token": token})

    def join(self, token: str) -> None:
        self.move()
        answer = self.accept(token)
        assert answer.status_code == 201, answer.text


def in_the_middle_of_the_day() -> dict:
    """What a person is told to be, so that the day began twelve hours ago whenever the test runs."""
    return {"timezone": "UTC", "day_start_time": f"{datetime.now(timezone.utc) - timedelta(hours=12):%H:00}"}


def ago(minutes: float) -> str:
    return (datetime.now(timezone.utc) - timedelta(minutes=minutes)).isoformat(timespec="milliseconds").replace("+00:00", "Z")
