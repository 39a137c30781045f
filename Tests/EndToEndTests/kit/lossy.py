"""A line to the server that can be cut in either direction, by bytes of TLS and not by good will."""

import contextlib
import socket
import threading
import time
from collections.abc import Callable


class LossyLine:
    def __init__(self, port: int):
        self.target = port
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        # "request": what is sent after the handshake never arrives. "answer": it arrives, and nothing comes back.
        self.loses: str | None = None
        # Tells that the server has done what it was asked, so that the line may break.
        self.done: Callable[[], bool] = lambda: True
        self.lost = 0
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                server = socket.create_connection(("127.0.0.1", self.target))
                line = Line(client, server, self)
                threading.Thread(target=line.up, daemon=True).start()
                threading.Thread(target=line.down, daemon=True).start()

    def close(self) -> None:
        self.listener.close()


class Line:
    def __init__(self, client: socket.socket, server: socket.socket, owner: LossyLine):
        self.client, self.server, self.owner = client, server, owner
        self.is_asking = False

    def up(self) -> None:
        """From the client. Its first record of application data (type 23) ends the handshake, the next one asks."""
        records = 0
        with contextlib.suppress(OSError):
            for record in read_records(self.client):
                records += record[0] == 23
                if records >= 2 and self.owner.loses == "request":
                    return self.cut()
                if records == 2:
                    self.is_asking = True
                    if self.owner.loses == "answer":
                        threading.Thread(target=self.cut_when_done, daemon=True).start()
                self.server.sendall(record)
        self.end()

    def down(self) -> None:
        with contextlib.suppress(OSError):
            for record in read_records(self.server):
                if not (self.is_asking and self.owner.loses == "answer"):
                    self.client.sendall(record)
        if not (self.is_asking and self.owner.loses == "answer"):
            self.end()

    def cut_when_done(self) -> None:
        end = time.monotonic() + 25
        while time.monotonic() < end and not self.owner.done():
            time.sleep(0.1)
        self.cut()

    def cut(self) -> None:
        self.owner.lost += 1
        self.end()

    def end(self) -> None:
        for side in (self.client, self.server):
            with contextlib.suppress(OSError):
                side.shutdown(socket.SHUT_RDWR)
                side.close()


def read_records(source: socket.socket):
    """The records of TLS as they come: five bytes of head, then as many as it says."""
    while head := exactly(source, 5):
        yield head + exactly(source, int.from_bytes(head[3:5], "big"))


def exactly(source: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count and (piece := source.recv(count - len(data))):
        data += piece
    return data if len(data) == count else b""
