"""The running service under test: what deploy/run wrote down about itself, and clients that speak to it."""

import itertools
import json
import os
import pathlib
import random
import socket
import ssl
import subprocess

import httpx


class Stack:
    """One running deploy/run, found through STATE_DIR and nothing else."""

    def __init__(self, state_directory: str):
        self.state = pathlib.Path(state_directory)
        lines = (self.state / "env").read_text().splitlines()
        self.values = dict(line.split("=", 1) for line in lines if line)
        self.port = int(self.values["HTTPS_PORT"])
        self.http_port = int(self.values["HTTP_PORT"])
        self.base_url = self.values["BASE_URL"]
        self.address = f"https://127.0.0.1:{self.port}"
        self.place = pathlib.Path(self.values["STATE_PLACE"])
        self.tls = self.trust()
        # Each person has an address of their own, so that limits by address stay on and out of the way.
        start = random.randrange(1, 200)
        self.addresses = (
            f"127.{a}.{b}.{c}"
            for a, b, c in itertools.product(range(start, 255), range(255), range(1, 255))
        )

    def trust(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=self.values["CA_FILE"])

    def client(self, source: str | None = None, http: bool = False, **options) -> httpx.Client:
        """An HTTP client with a source address of its own; `http` speaks to the port without TLS."""
        source = source or next(self.addresses)
        base = f"http://127.0.0.1:{self.http_port}" if http else self.address
        # Of its own: httpx writes protocols into it at each connection, while another thread may be shaking hands.
        transport = httpx.HTTPTransport(verify=self.trust(), local_address=source, **options)
        return httpx.Client(transport=transport, base_url=base, timeout=30)

    def raw(
        self, request: bytes, tls: bool = True, port: int | None = None, source: str = "127.0.0.1"
    ) -> tuple[int, dict, bytes]:
        """Sends bytes as they are, and gives back status (0: no HTTP answer), headers (a list for each name), body."""
        address = ("127.0.0.1", port or self.port)
        with socket.create_connection(address, timeout=20, source_address=(source, 0)) as connection:
            if tls:
                connection = self.tls.wrap_socket(connection, server_hostname="127.0.0.1")
            connection.sendall(request)
            answer = b""
            try:
                while piece := connection.recv(65536):
                    answer += piece
            except (ConnectionResetError, ssl.SSLError, TimeoutError):
                pass
        head, _, body = answer.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        headers: dict[str, list[str]] = {}
        for line in lines:
            name, _, value = line.partition(":")
            headers.setdefault(name.lower(), []).append(value.strip())
        return int(first.split()[1]) if first.startswith("HTTP/") else 0, headers, body

    def workers(self) -> list[int]:
        return [int(pid) for pid in pathlib.Path(self.values["WORKER_PIDS_FILE"]).read_text().split()]

    def command(self, *words: str) -> subprocess.CompletedProcess:
        """The server's program in its workers' environment."""
        script = 'set -a; source "$0"; exec "$@"'
        return subprocess.run(
            ["env", "-i", "bash", "-c", script, self.values["WORKERS_ENVIRONMENT"], self.place / "bin/babybasics", *words],
            env={**os.environ, "LISTEN_SOCKET": "/nowhere"}, capture_output=True, text=True, timeout=60,
        )

    @property
    def database_log(self) -> pathlib.Path:
        return self.place / "log/postgres.log"

    def database(self, action: str, *options: str) -> None:
        """pg_ctl on this stack's own cluster, which goes on writing the log that it had."""
        command = [f"{self.values['POSTGRESQL']}/pg_ctl", "-D", self.values["DATABASE_DIRECTORY"], "-w", action]
        if user := self.values["DATABASE_USER"]:
            command = ["setpriv", "--reuid", user, "--regid", user, "--init-groups", "--", *command]
        with open(self.database_log, "ab") as log:
            subprocess.run(
                [*command, *options], check=True, cwd="/", stdin=subprocess.DEVNULL, stdout=log, stderr=log, timeout=90
            )


def headers_of(response: httpx.Response) -> dict[str, list[str]]:
    return {name: response.headers.get_list(name) for name in response.headers}


def assert_error(status: int, headers: dict, body: bytes, expected: int, code: str) -> dict:
    """The contract's envelope, whoever made the error."""
    assert status == expected
    assert headers["content-type"] == ["application/json"]
    error = json.loads(body)["error"]
    assert set(error) == {"code", "message", "details"}
    assert error["code"] == code
    assert error["message"] and isinstance(error["details"], list)
    assert b"<html" not in body and b"nginx" not in body
    return error


def assert_common_headers(headers: dict, https: bool = True, store: str | None = "no-store") -> None:
    """What every answer has, and exactly once."""
    assert len(headers["x-request-id"]) == 1 and len(headers["x-request-id"][0]) == 32
    assert headers["x-content-type-options"] == ["nosniff"]
    assert headers["referrer-policy"] == ["no-referrer"]
    assert len(headers["content-security-policy"]) == 1
    assert headers["content-security-policy"][0].startswith("default-src 'none'")
    assert "unsafe" not in headers["content-security-policy"][0]
    assert len(headers.get("strict-transport-security", [])) == (1 if https else 0)
    assert headers["server"] == ["nginx"]
    if store:
        assert headers["cache-control"] == [store]
