"""Requests that are not what they seem: two lengths, two hosts, disguised paths, too much of everything."""

import re
import socket
import time

import pytest

from stack import assert_common_headers, assert_error

HOST = b"Host: localhost\r\nConnection: close\r\n"
GET, POST = b"GET /api/v1/families HTTP/1.1\r\n", b"POST /api/v1/families HTTP/1.1\r\n"
HIDDEN = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
UNREADABLE = (400, "VALIDATION_ERROR")
STRANGER = (401, "UNAUTHORIZED")


def exchange(stack, request: bytes) -> list[int]:
    """The statuses of all answers to what is sent on one connection, 100 included."""
    with socket.create_connection(("127.0.0.1", stack.port), timeout=10) as plain:
        with stack.tls.wrap_socket(plain, server_hostname="127.0.0.1") as connection:
            connection.sendall(request)
            answer = b""
            try:
                while piece := connection.recv(65536):
                    answer += piece
            except ConnectionResetError:
                pass
    return [int(status) for status in re.findall(rb"(?:^|\n|\})HTTP/1\.1 (\d{3})", answer)]


def assert_answer(stack, request: bytes, expected: tuple[int, str]) -> None:
    status, headers, body = stack.raw(request)
    assert_error(status, headers, body, *expected)
    assert_common_headers(headers)


LENGTHS = {
    "length, then chunked": b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "chunked, then length": b"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n",
    "two lengths": b"Content-Length: 2\r\nContent-Length: 44\r\n\r\n{}",
    "the same length twice": b"Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}",
    "a list of lengths": b"Content-Length: 2, 2\r\n\r\n{}",
    "a signed length": b"Content-Length: +2\r\n\r\n{}",
    "a negative length": b"Content-Length: -2\r\n\r\n{}",
    "a hexadecimal length": b"Content-Length: 0x2\r\n\r\n{}",
    "a length beyond 64 bits": b"Content-Length: 18446744073709551618\r\n\r\n{}",
    "two encodings": b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n",
    "chunked twice": b"Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
    "an unknown encoding": b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    "a blank before the colon": b"Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
    "a tab after the colon": b"Transfer-Encoding:\tchunked\r\n\r\n0\r\n\r\n",
    "a vertical tab": b"Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n",
    "a folded line": b"Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n",
    "a chunk of no size": b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
    "a chunk of negative size": b"Transfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n",
    "a chunk beyond 64 bits": b"Transfer-Encoding: chunked\r\n\r\n10000000000000002\r\n{}\r\n0\r\n\r\n",
}


@pytest.mark.parametrize("rest", LENGTHS.values(), ids=LENGTHS)
def test_a_body_whose_end_can_be_argued_about(stack, rest):
    """Refused, and the connection with it: what follows is never taken for a request."""
    assert_answer(stack, POST + HOST + rest, UNREADABLE)
    assert exchange(stack, POST + b"Host: localhost\r\n" + rest + HIDDEN) == [400]


def test_chunked_in_http_1_0(stack):
    rest = b"Host: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    assert exchange(stack, b"POST /api/v1/families HTTP/1.0\r\n" + rest + HIDDEN) == [400]


@pytest.mark.parametrize(
    "rest",
    [
        b"Content-Length: 2\r\n\r\n{}",
        b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
        b"Transfer-Encoding: chunked\r\n\r\n2;a=\"b\"\r\n{}\r\n0\r\nContent-Length: 90\r\n\r\n",
        b"Transfer_Encoding: chunked\r\nContent-Length: 2\r\n\r\n{}",
        b"Content-Length: %d\r\n\r\n" % len(HIDDEN) + HIDDEN,
    ],
)
def test_a_body_that_ends_where_it_says(stack, rest):
    """It hides no request, and the one after it is read from its first byte."""
    request = POST + b"Host: localhost\r\n" + rest + HIDDEN.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
    assert exchange(stack, request) == [401, 200]


@pytest.mark.parametrize(
    "head",
    [
        b"Host: a\r\nHost: b\r\n", b"Host: a\r\nHost: a\r\n", b"", b"Host:\r\n", b"Host: a b\r\n", b"Host: a/b\r\n",
        b"Host: a\0b\r\n", b"Host: a\r\nX: a\0b\r\n", b"Host: a\r\nAuthorization: Bearer a\0b\r\n",
        b"Host: a\r\n folded: b\r\n", b"Host: a\r\nX Y: b\r\n", b"Host: a\r\n: b\r\n", b"Host: a\rX: b\r\n",
        b"Host: a\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b\r\n",
        b"Host: a\r\nIf-Match: *\r\nIf-Match: *\r\n",
    ],
)
def test_headers_that_make_no_sense(stack, head):
    assert_answer(stack, GET + head + b"Connection: close\r\n\r\n", UNREADABLE)


TOO_MUCH = {
    "one header of 100 KB": b"X-A: " + b"a" * 100_000 + b"\r\n",
    "100 headers of 1 KB": b"".join(b"X-%d: " % number + b"a" * 1000 + b"\r\n" for number in range(100)),
    "1,500 headers": b"".join(b"X-%d: a\r\n" % number for number in range(1500)),
    "a token of 100 KB": b"Authorization: Bearer " + b"a" * 100_000 + b"\r\n",
}


@pytest.mark.parametrize("head", TOO_MUCH.values(), ids=TOO_MUCH)
def test_too_much_of_everything(stack, head):
    assert_answer(stack, GET + HOST + head + b"\r\n", UNREADABLE)


def test_the_longest_token_that_is_read(stack):
    assert_answer(stack, GET + HOST + b"Authorization: Bearer " + b"a" * 7000 + b"\r\n\r\n", STRANGER)


@pytest.mark.parametrize("path", [b"/api/v1/" + b"a" * 100_000, b"/health?" + b"a" * 100_000], ids=["path", "query"])
def test_an_address_of_100_kb(stack, path):
    assert_answer(stack, b"GET " + path + b" HTTP/1.1\r\n" + HOST + b"\r\n", UNREADABLE)


def test_who_is_refused_in_the_middle_gets_to_read_why(stack):
    """Told after 8 KB, and still sending: hanging up at once would take the answer along."""
    for _ in range(5):
        with socket.create_connection(("127.0.0.1", stack.port), timeout=10) as plain:
            with stack.tls.wrap_socket(plain, server_hostname="127.0.0.1") as connection:
                connection.sendall(b"GET /api/v1/")
                for _ in range(12):
                    connection.sendall(b"a" * 9000)
                    time.sleep(0.002)
                assert connection.recv(100).startswith(b"HTTP/1.1 400 ")


# What stands for a path of the API if one reads it kindly. Nobody here does.
DISGUISED = {
    b"/health": [
        b"//health", b"/./health", b"/x/../health", b"/health/", b"/health/.", b"/%68ealth", b"/health%2f", b"/health%00",
        b"/health#x", b"/health;x", b"/health\\", b"/health%20", b"/health%3f", b"/health%23", b"/x/%2e%2e/health",
        b"/x%2f..%2fhealth", b"/HEALTH", b"\\health", b"health", b"/\xef\xbc\x8fhealth", b"/h%C0%A5alth",
    ],
    b"/api/v1/families": [
        b"//api/v1/families", b"///api/v1/families", b"/api//v1/families", b"/api/v1//families", b"/api/v1/families/",
        b"/api/v1/families//", b"/api/./v1/families", b"/api/v1/x/../families", b"/api/v1/x/%2e%2e/families",
        b"/api/v1/x%2f..%2ffamilies", b"/api%2fv1/families", b"/api/v1%2ffamilies", b"/api/v1/%66amilies",
        b"/%61pi/v1/families", b"/api/v1/families%00", b"/api/v1/families\0", b"/api/v1/families%2500",
        b"/api/v1/families;a=b", b"/api/v1/families#", b"/api/v1/families%23", b"/api/v1/families%3fa=b",
        b"/api\\v1\\families", b"/api/v1/..%5cfamilies", b"/api/v1/%c0%af", b"/api%c0%afv1/families",
        b"/api/v1/%c0%ae%c0%ae/families", b"/api/v1/%e0%80%af", b"/api/v1/\xc0\xaffamilies", b"/api/v1/families%0d%0a",
        b"/api/v1/famil%69es", b"/API/v1/families", b"/api/V1/families", b"/api/v1/Families", b"/api/v1/families.json",
        b"/../api/v1/families", b"/%2e%2e/api/v1/families", b"/api/v1/%zz", b"/api/v1/%", b"/api/v1/families%",
        b"/join/../api/v1/families", b"/assets/..%2fapi/v1/families", b"/assets/%2e%2e/api/v1/families",
        b"/api/v1/ families", b"/api/v1/families%u002f",
    ],
}


@pytest.mark.parametrize("path", [path for paths in DISGUISED.values() for path in paths])
def test_a_disguised_path_reaches_nothing(stack, path):
    status, headers, body = stack.raw(b"GET " + path + b" HTTP/1.1\r\n" + HOST + b"\r\n")
    assert status in (400, 404)
    assert_common_headers(headers)
    if status == 400 or headers["content-type"] == ["application/json"]:
        assert_error(status, headers, body, status, {400: "VALIDATION_ERROR", 404: "NOT_FOUND"}[status])
    else:
        assert "There’s nothing here" in body.decode()


def test_the_undisguised_ones_are_there(stack):
    statuses = [stack.raw(b"GET " + path + b" HTTP/1.1\r\n" + HOST + b"\r\n")[0] for path in DISGUISED]
    assert statuses == [200, 401]


@pytest.mark.parametrize("host", [b"localhost", b"evil.example", b"evil.example:443"])
def test_an_absolute_address_means_its_path(stack, host):
    for scheme in (b"https://", b"http://"):
        assert stack.raw(b"GET " + scheme + host + b"/health HTTP/1.1\r\n" + HOST + b"\r\n")[0] == 200
        assert_answer(stack, b"GET " + scheme + host + b"/api/v1/families HTTP/1.1\r\n" + HOST + b"\r\n", STRANGER)
        assert stack.raw(b"GET " + scheme + host + b"//health HTTP/1.1\r\n" + HOST + b"\r\n")[0] == 404
        # No path is the root, where the web app is.
        assert stack.raw(b"GET " + scheme + host + b"?/health HTTP/1.1\r\n" + HOST + b"\r\n")[0] == 200


@pytest.mark.parametrize(
    "line",
    [
        b"GET https://a@localhost/health HTTP/1.1", b"CONNECT localhost:443 HTTP/1.1", b"OPTIONS * HTTP/1.1",
        b"get /health HTTP/1.1", b"GET\t/health\tHTTP/1.1", b"GET /health HTTP/2.0", b"GET /health HTTP/1.1x",
        b"GET /health http/1.1", b"PRI * HTTP/2.0", b"GET /health x HTTP/1.1", b"\x16\x03\x01", b"G\0T /health HTTP/1.1",
    ],
)
def test_a_request_line_that_makes_no_sense(stack, line):
    assert_answer(stack, line + b"\r\n" + HOST + b"\r\n", UNREADABLE)


def test_http_1_0(stack):
    status, headers, body = stack.raw(b"GET /health HTTP/1.0\r\n\r\n")
    assert status == 200 and headers["connection"] == ["close"] and headers["content-length"] == [str(len(body))]
    assert_common_headers(headers)
    assert_answer(stack, b"POST /api/v1/families HTTP/1.0\r\n\r\n{}", STRANGER)


def test_nobody_changes_the_protocol(stack):
    upgrade = b"GET /health HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, close\r\nUpgrade: %s\r\n\r\n"
    for protocol in (b"h2c", b"websocket", b"TLS/1.0"):
        assert exchange(stack, upgrade % protocol) == [200]


def test_expect(stack):
    head = POST + HOST + b"Content-Type: application/json\r\n"
    assert exchange(stack, head + b"Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}") == [100, 401]
    assert exchange(stack, head + b"Expect: 100-continue\r\nContent-Length: 70000\r\n\r\n") == [413]
    assert exchange(stack, head + b"Expect: something\r\nContent-Length: 2\r\n\r\n{}") == [401]


def test_a_part_of_a_page_is_no_page(client):
    answer = client.get(f"/join/{'A' * 22}", headers={"Range": "bytes=0-5,5-6"})
    assert answer.status_code == 200 and answer.text.endswith("</html>\n")
