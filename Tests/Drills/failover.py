"""The primary killed, or frozen (SIGSTOP), under writes; its synchronous standby promoted; in turn.

Every write that was acknowledged is on the new primary, and the workers find it by themselves. The frozen one is
woken after that: nothing it is told to commit is acknowledged.
"""

import concurrent.futures
import os
import signal
import time

from clients import Client
from pair import Node, pair, url
from hosts import Hosts
from service import Service, say, until
from verify import verify
from writers import Writers

SHORT, FULL = 2, 20


def run(rounds: int) -> None:
    killed: list[float] = []
    frozen: list[float] = []
    refused = 0
    with Service(workers=1) as service:
        primary, standby = pair(service)
        try:
            with Hosts(service, url(primary, standby)) as hosts:
                with Writers(service, threads=6, each=4, port=hosts.port) as writers:
                    for number in range(rounds):
                        writers.wait_for(30)
                        # Either node is killed and frozen in its turn; the first of the URL is frozen first.
                        freeze = number % 4 in (0, 3)
                        went = time.monotonic()
                        if freeze:
                            primary.signal(signal.SIGSTOP)
                            # Long enough that requests are under way, and wait.
                            time.sleep(2)
                        else:
                            primary.kill()
                        standby.promote()
                        writers.wait_for(1)
                        (frozen if freeze else killed).append(time.monotonic() - went)
                        if freeze:
                            primary.signal(signal.SIGCONT)
                            refused += woken(service, primary, writers, hosts)
                            primary.kill()
                        primary, standby = standby, primary
                        standby.copy_of(primary)
                        if number % 5 == 4:
                            say(f"{number + 1} failovers, {writers.count} acknowledged")
                    writers.wait_for(30)
                    writers.stop()
                    found = verify(writers, primary.port)
                    assert primary.sql("select generation from installation") == "0", "a standby that takes over is no copy"
            say(f"failover: {rounds} failovers, {found}; first write after a kill and promotion: {longest(killed)};"
                f" after a freeze: {longest(frozen)}; {refused} writes refused by primaries that woke up")
        finally:
            for node in (primary, standby):
                if (node.data / "postmaster.pid").exists():
                    node.kill()


def longest(times: list[float]) -> str:
    return f"{sum(times) / len(times):.1f} s (longest {max(times):.1f} s)" if times else "none"


def woken(service: Service, old: Node, writers: Writers, hosts: Hosts) -> int:
    """A primary that comes back from a freeze acknowledges nothing, and workers that begin anew leave it by themselves."""
    until(60, "the old primary", lambda: old.sql("select 1", check=False) == "1")
    assert old.sql("select pg_is_in_recovery()") == "f", "the old primary does not think that it is one"
    with Hosts(service, url(old), workers=1) as lost:
        one = writers.people[0]
        bodies = {"/families": {"name": "Lost"},
                  f"/families/{one.family}/children": {"name": "Lost", "date_of_birth": "2026-01-02"}}
        with concurrent.futures.ThreadPoolExecutor(2) as threads:
            statuses = list(threads.map(
                lambda path: Client(service, lost.port).request("POST", f"/api/v1{path}", bodies[path], one.token)[0], bodies))
        assert set(statuses) == {503}, f"a primary that was replaced acknowledged a write: {statuses}"
    # These know nothing of the new primary, and the old one, which believes to be it, may be the first in their URL.
    for pid in hosts.workers():
        os.kill(pid, signal.SIGKILL)
    until(60, "new workers", lambda: len(hosts.workers()) == 2)
    writers.wait_for(100)
    return len(statuses)
