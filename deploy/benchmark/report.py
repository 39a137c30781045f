"""The figures: benchmark.json for each run, and from it the page, the picture and the README's line."""

import json
import pathlib
import platform
import re
import subprocess
import time

from load import OPERATIONS, PARTS

COLORS = {"nginx": "#8ecae6", "workers": "#ffb703", "postgresql": "#219ebc"}
NAMES = {"nginx": "nginx", "workers": "workers", "postgresql": "PostgreSQL"}


def machine() -> str:
    model = next(
        (line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")),
        platform.machine(),
    )
    return f"{subprocess.run(['nproc'], capture_output=True, text=True).stdout.strip()} × {model}"


def write(directory: pathlib.Path, name: str, what: dict) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / "benchmark.json"
    known = json.loads(path.read_text()) if path.exists() else {}
    when = {"when": time.strftime("%Y-%m-%d"), "machine": machine()}
    path.write_text(json.dumps({**known, name: {**when, **what}}, indent=2, ensure_ascii=False) + "\n")


def table(results: dict[str, dict[str, float]]) -> str:
    lines = ["| | requests/s | p50 ms | p99 ms | nginx / workers / PostgreSQL µs |", "|---|---|---|---|---|"]
    for operation, r in results.items():
        lines.append(
            f"| {OPERATIONS[operation]} | {r['requests_per_second']:,.0f} | {r['p50_ms']:.2f} | {r['p99_ms']:.1f} | "
            + " / ".join(f"{r[part + '_us']:.0f}" for part in PARTS)
            + " |"
        )
        if r["refused"] or r["broken"]:
            lines.append(f"! {operation}: {r['refused']:.0f} answers were not 2xx, {r['broken']:.0f} connections broke")
    return "\n".join(lines)


def publish(project: pathlib.Path, directory: pathlib.Path) -> None:
    """deploy/docs/figures.md and .svg, and the README's line."""
    known = json.loads((directory / "benchmark.json").read_text())
    results = {
        name: result
        for name in ("day", "operations")
        for name, result in known.get(name, {}).get("results", {}).items()
    }
    if "day" not in results:
        raise SystemExit("deploy/bench report: nothing is measured yet; first deploy/bench")
    day = results["day"]
    sentence = (
        f"A phone's day, of 100 requests 60 feeds, 29 changes and 11 pages: **{day['requests_per_second']:,.0f} requests a second** on "
        f"{known['day']['machine'].split(' ×')[0]} cores with nginx, PostgreSQL and the clients, p50 {day['p50_ms']:.1f} ms, p99 {day['p99_ms']:.1f} ms. "
        "More in [figures.md](deploy/docs/figures.md)."
    )
    readme = project / "README.md"
    readme.write_text(
        re.sub(
            r"(<!-- figures[^>]*-->\n).*?(?=<!-- /figures -->)",
            lambda m: f"{m[1]}{sentence}\n",
            readme.read_text(),
            flags=re.S,
        )
    )
    docs = project / "deploy/docs"
    (docs / "figures.svg").write_text(picture(results))
    more = [f"- **{name}**, {what['when']}: {what['says']}" for name, what in known.items() if "says" in what]
    (docs / "figures.md").write_text(
        "\n".join(
            [
                "# Figures",
                "",
                f"By `deploy/bench` and written here by `deploy/bench report`: {known['day']['machine']}, {known['day']['when']}; nginx with TLS, two "
                "workers, PostgreSQL and the clients on the same machine, 32 kept-alive connections, 750,000 events, every change durable. µs: processor time of a request.",
                "",
                "![A phone's day, and the operations in it](figures.svg)",
                "",
                table(results),
                "",
                *more,
            ]
        ).rstrip()
        + "\n"
    )


def picture(results: dict[str, dict[str, float]]) -> str:
    """A bar for each: requests a second, divided by who used the processor."""
    width, row, left = 800, 30, 230
    most = max(r["requests_per_second"] for r in results.values())
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {row * len(results) + 40}" font-family="system-ui, sans-serif" font-size="13">',
        '<rect width="100%" height="100%" fill="#fff"/>',
    ]
    for index, (operation, r) in enumerate(results.items()):
        x, y, use = float(left), 10 + index * row, sum(r[part + "_us"] for part in PARTS)
        weight = ' font-weight="bold"' if operation == "day" else ""
        out.append(f'<text x="{left - 8}" y="{y + 15}" text-anchor="end"{weight}>{OPERATIONS[operation]}</text>')
        for part in PARTS:
            length = (width - left - 190) * r["requests_per_second"] / most * r[part + "_us"] / use
            out.append(f'<rect x="{x:.1f}" y="{y}" width="{length:.1f}" height="20" fill="{COLORS[part]}"/>')
            x += length
        out.append(
            f'<text x="{x + 6:.0f}" y="{y + 15}"{weight}>{r["requests_per_second"]:,.0f}/s, {use:.0f} µs each</text>'
        )
    y = row * len(results) + 30
    for index, part in enumerate(PARTS):
        out.append(f'<rect x="{left + 110 * index}" y="{y - 10}" width="11" height="11" fill="{COLORS[part]}"/>'
                   f'<text x="{left + 16 + 110 * index}" y="{y}">{NAMES[part]}</text>')
    return "\n".join([*out, "</svg>"]) + "\n"
