"""Passwords are hashed by processes of their own: what those are, and that nobody notices when one dies."""

import os
import pathlib
import signal
import threading

import pytest

from people import PASSWORD
from test_failures import until

POLICY, LOWEST_WEIGHT = os.SCHED_BATCH, "nice 19"


def fields(pid: int) -> list[str]:
    """Of /proc/PID/stat from the third on: state, parent …; nothing where there is no such process."""
    try:
        line = pathlib.Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return []
    return line[line.rindex(")") + 2 :].split()


def children(pid: int) -> list[int]:
    processes = [int(path.name) for path in pathlib.Path("/proc").glob("[0-9]*")]
    return [one for one in processes if fields(one)[1:2] == [str(pid)]]


def hashers(stack) -> list[int]:
    """Those that are alive."""
    return [one for worker in stack.workers() for one in children(worker) if fields(one)[:1] != ["Z"]]


def log_in(stack, person) -> int:
    """From an address of its own."""
    with stack.client() as client:
        answer = client.post("/api/v1/auth/login", json={"email": person.email, "password": PASSWORD})
    return answer.status_code


class Logins:
    """Some at once; `statuses` when they are through."""

    def __init__(self, stack, person, count: int):
        self.statuses: list[int] = []
        people = [person(f"Guest{number}") for number in range(count)]
        self.threads = [
            threading.Thread(target=lambda one=one: self.statuses.append(log_in(stack, one))) for one in people
        ]

    def start(self) -> None:
        for thread in self.threads:
            thread.start()

    def join(self) -> None:
        for thread in self.threads:
            thread.join()


def at_work(stack) -> int:
    """One that is in the middle of a password."""
    return until(20, lambda: next((one for one in hashers(stack) if fields(one)[:1] == ["R"]), 0), 0.005)


def gone(*pids: int) -> bool:
    return not any(fields(pid) for pid in pids)


def test_it_is_a_session_of_its_own_behind_all_others(stack, person):
    johnny = person("Johnny")
    found = hashers(stack)
    assert 1 <= len(found) <= len(stack.workers()), "HASHERS is 1"
    for pid in found:
        place = pathlib.Path(f"/proc/{pid}")
        assert os.sched_getscheduler(pid) == POLICY
        assert os.getsid(pid) == pid
        weight = place / "autogroup"
        # The kernel changes that of one session in 100 ms, so it may take another password or two.
        if weight.exists():
            until(20, lambda: LOWEST_WEIGHT in weight.read_text() or not log_in(stack, johnny))
        assert (place / "cmdline").read_bytes() == b"babybasics\0hash\0"
        assert (place / "environ").read_bytes() == b""
        assert (place / "comm").read_text() == "babybasics-hash\n"
        # Neither its worker's connections nor the socket that all workers accept on.
        assert sorted(os.listdir(place / "fd")) == ["0", "1", "2"]
        assert len(list((place / "task").iterdir())) == 1
    # The workers themselves push nobody off a processor, but have the weight of anybody.
    tasks = [int(task.name) for worker in stack.workers() for task in pathlib.Path(f"/proc/{worker}/task").iterdir()]
    assert {os.sched_getscheduler(task) for task in tasks} == {os.SCHED_BATCH}
    assert {os.getpriority(os.PRIO_PROCESS, task) for task in tasks} == {0}


def test_one_that_is_killed_is_missed_by_nobody(stack, person):
    johnny = person("Johnny")
    before = hashers(stack)
    for pid in before:
        os.kill(pid, signal.SIGKILL)
    assert log_in(stack, johnny) == 200
    assert set(hashers(stack)) - set(before), "there is another"
    logins = Logins(stack, person, 4)
    logins.start()
    victim = at_work(stack)
    os.kill(victim, signal.SIGKILL)
    logins.join()
    assert logins.statuses == [200] * 4
    assert victim not in hashers(stack)


def test_a_worker_that_is_told_to_stop_answers_the_logins_that_it_has(stack, person):
    """So does who works for it, though the signal goes to both, as from somebody who stops a whole group."""
    before = stack.workers()
    logins = Logins(stack, person, 6)
    logins.start()
    victim = at_work(stack)
    worker = int(fields(victim)[1])
    for pid in (worker, victim):
        os.kill(pid, signal.SIGTERM)
    logins.join()
    assert logins.statuses == [200] * 6
    until(30, lambda: gone(worker))
    assert gone(victim), "before its worker"
    until(10, lambda: len(now := stack.workers()) == len(before) and worker not in now)


@pytest.mark.parametrize("busy", [True, False])
def test_none_outlives_a_killed_worker(stack, person, busy):
    before = stack.workers()
    logins = Logins(stack, person, 4 if busy else 0)
    johnny = person("Johnny")
    logins.start()
    victim = at_work(stack) if busy else hashers(stack)[0]
    worker = int(fields(victim)[1])
    os.kill(worker, signal.SIGKILL)
    until(10, lambda: gone(victim))
    logins.join()
    assert set(logins.statuses) <= {200, 502}
    until(10, lambda: len(now := stack.workers()) == len(before) and worker not in now)
    assert log_in(stack, johnny) == 200
