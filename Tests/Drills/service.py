"""A deploy/run of the drill's own, in a directory that goes when the drill ends."""

import os
import pathlib
import random
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time

PROJECT = pathlib.Path(__file__).resolve().parents[2]


def say(text: str) -> None:
    print(f"drill: {text}", file=sys.stderr, flush=True)


def until(seconds: float, what: str, condition, pause: float = 0.05):
    """Waits for `condition` to be true, and gives back what it said. The bound is against hanging, not a promise."""
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > deadline:
            raise AssertionError(f"{what}: did not happen within {seconds:.0f} s")
        time.sleep(pause)
    return found


def free_ports(count: int) -> list[int]:
    """Below the range from which the system takes ports for outgoing connections: nobody gets them by chance meanwhile."""
    ports = []
    while len(ports) < count:
        port = random.randrange(20000, 32000)
        try:
            socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            continue
        if port not in GIVEN:
            GIVEN.add(port)
            ports.append(port)
    return ports


# To the services of this process, started or about to.
GIVEN: set[int] = set()


class Service:
    """The whole service: PostgreSQL, `workers` workers under deploy/lib/supervise, nginx."""

    # Seconds that a client waits for an answer.
    patience = 45.0

    def __init__(self, workers: int = 2, **environment: str):
        self.state = pathlib.Path(tempfile.mkdtemp(prefix="baby-basics-drill."))
        self.state.chmod(0o755)
        http, https, self.database_port = free_ports(3)
        self.log = self.state / "run.log"
        variables = {name: value for name, value in os.environ.items() if name not in ("BASE_URL", "IPV4", "IPV6")}
        variables |= {"STATE_DIR": str(self.state), "HTTP_PORT": str(http), "HTTPS_PORT": str(https)}
        variables |= {"DATABASE_PORT": str(self.database_port), "WORKERS": str(workers), "LOG_LEVEL": "warning"}
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [PROJECT / "deploy/run"], env=variables | environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            until(1200, "deploy/run", self.is_up, 0.2)
            values = (line.split("=", 1) for line in (self.state / "env").read_text().splitlines() if line)
            self.values = dict(values)
            secrets = (self.state / "secrets").read_text().splitlines()
            self.secrets = dict(line.split("=", 1) for line in secrets)
            # Later ones need no build.
            os.environ["EXECUTABLE"] = os.environ.get("EXECUTABLE") or self.keep_executable()
        except BaseException:
            self.stop()
            raise
        self.place = pathlib.Path(self.values["STATE_PLACE"])
        self.sockets = pathlib.Path(self.values["WORKER_SOCKET"]).parent
        self.port = int(self.values["HTTPS_PORT"])
        self.doors = [("127.0.0.1", self.port)]  # where clients find nginx
        self.tls = ssl.create_default_context(cafile=self.values["CA_FILE"])
        self.binaries = pathlib.Path(self.values["POSTGRESQL"])
        self.data = pathlib.Path(self.values["DATABASE_DIRECTORY"])

    def is_up(self) -> bool:
        if self.process.poll() is not None:
            raise AssertionError(f"deploy/run did not start: {self.log.read_text()[-2000:]}")
        return (self.state / "env").exists()

    def keep_executable(self) -> str:
        directory = tempfile.mkdtemp(prefix="baby-basics-drill-program.")
        KEPT.append(directory)
        return shutil.copy(f"{self.values['STATE_PLACE']}/bin/babybasics", directory)

    def __enter__(self):
        return self

    def __exit__(self, *_) -> None:
        self.stop()

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(90)
        except subprocess.TimeoutExpired:
            self.process.kill()
            say("deploy/run did not stop within 90 s: killed")
        place = (self.state / "place").resolve()
        if keep := os.environ.get("DRILL_LOGS"):
            shutil.copytree(place / "log" if place.exists() else self.state / "log",
                            f"{keep}/{self.state.name}", dirs_exist_ok=True)
        shutil.rmtree(place, ignore_errors=True)
        shutil.rmtree(self.state, ignore_errors=True)

    def workers(self) -> list[int]:
        return [int(pid) for pid in pathlib.Path(self.values["WORKER_PIDS_FILE"]).read_text().split()]

    def as_database_user(self, *command) -> list[str]:
        """PostgreSQL does not run as root."""
        user = self.values["DATABASE_USER"]
        switch = ["setpriv", "--reuid", user, "--regid", user, "--init-groups", "--"] if user else []
        return [*switch, *map(str, command)]

    def run(self, program: str, *arguments, environment: dict | None = None) -> str:
        """A program of PostgreSQL's, or any other by its path, with the rights of the database's account."""
        with tempfile.TemporaryFile() as output:  # not a pipe: a server would keep it open
            finished = subprocess.run(
                self.as_database_user(self.binaries / program, *arguments), cwd="/", stdin=subprocess.DEVNULL, stdout=output,
                stderr=output, timeout=180, env=environment)
            output.seek(0)
            said = output.read().decode(errors="replace")
        assert finished.returncode == 0, f"{program} {arguments}: {said}"
        return said

    def control(self, *arguments, data: pathlib.Path | None = None) -> None:
        """pg_ctl on the service's own cluster, or on another of its account's."""
        self.run("pg_ctl", "-D", data or self.data, "-w", "-t", "120", *arguments)

    def start_database(self, data: pathlib.Path | None = None) -> None:
        data = data or self.data
        self.control("start", "-l", str(data / "server.log"), data=data)

    def psql(self, text: str, port: int | None = None, database: str = "babybasics", check: bool = True) -> str:
        """As the superuser, over TCP."""
        environment = os.environ | {"PGPASSWORD": self.secrets["SUPERUSER_PASSWORD"], "PGCONNECT_TIMEOUT": "5"}
        finished = subprocess.run(
            [self.binaries / "psql", "-h", "127.0.0.1", "-p", str(port or self.database_port), "-U", "postgres",
             "-d", database, "-v", "ON_ERROR_STOP=1", "-qAtX", "-f", "-"],
            input=text, env=environment, capture_output=True, text=True, timeout=120)
        assert not check or finished.returncode == 0, f"psql: {finished.stderr}"
        return finished.stdout.strip()


KEPT: list[str] = []


def forget_executable() -> None:
    for directory in KEPT:
        shutil.rmtree(directory, ignore_errors=True)
