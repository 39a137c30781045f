"""Clients that wait for news: what each costs, how soon it hears, and what the others notice of them."""

import argparse
import asyncio
import json
import os
import pathlib
import random
import ssl
import time
import urllib.parse
import uuid
from datetime import datetime

import load

WAITING = int(os.environ.get("WAITING", 5000))
CHANGES = float(os.environ.get("CHANGES", 200))  # a second
WAIT = 55
OF_AN_ADDRESS = 500
BESIDE = ("children", "timeline", "dashboard", "feeding")


class Client:
    """One kept-alive connection."""

    def __init__(self, port: int, tls: ssl.SSLContext, number: int, token: str):
        self.port, self.tls, self.token = port, tls, token
        self.source = f"127.0.{1 + number // OF_AN_ADDRESS}.1"

    async def ask(self, method: str, path: str, body: dict | None = None) -> dict:
        if not hasattr(self, "writer"):
            self.reader, self.writer = await asyncio.open_connection(
                "127.0.0.1", self.port, ssl=self.tls, server_hostname="127.0.0.1", local_addr=(self.source, 0)
            )
        text = json.dumps(body) if body else ""
        self.writer.write(
            f"{method} /api/v1{path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {self.token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(text)}\r\n\r\n{text}".encode()
        )
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        if "content-length:" in head:
            answer = await self.reader.readexactly(int(head.split("content-length:")[1].split("\r\n")[0]))
        else:
            answer = b""
            while size := int(await self.reader.readuntil(b"\r\n"), 16):
                answer += (await self.reader.readexactly(size + 2))[:-2]
            await self.reader.readexactly(2)
        status = int(head.split()[1])
        if status not in (200, 201):
            raise RuntimeError(f"{method} {path}: {status} {answer[:200]!r}")
        return json.loads(answer)


class Follower(Client):
    """A phone that follows its family, and notes when it hears of a change."""

    async def follow(self, family: str, since: int, heard: list) -> None:
        while True:
            page = await self.ask("GET", f"/families/{family}/changes?since={since}&wait={WAIT}&limit=200")
            now = time.time()
            since = page["next_since"]
            heard += [(change["id"], now) for change in page["changes"]]


def resident(pids: list[int]) -> int:
    total = 0
    for pid in pids:
        for line in pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                total += int(line.split()[1]) * 1024
    return total


def children_of(pid: int) -> list[int]:
    return [int(child) for child in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def memory(stack) -> tuple[int, int]:
    """Of the workers, and of nginx."""
    nginx = stack.roots()["nginx"][0]
    return resident(stack.workers()), resident([nginx, *children_of(nginx)])


def ages(stack, heard: list) -> list[float]:
    """How long after its commit each change was heard of, in milliseconds."""
    rows = stack.psql("select id, extract(epoch from pg_xact_commit_timestamp(xmin)) from events where notes = 'bench'").split()
    commits = {key: float(moment) for key, moment in (row.split("|") for row in rows)}
    return [(moment - commits[key]) * 1000 for key, moment in heard if key in commits]


def percentile(values: list, part: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * part))] if values else float("nan")


async def change(stack, lines: list, tls, seconds: float) -> int:
    """So many changes a second, by clients of their own."""
    port = urllib.parse.urlsplit(stack.url).port
    writers = [Client(port, tls, 50_000 + n, "") for n in range(32)]
    made = 0

    async def write(writer: Client, share: list) -> None:
        nonlocal made
        began, number = time.monotonic(), 0
        pause = len(writers) / CHANGES
        while (due := began + number * pause) < began + seconds:
            await asyncio.sleep(max(0, due - time.monotonic()))
            token, child, *_ = share[number % len(share)]
            writer.token = token
            now = datetime.utcnow().strftime("%Y-%m-%dT%H:%M:%SZ")
            body = {"id": str(uuid.uuid4()), "type": "bottle", "started_at": now, "amount_ml": 90, "notes": "bench"}
            await writer.ask("POST", f"/children/{child}/feedings", body)
            made += 1
            number += 1

    await asyncio.gather(*(write(writer, lines[n :: len(writers)]) for n, writer in enumerate(writers)))
    return made


async def follow_and_change(stack, seconds: float, beside) -> dict:
    lines = [line.split() for line in stack.families().read_text().splitlines()]
    random.Random(2).shuffle(lines)
    tls = ssl.create_default_context(cafile=stack.values["CA_FILE"])
    port = urllib.parse.urlsplit(stack.url).port
    calm, heard_of = memory(stack), []
    followers = []
    for number, (token, _, family, last, *_) in enumerate(lines[:WAITING]):
        client = Follower(port, tls, number, token)
        followers.append(asyncio.create_task(client.follow(family, int(last), heard_of)))
        if number % 50 == 49:
            await asyncio.sleep(0.05)
    await asyncio.sleep(5)
    full = memory(stack)
    print(f"  {WAITING} wait: workers {calm[0] >> 20} → {full[0] >> 20} MiB, nginx {calm[1] >> 20} → {full[1] >> 20} MiB", flush=True)
    made = await change(stack, lines, tls, seconds)
    await asyncio.sleep(1)
    heard = ages(stack, heard_of)
    with_waiting = await asyncio.to_thread(beside)
    broken = [one.exception() for one in followers if one.done()]
    for one in followers:
        one.cancel()
    if broken:
        print(f"  {len(broken)} waiting requests failed, the first with {broken[0]}")
    return {
        "waiting": WAITING,
        "worker_bytes": (full[0] - calm[0]) // WAITING,
        "nginx_bytes": (full[1] - calm[1]) // WAITING,
        "changes": made,
        "heard": len(heard),
        "p50_ms": percentile(heard, 0.5),
        "p99_ms": percentile(heard, 0.99),
        # With two workers half of who waits is at the other one, and hears later: its median is this at most.
        "other_worker_p50_ms": percentile(heard, 0.75),
        "with": with_waiting,
        "failed": len(broken),
    }


def run(stack, options: argparse.Namespace) -> dict:
    stack.reset()

    def beside() -> dict:
        return {name: load.wrk(stack, name, options.seconds, pause=20)["p99_ms"] for name in BESIDE}

    without = beside()
    found = asyncio.run(follow_and_change(stack, 4 * options.seconds, beside))
    found["without"] = without
    ratios = {name: found["with"][name] / without[name] for name in BESIDE}
    found["says"] = "\n".join([
        f"{found['waiting']} waiting requests: {found['worker_bytes']} bytes each in the workers, {found['nginx_bytes']} in nginx (with its TLS)",
        f"{found['changes']} changes, heard {found['heard']} times: p50 {found['p50_ms']:.0f} ms, p99 {found['p99_ms']:.0f} ms"
        f" (at the other worker p50 at most {found['other_worker_p50_ms']:.0f} ms), from the commit",
        *(f"p99 of {name}: {without[name]:.1f} ms without, {found['with'][name]:.1f} ms beside them ({ratios[name]:.2f})" for name in BESIDE),
    ])
    return found
