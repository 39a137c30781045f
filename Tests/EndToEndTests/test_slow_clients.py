"""Clients that are in no hurry, or that never go: what they may hold, for how long, and what the others feel of it.
The figure with thousands of them is slow_clients.py's, by hand."""

import concurrent.futures
import json
import socket
import ssl
import time

from second_edge import second_edge
from slow_clients import HEAD, make_hoard, slow_clients
from stack import assert_common_headers, assert_error, headers_of

EACH = 140  # more than the workers have threads together, 2 times 64


class Client:
    def __init__(self, stack, request: bytes, tls: bool = True, receive: int | None = None, port: int | None = None):
        self.started, self.gone = time.monotonic(), 0.0
        self.connection = socket.socket()
        if receive:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive)
        self.connection.settimeout(20)
        self.connection.bind((next(stack.addresses), 0))
        self.connection.connect(("127.0.0.1", port or stack.port))
        if tls:
            self.connection = stack.tls.wrap_socket(self.connection, server_hostname="127.0.0.1")
        self.connection.sendall(request)

    def drip(self, drop: bytes) -> None:
        """Sends a little more, and notices when the other side has gone."""
        if self.gone:
            return
        try:
            self.connection.setblocking(False)
            if drop:
                self.connection.sendall(drop)
            if self.connection.recv(4096) == b"":
                self.gone = time.monotonic()
        except (BlockingIOError, ssl.SSLWantReadError):
            pass
        except OSError:
            self.gone = time.monotonic()

    @property
    def lived(self) -> float:
        return self.gone - self.started

    def rest(self) -> bytes:
        self.connection.settimeout(20)
        content = b""
        try:
            while piece := self.connection.recv(1 << 20):
                content += piece
        except ssl.SSLEOFError:  # nginx closes TCP alone
            pass
        return content


def test_clients_in_no_hurry_cost_the_others_nothing(stack, person):
    hoards = [make_hoard(person(name)) for name in ("Johnny", "Emma")]  # 100 requests a minute are allowed to each
    pages = [f"GET {path} HTTP/1.0\r\nAuthorization: Bearer {token}\r\n\r\n".encode() for path, token in hoards]
    people = [person("Maria"), person("Sarah")]
    families = [one.create_family() for one in people]
    head = HEAD + b"Content-Type: application/json\r\nContent-Length: 60000\r\n\r\n"

    def reader(number: int) -> Client:
        client = Client(stack, pages[number % 2], receive=4096)
        client.connection.recv(64)
        return client

    with concurrent.futures.ThreadPoolExecutor(4) as threads:
        readers = list(threads.map(reader, range(EACH)))
    reading, unread = time.monotonic(), readers[-5:]
    slow_bodies = [Client(stack, head) for _ in range(EACH)]
    silent_bodies = [Client(stack, head) for _ in range(5)]
    slow_heads = [Client(stack, HEAD) for _ in range(EACH)]
    silent_heads = [Client(stack, b"", tls=tls) for tls in (True, False) for _ in range(5)]

    longest = 0.0
    while unread or not all(client.gone for client in slow_heads + silent_bodies + silent_heads):
        assert time.monotonic() < reading + 60, "somebody may stay for ever"
        for one, family in zip(people, families):
            begun = time.monotonic()
            assert one.call("GET", f"/families/{family}").status_code == 200
            longest = max(longest, time.monotonic() - begun)
        for client in slow_heads:
            client.drip(b"X-A: b\r\n")
        for client in slow_bodies:
            client.drip(b" ")
        for client in silent_heads + silent_bodies:
            client.drip(b"")
        if unread and time.monotonic() > reading + 13:
            # The workers would have waited for ten seconds. Nobody lost a byte.
            content = unread.pop().rest()
            assert json.loads(content[content.index(b"{") :])["count"] == 200
        time.sleep(0.7)

    assert longest < 5
    # A head has ten seconds, however it comes; a body lasts as long as it keeps coming, and costs no worker.
    assert all(9 <= client.lived <= 40 for client in slow_heads + silent_heads)
    assert all(14 <= client.lived <= 40 for client in silent_bodies)
    assert not any(client.gone for client in slow_bodies)
    for client in readers + slow_bodies:
        client.connection.close()


def test_one_address_holds_so_many_requests_and_no_more(stack):
    def lower(text: str) -> str:
        assert "limit_conn clients 1000;" in text
        return text.replace("limit_conn clients 1000;", "limit_conn clients 5;")

    with second_edge(stack, lower) as edge:
        source, other = next(stack.addresses), next(stack.addresses)
        held = []
        for _ in range(5):
            plain = socket.create_connection(("127.0.0.1", edge.port), timeout=10, source_address=(source, 0))
            held.append(stack.tls.wrap_socket(plain, server_hostname="127.0.0.1"))
            held[-1].sendall(HEAD + b"Content-Length: 60000\r\nExpect: 100-continue\r\n\r\n")
            assert held[-1].recv(100).startswith(b"HTTP/1.1 100 ")  # so it is being counted
        with edge.client(source) as client:
            answer = client.get("/api/v1/families")
            assert_error(answer.status_code, headers_of(answer), answer.content, 429, "RATE_LIMITED")
            assert_common_headers(headers_of(answer))
        with edge.client(other) as client:
            assert client.get("/api/v1/families").status_code == 401
        for connection in held:
            connection.close()


def test_the_slow_clients_of_the_figure_are_what_they_say(stack, person):
    """A few of those that slow_clients.py sends by the thousand, so that it goes on working."""
    with slow_clients(stack, 60, make_hoard(person("Hoarder"))) as state:
        deadline = time.monotonic() + 40
        while state()[0] < 60 or state()[1] < 20:  # a third of them is cut off after ten seconds, and comes again
            assert time.monotonic() < deadline, state()
            time.sleep(0.2)
        with stack.client() as client:
            assert client.get("/health").status_code == 200
