"""Measurements: wrk through nginx, pgbench beside it, and what each took of the processors."""

import os
import pathlib
import re
import resource
import statistics
import subprocess
import time

from stack import Stack, machine_seconds, processor_seconds

OPERATIONS = {"W1": "GET /children", "W2": "GET /children/:id/timeline", "W3": "GET /children/:id/dashboard", "W4": "POST /children/:id/feedings"}
PARTS = ("nginx", "workers", "postgresql")
CONNECTIONS = 32


def measured(command: list[str], roots: dict[str, list[int]], **environment: str) -> tuple[str, dict[str, float]]:
    """Runs a load to its end. Gives its output and the processor seconds: of each part, of the driver, of anybody else."""
    driver_before, others_before = resource.getrusage(resource.RUSAGE_CHILDREN), machine_seconds()
    before, began = processor_seconds(roots), time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment})
    after, took = processor_seconds(roots), time.monotonic() - began
    driver_after, others_after = resource.getrusage(resource.RUSAGE_CHILDREN), machine_seconds()
    if done.returncode:
        raise SystemExit(f"{command[0]}: {done.stderr.strip()}")
    use = {part: after[part] - before[part] for part in PARTS}
    use["driver"] = sum(getattr(driver_after, name) - getattr(driver_before, name) for name in ("ru_utime", "ru_stime"))
    use["others"] = max(0.0, others_after - others_before - sum(use.values())) / took
    return done.stdout, use


def wrk(stack: Stack, operation: str, seconds: float, pause: float | None = None, users: pathlib.Path | None = None,
        connections: int = CONNECTIONS) -> dict[str, float]:
    """One run of kept-alive TLS clients. `pause`: mean milliseconds that each client waits before a request."""
    command = ["wrk", "-t2", f"-c{connections}", f"-d{seconds}s", "--timeout", "10s", "--latency", "-s", str(pathlib.Path(__file__).with_name("load.lua")),
               stack.url, "--", operation, str(users or stack.users_file), "2"]
    output, use = measured(command + ([str(pause)] if pause else []), stack.roots())
    result = re.search(r"^RESULT (\d+) (\d+) (\d+) (\d+) (\d+) (\d+)$", output, re.M)
    if not result:
        raise SystemExit(f"wrk said:\n{output}")
    count, microseconds, p50, p99, refused, broken = map(int, result.groups())
    return {"requests_per_second": count / (microseconds / 1e6), "p50_ms": p50 / 1000, "p99_ms": p99 / 1000, "requests": count,
            "refused": refused, "broken": broken, **per_request(use, count)}


def pgbench(stack: Stack, script: pathlib.Path, repetitions: int, seconds: float, clients: int = 8) -> dict[str, float]:
    """The server's own statements without the server. `repetitions`: requests that one run of the script stands for."""
    log = stack.state / "pgbench"
    command = ["pgbench", "-n", "-M", "prepared", "-c", str(clients), "-j", "2", "-T", str(seconds), "-f", str(script), "-l", "--log-prefix", str(log),
               stack.database("babybasics")]
    output, use = measured(command, stack.roots(), PGOPTIONS="-c timezone=UTC -c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c jit=off")
    times = []
    for path in stack.state.glob("pgbench.*"):
        times += [int(line.split(" ")[2]) / repetitions for line in path.read_text().splitlines()]
        path.unlink()
    times.sort()
    count = int(re.search(r"actually processed: (\d+)", output)[1]) * repetitions
    return {"requests_per_second": float(re.search(r"tps = ([\d.]+)", output)[1]) * repetitions, "p50_ms": times[len(times) // 2] / 1000,
            "p99_ms": times[len(times) * 99 // 100] / 1000, "requests": count, "refused": 0, "broken": 0, **per_request(use, count)}


def per_request(use: dict[str, float], count: int) -> dict[str, float]:
    return {**{f"{part}_us": use[part] * 1e6 / max(1, count) for part in (*PARTS, "driver")}, "others_cores": use["others"]}


def median(runs: list[dict[str, float]]) -> dict[str, float]:
    """Each figure's median, but the sum of what went wrong."""
    return {name: (sum if name in ("refused", "broken") else statistics.median)([run[name] for run in runs]) for name in runs[0]}
