"""deploy/run itself: what it starts, what others may see of it, and what it leaves behind."""

import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

import pytest

from second_edge import free_ports

PROJECT = pathlib.Path(__file__).parents[2]


@pytest.fixture
def place():
    directory = pathlib.Path(tempfile.mkdtemp(prefix="baby-basics-run."))
    directory.chmod(0o755)
    yield directory
    shutil.rmtree((directory / "place").resolve(), ignore_errors=True)
    shutil.rmtree(directory, ignore_errors=True)


def test_secrets_are_in_no_argument_list_and_nothing_is_left(stack, place):
    http, https = free_ports()
    environment = {name: value for name, value in os.environ.items() if name != "BASE_URL"} | {
        "STATE_DIR": str(place), "HTTP_PORT": str(http), "HTTPS_PORT": str(https), "WORKERS": "1",
        "EXECUTABLE": str(stack.place / "bin/babybasics"),
    }
    # Every program that is started, with its arguments; strace is beside deploy/run, not before it (-D).
    watched = ["strace", "-D", "-f", "--seccomp-bpf", "-qq", "-e", "trace=execve", "-e", "signal=none", "-s", "100000"]
    watched += ["-o", place / "started"]
    with open(place / "run.log", "wb") as log:
        run = subprocess.Popen(
            [*watched, PROJECT / "deploy/run"], env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )
    try:
        deadline = time.monotonic() + 120
        while not (place / "env").exists():
            assert run.poll() is None and time.monotonic() < deadline, (place / "run.log").read_text()
            time.sleep(0.1)
        values = dict(line.split("=", 1) for line in (place / "env").read_text().splitlines())
        state = pathlib.Path(values["STATE_PLACE"])
        for name in (place / "env", place / "secrets", state / "workers.env", state / "tls/server.key", state / "tls/ca.key"):
            assert name.stat().st_mode & 0o077 == 0, name
        memory = (state / "sockets").resolve()
        assert pathlib.Path(values["WORKER_SOCKET"]).is_socket()
    finally:
        run.send_signal(signal.SIGTERM)
        assert run.wait(90) == 0
    started = (place / "started").read_text()
    for program in ("initdb", "postgres", "psql", "babybasics", "supervise", "nginx"):
        assert f'/{program}"' in started
    secrets = dict(line.split("=", 1) for line in (place / "secrets").read_text().splitlines())
    assert len(secrets) == 7 and all(len(value) == 64 for value in secrets.values())
    assert [name for name, value in secrets.items() if value in started] == []
    assert not memory.exists() and not (place / "env").exists()
    assert [path for path in pathlib.Path("/proc").glob("[0-9]*/cmdline") if str(place).encode() in read(path)] == []


def read(path: pathlib.Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:  # gone meanwhile
        return b""
