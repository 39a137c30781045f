"""Workers killed outright (kill -9) one after the other, under mixed writes."""

import os
import random
import signal
import time

from clients import Client
from service import Service, say, until
from verify import verify
from writers import Writers

SHORT, FULL = 6, 300


def run(rounds: int) -> None:
    with Service(workers=4) as service, Writers(service) as writers:
        writers.wait_for(50)
        started = time.monotonic()
        for number in range(rounds):
            victim = random.choice(until(60, "a living worker", service.workers))
            os.kill(victim, signal.SIGKILL)
            writers.wait_for(5)
            until(60, "the next worker", lambda: victim not in service.workers() and len(service.workers()) >= 2)
            if number % 50 == 49:
                say(f"{number + 1} kills, {writers.count} acknowledged")
        writers.wait_for(50)
        took = time.monotonic() - started
        writers.stop()
        found = verify(writers)
        until(60, "all workers", lambda: len(service.workers()) == 4)
        assert Client(service).is_healthy()
        # What a dead worker held is answered 502, and it holds at most one request of each client.
        most = rounds * len(writers.threads)
        assert found["unknown"] <= most, f"{found['unknown']} requests failed; the dead held {most} at most"
        say(f"worker-kills: {rounds} kills in {took:.0f} s, {found}")
