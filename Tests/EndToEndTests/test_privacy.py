"""No log, and no other file, ever holds a join token, a session token, a password, an Authorization header, or the
email of an invitation that was refused: not in any spelling, whatever was answered."""

import base64
import contextlib
import pathlib
import secrets
import socket
import time
import uuid

import pytest

from canaries import contents, seek, spellings
from fastcgi_peer import Peer
from second_edge import SecondEdge, second_edge
from stack import Stack, assert_common_headers, assert_error, headers_of
from test_http2 import converse, http2_context, request

WORKERS_LOG = "log/workers.log"


@pytest.fixture
def canaries() -> dict[str, str]:
    join = secrets.token_urlsafe(16)
    return {
        "a join token": join,
        "a join token as a UUID": str(uuid.uuid4()),
        "a session token": secrets.token_hex(32),
        "a password": "pass-" + secrets.token_hex(12),
        "an admin token": secrets.token_hex(24),
        "a token that could be a method": "".join(secrets.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ") for _ in range(22)),
        "a login": f"login-{secrets.token_hex(8)}:{secrets.token_hex(8)}",
        "an invitee": f"invitee-{secrets.token_hex(10)}@example.com",
    }


class Sender:
    """Sends the canaries in all places of a request at once, as bytes that no client library has looked at."""

    def __init__(self, stack: Stack, canaries: dict[str, str], port: int | None = None):
        self.stack, self.port, self.source = stack, port, next(stack.addresses)
        (
            self.join, self.identifier, self.session, self.password, self.admin, self.method, self.login, self.invitee,
        ) = canaries.values()

    @property
    def body(self) -> bytes:
        return (
            f'{{"token":"{self.join}","email":"{self.invitee}","password":"{self.password}","name":"A","role":"king",'
            f'"invitee_email":"{self.invitee}","new_password":"{self.password}","current_password":"{self.password}"}}'
        ).encode()

    def head(self, line: str, *more: str) -> str:
        return "\r\n".join(
            [
                line, "Host: localhost", "Connection: close", f"Referer: {self.stack.base_url}/join/{self.join}",
                f"User-Agent: {self.join}", f"Cookie: session={self.session}; invitee={self.invitee}",
                f"X-Admin-Token: {self.admin}", f"X-Forwarded-For: {self.session}",
                f"Origin: https://{self.identifier}.example", *more, "", "",
            ]
        )

    def send(
        self, method: str, path: str, body: bytes | None = None, kind: str = "application/json", *more: str, tls: bool = True
    ) -> int:
        body = body if body is not None else b"" if method == "GET" else self.body
        head = self.head(
            f"{method} {path} HTTP/1.1", *(more or [f"Authorization: Bearer {self.session}"]),
            f"Content-Type: {kind}", f"Content-Length: {len(body)}",
        )
        port = self.port or (self.stack.port if tls else self.stack.http_port)
        return self.stack.raw(head.encode() + body, tls=tls, port=port, source=self.source)[0]


@pytest.fixture
def sender(stack, canaries) -> Sender:
    return Sender(stack, canaries)


def test_the_search_finds_what_is_there(stack, canaries):
    """Each spelling of each canary, in a file of its own and in the middle of a line."""
    path = stack.place / "log/canary.log"
    assert seek(stack, canaries) == []
    try:
        for what, secret in canaries.items():
            for spelling in [*spellings(secret).values(), secret.swapcase().encode(), secret.upper().encode()]:
                path.write_bytes(b"a line, " + spelling.upper() + b", and more")
                assert [one for one in seek_in(path, what, secret)], spelling
            for content in contents(secret).values():
                path.write_bytes(b"\0\1" + content + b"\2")
                assert seek_in(path, what, secret)
            for before in ("", "a", "ab"):
                path.write_bytes(base64.b64encode(f"{before}{secret} and more".encode()))
                assert seek_in(path, what, secret)
    finally:
        path.unlink(missing_ok=True)


def seek_in(path: pathlib.Path, what: str, secret: str) -> list[str]:
    class Nothing:
        state = place = pathlib.Path("/nonexistent")

    return seek(Nothing(), {what: secret}, path)


def pages(sender: Sender) -> None:
    join, identifier = sender.join, sender.identifier
    assert sender.send("GET", f"/join/{join}") == 200
    assert sender.send("GET", f"/join/{identifier}") == 200
    assert sender.send("GET", f"/join/{join}?token={join}&email={sender.invitee}") == 200
    for pasted in ("/", ".", "%22%3E", "%E2%80%99"):
        assert sender.send("GET", f"//join//{join}{pasted}") == 200
    assert sender.send("GET", f"/join/{join}#{sender.session}") == 200
    for method in ("POST", "PUT", "DELETE", "PATCH", sender.method, join):
        assert sender.send(method, f"/join/{join}") in (400, 405)
    for path in (
        f"/JOIN/{join}", f"/Join/{join}", f"/join/{join}/more", f"/join/{join}%20", f"//join//{join}/a", f"/assets/{join}",
        f"/assets/{join}.js", f"/{join}", f"/error/404/{join}", f"/.well-known/{join}", f"/join/{join[:-1]}",
    ):
        assert sender.send("GET", path) == 404, path
    assert sender.send("GET", f"/join/{join}", b"a" * 70_000) in (200, 413)
    assert sender.send("POST", f"/join/{join}", sender.body * 400) in (405, 413)
    for condition, status in ((f"If-Match: {join}", 412), (f"If-None-Match: {join}", 200), (f"Range: {join}", 200)):
        assert sender.send("GET", f"/join/{join}", b"", "", condition) == status
    assert sender.send("GET", f"/join/{join}%zz") == 400
    assert sender.send("GET", f"/join/{join}%00") == 400


def the_api(sender: Sender, families: str, signed_in: str) -> None:
    join, session, invitee = sender.join, sender.session, sender.invitee
    text = "text/plain"
    assert sender.send("GET", "/health") == 200
    assert sender.send("GET", f"/health?token={join}") == 200
    assert sender.send("GET", f"/api/v1/families?token={join}") == 401
    for path in (f"/api/v1/invites/{join}", f"/api/v1/children/{session}/x", f"/api/v1/%2e%2e/{join}", f"/API/v1/{join}"):
        assert sender.send("POST", path) == 404
    for method in (sender.method, "TRACE", "PROPFIND", "PUT"):
        assert sender.send(method, "/api/v1/families") in (400, 405)
    sender.source = next(sender.stack.addresses)  # where nothing has been asked yet
    assert sender.send("POST", "/api/v1/auth/login") == 401
    assert sender.send("POST", "/api/v1/auth/login", sender.body, text) == 415
    assert sender.send("POST", "/api/v1/auth/login", sender.body[:-2]) == 400
    assert sender.send("POST", "/api/v1/auth/reset-password") == 401
    assert sender.send("POST", "/api/v1/auth/register", sender.body.replace(b'"name":"A"', b'"name":""')) == 400
    assert sender.send("POST", "/api/v1/auth/register", sender.body * 400) == 413
    assert sender.send("POST", "/api/v1/invites/preview", sender.body.replace(b"}", b"")) == 400
    assert sender.send("POST", "/api/v1/invites/preview") == 404
    assert 429 in {sender.send("POST", "/api/v1/invites/preview") for _ in range(6)}
    # Tokens in every case and place that a parser could trip over, and two of each header.
    for authorization in (
        f"AUTHORIZATION: BEARER {session.upper()}", f"authorization: bearer {session}", f"Authorization: {session}",
        f"Authorization: Basic {base64.b64encode(sender.login.encode()).decode()}", f"Authorization:Bearer\t{session}",
        f"Authorization: Bearer {session} {session}", f"Authorization: Token {join}",
    ):
        assert sender.send("GET", "/api/v1/families", b"", "", authorization) == 401, authorization
    for doubled in (
        [f"Authorization: Bearer {session}"] * 2, [f"Authorization: Bearer {session}", f"Host: {join}"],
        [f"If-Match: {join}"] * 2, [f"{join} {session}: {join}"], [f" folded {session}"], [f"X-A: {join}\0{session}"],
        [f"X-A: {join * 500}"], [f"Content-Length: {join}"], [f"Transfer-Encoding: {join}"],
    ):
        assert sender.send("POST", "/api/v1/families", None, "application/json", *doubled) == 400, doubled
    for doubled in (
        f"Cookie: {session}", f"Referer: /join/{join}", f"User-Agent: {join}", f"X-Admin-Token: {join}", f"Cookie: {join}={session}",
        f"Referer: https://{sender.login}@example.com/",
    ):
        assert sender.send("POST", "/api/v1/families", None, "application/json", doubled, doubled) == 401, doubled
    # What only somebody who is signed in can get wrong.
    bearer = f"Authorization: Bearer {signed_in}"
    for path in (families, "/api/v1/auth/change-password", "/api/v1/invites/accept"):
        assert sender.send("POST", path, sender.body, text, bearer) == 415
        assert sender.send("POST", path, sender.body[:-3], "application/json", bearer) in (400, 403)
    for body in (
        sender.body, f'{{"role":"caregiver","invitee_email":"{invitee},"}}'.encode(),
        f'{{"role":"{invitee}","invitee_email":["{invitee}"]}}'.encode(),
        f'{{"{invitee}":"{invitee}","role":1}}'.encode(), f'"{invitee}"'.encode(), f"{invitee}".encode(),
        f'{{"role":"caregiver","invitee_email":"{invitee}\\u0000"}}'.encode(),
        f'{{"role":"caregiver","invitee_email":"{invitee}\\ud800"}}'.encode(),
    ):
        assert sender.send("POST", families, body, "application/json", bearer) == 400, body
    assert sender.send("GET", f"/api/v1/children/{join}", b"", "", bearer) == 404
    assert sender.send("POST", "/api/v1/auth/change-password", sender.body, "application/json", bearer) == 403
    assert sender.send("DELETE", "/api/v1/users/me", sender.body, "application/json", bearer) == 403


def by_cookie(sender: Sender) -> None:
    """A browser's session, with no other token beside it."""
    for method, more, status in (
        ("GET", [], 401), ("POST", [], 403), ("POST", ["Sec-Fetch-Site: same-origin"], 401),
        ("POST", [f"Sec-Fetch-Site: {sender.join}"], 403), ("POST", [f"Origin: https://{sender.join}.example"], 403),
    ):
        for name in ("__Host-session", f"a={sender.join}; __Host-session"):
            lines = [
                f"{method} /api/v1/families HTTP/1.1", "Host: localhost", "Connection: close", "Content-Length: 0",
                f"Cookie: {name}={sender.session}", *more, "", "",
            ]
            answer, headers, _ = sender.stack.raw("\r\n".join(lines).encode(), source=sender.source)
            assert answer == status
            assert ("set-cookie" in headers) == (status == 401)


def rubbish(sender: Sender) -> None:
    """What is not even a request."""
    stack, join, session = sender.stack, sender.join, sender.session
    for line in (
        f"GET /join/{join}%zz HTTP/1.1", f"GET /join/{join}", f"{join} / HTTP/1.1", f"GET /join/{join} HTTP/9.9",
        f"GET /join/{join} {join} HTTP/1.1", f"/join/{join}", f"{'A' * 22} /join/{join} HTTP/1.1", f"{session}\0{join}",
        f"CONNECT {join}:443 HTTP/1.1", f"GET https://{join}@localhost/{session} HTTP/1.1",
    ):
        stack.raw(f"{line}\r\nAuthorization: Bearer {session}\r\nReferer: /join/{join}\r\n\r\n".encode())
        stack.raw(f"{line}\r\nHost: a\r\nConnection: close\r\n\r\n".encode(), tls=False, port=stack.http_port)
        stack.raw(f"{line}\r\n\r\n".encode(), tls=False)
    stack.raw(f"GET /api/v1/{join * 500} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
    stack.raw(f"GET /health HTTP/1.1\r\nHost: a\r\nReferer: {join * 500}\r\n\r\n".encode())
    stack.raw(f"GET /join/{join} HTTP/1.1\r\nHost: {join}\r\nConnection: close\r\n{session}\r\n\r\n".encode())


def in_clear(sender: Sender) -> None:
    assert sender.send("GET", f"/join/{sender.join}", tls=False) == 308
    for method in ("GET", "POST"):
        assert sender.send(method, f"/api/v1/invites/{sender.join}", tls=False) == 403


def over_http2(sender: Sender) -> None:
    join, session = sender.join, sender.session
    with sender.stack.client(http2=True) as client:
        client.headers.update({"Authorization": f"Bearer {session}", "Referer": f"/join/{join}", "Cookie": session})
        for method, path, status in (
            ("GET", f"/join/{join}", 200), ("POST", f"/join/{join}", 405), ("GET", f"/JOIN/{join}", 404),
            ("GET", f"/join/{join}%zz", 400), ("POST", f"/api/v1/invites/{join}", 404), ("GET", "/api/v1/families", 401),
        ):
            assert client.request(method, path, content=sender.body if method == "POST" else None).status_code == status
    authorization = (b"authorization", f"Bearer {session}".encode())
    for path in (b"/api/v1/auth/login", f"/join/{join}".encode(), f"//{join}".encode(), f"/%zz{join}".encode()):
        for more in ([], [authorization] * 2, [(b"Upper", join.encode())], [(b"x", f"{join}\0".encode())]):
            for body in (b"", sender.body * 400):
                converse(sender.stack, http2_context(sender.stack), request(path, b"POST", authorization, *more), body)


@contextlib.contextmanager
def without_workers(stack: Stack, how: str):
    """An nginx whose workers are not there, do not listen, say nonsense, hang up, or never answer."""
    path = stack.place / f"sockets/{secrets.token_hex(4)}.sock"
    with socket.socket(socket.AF_UNIX) as listener:
        if how != "missing":
            listener.bind(str(path))
            path.chmod(0o666)
        if how not in ("missing", "refused"):
            listener.listen(64)
            talk = {"nonsense": b"Status: 200\r\nrubbish", "hung up": None}
            Peer(listener, lambda *_: time.sleep(4) if how == "silent" else talk[how])

        def impatient(text: str) -> str:
            assert "fastcgi_read_timeout 30s;" in text
            return text.replace("fastcgi_read_timeout 30s;", "fastcgi_read_timeout 1s;")

        try:
            with second_edge(stack, impatient, WORKER_SOCKET=str(path)) as edge:
                yield edge
        finally:
            path.unlink(missing_ok=True)


@pytest.mark.parametrize(
    ("how", "expected"), [("missing", 502), ("refused", 502), ("nonsense", 502), ("hung up", 502), ("silent", 504)]
)
def test_without_workers_the_answer_is_in_the_envelope(stack, how, expected):
    with without_workers(stack, how) as edge, edge.client(next(stack.addresses)) as client:
        answer = client.post("/api/v1/families")
        assert_error(answer.status_code, headers_of(answer), answer.content, expected, "SERVICE_UNAVAILABLE")
        assert_common_headers(headers_of(answer))
        assert int(answer.headers["retry-after"]) > 0
        lists = client.get("/api/v1/children")  # by way of another location
        assert_error(lists.status_code, headers_of(lists), lists.content, expected, "SERVICE_UNAVAILABLE")
        assert client.get(f"/join/{'A' * 22}").status_code == 200


def broken(edge: SecondEdge, canaries: dict[str, str], expected: int) -> None:
    sender = Sender(edge.stack, canaries, edge.port)
    assert sender.send("POST", "/api/v1/invites/accept") == expected
    assert sender.send("GET", f"/api/v1/families?token={sender.join}") == expected
    assert sender.send("DELETE", f"/api/v1/children/{sender.join}") == expected


def test_nothing_is_left_behind_by_any_answer(stack, person, canaries, sender, artifacts):
    johnny = person("Johnny")
    families = f"/api/v1/families/{johnny.create_family()}/invites"
    logged = (stack.place / WORKERS_LOG).stat().st_size
    pages(sender)
    the_api(sender, families, johnny.token)
    by_cookie(sender)
    rubbish(sender)
    in_clear(sender)
    over_http2(sender)
    for how, expected in (("missing", 502), ("refused", 502), ("nonsense", 502), ("hung up", 502), ("silent", 504)):
        with without_workers(stack, how) as edge:
            broken(edge, canaries, expected)
    # The database away: its own log and the workers' have something to tell.
    told = stack.database_log.stat().st_size
    stack.database("stop", "-m", "immediate")
    try:
        for path in (families, "/api/v1/families", f"/api/v1/families?token={sender.join}", "/api/v1/invites/accept"):
            assert sender.send("GET" if "?" in path else "POST", path) == 503, path
        assert sender.send("POST", "/api/v1/auth/login") == 503
    finally:
        stack.database("start")
    deadline = time.monotonic() + 20
    while sender.send("GET", "/health") != 200:
        assert time.monotonic() < deadline
        time.sleep(0.2)
    assert b"ready to accept connections" in stack.database_log.read_bytes()[told:]
    assert (stack.place / WORKERS_LOG).stat().st_size > logged
    assert seek(stack, canaries, artifacts / "run.log") == []


def test_nothing_is_left_behind_by_the_main_job(stack, person, artifacts):
    """Real secrets: those that were given out and used."""
    password, second = ("pass-" + secrets.token_hex(12) for _ in range(2))
    johnny, maria = person("Johnny", password=password), person("Maria", password=password)
    family = johnny.create_family()
    token = johnny.invite(family, "caregiver")
    assert johnny.http.post("/api/v1/invites/preview", json={"token": token}).status_code == 200
    assert johnny.http.get(f"/join/{token}").status_code == 200
    maria.join(token)
    assert maria.accept(token).status_code == 200
    assert person("Anna", password=password).accept(token).status_code == 404
    ours = johnny.ok("POST", "/families", {"name": "Ours", "sharing_policy": "co_parent"}, 201)["family"]["id"]
    invite = johnny.ok("POST", f"/families/{ours}/invites", {"role": "parent"}, 201)["invite"]
    identifier = invite["deep_link"].rpartition("/")[2]
    assert johnny.http.post("/api/v1/invites/preview", json={"token": identifier}).status_code == 200
    maria.ok("POST", "/auth/change-password", {"current_password": password, "new_password": second}, 204)
    maria.ok("DELETE", "/users/me", {"password": second}, 204)
    with stack.client() as browser:
        body = {"email": johnny.email, "password": password, "session": "cookie"}
        browser.headers["Sec-Fetch-Site"] = "same-origin"
        assert browser.post("/api/v1/auth/login", json=body).status_code == 200
        cookie = browser.cookies["__Host-session"]
        assert browser.patch("/api/v1/users/me", json={"name": "Johnny"}).status_code == 200
        assert browser.post("/api/v1/auth/logout").status_code == 204
        assert browser.get("/api/v1/users/me").status_code == 401
    program = johnny.ok("POST", "/users/me/tokens", {"name": "A", "family_id": family, "scope": "read"}, 201)["token"]["secret"]
    with stack.client() as client:
        assert client.get(f"/api/v1/families/{family}", headers={"Authorization": f"Bearer {program}"}).status_code == 200
    receiver = f"https://receiver.example/{secrets.token_hex(16)}"
    webhook = johnny.ok("POST", f"/families/{family}/webhooks", {"url": receiver}, 201)["webhook"]
    johnny.ok("POST", "/auth/logout", status=204)
    canaries = {
        "a cookie": cookie,
        "a join token": token, "another": invite["join_url"].rpartition("/")[2], "a UUID": identifier,
        "a session": johnny.token, "another session": maria.token, "a password": password, "another password": second,
        "a program's token": program,
    }
    assert seek(stack, canaries, artifacts / "run.log") == []
    # By these calls are made: the database has them, and nothing else.
    known = {"where a webhook is called": receiver, "what it is signed by": webhook["secret"][6:]}
    assert [found for found in seek(stack, known, artifacts / "run.log") if "/postgres/" not in found] == []
