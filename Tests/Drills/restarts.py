"""Rolling restarts (SIGTERM to one worker after the other) while idle, busy, with slow bodies and with half-read requests.

Not one request may fail. Each round replaces every worker; the four kinds run beside each other, each with a service
of its own.
"""

import concurrent.futures
import os
import pathlib
import signal
import socket
import statistics
import threading
import time

from clients import Client, people, settle
from fastcgi import HalfRequest
from service import Service, say, until
from verify import verify
from writers import Writers

SHORT, FULL = 1, 100
WORKERS = 2


class Restarts:
    """Replaces the workers of a service, and keeps how long each needed to leave."""

    def __init__(self, service: Service):
        self.service, self.drains = service, []

    def all(self, end=lambda pid: os.kill(pid, signal.SIGTERM)) -> None:
        count = len(self.workers())
        for pid in self.workers():
            end(pid)
            started = time.monotonic()
            until(60, "the end of a worker", lambda: not pathlib.Path(f"/proc/{pid}").exists(), 0.01)
            self.drains.append(time.monotonic() - started)
            until(60, "the next worker", lambda: pid not in self.workers() and len(self.workers()) == count)

    def workers(self) -> list[int]:
        return self.service.workers()

    def report(self, kind: str, rounds: int, requests: int) -> None:
        say(f"restarts, {kind}: {rounds} rolling restarts ({len(self.drains)} workers), {requests} requests, 0 failed;"
            f" a worker left after {statistics.median(self.drains):.2f} s (median), {max(self.drains):.2f} s at most")


def idle(rounds: int) -> None:
    with Service(WORKERS) as service:
        restarts, clients = Restarts(service), [Client(service) for _ in range(20)]
        writer = people(service, 1)[0]
        requests = 0
        for _ in range(rounds):
            for client in clients:
                statuses = [client.request("GET", path, token=token)[0] for path, token in (("/health", ""), ("/api/v1/users/me", writer.token))]
                assert statuses[0] == 200 and statuses[1] in (200, 429), statuses
                requests += 2
            restarts.all()
        assert all(client.is_healthy() for client in clients)
        restarts.report("idle", rounds, requests)


def busy(rounds: int) -> None:
    with Service(WORKERS) as service, Writers(service) as writers:
        restarts = Restarts(service)
        for _ in range(rounds):
            writers.wait_for(20)
            restarts.all()
        writers.wait_for(20)
        writers.stop()
        assert not writers.journal.unknown, f"failed: {writers.journal.unknown}"
        restarts.report("busy", rounds, verify(writers)["acknowledged"])


def slow(rounds: int) -> None:
    """Bodies that trickle in to nginx for longer than a worker takes to leave."""
    over, statuses = threading.Event(), []
    with Service(WORKERS) as service:
        restarts, writers = Restarts(service), people(service, 16)
        client = Client(service)
        for one in writers:
            settle(client, one)

        def trickle(one) -> None:
            body = b'{"type":"wet","occurred_at":"2026-01-15T12:00:00Z","notes":"' + b"x" * 100 + b'"}'
            head = (f"POST /api/v1/children/{one.child}/diapers HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {one.token}\r\n"
                    f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n").encode()
            while not over.is_set():
                with socket.create_connection(("127.0.0.1", service.port), timeout=60) as plain:
                    with service.tls.wrap_socket(plain, server_hostname="127.0.0.1") as connection:
                        connection.sendall(head)
                        for at in range(0, len(body), 16):
                            connection.sendall(body[at : at + 16])
                            time.sleep(0.15)
                        statuses.append(connection.recv(65536)[9:12].decode())

        with concurrent.futures.ThreadPoolExecutor(len(writers)) as threads:
            running = [threads.submit(trickle, one) for one in writers]
            try:
                for _ in range(rounds):
                    restarts.all()
            finally:
                over.set()
            for thread in running:
                thread.result()
        assert set(statuses) == {"201"}, {status: statuses.count(status) for status in set(statuses)}
        restarts.report("slow bodies", rounds, len(statuses))


def reading(rounds: int) -> None:
    """The signal comes while bodies are half here."""
    requests = 0
    with Service(WORKERS) as service:
        restarts, writers = Restarts(service), people(service, 12)
        client = Client(service)
        for one in writers:
            settle(client, one)

        def end(pid: int) -> None:
            nonlocal requests
            halves = []

            def begin() -> bool:
                one = next((one for one in writers if one.may_send()), None)
                if one:
                    one.sent = time.monotonic()
                    body = {"content": f"{len(halves)}" * 2000, "occurred_at": "2026-01-15T12:00:00Z"}
                    halves.append((HalfRequest(service.values["WORKER_SOCKET"], f"/api/v1/children/{one.child}/notes", body, one.token), body))
                return len(halves) == 6

            until(60, "requests that are half here", begin)
            os.kill(pid, signal.SIGTERM)
            time.sleep(0.1)
            for half, body in halves:
                status, answer = half.finish()
                requests += 1
                assert status == 201 and answer["note"]["content"] == body["content"], f"{status} {answer}"

        for _ in range(rounds):
            restarts.all(end)
        restarts.report("half-read requests", rounds, requests)


def run(rounds: int) -> None:
    with concurrent.futures.ThreadPoolExecutor(4) as threads:
        kinds = [threads.submit(kind, rounds) for kind in (idle, busy, slow, reading)]
        for kind in kinds:
            kind.result()
