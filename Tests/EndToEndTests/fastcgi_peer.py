"""A FastCGI worker that does what a test wants, to see what nginx sends it."""

import contextlib
import os
import pathlib
import shutil
import socket
import struct
import threading

from stack import Stack

HEADER = struct.Struct(">BBHHBB")
BEGIN, END, PARAMETERS, INPUT, OUTPUT = 1, 3, 4, 5, 6


class Gone(Exception):
    pass


class Peer:
    """Answers on a listening socket by `answer(parameters, body)`: bytes, or None to hang up without a word."""

    def __init__(self, listener: socket.socket, answer):
        self.listener, self.answer = listener, answer
        self.seen: list[tuple[dict[str, str], bytes]] = []
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self.listener.accept()
                threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection: socket.socket) -> None:
        with connection, contextlib.suppress(Gone, OSError):
            while True:
                parameters, body = self.request(connection)
                self.seen.append((parameters, body))
                content = self.answer(parameters, body)
                if content is None:
                    return
                connection.sendall(
                    HEADER.pack(1, OUTPUT, 1, len(content), 0, 0) + content + HEADER.pack(1, OUTPUT, 1, 0, 0, 0)
                    + HEADER.pack(1, END, 1, 8, 0, 0) + bytes(8)
                )

    def request(self, connection: socket.socket) -> tuple[dict[str, str], bytes]:
        parameters = body = b""
        while True:
            _, kind, _, length, padding, _ = HEADER.unpack(self.read(connection, 8))
            content = self.read(connection, length)
            self.read(connection, padding)
            if kind == PARAMETERS:
                parameters += content
            elif kind == INPUT and content:
                body += content
            elif kind == INPUT:
                return self.pairs(parameters), body

    @staticmethod
    def read(connection: socket.socket, length: int) -> bytes:
        content = b""
        while len(content) < length:
            piece = connection.recv(length - len(content))
            if not piece:
                raise Gone
            content += piece
        return content

    @staticmethod
    def pairs(content: bytes) -> dict[str, str]:
        at, found = 0, {}

        def length() -> int:
            nonlocal at
            if content[at] < 128:
                at += 1
                return content[at - 1]
            at += 4
            return struct.unpack(">I", content[at - 4 : at])[0] & 0x7FFFFFFF

        while at < len(content):
            name, value = length(), length()
            found[content[at : at + name].decode()] = content[at + name : at + name + value].decode("latin-1")
            at += name + value
        return found


@contextlib.contextmanager
def in_place_of_the_workers(stack: Stack, answer):
    """Puts a Peer where nginx looks for the workers."""
    path = pathlib.Path(stack.values["WORKER_SOCKET"])
    aside = path.with_suffix(".aside")
    owner = path.stat()
    path.rename(aside)
    try:
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(path))
            if os.geteuid() == 0:
                shutil.chown(path, owner.st_uid, owner.st_gid)
            path.chmod(0o660)
            listener.listen(64)
            yield Peer(listener, answer)
    finally:
        path.unlink(missing_ok=True)
        aside.rename(path)
