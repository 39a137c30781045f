"""The people in whose name schemathesis sends, and the addresses that it sends from."""

import datetime
import itertools
import os
import random
import secrets
import uuid

import requests
import urllib3.connection

from copied_accounts import copy_account

BASE_URL = os.environ["SCHEMATHESIS_BASE_URL"]
CA_FILE = os.environ["CA_FILE"]
PASSWORD = "correct horse battery"
COOKIE = "__Host-session"
# Of 100 a minute. What a person has made is still asked for in that person's name; checks send some of their own.
REQUESTS_A_PERSON, REQUESTS_OF_ITS_OWNER = 50, 85

# --- Addresses: a new one for each connection, and a new connection for each request that is counted by address ------

start = random.randrange(1, 200)
# The other tests have the lower half of each.
addresses = (f"127.{a}.{b}.{c}" for a, b, c in itertools.product(range(start, 255), range(128, 255), range(1, 255)))
plain_connect = urllib3.connection.HTTPSConnection.connect


def connect_from_elsewhere(self):
    self.source_address = (next(addresses), 0)
    plain_connect(self)


urllib3.connection.HTTPSConnection.connect = connect_from_elsewhere


def plural(kind: str) -> str:
    return kind.removesuffix("y") + "ies" if kind.endswith("y") else kind + "s"


class Person:
    def __init__(self, token: str, user: str, has_cookie: bool):
        self.token, self.user, self.has_cookie = token, user, has_cookie
        self.requests, self.gone = 0, False
        self.session = requests.Session()
        self.session.headers = {"Authorization": f"Bearer {token}"}
        self.session.verify = CA_FILE
        family = self.make("/families", {"name": "Family"}, "family")
        child = self.make(f"/families/{family}/children", {"name": "Baby", "date_of_birth": "2026-03-15"}, "child")
        now = datetime.datetime.now(datetime.UTC).isoformat()
        self.things = {"familyId": family, "childId": child}
        events = {
            "feeding": {"type": "breast", "side": "left", "started_at": now, "ended_at": now},
            "diaper": {"type": "wet", "occurred_at": now},
            "sleep": {"started_at": now, "ended_at": now},
            "note": {"content": "First smile", "occurred_at": now},
            "pumping": {"started_at": now, "ended_at": now, "amount_ml": 90},
            "measurement": {"occurred_at": now, "weight_g": 4350, "length_cm": 54.5, "head_cm": 37.2},
            "temperature": {"occurred_at": now, "celsius": 37.8},
            "medication": {"occurred_at": now, "name": "Vitamin D", "dose": "1 drop"},
            "activity": {"started_at": now, "ended_at": now, "name": "Bath"},
            "discard": {"occurred_at": now, "amount_ml": 60},
        }
        self.things |= {kind: str(uuid.uuid4()) for kind in events}
        self.post(f"/children/{child}/events", {"events": [{"type": kind, "event": event | {"id": self.things[kind]}} for kind, event in events.items()]})
        plan = {"name": "Vitamin D", "times": ["08:00"], "starts_on": "2026-03-15"}
        self.things["planId"] = self.make(f"/children/{child}/plans", plan, "plan")
        reminder = {"child_id": child, "on": "feeding", "after_minutes": 180}
        self.things["reminderId"] = self.make("/users/me/reminders", reminder, "reminder")
        browser = {
            "type": "web_push", "endpoint": f"https://fcm.googleapis.com/wp/{secrets.token_hex(16)}",
            "keys": {"p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
                     "auth": "BTBZMqHH6r4Tts7J_aSIgg"},
        }
        self.things["deviceId"] = self.make("/users/me/devices", browser, "device")
        token = {"name": "Home Assistant", "family_id": family, "scope": "log"}
        self.things["tokenId"] = self.make("/users/me/tokens", token, "token")
        webhook = {"url": "https://receiver.example/babybasics", "kinds": ["measurement"]}
        self.things["webhookId"] = self.make(f"/families/{family}/webhooks", webhook, "webhook")

    def make(self, path: str, body: dict, name: str) -> str:
        return self.post(path, body)[name]["id"]

    def post(self, path: str, body: dict) -> dict:
        answer = self.session.post(f"{BASE_URL}/api/v1{path}", json=body, timeout=30)
        assert answer.status_code == 201, answer.text
        self.requests += 1
        return answer.json()

    def can_go_on(self, most: int = REQUESTS_A_PERSON) -> bool:
        return not self.gone and self.requests < most


class People:
    """Everybody so far, by session token, and the one whose turn it is."""

    def __init__(self):
        self.by_token: dict[str, Person] = {}
        self.current: Person | None = None
        self.original: str | None = None  # whose account is copied

    def add(self, user: str, token: str) -> Person:
        self.current = Person(token, user, len(self.by_token) % 2 == 1)
        self.by_token[self.current.token] = self.current
        return self.current

    def somebody(self) -> Person:
        if self.current and self.current.can_go_on():
            return self.current
        if not self.original:
            account = {"name": "Johnny", "email": f"{secrets.token_hex(8)}@example.com", "password": PASSWORD}
            answer = requests.post(f"{BASE_URL}/api/v1/auth/register", verify=CA_FILE, timeout=30, headers={"Connection": "close"}, json=account)
            assert answer.status_code == 201, answer.text
            self.original = answer.json()["user"]["id"]
        user, token = copy_account(os.environ["DATABASE_URL"], self.original, "Johnny", f"{secrets.token_hex(8)}@example.com")
        return self.add(user, token)
