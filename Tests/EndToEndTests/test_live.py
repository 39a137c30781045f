"""A feed that waits, as phones meet it: through nginx, from worker to worker, over restarts and broken connections."""

import os
import signal
import threading
import time

import pytest

from people import Person

AT_ONCE = 3  # seconds; what waits would wait far longer
EVENT = {"type": "wet", "occurred_at": "2026-01-01T08:00:00Z"}


class Waiting:
    """A request that waits, on a thread and a connection of its own."""

    def __init__(self, one: Person, family: str, since: int, seconds: int = 40):
        self.answer, self.took = None, 0.0
        self.http = one.stack.client()
        self.http.timeout = seconds + 15
        self.path = f"/api/v1/families/{family}/changes?since={since}&wait={seconds}"
        self.headers = {"Authorization": f"Bearer {one.token}"}
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self) -> None:
        began = time.monotonic()
        try:
            self.answer = self.http.get(self.path, headers=self.headers)
        finally:
            self.ended = time.monotonic()
            self.took = self.ended - began
            self.http.close()

    def end(self):
        self.thread.join()
        return self.answer


def position(one: Person, family: str) -> int:
    return one.ok("GET", f"/families/{family}/changes?limit=200")["next_since"]


@pytest.fixture
def home(person):
    """A family of two parents and a child: the parents, the family, the child."""
    johnny, sarah = person("Johnny"), person("Sarah")
    family = johnny.create_family()
    child = johnny.create_child(family)
    sarah.join(johnny.invite(family, "parent"))
    return johnny, sarah, family, child


def log(one: Person, child: str) -> str:
    return one.ok("POST", f"/children/{child}/diapers", EVENT, 201)["diaper"]["id"]


def test_a_change_reaches_whoever_waits_whichever_worker_has_it(home):
    johnny, sarah, family, child = home
    since = position(sarah, family)
    for _ in range(12):
        waiting = [Waiting(sarah, family, since) for _ in range(2)]
        time.sleep(0.2)
        event = log(johnny, child)
        logged = time.monotonic()
        for one in waiting:
            answer = one.end()
            assert answer.status_code == 200, answer.text
            assert [change["id"] for change in answer.json()["changes"]] == [event]
            assert one.ended - logged < AT_ONCE
        since = answer.json()["next_since"]


def test_an_empty_answer_comes_when_the_time_is_over(home):
    johnny, _, family, _ = home
    since = position(johnny, family)
    one = Waiting(johnny, family, since, seconds=2)
    assert one.end().json() == {"changes": [], "next_since": since, "has_more": False}
    assert 2 <= one.took < 10


def test_nginx_holds_the_longest_wait(home):
    johnny, _, family, _ = home
    one = Waiting(johnny, family, position(johnny, family), seconds=55)
    assert one.end().status_code == 200
    assert 55 <= one.took < 65


def test_fifty_devices_of_a_family(home, person):
    johnny, sarah, family, child = home
    people = [johnny, sarah] + [person(f"Aunt{number}") for number in range(5)]
    for one in people[2:]:
        one.join(johnny.invite(family, "caregiver"))
    since = position(johnny, family)
    devices = [Waiting(one, family, since) for one in people for _ in range(8)][:50]
    time.sleep(2)
    log(johnny, child)
    logged = time.monotonic()
    for device in devices:
        assert len(device.end().json()["changes"]) == 1
        assert device.ended - logged < AT_ONCE


def test_whoever_may_not_see_it_any_more_hears_so_at_once(home):
    johnny, sarah, family, _ = home
    waiting = Waiting(sarah, family, position(sarah, family))
    time.sleep(0.5)
    assert johnny.call("DELETE", f"/families/{family}/members/{sarah.id}").status_code == 204
    removed = time.monotonic()
    assert waiting.end().status_code == 403
    assert waiting.ended - removed < AT_ONCE

    waiting = Waiting(johnny, family, position(johnny, family))
    time.sleep(0.5)
    assert johnny.call("POST", "/auth/logout").status_code == 204
    ended = time.monotonic()
    assert waiting.end().status_code == 401
    assert waiting.ended - ended < AT_ONCE


def test_a_restart_costs_one_more_request(stack, home):
    johnny, sarah, family, child = home
    since = position(sarah, family)
    before = stack.workers()
    waiting = [Waiting(sarah, family, since) for _ in range(6)]
    time.sleep(1)
    for worker in before:
        os.kill(worker, signal.SIGTERM)
    stopped = time.monotonic()
    for one in waiting:
        answer = one.end()
        assert answer.status_code == 200, answer.text
        assert answer.json()["changes"] == [] and answer.json()["next_since"] == since
        assert one.ended - stopped < AT_ONCE
    event = log(johnny, child)
    assert [change["id"] for change in Waiting(sarah, family, since).end().json()["changes"]] == [event]
    deadline = time.monotonic() + 60
    while set(stack.workers()) & set(before) or len(stack.workers()) < len(before):
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_news_that_nobody_hears_are_not_lost(stack, home):
    johnny, sarah, family, child = home
    for _ in range(3):
        since = position(sarah, family)
        waiting = [Waiting(sarah, family, since) for _ in range(4)]
        time.sleep(0.5)
        stack.database("restart", "-m", "fast")
        deadline = time.monotonic() + 30
        while (answer := johnny.call("POST", f"/children/{child}/diapers", EVENT)).status_code != 201:
            assert answer.status_code == 503 and time.monotonic() < deadline
            time.sleep(0.1)
        logged = time.monotonic()
        for one in waiting:
            # Whoever was woken while the database was away hears that, and asks again.
            answer = one.end()
            assert answer.status_code in (200, 503), answer.text
            assert one.ended - logged < 20
            if answer.status_code == 503:
                answer = Waiting(sarah, family, since).end()
            assert len(answer.json()["changes"]) == 1
