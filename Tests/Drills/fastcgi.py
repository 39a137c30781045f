"""A FastCGI peer that sends a request to a worker in two parts, as no nginx would."""

import json
import socket
import struct

HEADER = struct.Struct(">BBHHBB")
BEGIN, END, PARAMETERS, INPUT, OUTPUT = 1, 3, 4, 5, 6


def record(kind: int, content: bytes) -> bytes:
    return HEADER.pack(1, kind, 1, len(content), 0, 0) + content


def parameter(name: str, value: str) -> bytes:
    sizes = b"".join(bytes([len(text)]) if len(text) < 128 else struct.pack(">I", len(text) | 1 << 31) for text in (name, value))
    return sizes + name.encode() + value.encode()


class HalfRequest:
    """A POST of which half the body has been sent."""

    def __init__(self, worker_socket: str, path: str, body: dict, token: str):
        content = json.dumps(body).encode()
        parameters = {
            "REQUEST_METHOD": "POST", "REQUEST_URI": path, "CONTENT_TYPE": "application/json",
            "CONTENT_LENGTH": str(len(content)), "REMOTE_ADDR": "127.0.0.1", "REQUEST_ID": "0" * 32,
            "HTTP_AUTHORIZATION": f"Bearer {token}",
        }
        self.rest = content[len(content) // 2 :]
        self.connection = socket.socket(socket.AF_UNIX)
        self.connection.settimeout(60)
        self.connection.connect(worker_socket)
        self.connection.sendall(
            record(BEGIN, struct.pack(">HB5x", 1, 0))
            + record(PARAMETERS, b"".join(parameter(*pair) for pair in parameters.items())) + record(PARAMETERS, b"")
            + record(INPUT, content[: len(content) // 2]))

    def finish(self) -> tuple[int | None, dict]:
        """Sends the other half and reads the answer; None if there is none."""
        try:
            with self.connection as connection:
                connection.sendall(record(INPUT, self.rest) + record(INPUT, b""))
                data = b""
                while piece := connection.recv(65536):
                    data += piece
        except OSError:
            return None, {}
        output = b""
        while len(data) >= 8:
            _, kind, _, length, padding, _ = HEADER.unpack(data[:8])
            if kind == OUTPUT:
                output += data[8 : 8 + length]
            data = data[8 + length + padding :]
        head, _, text = output.partition(b"\r\n\r\n")
        lines = dict(line.split(": ", 1) for line in head.decode().split("\r\n") if ": " in line)
        return (int(lines["Status"].split()[0]), json.loads(text)) if "Status" in lines else (None, {})
