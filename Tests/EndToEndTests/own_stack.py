"""A deploy/run of a test's own, with servers beside it that it sends to."""

import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator

import psycopg

from second_edge import free_ports
from stack import Stack

PROJECT = pathlib.Path(__file__).parents[2]


def until(condition, seconds: float = 25) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come"
        time.sleep(0.02)


class OwnStack(Stack):
    def sql(self, statement: str) -> str:
        """Runs statements; the rows of the last one, a line each."""
        with psycopg.connect(self.values["DATABASE_URL"], autocommit=True) as database:
            result = database.execute(statement)
            while result.nextset():
                pass
            return "\n".join("|".join(map(str, row)) for row in result) if result.description else ""


@contextlib.contextmanager
def own_place(name: str) -> Iterator[pathlib.Path]:
    """A folder that the workers can read."""
    place = pathlib.Path(tempfile.mkdtemp(prefix=f"baby-basics-{name}."))
    place.chmod(0o755)
    try:
        yield place
    finally:
        shutil.rmtree((place / "place").resolve(), ignore_errors=True)
        shutil.rmtree(place, ignore_errors=True)


def certificate(directory: pathlib.Path, name: str, alternative: str) -> tuple[pathlib.Path, pathlib.Path]:
    """Chain and key, signed by itself: the chain is who is to be trusted."""
    key, chain = directory / f"{name}.key", directory / f"{name}.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-keyout", key, "-out", chain, "-subj", "/CN=localhost", "-addext", f"subjectAltName={alternative}"],
        check=True, capture_output=True, timeout=30,
    )
    chain.chmod(0o644)
    return chain, key


@contextlib.contextmanager
def spread(place: pathlib.Path, port: str | None) -> Iterator[None]:
    """With SPREAD, which deploy/drill citus sets, families are on three machines."""
    if not (program := os.environ.get("SPREAD")):
        yield
        return
    with subprocess.Popen([program, place, port], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as machines:
        assert machines.stdout.readline() == b"spread\n"
        try:
            yield
        finally:
            machines.stdin.close()


@contextlib.contextmanager
def own_stack(kind: type[OwnStack], place: pathlib.Path, executable: pathlib.Path, **settings: str) -> Iterator[OwnStack]:
    http, https = free_ports()
    environment = {name: value for name, value in os.environ.items() if name not in ("BASE_URL", "METRICS_PORT")} | {
        "STATE_DIR": str(place), "HTTP_PORT": str(http), "HTTPS_PORT": str(https), "WORKERS": "2",
        "EXECUTABLE": str(executable), **settings,
    }
    if "SPREAD" in os.environ:
        environment["DATABASE_PORT"] = str(free_ports()[0])
    with open(place / "run.log", "wb") as log:
        run = subprocess.Popen([PROJECT / "deploy/run"], env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        until(lambda: (place / "env").exists() or run.poll() is not None, 120)
        assert run.poll() is None, (place / "run.log").read_text()
        with spread(place, environment.get("DATABASE_PORT")):
            yield kind(str(place))
    finally:
        run.send_signal(signal.SIGTERM)
        run.wait(90)
