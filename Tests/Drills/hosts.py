"""App hosts of the drills: workers under deploy/lib/supervise with a socket each, and one nginx in front of all of them."""

import os
import pathlib
import shutil
import signal
import subprocess

from clients import Client
from service import PROJECT, Service, free_ports, until


class Hosts:
    """Beside a service's own workers and nginx, which stay up: `sockets` groups of workers on any DATABASE_URL."""

    def __init__(self, service: Service, database_url: str, count: int = 1, workers: int = 2):
        self.service, self.database_url, self.running = service, database_url, []
        self.port, http = free_ports(2)
        self.directory = service.place / f"hosts-{self.port}"
        self.directory.mkdir()
        (self.directory / "temporary").mkdir()
        self.directory.chmod(0o755)
        root = os.geteuid() == 0
        environment = {
            "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "DATABASE_URL": database_url,
            "BASE_URL": service.values["BASE_URL"], "INVITE_KEY": service.values["INVITE_KEY"],
            "THROTTLE_KEY": service.values["THROTTLE_KEY"], "ADMIN_TOKEN": service.values["ADMIN_TOKEN"], "LOG_LEVEL": "warning",
            "HASH_PRIORITY": os.environ.get("HASH_PRIORITY", "idle"),
        }
        self.sockets = [service.sockets / f"host{number}-{self.port}.sock" for number in range(count)]
        try:
            for number, path in enumerate(self.sockets):
                shared = self.directory / f"shared{number}"
                shared.mkdir()
                shared.chmod(0o777)
                command = [PROJECT / "deploy/lib/supervise", path, str(workers), self.directory / f"{number}.pids",
                           "nobody" if root else "", "www-data" if root else "", service.place / "bin/babybasics", "serve"]
                self.start(command, environment | {"SHARED_DIRECTORY": str(shared)}, f"workers{number}.log")
            self.start_nginx(http)
        except BaseException:
            self.stop()
            raise

    def start(self, command: list, environment: dict | None, log: str) -> None:
        with (self.directory / log).open("wb") as output:
            self.running.append(subprocess.Popen(
                [str(part) for part in command], env=environment, cwd="/", stdin=subprocess.DEVNULL, stdout=output,
                stderr=output, start_new_session=True))

    def start_nginx(self, http: int) -> None:
        """The service's own file, with other ports and these sockets."""
        place, values = self.service.place, self.service.values
        text = (place / "nginx.conf").read_text()
        upstream = f"server unix:{values['WORKER_SOCKET']};"
        changes = {
            f":{values['HTTPS_PORT']} ": f":{self.port} ", f":{values['HTTP_PORT']} ": f":{http} ",
            str(place / "nginx.pid"): str(self.directory / "nginx.pid"), str(place / "log"): str(self.directory),
            str(place / "temporary"): str(self.directory / "temporary"),
            upstream: " ".join(f"server unix:{path};" for path in self.sockets),
        }
        for old, new in changes.items():
            assert old in text, old
            text = text.replace(old, new)
        path = self.directory / "nginx.conf"
        path.write_text(text)
        program = shutil.which("nginx") or "/usr/sbin/nginx"
        until(60, "the workers' sockets", lambda: all(socket.exists() for socket in self.sockets))
        self.start([program, "-p", self.directory, "-e", self.directory / "nginx.log", "-c", path, "-g", "daemon off;"], None,
                   "nginx.err")
        client = self.client()
        until(60, f"health of {self.directory}", client.is_healthy)
        client.close()

    def client(self) -> Client:
        return Client(self.service, self.port)

    def workers(self, number: int = 0) -> list[int]:
        return [int(pid) for pid in pathlib.Path(self.directory / f"{number}.pids").read_text().split()]

    def __enter__(self):
        return self

    def __exit__(self, *_) -> None:
        self.stop()

    def stop(self) -> None:
        if keep := os.environ.get("DRILL_LOGS"):
            shutil.copytree(self.directory, f"{keep}/{self.directory.name}", dirs_exist_ok=True)
        # nginx first: workers drain until it has let go.
        for process in reversed(self.running):
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(40)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(10)
