"""A load by wrk through nginx, and what it took of the processors."""

import os
import pathlib
import re
import resource
import statistics
import subprocess
import time

from stack import Stack, machine_seconds, processor_seconds

# The day first: of 100 requests 45, 15, 22, 3, 4, 4, 4 and 3 of the others, as a phone with a store of its own sends them.
OPERATIONS = {
    "day": "a phone's day",
    "feed": "GET …/changes, nothing new",
    "changes": "GET …/changes, five new",
    "feeding": "POST …/feedings with an id",
    "batch": "POST …/events, five",
    "notes": "PATCH …/feedings/:id",
    "dashboard": "GET …/dashboard",
    "timeline": "GET …/timeline, 50 events",
    "children": "GET /children",
}
PARTS = ("nginx", "workers", "postgresql")
CONNECTIONS = 32


def wrk(stack: Stack, operation: str, seconds: float, pause: float | None = None, connections: int = CONNECTIONS,
        users: int | None = None) -> dict[str, float]:
    """One run of kept-alive TLS clients. `pause`: mean milliseconds that each client waits before a request."""
    stack.wait_for_budget()
    command = [
        "wrk",
        "-t2",
        f"-c{connections}",
        f"-d{seconds}s",
        "--timeout",
        "10s",
        "--latency",
        "-s",
        str(pathlib.Path(__file__).with_name("load.lua")),
        stack.url,
        "--",
        operation,
        str(stack.families(users)),
        "2",
    ] + ([str(pause)] if pause else [])
    driver, others = resource.getrusage(resource.RUSAGE_CHILDREN), machine_seconds()
    before, began = processor_seconds(stack.roots()), time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ)
    after, took = processor_seconds(stack.roots()), time.monotonic() - began
    driver_after, others_after = resource.getrusage(resource.RUSAGE_CHILDREN), machine_seconds()
    result = re.search(r"^RESULT (\d+) (\d+) (\d+) (\d+) (\d+) (\d+)$", done.stdout, re.M)
    if done.returncode or not result:
        raise SystemExit(f"wrk said:\n{done.stdout}{done.stderr}")
    count, microseconds, p50, p99, refused, broken = map(int, result.groups())
    stack.spent(count)
    use = {part: after[part] - before[part] for part in PARTS}
    use["driver"] = sum(getattr(driver_after, name) - getattr(driver, name) for name in ("ru_utime", "ru_stime"))
    return {
        "requests_per_second": count / (microseconds / 1e6),
        "p50_ms": p50 / 1000,
        "p99_ms": p99 / 1000,
        "requests": count,
        "refused": refused,
        "broken": broken,
        **{f"{part}_us": seconds * 1e6 / max(1, count) for part, seconds in use.items()},
        "others_cores": max(0.0, others_after - others - sum(use.values())) / took,
    }


def median(runs: list[dict[str, float]]) -> dict[str, float]:
    """Each figure's median, but the sum of what went wrong."""
    return {
        name: (sum if name in ("refused", "broken") else statistics.median)([run[name] for run in runs])
        for name in runs[0]
    }
