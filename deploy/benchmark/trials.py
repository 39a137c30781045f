"""What else must hold: a flood of logins, memory, the start, cost by size."""

import collections
import contextlib
import http.client
import json
import os
import pathlib
import socket
import ssl
import statistics
import struct
import subprocess
import threading
import time

import load
from stack import Stack, read_values

# --- A flood of logins ------------------------------------------------------------------------------------------------

# Of the flood's clients, as many as there may be in the queue wait for their passwords' turn; the others make up for them.
BALANCER, FLOOD_CLIENTS, IN_QUEUE = "127.0.0.1", 96, 16


def flood(stack: Stack, options) -> dict:
    """Logins at 50 times what can be hashed, from many addresses, beside signed-in users and one honest login, in turn with calm."""
    stack.reset()
    honest = lambda: login(stack, "127.0.0.2", "user1@example.com")
    capacity = len(stack.workers()) / statistics.median(honest()[1] for _ in range(3))
    print(f"hashing capacity {capacity:.1f}/s", flush=True)
    rounds = [one_flood(stack, options, honest, capacity) for _ in range(options.rounds)]
    calm, under, refused, one = (
        statistics.median(r[name] for r in rounds) for name in ("calm", "under", "refused", "honest")
    )
    return {
        "rounds": rounds,
        "says": f"in a flood of {50 * capacity:.0f} logins a second signed-in users' p99 is {under:.1f} ms (calm {calm:.1f}, at most 10); "
        f"refused logins take {refused:.0f} ms (p99), an honest one {one:.1f} s",
    }


def one_flood(stack: Stack, options, honest, capacity: float) -> dict:
    pause = load.CONNECTIONS / options.rate * 1000
    stack.reset()
    calm = load.wrk(stack, "children", options.seconds, pause=pause)
    # In C and behind all others: attackers work on machines of their own, not on ours.
    flooding = subprocess.Popen(
        [
            "nice",
            "-n",
            "19",
            "wrk",
            f"-t{FLOOD_CLIENTS}",
            f"-c{FLOOD_CLIENTS}",
            f"-d{options.seconds + 6}s",
            "--timeout",
            "30s",
            "-s",
            str(pathlib.Path(__file__).with_name("flood.lua")),
            stack.url,
            "--",
            str(50 * capacity),
            str(FLOOD_CLIENTS - IN_QUEUE),
        ],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    time.sleep(2)
    logins: list = []
    thread = threading.Thread(target=lambda: logins.append(honest()))
    thread.start()
    under = load.wrk(stack, "children", options.seconds, pause=pause)
    thread.join()
    answers = [
        line.split()[1:] for line in flooding.communicate(timeout=60)[0].splitlines() if line.startswith("LOGIN ")
    ]
    refused = sorted(float(took) for status, took in answers if status in ("429", "503"))
    result = {
        "calm": calm["p99_ms"],
        "under": under["p99_ms"],
        "refused": refused[len(refused) * 99 // 100] if refused else 0.0,
        "honest": logins[0][1],
        "honest_status": logins[0][0],
        "statuses": collections.Counter(status for status, _ in answers),
    }
    print(f"  {result}", flush=True)
    return result


def login(stack: Stack, address: str, email: str) -> tuple[int, float]:
    """The status and the seconds until it came."""
    host, port = stack.url.removeprefix("https://").split(":")
    context = ssl.create_default_context(cafile=stack.values["CA_FILE"])
    began = time.perf_counter()
    connection = http.client.HTTPSConnection(host, int(port), timeout=30, context=context, source_address=(address, 0))
    body = json.dumps({"email": email, "password": "password"})
    connection.request("POST", "/api/v1/auth/login", body, {"Content-Type": "application/json"})
    status = connection.getresponse().status
    connection.close()
    return status, time.perf_counter() - began


# --- Memory -----------------------------------------------------------------------------------------------------------


def memory(stack: Stack, options) -> dict:
    """Resident memory of each worker while so many requests of the day are answered."""
    resident = lambda: [
        next(int(line.split()[1]) // 1024 for line in open(f"/proc/{pid}/status") if line.startswith("VmRSS"))
        for pid in stack.workers()
    ]
    answered, samples = 0, [(0, resident())]
    while answered < options.requests:
        stack.reset()
        answered += load.wrk(stack, "day", 10, connections=128)["requests"]
        samples.append((answered, resident()))
        print(f"{answered:9,} requests: {' and '.join(str(mib) for mib in samples[-1][1])} MiB", flush=True)
    return {
        "samples": samples,
        "says": f"a worker holds {max(samples[-1][1])} MiB after {answered:,} requests (at most 64)",
    }


# --- The start --------------------------------------------------------------------------------------------------------


def start(stack: Stack, options) -> dict:
    """From starting a worker process to its first answer."""
    path = f"{stack.values['STATE_PLACE']}/sockets/start.sock"
    environment = read_values(pathlib.Path(stack.values["WORKERS_ENVIRONMENT"])) | {"LISTEN_SOCKET": path}
    environment.pop("METRICS_PORT", None)
    times = []
    for _ in range(10):
        pathlib.Path(path).unlink(missing_ok=True)
        began = time.perf_counter()
        worker = subprocess.Popen(
            [f"{stack.values['STATE_PLACE']}/bin/babybasics", "serve"], env=environment, stderr=subprocess.DEVNULL
        )
        try:
            while not (answer := health(path)):
                time.sleep(0.001)
            times.append((time.perf_counter() - began) * 1000)
            assert b'"status":"ok"' in answer, answer
        finally:
            worker.terminate()
            worker.wait(20)
    return {
        "milliseconds": times,
        "says": f"a worker's first answer comes {statistics.median(times):.0f} ms after its start (at most 100)",
    }


def health(path: str) -> bytes:
    """GET /health of a worker, without nginx; nothing while it does not listen."""
    record = lambda kind, content: struct.pack("!BBHHBB", 1, kind, 1, len(content), 0, 0) + content
    values = {"REQUEST_METHOD": "GET", "REQUEST_URI": "/health", "REMOTE_ADDR": "127.0.0.1"}
    pairs = b"".join(bytes([len(name), len(value)]) + name.encode() + value.encode() for name, value in values.items())
    answer = b""
    with socket.socket(socket.AF_UNIX) as connection, contextlib.suppress(OSError):
        connection.settimeout(20)
        connection.connect(path)
        connection.sendall(record(1, struct.pack("!HB5x", 1, 0)) + record(4, pairs) + record(4, b"") + record(5, b""))
        while piece := connection.recv(65536):
            answer += piece
    return answer


# --- Cost by size -----------------------------------------------------------------------------------------------------

# Users, families of one child each, events a child: about five a day, so that pages and weeks are alike.
SIZES = {
    "10,000": (50, 25, 400),
    "1,000,000": (5000, 2500, 400),
    "10,000,000": (50000, 25000, 400),
    "20 children of 100,000": (40, 20, 100_000),
}
GENTLE = 60  # requests a second: 40 users, 100 requests a minute each


def sizes(options) -> dict:
    """What the operations cost on databases of several sizes, in turn; for the same 40 users each time."""
    runs: dict = {}
    with contextlib.ExitStack() as running:
        places = []
        for name in options.sizes or SIZES:
            users, families, events = SIZES[name]
            stack = running.enter_context(Stack(options.state.with_name(f"{options.state.name}-{users}x{events}")))
            took = stack.fill(users, families, events)
            stack.psql(
                "create extension if not exists pg_prewarm",
                "select sum(pg_prewarm(oid)) from pg_class where relkind in ('r', 'i', 't')",
            )
            print(
                f"{name} events: made in {took:.0f} s, {stack.psql('select pg_size_pretty(pg_database_size(current_catalog))')}",
                flush=True,
            )
            places.append((name, stack))
        for _ in range(options.rounds):
            for operation in ("children", "timeline", "dashboard", "feed", "feeding"):
                for name, stack in places:
                    stack.reset()
                    run = load.wrk(
                        stack, operation, 2 * options.seconds, pause=load.CONNECTIONS / GENTLE * 1000, users=40
                    )
                    runs.setdefault(operation, {}).setdefault(name, []).append(run["p50_ms"])
                print(
                    f"  {operation}: "
                    + ", ".join(f"{name} {all_[-1]:.2f} ms" for name, all_ in runs[operation].items()),
                    flush=True,
                )
    first, *others = options.sizes or SIZES
    ratio = {f"{operation}, {name}": statistics.median(more / less for more, less in zip(of[name], of[first]))
             for operation, of in runs.items() for name in others}
    return {
        "p50_ms": runs,
        "ratio": ratio,
        "says": f"p50 with more events against {first}: " + ", ".join(f"{name} {r:.2f}" for name, r in ratio.items()),
    }
