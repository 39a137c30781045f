"""What nginx hands to a worker, and what it makes of the worker's answers."""

import time

import pytest

from fastcgi_peer import in_place_of_the_workers
from stack import assert_common_headers, assert_error, headers_of
from test_oddities import DISGUISED, HOST

OK = b"Status: 200 OK\r\nContent-Type: application/json\r\n\r\n{}"


@pytest.fixture(scope="module")
def only_peer(stack):
    script: list[bytes | None] = []
    with in_place_of_the_workers(stack, lambda parameters, body: script.pop(0) if script else OK) as peer:
        time.sleep(5.5)  # nginx lets go of the real workers within 5 s
        peer.script = script
        yield peer


@pytest.fixture
def peer(only_peer):
    """A worker of our own. What it answers is in `script`, in order; what it was sent, in `seen`."""
    only_peer.script.clear()
    only_peer.seen.clear()
    return only_peer


def test_only_what_a_worker_needs_is_sent(peer, client):
    body = b'{"name":"A"}'
    answer = client.post(
        "/api/v1/families?a=1&b=%20", content=body,
        headers={
            "Content-Type": "application/json", "Authorization": "Bearer x", "If-Match": '"1"', "X-Admin-Token": "y",
            "User-Agent": "Baby", "Cookie": "a=b", "Accept-Language": "de", "Referer": "https://a/", "X-Forwarded-For": "1.1.1.1", "Proxy": "p",
            "REMOTE-ADDR": "1.1.1.1",
        },
    )
    ((parameters, received),) = peer.seen
    source = parameters.pop("REMOTE_ADDR")
    assert source.startswith("127.") and source != "127.0.0.1"
    assert parameters == {
        "REQUEST_METHOD": "POST", "REQUEST_URI": "/api/v1/families?a=1&b=%20",
        "CONTENT_TYPE": "application/json", "CONTENT_LENGTH": str(len(body)),
        "REQUEST_ID": answer.headers["x-request-id"], "HTTP_AUTHORIZATION": "Bearer x", "HTTP_IF_MATCH": '"1"',
        "HTTP_X_ADMIN_TOKEN": "y", "HTTP_USER_AGENT": "Baby", "HTTP_COOKIE": "a=b",
        "HTTP_ACCEPT_LANGUAGE": "de",
    }
    assert received == body


def test_a_body_without_length_arrives_whole(peer, client):
    client.post("/api/v1/families", content=iter([b"a" * 30_000, b"b" * 30_000]))
    ((parameters, received),) = peer.seen
    assert parameters["CONTENT_LENGTH"] == "60000" and received == b"a" * 30_000 + b"b" * 30_000


def test_a_path_arrives_as_it_was_sent(peer, stack):
    """nginx chooses by what it makes of a path, the worker by the path itself: no spelling turns into another."""
    for plain, paths in DISGUISED.items():
        for path in [plain, *paths, b"https://localhost" + plain, plain + b"?a=%2F..//"]:
            peer.seen.clear()
            status, _, _ = stack.raw(b"GET " + path + b" HTTP/1.1\r\n" + HOST + b"\r\n")
            sent = path.removeprefix(b"https://localhost").decode("latin-1")
            assert [parameters["REQUEST_URI"] for parameters, _ in peer.seen] == ([sent] if status == 200 else []), path
            if path.startswith(plain) and path[len(plain) :][:1] in (b"", b"?"):
                assert status == 200


@pytest.mark.parametrize(
    "rest",
    [
        b"Transfer-Encoding: chunked\r\n\r\n1;a=b\r\n{\r\n1\r\n}\r\n0\r\nContent-Length: 9\r\nX-Admin-Token: y\r\n\r\n",
        b"Transfer_Encoding: chunked\r\nContent_Length: 9\r\nContent-Length: 2\r\n\r\n{}more",
        b"Content-Length: 2\r\n\r\n{}GET / HTTP/1.1\r\n\r\n",
    ],
)
def test_a_body_arrives_as_long_as_it_says(peer, stack, rest):
    stack.raw(b"POST /api/v1/families HTTP/1.1\r\n" + HOST + rest)
    ((parameters, received),) = peer.seen
    assert received == b"{}" and parameters["CONTENT_LENGTH"] == "2" and "HTTP_X_ADMIN_TOKEN" not in parameters


@pytest.mark.parametrize("method", ["POST", "PATCH", "PUT", "DELETE"])
def test_a_change_is_never_sent_twice(peer, client, method):
    """A worker dies with the request in its hands, on a connection that nginx had kept from an earlier one."""
    # The client has one connection to nginx, so one nginx process: the one that keeps the connection.
    assert client.get("/health").status_code == 200
    peer.script.append(None)
    answer = client.request(method, "/api/v1/families")
    assert [parameters["REQUEST_METHOD"] for parameters, _ in peer.seen] == ["GET", method]
    assert_error(answer.status_code, headers_of(answer), answer.content, 502, "SERVICE_UNAVAILABLE")


def test_a_read_survives_a_worker_that_died(peer, client):
    assert client.get("/health").status_code == 200
    peer.script += [None, OK]
    assert client.get("/api/v1/families").status_code == 200


def test_a_worker_s_headers_pass_once_and_give_no_orders(peer, client):
    peer.script.append(
        b"Status: 429 Too Many Requests\r\nContent-Type: application/json\r\nX-Request-Id: mine\r\nCache-Control: public\r\n"
        b"X-Content-Type-Options: sniff\r\nReferrer-Policy: origin\r\nStrict-Transport-Security: max-age=1\r\n"
        b"Content-Security-Policy: none\r\nRetry-After: 37\r\nETag: \"42\"\r\nAllow: GET\r\nWWW-Authenticate: Bearer\r\n"
        b"RateLimit-Limit: 5\r\nRateLimit-Remaining: 0\r\nRateLimit-Reset: 37\r\n"
        b"X-Accel-Redirect: /assets/join.js\r\n\r\n{}"
    )
    answer = client.get("/api/v1/families")
    headers = headers_of(answer)
    assert answer.status_code == 429 and answer.content == b"{}"
    assert_common_headers(headers)
    assert headers["retry-after"] == ["37"] and headers["etag"] == ['"42"'] and headers["allow"] == ["GET"]
    assert headers["www-authenticate"] == ["Bearer"] and headers["ratelimit-reset"] == ["37"]
    assert not [name for name in headers if name.startswith("x-accel")]


@pytest.mark.parametrize("answer", [b"rubbish", b"Status: nonsense\r\n\r\n"])
def test_an_answer_that_makes_no_sense(peer, client, answer):
    peer.script.append(answer)
    response = client.post("/api/v1/families")
    assert_error(response.status_code, headers_of(response), response.content, 502, "SERVICE_UNAVAILABLE")
