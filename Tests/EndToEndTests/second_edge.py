"""A second nginx before the same workers, from the same nginx.conf filled in with other values."""

import contextlib
import os
import pathlib
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator

from stack import Stack

PROJECT = pathlib.Path(__file__).parents[2]


class SecondEdge:
    def __init__(self, stack: Stack, directory: pathlib.Path, http_port: int, port: int):
        self.stack, self.directory, self.http_port, self.port = stack, directory, http_port, port

    def client(self, source: str, http: bool = False):
        client = self.stack.client(source)
        client.base_url = f"http://127.0.0.1:{self.http_port}" if http else f"https://127.0.0.1:{self.port}"
        return client


def free_ports() -> list[int]:
    with contextlib.ExitStack() as probes:
        return [
            probes.enter_context(socket.create_server(("127.0.0.1", 0))).getsockname()[1] for _ in range(2)
        ]


def filled(stack: Stack, directory: pathlib.Path, http_port: int, https_port: int, **settings: str) -> str:
    """nginx.conf as deploy/lib/fill makes it from these settings."""
    values = {
        "USER": "www-data" if os.geteuid() == 0 else "", "IPV4": "127.0.0.1", "IPV6": "", "HTTP_PORT": str(http_port),
        "HTTPS_PORT": str(https_port), "BASE_URL": stack.base_url, "WEB_ROOT": stack.values["WEB_ROOT"],
        "ACME_ROOT": str(stack.place / "acme"),
        "CERTIFICATE": str(stack.place / "tls/server.pem"), "CERTIFICATE_KEY": str(stack.place / "tls/server.key"),
        "WORKER_SOCKET": stack.values["WORKER_SOCKET"], "PID_FILE": str(directory / "nginx.pid"),
        "ERROR_LOG": str(directory / "error.log"), "ACCESS_LOG": str(directory / "access.log"),
        "TEMPORARY": str(directory / "temporary"), "BODIES": str(directory / "bodies"), "CLIENT_RATE": "300", "PATH": os.environ["PATH"], **settings,
    }
    return subprocess.run(
        [PROJECT / "deploy/lib/fill", PROJECT / "nginx.conf"], env=values, check=True, capture_output=True, text=True,
        timeout=20,
    ).stdout


@contextlib.contextmanager
def second_edge(
    stack: Stack, change: Callable[[str], str] = lambda text: text, **settings: str
) -> Iterator[SecondEdge]:
    """Its files stay in the stack's state, where they are searched for secrets like all others."""
    directory = pathlib.Path(tempfile.mkdtemp(prefix="edge-", dir=stack.place))
    directory.chmod(0o755)
    (directory / "temporary").mkdir()
    http_port, port = free_ports()
    configuration = directory / "nginx.conf"
    configuration.write_text(change(filled(stack, directory, http_port, port, **settings)))
    command = ["/usr/sbin/nginx", "-p", directory, "-e", directory / "error.log", "-c", configuration, "-g", "daemon off;"]
    with open(directory / "output.log", "wb") as output:
        nginx = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
    try:
        deadline = time.monotonic() + 10
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                break
            assert nginx.poll() is None and time.monotonic() < deadline, (directory / "output.log").read_text()
            time.sleep(0.05)
        yield SecondEdge(stack, directory, http_port, port)
    finally:
        nginx.send_signal(signal.SIGTERM)
        try:
            nginx.wait(10)
        except subprocess.TimeoutExpired:
            nginx.kill()
            nginx.wait(10)
