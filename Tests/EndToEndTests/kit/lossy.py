"""A line to the server that can be cut in either direction, by bytes of TLS and not by good will."""

import contextlib
import socket
import threading


class LossyLine:
    def __init__(self, port: int):
        self.target = port
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        # "request": what is sent after the handshake never arrives. "answer": it arrives, and what comes back is dropped.
        self.loses: str | None = None
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
        # TLS records of application data have type 23; in TLS 1.3 the client's first is its Finished.
        self.records = 0

    def up(self) -> None:
        self.carry(self.client, self.server, "request")

    def down(self) -> None:
        self.carry(self.server, self.client, "answer")

    def carry(self, source: socket.socket, target: socket.socket, what: str) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if what == "request" and data[0] == 23:
                    self.records += 1
                    if self.owner.loses == "request":
                        return self.cut()
                if what == "answer" and data[0] == 23 and self.records and self.owner.loses == "answer":
                    # Session tickets come first; the answer is what follows once the request is through.
                    if self.seen_request():
                        return self.cut()
                target.sendall(data)
        self.end()

    def seen_request(self) -> bool:
        return self.records >= 2

    def cut(self) -> None:
        self.owner.lost += 1
        self.end()

    def end(self) -> None:
        for side in (self.client, self.server):
            with contextlib.suppress(OSError):
                side.shutdown(socket.SHUT_RDWR)
                side.close()
