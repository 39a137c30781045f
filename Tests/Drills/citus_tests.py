"""The server's end-to-end tests on families that are spread: all of Tests/EndToEndTests/test_*.py but these, each for its reason."""

import os
import pathlib
import re
import subprocess

from service import PROJECT, Service, say

TESTS = PROJECT / "Tests/EndToEndTests"
NGINX = "nginx, pages or words: no database is asked"
# A file, or a test in one.
LEFT_OUT = {
    "test_accessibility.py": NGINX, "test_bodies.py": NGINX, "test_configuration.py": NGINX, "test_edge.py": NGINX,
    "test_http2.py": NGINX, "test_join_page.py": NGINX, "test_page_languages.py": NGINX, "test_pages.py": NGINX,
    "test_proxies.py": NGINX, "test_slow_clients.py": NGINX, "test_words.py": NGINX, "test_worker_protocol.py": NGINX,
    "test_run.py": "about deploy/run, on a stack of its own",
    "test_openapi.py::test_the_service_keeps_to_the_document": "thousands of requests, each many times as dear there",
    "test_integrations.py::test_grafana_reads_the_database": "a role of one's own needs its password in each machine's .pgpass",
}


def end_to_end(service: Service) -> None:
    left_out = LEFT_OUT if "DEMO" in os.environ else LEFT_OUT | {"test_demo.py": "DEMO names no babybasics-demo that is built"}
    for name, reason in left_out.items():
        say(f"citus: end to end: without {name}: {reason}")
    chosen = [path for path in sorted(TESTS.glob("test_*.py")) if path.name not in left_out]
    python = os.environ.get("PYTHON", str(PROJECT / ".build/python/bin/python"))
    assert pathlib.Path(python).exists(), f"{python} is not there: deploy/test e2e makes it"
    command = [python, "-m", "pytest", "-q", "-rfE", "--tb=short",
               "-p", "no:cacheprovider", *map(str, chosen)]
    command += [part for name in left_out if "::" in name for part in ("--deselect", f"Tests/EndToEndTests/{name}")]
    # Those that bring a service of their own spread its families, too.
    environment = {name: value for name, value in os.environ.items() if name != "DRILL_LOGS"} | {
        "STATE_DIR": str(service.state), "SPREAD": str(PROJECT / "Tests/Drills/citus_nodes.py"), "HASH_PRIORITY": "normal"}
    finished = subprocess.run(
        command, cwd=PROJECT, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if keep := os.environ.get("DRILL_LOGS"):
        pathlib.Path(keep, "citus-end-to-end.log").write_text(finished.stdout + finished.stderr)
    failed = re.findall(r"^(?:FAILED|ERROR) .*", finished.stdout, re.M)
    say(f"citus: end to end: {finished.stdout.strip().splitlines()[-1] if finished.stdout.strip() else finished.stderr[-2000:]}")
    assert finished.returncode == 0, "\n".join([finished.stdout[-6000:], *failed])
