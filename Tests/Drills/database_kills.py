"""PostgreSQL killed outright (kill -9) under mixed writes, and started again.

In turn: every process at once, the postmaster alone (its children notice), and one session's process, after which
PostgreSQL restarts itself. Nothing acknowledged may be missing, and the service comes back by itself.
"""

import os
import pathlib
import signal
import time

from clients import Client
from service import Service, say, until
from verify import verify
from writers import Writers

SHORT, FULL = 3, 50


def children(pid: int) -> list[int]:
    found = []
    for task in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
        found += [int(child) for child in task.read_text().split()]
    return found


def run(rounds: int) -> None:
    back: list[float] = []
    with Service() as service, Writers(service, threads=12, each=8) as writers:
        client = Client(service)
        workers = service.workers()
        for number in range(rounds):
            writers.wait_for(20)
            postmaster = int((service.data / "postmaster.pid").read_text().split()[0])
            kind = ("all", "postmaster", "session")[number % 3]
            if kind == "session":
                session = service.psql("select pid from pg_stat_activity where usename = 'babybasics' limit 1")
                killed = [int(session)]
            else:
                killed = [postmaster, *(children(postmaster) if kind == "all" else [])]
            for pid in killed:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            if kind != "session":
                until(60, "the postmaster's end", lambda: not pathlib.Path(f"/proc/{postmaster}").exists())
                until(60, "a start", lambda: started(service))
            until(60, "the database", lambda: service.psql("select 1", check=False) == "1")
            ready = time.monotonic()
            until(60, "the service", client.is_healthy, 0.01)
            writers.wait_for(1)
            back.append(time.monotonic() - ready)
            if number % 10 == 9:
                say(f"{number + 1} kills, {writers.count} acknowledged, back after {max(back):.2f} s at most")
        writers.wait_for(20)
        writers.stop()
        found = verify(writers)
        assert service.workers() == workers, "a worker ended"
        say(f"database-kills: {rounds} kills, {found}, writes back {sum(back) / len(back):.2f} s after the database"
            f" (mean; longest {max(back):.2f} s)")


def started(service: Service) -> bool:
    """PostgreSQL refuses to start while a process of the one before still lives."""
    try:
        service.start_database()
    except AssertionError as error:
        # Refused, or a server that found it out itself; the last lines of its log say which.
        if "could not start" not in str(error):
            raise
        return False
    return True
