"""The figures as a table, as JSON and as a chart."""

import json
import pathlib

from load import OPERATIONS, PARTS

TITLES = {"server": "Baby Basics", "pgbench": "pgbench, the same statements", "pgbench_groups": "pgbench, the same in groups"}
COLORS = {"server": "#344474", "nginx": "#8ecae6", "workers": "#ffb703", "postgresql": "#219ebc"}


def table(results: dict[str, dict[str, dict[str, float]]]) -> str:
    lines = ["| | requests/s | p50 ms | p99 ms | nginx µs | workers µs | PostgreSQL µs | the server's of it |", "|---|---|---|---|---|---|---|---|"]
    for operation, sides in results.items():
        for side, r in sides.items():
            title = f"{operation} {OPERATIONS[operation]}" if side == "server" else TITLES[side]
            if group := sides["server"].get("group") if side == "pgbench_groups" else None:
                title += f" of {group:.1f}"
            ratio = f"{sides['server']['requests_per_second'] / r['requests_per_second']:.2f}" if side != "server" else ""
            lines.append(f"| {title} | {r['requests_per_second']:,.0f} | {r['p50_ms']:.2f} | {r['p99_ms']:.2f} | "
                         + " | ".join(f"{r[part + '_us']:.0f}" for part in PARTS) + f" | {ratio} |")
            if r["refused"] or r["broken"]:
                lines.append(f"! {operation}: {r['refused']:.0f} answers were not 2xx, {r['broken']:.0f} connections broke")
    return "\n".join(lines)


def write(directory: pathlib.Path, name: str, what: dict) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / "benchmark.json"
    known = json.loads(path.read_text()) if path.exists() else {}
    path.write_text(json.dumps({**known, name: what}, indent=2, ensure_ascii=False) + "\n")
    if "operations" in {**known, name: what}:
        (directory / "benchmark.svg").write_text(chart({**known, name: what}["operations"]["results"]))


def chart(results: dict) -> str:
    """Bars for each operation: requests a second of the server and of pgbench, and under them the processor time of a request."""
    width, row, left = 800, 93, 200
    most = max(side["requests_per_second"] for sides in results.values() for side in sides.values())
    longest = max(sum(side[part + "_us"] for part in PARTS) for sides in results.values() for side in sides.values())
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {row * len(results) + 46}" font-family="system-ui, sans-serif" font-size="12">',
           f'<rect width="100%" height="100%" fill="#fff"/>']
    room = width - left - 280  # beside a bar stands what it is
    for index, (operation, sides) in enumerate(results.items()):
        y = 10 + index * row
        out.append(f'<text x="10" y="{y + 14}" font-weight="bold">{operation}</text><text x="10" y="{y + 30}" fill="#555">{OPERATIONS[operation]}</text>')
        server = sides["server"]
        for offset, (side, r) in enumerate(sides.items()):
            length = room * r["requests_per_second"] / most
            out.append(f'<rect x="{left}" y="{y + offset * 19}" width="{length:.0f}" height="16" fill="{COLORS.get(side, "#cbd5e1")}"/>'
                       f'<text x="{left + length + 6:.0f}" y="{y + 13 + offset * 19}">{r["requests_per_second"]:,.0f}/s {TITLES[side]}</text>')
        x, below = float(left), y + 19 * len(sides) + 2
        for part in PARTS:
            length = room * server[part + "_us"] / longest
            out.append(f'<rect x="{x:.0f}" y="{below}" width="{length:.0f}" height="8" fill="{COLORS[part]}"/>')
            x += length
        out.append(f'<text x="{x + 6:.0f}" y="{below + 9}" fill="#555">{sum(server[part + "_us"] for part in PARTS):.0f} µs of processor</text>')
    y = row * len(results) + 30
    for index, part in enumerate(PARTS):
        out.append(f'<rect x="{left + 110 * index}" y="{y - 9}" width="10" height="10" fill="{COLORS[part]}"/><text x="{left + 15 + 110 * index}" y="{y}">{part.replace("postgresql", "PostgreSQL")}</text>')
    return "\n".join([*out, "</svg>"]) + "\n"
