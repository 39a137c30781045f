"""What operators see: every worker's metrics, the dashboard and alarms made of them, and the log."""

import contextlib
import json
import pathlib
import re
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request

import pytest
from prometheus_client.parser import text_string_to_metric_families

from people import PASSWORD

DEPLOY = pathlib.Path(__file__).parents[2] / "deploy"


def ports(stack) -> list[int]:
    first = int(stack.values["METRICS_PORT"])
    return list(range(first, first + len(stack.workers())))


def scrape(port: int, path: str = "/metrics") -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as answer:
        assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
        return answer.read().decode()


def samples(stack) -> dict[tuple, float]:
    """All workers together, by name and labels."""
    total: dict[tuple, float] = {}
    for port in ports(stack):
        for family in text_string_to_metric_families(scrape(port)):
            for sample in family.samples:
                key = (sample.name, *sorted(sample.labels.items()))
                total[key] = total.get(key, 0) + sample.value
    return total


def test_each_worker_answers_in_a_form_that_prometheus_reads(stack, client):
    assert client.get("/health").status_code == 200
    for port in ports(stack):
        text = scrape(port)
        families = {family.name: family for family in text_string_to_metric_families(text)}
        assert families["babybasics_requests"].type == "counter"
        assert families["babybasics_request_duration_seconds"].type == "histogram"
        for family in families.values():
            assert family.documentation and family.type in ("counter", "gauge", "histogram")
            # No series twice, and buckets that only grow.
            keys = [(sample.name, *sorted(sample.labels.items())) for sample in family.samples]
            assert len(keys) == len(set(keys))
            buckets: dict[tuple, list[float]] = {}
            for sample in family.samples:
                if sample.name.endswith("_bucket"):
                    labels = tuple(sorted((name, value) for name, value in sample.labels.items() if name != "le"))
                    buckets.setdefault(labels, []).append(sample.value)
            assert all(row == sorted(row) for row in buckets.values())
        if promtool := shutil.which("promtool"):
            found = subprocess.run([promtool, "check", "metrics"], input=text, capture_output=True, text=True, timeout=30)
            assert (found.returncode, found.stderr) == (0, "")


def test_requests_through_nginx_are_all_counted(stack, person):
    route = ("method", "GET"), ("route", "/api/v1/users/me"), ("status", "200")
    before = samples(stack)
    johnny = person("Johnny", password=PASSWORD)
    for _ in range(40):
        johnny.ok("GET", "/users/me")
    time.sleep(0.1)  # a worker counts a request when its answer is made, which nginx may be quicker to pass on
    after = samples(stack)

    def more(*key):
        return after.get(key, 0) - before.get(key, 0)

    assert more("babybasics_requests_total", *route) == 40
    assert more("babybasics_request_duration_seconds_count", *route) == 40
    assert more("babybasics_request_database_round_trips_total", *route[:2]) >= 40
    assert more("babybasics_hashing_total") == 1
    assert after[("babybasics_pool_connections_limit",)] == 8 * len(stack.workers())
    assert after[("babybasics_database_available",)] == len(stack.workers())
    assert after[("babybasics_log_lines_dropped_total",)] == 0


def test_nobody_outside_sees_metrics(stack, client):
    for path in ("/metrics", "/api/v1/metrics", "/metrics/", "/health/metrics"):
        answer = client.get(path)
        assert answer.status_code == 404
        assert "babybasics_" not in answer.text
    with pytest.raises(urllib.error.HTTPError, match="404"):
        scrape(ports(stack)[0], "/")
    listening = pathlib.Path("/proc/net/tcp").read_text() + pathlib.Path("/proc/net/tcp6").read_text()
    for port in ports(stack):
        addresses = re.findall(rf"^ *\d+: ([0-9A-F]+):{port:04X} \S+ 0A ", listening, re.M)
        assert addresses == ["0100007F"]


def test_a_client_that_says_nothing_stops_no_request(stack, client):
    with contextlib.ExitStack() as silent:
        for port in ports(stack) * 4:
            silent.enter_context(socket.create_connection(("127.0.0.1", port)))
        started = time.monotonic()
        for _ in range(20):
            assert client.get("/health").status_code == 200
        assert time.monotonic() - started < 10


METRIC = r"\b(?:babybasics|process)_[a-z_]+"


def named_metrics(expression: str) -> set[str]:
    return set(re.findall(METRIC, expression))


def named_labels(expression: str) -> dict[str, set[str]]:
    """The labels that a query chooses or groups by, for each metric in it. A group's labels are those of the metric after it."""
    found: dict[str, set[str]] = {}
    for metric, matchers in re.findall(rf"({METRIC})(?:\{{([^}}]*)\}})?", expression):
        found.setdefault(metric, set()).update(re.findall(r"(\w+) *(?:=~|!~|!=|=)", re.sub(r'"[^"]*"', '""', matchers)))
    for group in re.finditer(r"\bby \(([^)]*)\)", expression):
        found[re.search(METRIC, expression[group.end():])[0]].update(re.findall(r"\w+", group[1]))
    return found


def unknown(stack, expressions: list[str]) -> set[tuple[str, str]]:
    """Metrics, and labels of theirs, that these queries use and no worker has. `job` and `instance` are Prometheus's own."""
    there: dict[str, set[str]] = {}
    for name, *labels in samples(stack):
        there.setdefault(name, {"job", "instance"}).update(label for label, _ in labels)
    return {(metric, label) for expression in expressions for metric, labels in named_labels(expression).items()
            for label in labels | {"job"} if label not in there.get(metric, ())}


def chosen_values(stack, expressions: list[str]) -> set[tuple[str, str]]:
    """Values of `cause`, `limit`, `reason` and `state` that queries ask for and no worker knows; a counter has all from the start."""
    there = {label for _, *labels in samples(stack) for label in labels}
    asked = {pair for expression in expressions for pair in re.findall(r'\b(cause|limit|reason|state)!?="([^"]*)"', expression)}
    return asked - there


def exported(stack) -> set[str]:
    with stack.client() as client:
        assert client.get("/health").status_code == 200  # so that there is a request, and a statement, to count
    return {key[0] for key in samples(stack)}


def test_the_dashboard_shows_only_what_there_is(stack):
    dashboard = json.loads((DEPLOY / "monitoring/dashboard.json").read_text())
    panels = [panel for panel in dashboard["panels"] if panel["type"] != "row"]
    assert len({panel["id"] for panel in dashboard["panels"]}) == len(dashboard["panels"])
    expressions = [target["expr"] for panel in panels for target in panel["targets"]]
    assert all(panel["targets"] for panel in panels)
    assert set().union(*map(named_metrics, expressions)) - exported(stack) == set()
    variables = [entry["definition"] for entry in dashboard["templating"]["list"] if "definition" in entry]
    everything = expressions + variables + [entry["expr"] for entry in dashboard["annotations"]["list"]]
    assert unknown(stack, everything) | chosen_values(stack, everything) == set()
    # A legend shows what its query groups by, or what each series has.
    for panel in panels:
        for target in panel["targets"]:
            shown = set(re.findall(r"\{\{ *(\w+) *\}\}", target.get("legendFormat", "")))
            kept = set(re.findall(r"\w+", " ".join(re.findall(r"\bby \(([^)]*)\)", target["expr"]))))
            assert shown <= (kept or {"instance"}), panel["title"]
    # And leaves nothing out that was thought worth counting.
    names = {re.sub(r"_(bucket|sum|count)$", "", name) for name in exported(stack)}
    unused = names - {re.sub(r"_bucket$", "", name) for name in set().union(*map(named_metrics, expressions))}
    assert unused == {
        "babybasics_build_info", "babybasics_fastcgi_requests_total", "babybasics_hashing_running_limit",
        "babybasics_log_lines_total", "process_max_fds", "process_start_time_seconds",
    }


def test_each_metric_is_in_the_page_for_operators(stack):
    page = (DEPLOY / "docs/monitoring.md").read_text()
    names = {re.sub("_(bucket|count|sum)$", "", name).removeprefix("babybasics_") for name in exported(stack)}
    assert len(names) > 20
    assert sorted(name for name in names if f"`{name}`" not in page and not name.startswith("process_")) == []


def test_the_alarms_watch_only_what_there_is_and_each_has_its_page(stack):
    text = (DEPLOY / "monitoring/alerts.yml").read_text()
    assert named_metrics(text) - exported(stack) == set()
    queries = re.findall(r"^        expr: (?:>-\n)?((?:.+\n(?:          )?)+?)(?=        \w)", text, re.M)
    assert unknown(stack, queries) | chosen_values(stack, queries) == set()
    alarms = re.findall(r"- alert: (\w+)", text)
    assert len(alarms) > 10
    page = (DEPLOY / "docs/monitoring.md").read_text()
    chapters = re.findall(r"^### (\w+)$", page, re.M)
    assert [alarm for alarm in alarms if alarm not in chapters] == []
    assert set(re.findall(r"alertname: (\w+)", (DEPLOY / "monitoring/alerts_test.yml").read_text())) == set(alarms)


@pytest.mark.skipif(not shutil.which("promtool"), reason="promtool is not installed (Debian's package prometheus)")
def test_prometheus_accepts_rules_configuration_and_queries(tmp_path):
    def promtool(*arguments):
        found = subprocess.run(["promtool", *arguments], capture_output=True, text=True, timeout=60)
        assert found.returncode == 0, found.stdout + found.stderr

    promtool("check", "rules", str(DEPLOY / "monitoring/alerts.yml"))
    promtool("test", "rules", str(DEPLOY / "monitoring/alerts_test.yml"))
    promtool("check", "config", "--syntax-only", str(DEPLOY / "monitoring/prometheus.yml"))
    dashboard = json.loads((DEPLOY / "monitoring/dashboard.json").read_text())
    expressions = [target["expr"] for panel in dashboard["panels"] for target in panel.get("targets", [])]
    queries = [re.sub(r"\$__\w+", "5m", expression).replace("$worker", ".*") for expression in expressions]
    rules = tmp_path / "queries.yml"
    rules.write_text(json.dumps({"groups": [{"name": "queries", "rules": [
        {"record": f"query:{number}", "expr": query} for number, query in enumerate(queries)]}]}))
    promtool("check", "rules", str(rules))


def test_one_line_a_request_under_the_id_that_nginx_gave(stack, person):
    johnny = person("Johnny")
    family = johnny.create_family()
    answer = johnny.call("GET", f"/families/{family}")
    assert answer.status_code == 200
    name = answer.headers["x-request-id"]
    logs = pathlib.Path(stack.values["LOG_DIRECTORY"])
    lines: list[str] = []
    for _ in range(100):
        lines = [line for line in (logs / "workers.log").read_text().splitlines() if f" request_id={name} " in line]
        if lines:
            break
        time.sleep(0.05)
    assert len(lines) == 1
    fields = dict(field.split("=", 1) for field in lines[0].split())
    assert list(fields) == [
        "time", "level", "event", "request_id", "method", "route", "status", "ms", "db_ms", "db_trips", "pool_ms", "user_id",
    ]
    assert (fields["method"], fields["route"], fields["status"]) == ("GET", "/api/v1/families/:familyId", "200")
    assert 0 < float(fields["db_ms"]) <= float(fields["ms"])
    assert len([line for line in (logs / "nginx-access.log").read_text().splitlines() if f" {name} " in line]) == 1
