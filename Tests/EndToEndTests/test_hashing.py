"""Passwords are hashed on threads of their own, one password after the other."""

import os
import pathlib
import signal
import statistics
import threading
import time

from people import PASSWORD
from test_failures import until


def threads(pid: int, name: str) -> list[int]:
    tasks = pathlib.Path(f"/proc/{pid}/task")
    return [int(task.name) for task in tasks.iterdir() if (task / "comm").read_text().strip() == name]


def log_in(stack, email: str, password: str = PASSWORD) -> int:
    """From an address of its own."""
    with stack.client() as client:
        return client.post("/api/v1/auth/login", json={"email": email, "password": password}).status_code


class Logins:
    """Some at once; `statuses` when they are through."""

    def __init__(self, stack, emails: list[str], password: str = PASSWORD):
        self.statuses: list[int] = []

        def one(email: str) -> None:
            self.statuses.append(log_in(stack, email, password))

        self.threads = [threading.Thread(target=one, args=[email]) for email in emails]
        for thread in self.threads:
            thread.start()

    def join(self) -> list[int]:
        for thread in self.threads:
            thread.join()
        return self.statuses


def test_a_thread_of_each_worker_hashes_at_the_priority_that_is_configured(stack, person):
    """Tests keep all processors busy; deploy/test-systemd sees the usual one."""
    person("Johnny")
    configured = pathlib.Path(stack.values["WORKERS_ENVIRONMENT"]).read_text()
    priority = os.SCHED_OTHER if "HASH_PRIORITY=normal\n" in configured else os.SCHED_IDLE
    for worker in stack.workers():
        hashing = threads(worker, "password-hash")
        assert hashing
        assert {os.sched_getscheduler(thread) for thread in hashing} == {priority}
        others = {int(task.name) for task in pathlib.Path(f"/proc/{worker}/task").iterdir()} - set(hashing)
        assert {os.sched_getscheduler(thread) for thread in others} == {os.SCHED_OTHER}
        children = "".join(task.read_text() for task in pathlib.Path(f"/proc/{worker}/task").glob("*/children"))
        assert not children.split(), "no process of its own"


def test_a_flood_of_sign_ins_is_refused_or_answered_while_others_read(stack, person):
    johnny = person("Johnny")
    johnny.call("GET", "/families")

    def reading(count: int) -> float:
        """The median of so many answers, in seconds."""
        times = []
        for _ in range(count):
            start = time.monotonic()
            assert johnny.call("GET", "/families").status_code == 200
            times.append(time.monotonic() - start)
        return statistics.median(times)

    flood = Logins(stack, [f"nobody{number}@example.com" for number in range(60)])
    during = reading(30)
    assert set(flood.join()) <= {401, 503}
    assert during < 0.1, "a password takes longer"


def test_a_worker_that_is_told_to_stop_answers_the_sign_ins_that_it_has(stack, person):
    emails = [person(f"Guest{number}").email for number in range(6)]
    before = stack.workers()
    logins = Logins(stack, emails)
    time.sleep(0.3)
    os.kill(before[0], signal.SIGTERM)
    statuses = logins.join()
    until(60, lambda: before[0] not in (now := stack.workers()) and len(now) == len(before))
    assert statuses == [200] * 6
