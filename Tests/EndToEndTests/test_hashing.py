"""Passwords are hashed on threads that have a processor when nobody else wants it, one password after the other."""

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


def test_a_thread_of_each_worker_hashes_when_the_processor_is_idle(stack, person):
    person("Johnny")
    for worker in stack.workers():
        hashing = threads(worker, "password-hash")
        assert hashing
        assert {os.sched_getscheduler(thread) for thread in hashing} == {os.SCHED_IDLE}
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
    # Those that get no processor for long are refused, told to stop or not: then it is tried again.
    for _ in range(3):
        before = stack.workers()
        logins = Logins(stack, emails)
        time.sleep(0.3)
        os.kill(before[0], signal.SIGTERM)
        statuses = logins.join()
        until(60, lambda: before[0] not in (now := stack.workers()) and len(now) == len(before))
        if statuses == [200] * 6:
            return
        assert set(statuses) <= {200, 503}
    raise AssertionError(f"none of three times: {statuses}")
