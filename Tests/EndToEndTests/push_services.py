"""Push services over TLS and HTTP/2, which do what a test says, browsers that read what they are sent, and a deploy/run that pushes to them."""

import asyncio
import base64
import contextlib
import dataclasses
import json
import pathlib
import secrets
import ssl
import subprocess
import time
from collections.abc import Callable

import http_ece
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import ConnectionTerminated, DataReceived, RequestReceived, StreamEnded, StreamReset
from h2.exceptions import ProtocolError
from py_vapid import Vapid02

from outside import Outside
from own_stack import OwnStack, certificate, own_place, own_stack, until
from people import Person

TOPIC, KEY_ID, TEAM_ID = "com.example.babybasics", "ABC1234567", "TEAM123456"


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def from_base64url(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


@dataclasses.dataclass
class Push:
    headers: dict[str, str]
    body: bytes
    at: float

    @property
    def path(self) -> str:
        return self.headers[":path"]

    @property
    def name(self) -> str:
        """Of the device."""
        return self.path.rpartition("/")[2]

    def token(self) -> tuple[dict, dict]:
        """Header and claims of what says who sends it."""
        token = self.headers["authorization"].partition("t=")[2].partition(",")[0] or self.headers["authorization"].split()[1]
        return tuple(json.loads(from_base64url(part)) for part in token.split(".")[:2])


# What an answer is: status, headers and body; None for none at all, a number for a wait before 201.
Answer = tuple[int, dict[str, str], bytes] | float | None


class PushService(Outside):
    """One of them, at a port of its own."""

    def __init__(self, context: ssl.SSLContext, path: str = "/send"):
        self.path = path
        self.taken: list[Push] = []  # answered with 200 or 201
        self.tried: list[Push] = []
        self.hanging: list[tuple["_Connection", int, Push]] = []
        self.answer: Callable[[Push], Answer] = lambda push: (201, {}, b"")
        super().__init__(context)
        self.host = f"127.0.0.1:{self.port}"

    async def listen(self) -> asyncio.Server:
        return await self.loop.create_server(lambda: _Connection(self), "127.0.0.1", self.port, ssl=self.context)

    def url(self, name: str) -> str:
        return f"https://{self.host}{self.path}/{name}"

    def speak(self, *names: str) -> None:
        """What new connections may speak. In HTTP/1.1 it says nothing at all."""
        self.loop.call_soon_threadsafe(self.context.set_alpn_protocols, list(names))

    def hang(self) -> None:
        self.answer = lambda push: None

    def work(self) -> None:
        """Answers as it should, those that hang too."""
        self.answer = lambda push: (201, {}, b"")
        self.loop.call_soon_threadsafe(self._release)

    def _release(self) -> None:
        hanging, self.hanging = self.hanging, []
        for connection, stream, push in hanging:
            connection.respond(stream, push, (201, {}, b""))

    def to(self, name: str) -> list[Push]:
        return [push for push in self.taken if push.name == name]

    def wait(self, name: str, count: int = 1, seconds: float = 25) -> list[Push]:
        until(lambda: len(self.to(name)) >= count, seconds)
        return self.to(name)


class _Connection(asyncio.Protocol):
    def __init__(self, service: PushService):
        self.service = service
        self.streams: dict[int, tuple[dict, bytearray]] = {}
        self.http = H2Connection(H2Configuration(client_side=False, header_encoding="utf-8"))

    def connection_made(self, transport) -> None:
        self.transport = transport
        self.service.connections += 1
        self.hangs = transport.get_extra_info("ssl_object").selected_alpn_protocol() != "h2"
        if self.hangs:
            return
        self.http.initiate_connection()
        self.flush()

    def data_received(self, data: bytes) -> None:
        if self.hangs:
            return
        try:
            events = self.http.receive_data(data)
        except ProtocolError:
            return self.transport.close()
        for event in events:
            match event:
                case RequestReceived():
                    self.streams[event.stream_id] = (dict(event.headers), bytearray())
                case DataReceived():
                    self.streams[event.stream_id][1].extend(event.data)
                    self.http.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                case StreamEnded():
                    headers, body = self.streams.pop(event.stream_id)
                    self.arrived(event.stream_id, Push(headers, bytes(body), time.time()))
                case StreamReset():
                    self.streams.pop(event.stream_id, None)
                case ConnectionTerminated():
                    self.transport.close()
        self.flush()

    def arrived(self, stream: int, push: Push) -> None:
        self.service.tried.append(push)
        match self.service.answer(push):
            case None:
                self.service.hanging.append((self, stream, push))
            case float() | int() as seconds:
                self.service.loop.call_later(seconds, self.respond, stream, push, (201, {}, b""))
            case answer:
                self.respond(stream, push, answer)

    def respond(self, stream: int, push: Push, answer: tuple[int, dict[str, str], bytes]) -> None:
        status, headers, body = answer
        try:
            self.http.send_headers(stream, [(":status", str(status)), *headers.items()], end_stream=not body)
            if body:
                self.http.send_data(stream, body, end_stream=True)
        except ProtocolError:
            return  # whoever asked has gone
        if status in (200, 201):
            self.service.taken.append(push)
        self.flush()

    def flush(self) -> None:
        self.transport.write(self.http.data_to_send())


class Browser:
    """A subscription, and what only its browser can read."""

    def __init__(self, service: PushService, server_key: str):
        self.service, self.server_key = service, server_key
        self.name = secrets.token_hex(16)
        self.private = ec.generate_private_key(ec.SECP256R1())
        self.auth = secrets.token_bytes(16)
        self.public = self.private.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )

    @property
    def subscription(self) -> dict:
        keys = {"p256dh": base64url(self.public), "auth": base64url(self.auth)}
        return {"type": "web_push", "endpoint": self.service.url(self.name), "keys": keys}

    def subscribe(self, person: Person) -> str:
        return person.ok("POST", "/users/me/devices", self.subscription, 201)["device"]["id"]

    def read(self, push: Push) -> dict:
        """As a browser and its push service would: whoever is not who subscribed it is refused."""
        authorization = push.headers["authorization"].replace(", ", ",")
        assert Vapid02.verify(authorization) and authorization.rpartition("k=")[2] == self.server_key
        header, claims = push.token()
        assert header == {"typ": "JWT", "alg": "ES256"} and claims["aud"] == f"https://{self.service.host}"
        assert 0 < claims["exp"] - time.time() <= 24 * 3600 and claims["sub"].startswith(("https://", "mailto:"))
        assert push.headers["content-encoding"] == "aes128gcm" and len(push.body) <= 4096
        message = http_ece.decrypt(push.body, private_key=self.private, auth_secret=self.auth, version="aes128gcm")
        return json.loads(message)


class PushStack(OwnStack):
    here: PushService
    there: PushService
    apple: PushService
    apple_key: ec.EllipticCurvePublicKey

    @property
    def server_key(self) -> str:
        with self.client() as client:
            return client.get("/api/v1/server").json()["server"]["push_key"]

    def services(self) -> list[PushService]:
        return [self.here, self.there, self.apple]

    def tell(
        self, people: str, family: str = "m.family_id", tag: str = "'feed'", title: str = "'Fed 3 h ago'", minutes: int = 60,
        later: str = "0 seconds",
    ) -> None:
        """What `Pushes.insert` writes, for the devices of whoever this condition on members `m` is true of."""
        self.sql(f"""
            insert into pushes (id, device_id, user_id, family_id, service, tag, title, body, kind, urgency,
                expires_at, created_at, due_at)
            select gen_random_uuid(), d.id, d.user_id, {family}, d.service, {tag}, {title}, 'Ada', 'reminder', 'normal',
                now() + {minutes} * interval '1 minute', now(), now() + interval '{later}'
            from devices d join family_members m on m.user_id = d.user_id where {people}
            on conflict (device_id, tag) do update
            set id = excluded.id, title = excluded.title, attempts = 0, created_at = excluded.created_at,
                due_at = case when pushes.is_being_sent then pushes.due_at else excluded.due_at end
        """)

    def waiting(self, condition: str = "true") -> int:
        return int(self.sql(f"select count(*) from pushes where {condition}"))

    @contextlib.contextmanager
    def at_once(self, person: Person):
        """Has a worker look when the block ends: a push of its own hangs until then, and whoever hears of an end looks for more."""
        waker = Browser(self.there, self.server_key)
        device = waker.subscribe(person)
        before = self.there.answer
        self.there.answer = lambda push: None if push.name == waker.name else before(push)
        self.tell(f"d.id = '{device}'")
        until(lambda: any(push.name == waker.name for _, _, push in self.there.hanging), 20)
        yield
        self.there.answer = before
        self.there.loop.call_soon_threadsafe(self.there._release)


def apns_key(place: pathlib.Path) -> ec.EllipticCurvePublicKey:
    """As Apple hands it out: AuthKey.p8."""
    key = ec.generate_private_key(ec.SECP256R1())
    path = place / "AuthKey.p8"
    path.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    path.chmod(0o644)
    return key.public_key()


def verify_apple(push: Push, key: ec.EllipticCurvePublicKey) -> None:
    kind, _, token = push.headers["authorization"].partition(" ")
    message, _, signature = token.rpartition(".")
    numbers = from_base64url(signature)
    der = utils.encode_dss_signature(int.from_bytes(numbers[:32], "big"), int.from_bytes(numbers[32:], "big"))
    key.verify(der, message.encode(), ec.ECDSA(hashes.SHA256()))
    header, claims = push.token()
    assert kind == "bearer" and header == {"alg": "ES256", "kid": KEY_ID} and claims["iss"] == TEAM_ID
    assert -5 < time.time() - claims["iat"] < 3600


def tls(place: pathlib.Path, name: str = "push") -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate(place, name, "IP:127.0.0.1"))
    context.set_alpn_protocols(["h2"])
    return context


@contextlib.contextmanager
def push_stack(executable: pathlib.Path, **settings: str):
    with own_place("push") as place:
        context = tls(place)
        here, there, apple = PushService(context), PushService(context), PushService(context, "/3/device")
        key = apns_key(place)
        pushing = {
            "PUSH_HOSTS": f"{here.host} {there.host}", "PUSH_CA": str(place / "push.pem"),
            "APNS_KEY_FILE": str(place / "AuthKey.p8"), "APNS_KEY_ID": KEY_ID, "APNS_TEAM_ID": TEAM_ID,
            "APNS_TOPIC": TOPIC, "APNS_SERVER": apple.host,
        }
        try:
            with own_stack(PushStack, place, executable, **pushing, **settings) as stack:
                stack.here, stack.there, stack.apple, stack.apple_key = here, there, apple, key
                yield stack
        finally:
            for service in (here, there, apple):
                service.stop()
