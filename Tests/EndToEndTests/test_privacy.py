"""No log, and no other file, ever holds a join token, a session token, a password or an Authorization header."""

import contextlib
import os
import pathlib
import secrets
import socket
import time

import pytest

from stack import Stack, assert_common_headers, assert_error, headers_of


def everything(stack: Stack):
    """Every file of the state, the database's included; not the two that are there to hold secrets."""
    for root in {stack.state, stack.place}:
        for directory, _, names in os.walk(root):
            for name in names:
                path = pathlib.Path(directory) / name
                if path.is_file() and path.name not in ("secrets", "env"):
                    yield path


def seek(stack: Stack, canaries: dict[str, str]) -> list[str]:
    found = []
    for path in everything(stack):
        try:
            content = path.read_bytes()
        except FileNotFoundError:  # PostgreSQL and nginx tidy up
            continue
        found += [f"{what} in {path}" for what, canary in canaries.items() if canary.encode() in content]
    return found


@contextlib.contextmanager
def workers_gone(stack: Stack, how: str):
    """nginx finds no socket at all, or one that nobody listens on."""
    path = pathlib.Path(stack.values["WORKER_SOCKET"])
    aside = path.with_suffix(".aside")
    path.rename(aside)
    stale = socket.socket(socket.AF_UNIX)
    try:
        if how == "refused":
            stale.bind(str(path))
            path.chmod(0o666)
        stale.close()
        time.sleep(5.5)  # nginx keeps connections for 5 s at most
        yield
    finally:
        path.unlink(missing_ok=True)
        aside.rename(path)


@pytest.fixture
def canaries() -> dict[str, str]:
    return {
        "a join token": secrets.token_urlsafe(16),
        "a session token": secrets.token_hex(32),
        "a password": "pass-" + secrets.token_hex(12),
    }


def send(stack: Stack, canaries: dict[str, str], path: str, method: str = "POST", body: bytes | None = None) -> int:
    join, session, password = canaries.values()
    content = f'{{"token":"{join}","email":"a@example.com","password":"{password}","name":"A"}}'.encode()
    content = content if body is None else body
    request = (
        f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nReferer: {stack.base_url}/join/{join}\r\n"
        f"User-Agent: {join}\r\nCookie: session={session}\r\nAuthorization: Bearer {session}\r\n"
        f"X-Admin-Token: {password}\r\nContent-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
    )
    status, _, _ = stack.raw(request.encode() + content)
    return status


def test_nothing_is_left_behind_by_any_answer(stack, canaries):
    join = canaries["a join token"]
    session = canaries["a session token"]
    assert send(stack, canaries, f"/join/{join}", "GET", b"") == 200
    assert send(stack, canaries, f"/join/{join}?token={join}", "GET", b"") == 200
    assert send(stack, canaries, f"/join/{join}") == 405
    assert send(stack, canaries, f"/JOIN/{join}", "GET", b"") == 404
    assert send(stack, canaries, f"/join/{join}/more", "GET", b"") == 404
    assert send(stack, canaries, f"/assets/{join}", "GET", b"") == 404
    assert send(stack, canaries, f"/api/v1/invites/{join}?token={join}") == 404
    assert send(stack, canaries, "/api/v1/auth/login") in (400, 401)
    assert send(stack, canaries, "/api/v1/invites/preview") in (400, 404)
    assert send(stack, canaries, f"/join/{join}", "GET", b"a" * 70_000) in (200, 413)
    assert send(stack, canaries, "/api/v1/auth/register", body=(session + join).encode() * 800) == 413
    assert 429 in {send(stack, canaries, "/api/v1/invites/preview") for _ in range(8)}
    # What is not even a request.
    for line in (
        f"GET /join/{join}%zz HTTP/1.1", f"GET /join/{join}", f"{join} / HTTP/1.1", f"GET /join/{join} HTTP/9.9",
        f"GET /join/{join} {join} HTTP/1.1", f"/join/{join}", f"{'A' * 22} /join/{join} HTTP/1.1",
    ):
        stack.raw(f"{line}\r\nAuthorization: Bearer {session}\r\nReferer: /join/{join}\r\n\r\n".encode())
        stack.raw(f"{line}\r\nHost: a\r\nConnection: close\r\n\r\n".encode(), tls=False, port=stack.http_port)
        stack.raw(f"{line}\r\n\r\n".encode(), tls=False)
    stack.raw(f"GET /api/v1/{join * 500} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
    stack.raw(f"GET /health HTTP/1.1\r\nHost: a\r\nReferer: {(join * 500)}\r\n\r\n".encode())
    stack.raw(f"GET /join/{join} HTTP/1.1\r\nHost: {join}\r\n{session}\r\n\r\n".encode())
    for how in ("missing", "refused"):
        with workers_gone(stack, how):
            assert send(stack, canaries, "/api/v1/invites/accept") in (429, 502)
            assert send(stack, canaries, f"/api/v1/families?token={join}", "GET", b"") == 502
            assert send(stack, canaries, "/health", "GET", b"") == 502
    assert send(stack, canaries, "/health", "GET", b"") == 200
    assert seek(stack, canaries) == []


def test_without_workers_the_answer_is_a_502_in_the_envelope(stack, client):
    with workers_gone(stack, "missing"):
        answer = client.get("/api/v1/families")
    assert_error(answer.status_code, headers_of(answer), answer.content, 502, "SERVICE_UNAVAILABLE")
    assert_common_headers(headers_of(answer))
    assert int(answer.headers["retry-after"]) > 0


def test_nothing_is_left_behind_by_the_main_job(stack, person):
    """Real tokens: those that were given out and used."""
    password = "pass-" + secrets.token_hex(12)
    johnny, maria = person("Johnny", password=password), person("Maria", password=password)
    family = johnny.create_family()
    token = johnny.invite(family, "caregiver")
    assert johnny.http.post("/api/v1/invites/preview", json={"token": token}).status_code == 200
    assert johnny.http.get(f"/join/{token}").status_code == 200
    maria.join(token)
    assert maria.accept(token).status_code == 404
    johnny.ok("POST", "/auth/logout", status=204)
    canaries = {"a join token": token, "a session": johnny.token, "another session": maria.token, "a password": password}
    assert seek(stack, canaries) == []
