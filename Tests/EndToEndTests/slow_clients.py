"""What clients that are in no hurry cost the others. Thousands of connections that send their headers or their bodies
byte by byte, or don't read what they asked for, beside people with ordinary requests.

    STATE_DIR=… python Tests/EndToEndTests/slow_clients.py [CONNECTIONS [ROUNDS]]

on a running deploy/run: 5,000 connections and 3 rounds unless told otherwise. A round measures people alone, then
beside the slow clients. It ends with 0 if the median p99 beside them is under twice the median p99 alone.

The slow clients are a process of their own at the lowest priority: elsewhere they would have a machine of their own.
"""

import asyncio
import contextlib
import itertools
import json
import multiprocessing
import os
import resource
import socket
import ssl
import sys
import time

PAUSE = 4.0  # seconds from one byte to the next
HEAD = b"POST /api/v1/families HTTP/1.1\r\nHost: localhost\r\n"
PIECE = b"GET /assets/join.js HTTP/1.1\r\nHost: localhost\r\n\r\n"


class SlowClients:
    """Runs in a process of its own; `state` says how many are connected and how often nginx hung up."""

    def __init__(self, port: int, authority: str, connections: int, hoard: tuple[str, str] | None, state):
        self.port, self.connections, self.hoard, self.state = port, connections, hoard, state
        self.tls = ssl.create_default_context(cafile=authority)
        self.doors = asyncio.Semaphore(50)  # handshakes at a time

    def run(self) -> None:
        os.nice(19)
        with contextlib.suppress(asyncio.CancelledError, KeyboardInterrupt):
            asyncio.run(self.all())

    async def all(self) -> None:
        kinds = [self.headers, self.body, self.reader]
        async with asyncio.TaskGroup() as group:
            for number in range(self.connections):
                group.create_task(self.forever(number, kinds[number % 3]))

    async def forever(self, number: int, kind) -> None:
        source = f"127.201.{number // 250 % 250}.{number % 250 + 1}"
        while True:
            connection = socket.socket()
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.setblocking(False)
            connected = False
            try:
                async with self.doors:
                    connection.bind((source, 0))
                    await asyncio.wait_for(
                        asyncio.get_running_loop().sock_connect(connection, ("127.0.0.1", self.port)), 30
                    )
                    reader, writer = await asyncio.open_connection(
                        sock=connection, ssl=self.tls, server_hostname="127.0.0.1", limit=512
                    )
                connected = True
                self.state[0] += 1
                await kind(number // 3, reader, writer)
            except (OSError, ssl.SSLError, TimeoutError):
                pass
            finally:
                if connected:
                    self.state[0] -= 1
                    self.state[1] += 1
                connection.close()
            await asyncio.sleep(0.5)

    async def drip(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, drops) -> None:
        """Until the other side has had enough."""
        for drop in drops:
            if reader.at_eof() or reader._buffer:
                return
            writer.write(drop)
            await writer.drain()
            await asyncio.sleep(PAUSE)

    async def headers(self, _, reader, writer) -> None:
        await self.drip(reader, writer, itertools.chain([HEAD], itertools.repeat(b"X-A: b\r\n")))

    async def body(self, _, reader, writer) -> None:
        head = HEAD + b"Content-Type: application/json\r\nContent-Length: 60000\r\n\r\n"
        await self.drip(reader, writer, itertools.chain([head], itertools.repeat(b" ")))

    async def reader(self, number, reader, writer) -> None:
        if self.hoard and number < 90:
            path, token = self.hoard
            writer.write(
                f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\r\n".encode()
            )
        else:
            writer.write(PIECE * 600)
        while await reader.read(64):
            await asyncio.sleep(PAUSE)


@contextlib.contextmanager
def slow_clients(stack, connections: int, hoard: tuple[str, str] | None = None):
    """Gives back a function that tells how many are connected, and how often nginx hung up."""
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit[1], limit[1]))
    state = multiprocessing.Array("i", [0, 0], lock=False)
    clients = SlowClients(stack.port, stack.values["CA_FILE"], connections, hoard, state)
    process = multiprocessing.get_context("fork").Process(target=clients.run, daemon=True)
    process.start()
    try:
        yield lambda: tuple(state)
    finally:
        process.kill()
        process.join(10)


def make_hoard(johnny) -> tuple[str, str]:
    """A page of the longest notes there can be, 5.7 MB: its path and the token to read it."""
    child = johnny.create_child(johnny.create_family())
    text = "\N{BABY SYMBOL}"
    note = {"content": text * 5000, "notes": text * 2000, "occurred_at": "2026-03-16T00:00:00Z"}
    for _ in range(6):
        events = [{"type": "note", "event": note} for _ in range(36)]
        body = json.dumps({"events": events}, ensure_ascii=False).encode()
        answer = johnny.http.post(
            f"/api/v1/children/{child}/events", content=body, headers={"Content-Type": "application/json"}
        )
        assert answer.status_code == 201, answer.text[:200]
    return f"/api/v1/children/{child}/timeline?limit=200", johnny.token


# --- By hand: the figure ----------------------------------------------------------------------------------


class Ordinary:
    """People with an ordinary evening: each with a connection, a request every 0.8 s at most, opened anew at times."""

    def __init__(self, stack, count: int):
        import concurrent.futures

        from people import Person

        with concurrent.futures.ThreadPoolExecutor(4) as threads:
            self.people = list(threads.map(lambda number: Person(stack, f"Person{number}"), range(count)))
            self.children = list(threads.map(lambda one: one.create_child(one.create_family()), self.people))
        self.stack = stack

    def evening(self, seconds: float) -> list[float]:
        """Seconds of each request, sent on time whatever became of the one before (by another thread)."""
        import concurrent.futures

        def one(number: int) -> list[float]:
            person, child = self.people[number], self.children[number]
            taken, start = [], time.monotonic() + number * 0.8 / len(self.people)
            for turn in range(int(seconds / 0.8)):
                time.sleep(max(0.0, start + turn * 0.8 - time.monotonic()))
                begun = time.monotonic()
                if turn % 10 == 9:
                    person.move()
                if turn % 3 == 0:
                    event = {"type": "wet", "occurred_at": "2026-03-16T00:00:00Z"}
                    answer = person.call("POST", f"/children/{child}/diapers", event)
                else:
                    answer = person.call("GET", f"/children/{child}/timeline?limit=20")
                assert answer.status_code in (200, 201), answer.text
                taken.append(time.monotonic() - begun)
            return taken

        with concurrent.futures.ThreadPoolExecutor(len(self.people)) as threads:
            return sorted(itertools.chain.from_iterable(threads.map(one, range(len(self.people)))))


def told(taken: list[float]) -> str:
    def at(part: float) -> str:
        return f"{1000 * taken[int(part * (len(taken) - 1))]:.1f}"

    return f"p50 {at(0.5)} ms, p99 {at(0.99)} ms, longest {at(1)} ms of {len(taken)}"


def main() -> None:
    from people import Person
    from stack import Stack

    words = [int(word) for word in sys.argv[1:]]
    connections, rounds = words + [5000, 3][len(words) :]
    stack = Stack(os.environ["STATE_DIR"])
    hoard = make_hoard(Person(stack, "Hoarder"))
    ordinary = Ordinary(stack, 48)
    alone, beside = [], []
    for number in range(rounds):
        time.sleep(35)  # a minute's share of requests is used up by two evenings
        taken = ordinary.evening(24)
        alone.append(taken[int(0.99 * (len(taken) - 1))])
        print(f"round {number + 1}: alone {told(taken)}", flush=True)
        with slow_clients(stack, connections, hoard) as state:
            deadline = time.monotonic() + 120
            while state()[0] < 0.95 * connections and time.monotonic() < deadline:
                time.sleep(1)
            taken = ordinary.evening(24)
            beside.append(taken[int(0.99 * (len(taken) - 1))])
            connected, cut = state()
            print(
                f"round {number + 1}: beside {told(taken)}; {connected} slow clients connected, {cut} times cut off",
                flush=True,
            )
    ratio = sorted(beside)[rounds // 2] / sorted(alone)[rounds // 2]
    print(f"median p99: beside {1000 * sorted(beside)[rounds // 2]:.1f} ms, alone "
          f"{1000 * sorted(alone)[rounds // 2]:.1f} ms: {ratio:.2f} times")
    sys.exit(ratio >= 2)


if __name__ == "__main__":
    main()
