"""A body on its way to the workers is held in memory, however it is framed: a password never reaches a disk."""

import pathlib
import secrets
import socket
import subprocess

from test_failures import until


def nginx(stack) -> list[int]:
    master = int(pathlib.Path(stack.values["NGINX_PID_FILE"]).read_text())
    return [int(pid) for pid in pathlib.Path(f"/proc/{master}/task/{master}/children").read_text().split()]


def open_files(stack, content: bytes) -> list[pathlib.Path]:
    """What nginx has open and holds the bytes; such a file has no name any more."""
    found = []
    for pid in nginx(stack):
        for path in pathlib.Path(f"/proc/{pid}/fd").iterdir():
            try:
                if path.is_file() and path.stat().st_size and content in path.read_bytes():
                    found.append(path)
            except OSError:  # closed meanwhile
                continue
    return found


def test_a_chunked_body_is_never_on_a_disk(stack):
    """Chunks of a byte with long heads: 20 KB of body, 1 MB of framing, of which nginx's buffer takes 64 KB."""
    canary = secrets.token_hex(16)
    body = b'{"email":"nobody@example.com","password":"' + canary.encode() + b"a" * 20_000
    head = (
        b"POST /api/v1/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    )
    chunks = b"".join(b"0" * 40 + b"1\r\n%c\r\n" % byte for byte in body)
    plain = socket.create_connection(("127.0.0.1", stack.port), timeout=20, source_address=(next(stack.addresses), 0))
    with stack.tls.wrap_socket(plain, server_hostname="127.0.0.1") as connection:
        connection.sendall(head + chunks)  # and not the end of it
        files = until(10, lambda: open_files(stack, canary.encode()))
        for path in files:
            kind = subprocess.run(
                ["stat", "-Lfc", "%T", path], capture_output=True, text=True, timeout=10
            ).stdout.strip()
            assert kind == "tmpfs", path
        connection.sendall(b"2\r\n\"}\r\n0\r\n\r\n")
        assert connection.recv(65536).startswith(b"HTTP/1.1 ")
