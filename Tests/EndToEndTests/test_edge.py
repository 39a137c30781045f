"""nginx as the edge of the API: HTTP and HTTPS, its own errors, headers, limits."""

import concurrent.futures
import http.client
import socket
import ssl

import pytest

from second_edge import second_edge
from stack import assert_common_headers, assert_error, headers_of

TOKEN = "xK9mLp2qR5tN8vW3yBcd4A"
HOST = b"Host: localhost\r\nConnection: close\r\n"


def test_health(client):
    answer = client.get("/health")
    assert answer.status_code == 200
    assert_common_headers(headers_of(answer))
    body = answer.json()
    assert body["status"] == "ok" and body["service"] == "baby-basics" and body["version"]
    head = client.head("/health")
    assert head.status_code == 200 and head.content == b""


def test_request_ids_are_nginx_s_own(client):
    mine = "a" * 32
    first = client.get("/health", headers={"X-Request-Id": mine}).headers["x-request-id"]
    assert first != mine and first != client.get("/health").headers["x-request-id"]


@pytest.fixture
def challenge(stack):
    """As certbot puts it there."""
    file = stack.place / "acme/.well-known/acme-challenge/evaGxfADs6pSRb2LAv9IZf17Dt3juxGJ-PCt92wr_oA"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"{file.name}.9jg46WB3rR_AHD-EBXdN7cBkH1WOu0tA3M9fm21mqTI")
    yield file
    file.unlink()


def test_a_certificate_authority_is_answered_over_http(stack, challenge):
    path = f"/.well-known/acme-challenge/{challenge.name}"
    with stack.client(http=True) as client:
        answer = client.get(path, headers={"Host": "anything.example"})
        assert answer.status_code == 200 and answer.text == challenge.read_text()
        assert_common_headers(headers_of(answer), https=False)
        head = client.head(path)
        assert head.status_code == 200 and head.content == b""
        assert client.get(f"{path}A").status_code == 404
        assert client.get("/.well-known/acme-challenge/").status_code == 308
        refused = client.post(path)
        assert refused.status_code == 405 and headers_of(refused)["allow"] == ["GET, HEAD"]
    with stack.client() as client:
        assert client.get(path).status_code == 404


@pytest.mark.parametrize("path", [f"/join/{TOKEN}?from=sms", "/", "/.well-known/apple-app-site-association", "/.well-known/change-password"])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_pages_over_http_move_to_https(stack, method, path):
    with stack.client(http=True) as client:
        answer = client.request(method, path, headers={"Host": "evil.example"})
    assert answer.status_code == 308
    assert headers_of(answer)["location"] == [stack.base_url + path]
    headers = headers_of(answer)
    assert_common_headers(headers, https=False, store=None)


@pytest.mark.parametrize(
    "path", ["/api/v1/families", "/api", "/api/", "/health", "/%61pi/v1/families", "//api/v1/families", "/x/../api/v1"]
)
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_the_api_over_http_is_refused_and_never_redirected(stack, method, path):
    request = f"{method} {path} HTTP/1.1\r\n".encode() + HOST + b"Content-Length: 2\r\n\r\n{}"
    status, headers, body = stack.raw(request, tls=False, port=stack.http_port)
    assert_error(status, headers, body, 403, "FORBIDDEN")
    assert "location" not in headers
    assert_common_headers(headers, https=False)


def test_the_api_over_http_refuses_before_it_reads(stack):
    request = b"POST /api/v1/auth/login HTTP/1.1\r\n" + HOST + b"Content-Length: 90000000\r\n\r\n{"
    status, headers, body = stack.raw(request, tls=False, port=stack.http_port)
    assert_error(status, headers, body, 403, "FORBIDDEN")


def test_http_on_the_https_port(stack):
    status, headers, body = stack.raw(b"GET /api/v1/families HTTP/1.1\r\n" + HOST + b"\r\n", tls=False)
    assert_error(status, headers, body, 400, "VALIDATION_ERROR")
    assert_common_headers(headers, https=False)


@pytest.mark.parametrize(
    ("request_bytes", "expected", "code"),
    [
        (b"GET /api/v1/%zz HTTP/1.1\r\n" + HOST + b"\r\n", 400, "VALIDATION_ERROR"),
        (b"GET /api/v1/%00 HTTP/1.1\r\n" + HOST + b"\r\n", 400, "VALIDATION_ERROR"),
        (b"rubbish\r\n\r\n", 400, "VALIDATION_ERROR"),
        (b"GET /api/v1/../../../etc/passwd HTTP/1.1\r\n" + HOST + b"\r\n", 400, "VALIDATION_ERROR"),
        (b"GET /health HTTP/1.1\r\nConnection: close\r\n\r\n", 400, "VALIDATION_ERROR"),
        (b"GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n", 400, "VALIDATION_ERROR"),
        (b"POST /api/v1/families HTTP/1.1\r\n" + HOST + b"Content-Length: -1\r\n\r\n", 400, "VALIDATION_ERROR"),
        (b"POST /api/v1/families HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: gzip\r\n\r\n", 400, "VALIDATION_ERROR"),
        (b"GET /api/v1/" + b"a" * 9000 + b" HTTP/1.1\r\n" + HOST + b"\r\n", 400, "VALIDATION_ERROR"),
        (b"GET /health HTTP/1.1\r\n" + HOST + b"X-A: " + b"a" * 9000 + b"\r\n\r\n", 400, "VALIDATION_ERROR"),
        (b"GET /health HTTP/3.7\r\n" + HOST + b"\r\n", 400, "VALIDATION_ERROR"),
        (b"GET /api HTTP/1.1\r\n" + HOST + b"\r\n", 404, "NOT_FOUND"),
        (b"TRACE /api/v1/families HTTP/1.1\r\n" + HOST + b"\r\n", 405, "METHOD_NOT_ALLOWED"),
        (b"POST /api/v1/families HTTP/1.1\r\n" + HOST + b"Content-Length: 65537\r\n\r\n", 413, "PAYLOAD_TOO_LARGE"),
        (b"POST /api/v1/nowhere HTTP/1.1\r\n" + HOST + b"Content-Length: 65537\r\n\r\n", 413, "PAYLOAD_TOO_LARGE"),
        (
            b"POST /api/v1/families HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n10001\r\n"
            + b"a" * 65537 + b"\r\n0\r\n\r\n",
            413, "PAYLOAD_TOO_LARGE",
        ),
        (
            b"POST /api/v1/children/x/events HTTP/1.1\r\n" + HOST + b"Content-Length: 1048577\r\n\r\n",
            413, "PAYLOAD_TOO_LARGE",
        ),
    ],
)
def test_nginx_s_own_errors_speak_the_contract(stack, request_bytes, expected, code):
    status, headers, body = stack.raw(request_bytes)
    assert_error(status, headers, body, expected, code)
    assert_common_headers(headers)


def test_a_batch_may_be_larger_than_other_bodies(client):
    body = {"events": [], "padding": "a" * 200_000}
    answer = client.post("/api/v1/children/550e8400-e29b-41d4-a716-446655440000/events", json=body)
    assert answer.status_code != 413


@pytest.mark.parametrize("path", ["/%61pi/v1/families", "/api/v1/%66amilies", "//api/v1/families", "/api//v1/families"])
def test_disguised_paths_reach_nothing(stack, path):
    status, _, _ = stack.raw(f"GET {path} HTTP/1.1\r\n".encode() + HOST + b"\r\n")
    assert status == 404


def test_unknown_routes_of_the_api(client):
    answer = client.get("/api/v1/nowhere")
    assert_error(answer.status_code, headers_of(answer), answer.content, 404, "NOT_FOUND")
    assert_common_headers(headers_of(answer))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_http2_and_modern_tls(stack):
    with stack.client(http2=True) as client:
        assert client.get("/health").http_version == "HTTP/2"
    old = ssl.create_default_context(cafile=stack.values["CA_FILE"])
    old.set_ciphers("ALL:@SECLEVEL=0")
    old.minimum_version = ssl.TLSVersion.TLSv1
    old.maximum_version = ssl.TLSVersion.TLSv1_1
    with pytest.raises(ssl.SSLError):
        with socket.create_connection(("127.0.0.1", stack.port)) as plain:
            old.wrap_socket(plain, server_hostname="127.0.0.1")


def test_a_connection_serves_thousands_of_requests(stack):
    """A proxy's brings many people's requests, and a new one costs a handshake."""
    connection = http.client.HTTPSConnection("127.0.0.1", stack.port, timeout=10, context=stack.trust())
    connection.connect()
    first = connection.sock
    for _ in range(3000):
        connection.request("HEAD", "/nowhere")
        answer = connection.getresponse()
        answer.read()
        assert answer.status == 404 and connection.sock is first
    connection.close()


def test_the_flood_wall_answers_in_the_envelope(stack):
    """Far more than a person could send: the workers' limit and nginx's wall both say 429 in the same words."""
    source = next(stack.addresses)

    def knock(_):
        with stack.client(source) as client:
            return [client.post("/api/v1/invites/preview", json={"token": TOKEN}) for _ in range(30)]

    with concurrent.futures.ThreadPoolExecutor(8) as threads:
        answers = [answer for some in threads.map(knock, range(8)) for answer in some]
    refused = [answer for answer in answers if answer.status_code == 429]
    assert len(refused) >= len(answers) - 5
    walls = 0
    for answer in refused:
        assert_error(answer.status_code, headers_of(answer), answer.content, 429, "RATE_LIMITED")
        assert_common_headers(headers_of(answer))
        (wait,) = headers_of(answer)["retry-after"]
        assert 1 <= int(wait) <= 60
        walls += "in a moment" in answer.text
    assert walls > 0


def test_other_routes_have_no_limit_by_address_that_people_meet(stack):
    source = next(stack.addresses)
    with stack.client(source) as client:
        assert {client.get("/health").status_code for _ in range(300)} == {200}


@pytest.mark.parametrize("path", ["/health", "/api/v1/families", "/api/v1/children", "/api/v1/families/x/changes?since=0", "/api/nowhere"])
def test_one_address_cannot_send_the_api_whatever_it_likes(stack, path):
    """nginx's wall, made so low that the second request meets it, with a token that nobody has. Pages are not behind it."""
    def lower(text: str) -> str:
        assert "rate=300r/s;" in text and text.count("zone=api burst=1500 nodelay") == 6
        return text.replace("rate=300r/s;", "rate=1r/m;").replace("zone=api burst=1500 nodelay", "zone=api")

    with second_edge(stack, lower) as edge:
        with edge.client(next(stack.addresses)) as client:
            client.headers["Authorization"] = f"Bearer {'0' * 64}"
            assert client.get(path).status_code in (200, 401, 404)
            answer = client.get(path)
            assert_error(answer.status_code, headers_of(answer), answer.content, 429, "RATE_LIMITED")
            assert_common_headers(headers_of(answer))
            assert int(answer.headers["retry-after"]) >= 1 and "in a moment" in answer.text
            assert client.get(f"/join/{TOKEN}").status_code == 200
        with edge.client(next(stack.addresses)) as other:
            assert other.get(path).status_code in (200, 401, 404)
