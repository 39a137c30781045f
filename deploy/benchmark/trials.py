"""What else must hold: latency at 70% of the highest rate, cost by size, memory, the start, a flood of logins."""

import collections
import contextlib
import http.client
import json
import os
import pathlib
import random
import ssl
import statistics
import subprocess
import threading
import time

import load
import tap
from stack import Stack


def steady(stack: Stack, options) -> dict:
    """p99 against p50 when 32 clients ask for 70% of what the machine can do."""
    results = {}
    for operation in options.only.split(","):
        stack.reset()
        load.wrk(stack, operation, 1)
        highest = load.wrk(stack, operation, options.seconds)
        # What a client waits between its requests, so that all together make 70%: less by what an answer takes then, which is tried.
        period, taken = load.CONNECTIONS / (0.7 * highest["requests_per_second"]) * 1000, 0.0
        for seconds in (2, 2, 2 * options.seconds):
            stack.reset()
            pause = max(0.5, period - taken)
            run = load.wrk(stack, operation, seconds, pause=pause)
            taken = load.CONNECTIONS / run["requests_per_second"] * 1000 - pause
        share = run["requests_per_second"] / highest["requests_per_second"]
        results[operation] = {"highest": highest["requests_per_second"], "share": share, "p50_ms": run["p50_ms"], "p99_ms": run["p99_ms"]}
        print(f"{operation}: {run['requests_per_second']:.0f}/s, {share:.0%} of {highest['requests_per_second']:.0f}/s: "
              f"p50 {run['p50_ms']:.2f} ms, p99 {run['p99_ms']:.2f} ms, {run['p99_ms'] / run['p50_ms']:.1f} times as much (at most 4)", flush=True)
    return results


def mixed(stack: Stack, options) -> dict:
    """What changes cost those who read, who are answered what is kept (MIX) or what is made anew each time (NEW)."""
    results: dict = {}
    for name in ("W4", "NEW1", "MIX1", "NEW3", "MIX3", "NEW10", "MIX10", "W2new", "W2", "W3new", "W3"):
        stack.reset()
        load.wrk(stack, name, 1)
        run = results[name] = load.wrk(stack, name, options.seconds)
        print(f"{name:5} {run['requests_per_second']:6.0f}/s  " + "  ".join(f"{part} {run[part + '_us']:.0f} µs" for part in load.PARTS)
              + f"  p50 {run['p50_ms']:.2f} ms", flush=True)
    return results


# Users, families of one child each, events a child. Two users a family wherever there are as many: a page names its members.
SIZES = {"10,000": (50, 25, 400), "1,000,000": (5000, 2500, 400), "10,000,000": (50000, 25000, 400), "20 children of 100,000": (40, 20, 100_000)}
GENTLE = 60  # requests a second: 40 users, 100 requests a minute each


def sizes(options) -> dict:
    """What the operations cost on databases of several sizes, in turn. Every child has about five events a day, so that pages and weeks are alike.
    W2new and W3new: nothing kept is answered. The same 40 users ask each time, and of the largest database also users who have not asked before
    (for whom nothing is kept). All of it is in PostgreSQL's memory, where `shared_buffers` are larger than it: both are printed."""
    runs: dict = {}
    with contextlib.ExitStack() as running:
        places = []
        for name in options.sizes or SIZES:
            users, families, events = SIZES[name]
            stack = running.enter_context(Stack(options.state.with_name(f"{options.state.name}-{users}x{events}")))
            took = stack.fill(users, families, events)
            stack.psql("create extension if not exists pg_prewarm", "select sum(pg_prewarm(oid)) from pg_class where relkind in ('r', 'i', 't')")
            size = stack.psql("select pg_size_pretty(pg_database_size('babybasics')) || ', shared_buffers ' || current_setting('shared_buffers')")
            print(f"{name} events: {size}, made in {took:.0f} s", flush=True)
            places.append((name, stack, few := stack.state / "few-users"))
            few.write_text("".join(stack.users_file.read_text().splitlines(keepends=True)[:40]))
            if name == "10,000,000":
                places.append((f"{name}, others each time", stack, None))
        for number in range(1, options.rounds + 1):
            for operation in ("W1", "W2", "W2new", "W3", "W3new", "W4"):
                line = f"  round {number} {operation:5} p50 ms"
                for name, stack, users in places:
                    if not users and operation in ("W2", "W3"):
                        continue
                    stack.reset()
                    run = load.wrk(stack, operation, 2 * options.seconds, pause=load.CONNECTIONS / GENTLE * 1000, users=users or strangers(stack))
                    runs.setdefault(name, {}).setdefault(operation, []).append(run)
                    line += f"  {name}: {run['p50_ms']:.2f}"
                print(line, flush=True)
    first = next(iter(runs.values()))
    for name, of in runs.items():
        for operation, all_ in of.items():
            more = statistics.median(run["p50_ms"] / before["p50_ms"] for run, before in zip(all_, first[operation]))
            r = load.median(all_)
            print(f"{name} {operation:5} p50 {r['p50_ms']:.2f} ms, {more:.2f} of the first's  PostgreSQL {r['postgresql_us']:.0f} µs"
                  f"  all {sum(r[part + '_us'] for part in load.PARTS):.0f} µs  refused {r['refused']:.0f}", flush=True)
    return {name: {operation: load.median(all_) for operation, all_ in of.items()} for name, of in runs.items()}


def strangers(stack: Stack) -> pathlib.Path:
    """A file of users, others each time."""
    path = stack.state / "other-users"
    path.write_text("".join(random.sample(stack.users_file.read_text().splitlines(keepends=True), 2000)))
    return path


def memory(stack: Stack, options) -> dict:
    """Resident memory of each worker while that many requests are answered, with 64 threads."""
    resident = lambda: [next(int(line.split()[1]) // 1024 for line in open(f"/proc/{pid}/status") if line.startswith("VmRSS")) for pid in stack.workers()]
    answered, samples = 0, [(0, resident())]
    stack.reset()
    while answered < options.requests:
        for operation in ("W1", "W2", "W3", "W4"):
            answered += load.wrk(stack, operation, 5, connections=128)["requests"]
        samples.append((answered, resident()))
        print(f"{answered:9,} requests: {' and '.join(str(mib) for mib in samples[-1][1])} MiB", flush=True)
    return {"samples": samples}


def start(stack: Stack, options) -> dict:
    """From starting a worker process to its first answer."""
    path = f"{stack.values['STATE_PLACE']}/sockets/start.sock"
    environment = tap.worker_environment(stack) | {"LISTEN_SOCKET": path}
    times = []
    for _ in range(10):
        began = time.perf_counter()
        worker = subprocess.Popen([f"{stack.values['STATE_PLACE']}/bin/babybasics", "serve"], env=environment, stderr=subprocess.DEVNULL)
        try:
            while not tap.answers(path):
                time.sleep(0.001)
            answer = tap.fastcgi(path, {"REQUEST_METHOD": "GET", "REQUEST_URI": "/health", "REMOTE_ADDR": "127.0.0.1"}, b"")
            times.append((time.perf_counter() - began) * 1000)
            assert b'"status":"ok"' in answer, answer
        finally:
            worker.terminate()
            worker.wait(20)
    print(f"first answer after {statistics.median(times):.0f} ms (median of {len(times)}), {max(times):.0f} ms at most (at most 200)")
    return {"milliseconds": times}


# Of the clients, as many as there may be in the queue wait for their passwords' turn; the others make up for them.
BALANCER, FLOOD_CLIENTS, IN_QUEUE = "127.0.0.1", 96, 16


def behind_all() -> None:
    """For a process that starts, in a session of its own: the least of the processors, among sessions (autogroup) and within this one."""
    os.nice(19)
    weight = pathlib.Path("/proc/self/autogroup")
    while weight.exists():
        try:
            weight.write_text("19")
            return
        except BlockingIOError:  # without rights, ten times a second for all of the host
            time.sleep(0.1)


def start_flood(stack: Stack, rate: float, seconds: float) -> subprocess.Popen:
    """Strangers' logins through a load balancer's address. In C and behind all others: attackers work on machines of their own, not on ours."""
    return subprocess.Popen(["wrk", f"-t{FLOOD_CLIENTS}", f"-c{FLOOD_CLIENTS}", f"-d{seconds}s", "--timeout", "30s", "-s",
                             str(pathlib.Path(__file__).with_name("flood.lua")), stack.url, "--", str(rate), str(FLOOD_CLIENTS - IN_QUEUE)],
                            stdout=subprocess.PIPE, text=True, start_new_session=True, preexec_fn=behind_all)


def end_flood(flooding: subprocess.Popen, seconds: float) -> dict:
    logins = [line.split()[1:] for line in flooding.communicate(timeout=60)[0].splitlines() if line.startswith("LOGIN ")]
    refused = sorted(float(took) for status, took in logins if status in ("429", "503"))
    share = lambda part: refused[min(len(refused) - 1, int(len(refused) * part))] if refused else 0.0
    return {"rate": len(logins) / seconds, "statuses": collections.Counter(status for status, _ in logins), "refused_p50_ms": share(0.5),
            "refused_p99_ms": share(0.99)}


def flood(stack: Stack, options) -> dict:
    """Logins at 50 times what can be hashed, from many addresses, beside signed-in users and one honest login. In turn with calm, because a
    single p99 of a millisecond or two is as much the machine's as the server's."""
    stack.reset()
    honest = Login(stack, "127.0.0.1", "user1@example.com")
    calm_logins = [honest.send() for _ in range(2)]
    # A host hashes on all its processors but one, a worker one at a time.
    at_once = min(len(stack.workers()), max(1, (os.cpu_count() or 1) - 1))
    capacity = at_once / statistics.median(seconds for _, seconds in calm_logins)
    print(f"hashing capacity {capacity:.1f}/s", flush=True)
    rounds = [one_flood(stack, options, honest, capacity) for _ in range(options.rounds)]
    middle = lambda name: statistics.median(one[name] for one in rounds)
    # Of the medians: a round whose calm was disturbed would count as a very good one.
    ratio = middle("flood_p99_ms") / middle("calm_p99_ms")
    print(f"medians of {len(rounds)} rounds: p99 {middle('calm_p99_ms'):.1f} ms calm, {middle('flood_p99_ms'):.1f} ms in the flood, {ratio:.1f} times as much (under 2)")
    return {"capacity": capacity, "calm_p99_ms": middle("calm_p99_ms"), "flood_p99_ms": middle("flood_p99_ms"), "ratio": ratio, "rounds": rounds}


def one_flood(stack: Stack, options, honest: "Login", capacity: float) -> dict:
    pause = load.CONNECTIONS / options.rate * 1000
    stack.reset()
    calm = load.wrk(stack, "W1", options.seconds, pause=pause)
    flooding = start_flood(stack, 50 * capacity, options.seconds + 6)
    time.sleep(2)
    logins: list = []
    thread = threading.Thread(target=lambda: logins.append(honest.send()))
    thread.start()
    under = load.wrk(stack, "W1", options.seconds, pause=pause)
    thread.join()
    result = end_flood(flooding, options.seconds + 6)
    status, seconds = logins[0]
    print(f"flood {result['rate']:.0f}/s: " + ", ".join(f"{count} × {code}" for code, count in sorted(result["statuses"].items())))
    print(f"  refused logins: p50 {result['refused_p50_ms']:.0f} ms, p99 {result['refused_p99_ms']:.0f} ms (at most 100)")
    print(f"  signed-in users at {under['requests_per_second']:.0f}/s: p99 {calm['p99_ms']:.1f} ms calm, {under['p99_ms']:.1f} ms in the flood")
    print(f"  an honest login, from where the account was used before: {status} after {seconds:.2f} s (at most 5)", flush=True)
    return {"flood": result, "calm_p99_ms": calm["p99_ms"], "flood_p99_ms": under["p99_ms"], "honest": {"status": status, "seconds": seconds}}


class Login:
    """One person's logins, from one address."""

    def __init__(self, stack: Stack, address: str, email: str):
        host, port = stack.url.removeprefix("https://").split(":")
        context = ssl.create_default_context(cafile=stack.values["CA_FILE"])
        self.connect = lambda: http.client.HTTPSConnection(host, int(port), timeout=30, context=context, source_address=(address, 0))
        self.body = json.dumps({"email": email, "password": "password"})

    def send(self) -> tuple[int, float]:
        """The status and the seconds until it came."""
        began = time.perf_counter()
        connection = self.connect()
        connection.request("POST", "/api/v1/auth/login", self.body, {"Content-Type": "application/json"})
        status = connection.getresponse().status
        connection.close()
        return status, time.perf_counter() - began
