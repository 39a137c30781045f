"""Receivers of webhooks over TLS, which do what a test says, and a deploy/run that calls them."""

import asyncio
import contextlib
import dataclasses
import json
import pathlib
import ssl
import time
from collections.abc import Callable

from outside import Outside
from own_stack import OwnStack, certificate, own_place, own_stack, until


@dataclasses.dataclass
class Call:
    path: str
    headers: dict[str, str]
    body: bytes
    at: float

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def json(self) -> dict:
        return json.loads(self.body)

    @property
    def revision(self) -> int:
        return self.json["data"]["event"]["revision"]


class Hang(Exception):
    """Nothing is answered, ever."""


class Garbage(Exception):
    """What is answered is no HTTP."""


class Break(Exception):
    """The connection is broken off."""


class Flood(Exception):
    """200, and a body without an end."""


class Receivers(Outside):
    """Many of them, at one port: each has a path of its own. What each answers to a call is a status, after some seconds maybe."""

    def __init__(self, context: ssl.SSLContext):
        self.calls: list[Call] = []
        self.taken: dict[str, list[Call]] = {}
        self.answers: dict[str, Callable[[Call], int | tuple[float, int]]] = {}
        super().__init__(context)

    async def listen(self) -> asyncio.Server:
        return await asyncio.start_server(self._serve, "127.0.0.1", self.port, ssl=self.context)

    def url(self, name: str, host: str = "127.0.0.1") -> str:
        return f"https://{host}:{self.port}/{name}"

    def to(self, name: str) -> list[Call]:
        """What it has taken."""
        return list(self.taken.get(f"/{name}", []))

    def tried(self, name: str) -> list[Call]:
        return [call for call in self.calls if call.path == f"/{name}"]

    def wait(self, name: str, count: int = 1, seconds: float = 25) -> list[Call]:
        until(lambda: len(self.to(name)) >= count, seconds)
        return self.to(name)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, ssl.SSLError, TimeoutError):
            while True:
                call = await self._read(reader)
                self.calls.append(call)
                if not await self._answer(call, writer):
                    break
        writer.close()

    async def _read(self, reader: asyncio.StreamReader) -> Call:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        request, *lines = head.strip().split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        return Call(request.split()[1], headers, body, time.time())

    async def _answer(self, call: Call, writer: asyncio.StreamWriter) -> bool:
        try:
            answer = self.answers.get(call.path, lambda call: 200)(call)
            seconds, status = answer if isinstance(answer, tuple) else (0, answer)
        except Hang:
            await asyncio.sleep(60)
            return False
        except Garbage:
            writer.write(b"\x00\x01 what?\r\n\r\n")
            await writer.drain()
            return False
        except Break:
            writer.transport.abort()
            return False
        except Flood:
            writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            for _ in range(100):  # asyncio does not say when nobody listens any more
                writer.write(b"1000\r\n" + b"x" * 4096 + b"\r\n")
                await writer.drain()
            await asyncio.sleep(60)
            return False
        await asyncio.sleep(seconds)
        if 200 <= status < 300:
            self.taken.setdefault(call.path, []).append(call)
        location = f"Location: {self.url('elsewhere')}\r\n" if 300 <= status < 400 else ""
        writer.write(f"HTTP/1.1 {status} It\r\nContent-Length: 0\r\n{location}\r\n".encode())
        await writer.drain()
        return True


class WebhookStack(OwnStack):
    receivers: Receivers

    def waiting(self) -> int:
        return int(self.sql("select count(*) from webhook_deliveries where is_waiting"))

    def try_now(self) -> None:
        """Has what waits for its next try tried within a second."""
        self.sql("update webhooks set due_at = now() where not is_being_called")


def tls(place: pathlib.Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate(place, "receiver", "IP:127.0.0.1,DNS:receiver.example,DNS:elsewhere.example"))
    return context


@contextlib.contextmanager
def webhook_stack(executable: pathlib.Path, networks: str = "127.0.0.0/8", **settings: str):
    with own_place("webhooks") as place:
        receivers = Receivers(tls(place))
        settings = {"WEBHOOK_NETWORKS": networks, "WEBHOOK_CA": str(place / "receiver.pem"), "PUSH_HOSTS": "none", **settings}
        try:
            with own_stack(WebhookStack, place, executable, **settings) as stack:
                stack.receivers = receivers
                yield stack
        finally:
            receivers.stop()
