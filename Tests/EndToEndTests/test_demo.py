"""What a newcomer sees first: the demo, which uses the service as an app would."""

import os
import re
import subprocess

import httpx


def demo(stack, *options: str) -> str:
    command = [os.environ["DEMO"], "--url", stack.address, "--ca", stack.values["CA_FILE"], *options]
    return subprocess.run(command, check=True, timeout=120, capture_output=True, text=True).stdout


def test_the_demo_fills_a_family_once(stack):
    seed = ["--seed", str(os.getpid())]
    tour = demo(stack, *seed)
    events = int(re.search(r"(\d+) events", tour)[1])
    assert events > 1_000
    again = demo(stack, *seed)
    email, password = re.search(r"^  (\S+@\S+) +(\S+) .*\(parent, owner\)$", again, re.M).groups()
    child = re.search(r"/children/([0-9a-f-]{36})/", again)[1]
    with stack.client() as client:
        login = client.post("/api/v1/auth/login", json={"email": email, "password": password})
        client.headers["Authorization"] = f"Bearer {login.json()['session']['token']}"
        # What went in with the first run, no less and no more after the second.
        assert count(client, child) == events
        board = client.get(f"/api/v1/children/{child}/dashboard").json()["dashboard"]
        assert all(day["feedings"] for day in board["week"][:-1])
        grandmother, password = re.search(r"^  (\S+@\S+) +(\S+) .*\(viewer: only looks\)$", again, re.M).groups()
        login = client.post("/api/v1/auth/login", json={"email": grandmother, "password": password})
        client.headers["Authorization"] = f"Bearer {login.json()['session']['token']}"
        assert count(client, child) == events
        note = {"content": "Hello", "occurred_at": "2026-01-01T12:00:00Z"}
        refused = client.post(f"/api/v1/children/{child}/notes", json=note)
        assert (refused.status_code, refused.json()["error"]["message"]) == (403, "Viewers can only look")


def count(client: httpx.Client, child: str) -> int:
    total, cursor = 0, ""
    while cursor is not None:
        page = client.get(f"/api/v1/children/{child}/timeline?limit=200" + (cursor and f"&cursor={cursor}")).json()
        total, cursor = total + page["count"], page["next_cursor"]
    return total
