"""HTTP/2 as no browser speaks it: frames of our own, without the checks that a client library makes."""

import contextlib
import socket
import ssl

import h2.config
import h2.connection
import h2.events
import h2.exceptions
import pytest

from stack import assert_common_headers, assert_error

PATH, METHOD, SCHEME, AUTHORITY = b":path", b":method", b":scheme", b":authority"


def http2_context(stack) -> ssl.SSLContext:
    context = stack.trust()
    context.set_alpn_protocols(["h2"])
    return context


@pytest.fixture
def tls(stack):
    return http2_context(stack)


def converse(stack, tls, headers: list[tuple[bytes, bytes]], body: bytes = b"") -> tuple[int, dict, bytes]:
    """One request on a connection of its own. Status 0: the stream or the connection was refused."""
    settings = h2.config.H2Configuration(
        header_encoding=None, validate_outbound_headers=False, normalize_outbound_headers=False
    )
    engine = h2.connection.H2Connection(settings)
    engine.initiate_connection()
    engine.send_headers(1, headers, end_stream=not body)
    status, received, content = 0, {}, b""

    def send_body() -> None:
        nonlocal body
        while body and (length := min(engine.local_flow_control_window(1), engine.max_outbound_frame_size, len(body))):
            engine.send_data(1, body[:length], end_stream=length == len(body))
            body = body[length:]

    send_body()
    with socket.create_connection(("127.0.0.1", stack.port), timeout=10) as plain:
        with tls.wrap_socket(plain, server_hostname="127.0.0.1") as connection, contextlib.suppress(ConnectionError):
            assert connection.selected_alpn_protocol() == "h2"
            connection.sendall(engine.data_to_send())
            while piece := connection.recv(65536):
                for event in engine.receive_data(piece):
                    if isinstance(event, h2.events.ResponseReceived):
                        for name, value in event.headers:
                            received.setdefault(name.decode(), []).append(value.decode())
                        status = int(received.pop(":status")[0])
                    elif isinstance(event, h2.events.WindowUpdated):
                        with contextlib.suppress(h2.exceptions.StreamClosedError):  # reset in the same breath
                            send_body()
                    elif isinstance(event, h2.events.DataReceived):
                        content += event.data
                    elif isinstance(
                        event, (h2.events.StreamEnded, h2.events.StreamReset, h2.events.ConnectionTerminated)
                    ):
                        return status, received, content
                with contextlib.suppress(h2.exceptions.ProtocolError):
                    connection.sendall(engine.data_to_send())
    return status, received, content


def request(path: bytes = b"/health", method: bytes = b"GET", *more: tuple[bytes, bytes]) -> list[tuple[bytes, bytes]]:
    return [(METHOD, method), (SCHEME, b"https"), (PATH, path), (AUTHORITY, b"localhost"), *more]


def test_a_plain_request(stack, tls):
    status, headers, _ = converse(stack, tls, request())
    assert status == 200
    assert_common_headers(headers)


@pytest.mark.parametrize(
    "path",
    [
        b"//health", b"/x/../health", b"/%68ealth", b"/health#x", b"/health%00", b"/health%2f", b"/health/",
        b"//api/v1/families", b"/api//v1/families", b"/api%2fv1/families", b"/api/v1/%66amilies", b"/api/v1/%c0%af",
        b"/api/v1/..%2fv1/families", b"/api/v1/\xc0\xaf", b"/api/v1/families;", b"/api/v1/%zz", b"health", b"*", b"",
        b"https://localhost/health", b"/health HTTP/1.1\r\nX: ", b"/api/v1/fam\0ilies", b"/../health",
    ],
)
def test_a_disguised_path_reaches_nothing(stack, tls, path):
    status, headers, body = converse(stack, tls, request(path))
    assert status in (0, 400, 404)
    if status:
        assert_common_headers(headers)
    if status == 400:
        assert_error(status, headers, body, 400, "VALIDATION_ERROR")


@pytest.mark.parametrize(
    "headers",
    [
        request(b"/health", b"GET", (PATH, b"/api/v1/families")),
        request(b"/health", b"GET", (METHOD, b"POST")),
        request(b"/health", b"GET", (b"host", b"a"), (b"host", b"b")),
        request(b"/health", b"GET", (b"Upper", b"a")),
        request(b"/health", b"GET", (b"x y", b"a")),
        request(b"/health", b"GET", (b"x", b"a\r\nauthorization: Bearer b")),
        request(b"/health", b"GET", (b"x", b"a\0b")),
        request(b"/health", b"GET", (b":unknown", b"a")),
        request(b"/health", b"GET", (b"x", b"a" * 100_000)),
        request(b"/health", b"GET", *[(b"x-%d" % number, b"a" * 1000) for number in range(100)]),
        request(b"/health", b"G T"),
        request(b"/health", b"get"),
        [(METHOD, b"GET"), (SCHEME, b"https"), (AUTHORITY, b"localhost")],
        [(METHOD, b"GET"), (SCHEME, b"https"), (PATH, b"/health")],
        request(b"/health", b"POST", (b"content-length", b"-1")),
        request(b"/health", b"POST", (b"content-length", b"1"), (b"content-length", b"2")),
    ],
)
def test_a_head_that_makes_no_sense(stack, tls, headers):
    status, answer, body = converse(stack, tls, headers)
    assert status in (0, 400)
    if status:
        assert_error(status, answer, body, 400, "VALIDATION_ERROR")
        assert_common_headers(answer)


@pytest.mark.parametrize("declared", [b"1", b"9"])
def test_a_body_of_another_length_than_declared(stack, tls, declared):
    headers = request(b"/api/v1/families", b"POST", (b"content-length", declared))
    status, _, _ = converse(stack, tls, headers, b"{}")
    assert status in (0, 400)


def test_headers_of_http_1_mean_nothing(stack, tls):
    """A length of the other kind neither shortens the body nor hides a request in it."""
    hidden = b"0\r\n\r\nGET /health HTTP/1.1\r\nHost: a\r\n\r\n"
    for name, value in ((b"transfer-encoding", b"chunked"), (b"connection", b"close"), (b"te", b"gzip"), (b"upgrade", b"x")):
        status, headers, body = converse(stack, tls, request(b"/api/v1/families", b"POST", (name, value)), hidden)
        assert status in (0, 400, 401), name
        if status:
            assert_error(status, headers, body, status, {400: "VALIDATION_ERROR", 401: "UNAUTHORIZED"}[status])


@pytest.mark.parametrize("declared", [[(b"content-length", b"70000")], []])
def test_a_body_that_is_too_large(stack, tls, declared):
    status, headers, body = converse(stack, tls, request(b"/api/v1/families", b"POST", *declared), b"a" * 70_000)
    assert_error(status, headers, body, 413, "PAYLOAD_TOO_LARGE")
    assert_common_headers(headers)


def test_a_body_that_is_too_large_for_a_page(stack, tls):
    headers = request(b"/join/" + b"A" * 22, b"GET", (b"content-length", b"70000"))
    status, headers, page = converse(stack, tls, headers, b"a" * 70_000)
    assert status == 413 and "That was too much at once" in page.decode()
    assert_common_headers(headers)


def test_a_body_that_is_just_right(stack, tls):
    answer = converse(stack, tls, request(b"/api/v1/families", b"POST"), b"a" * 65_536)
    assert_error(*answer, 401, "UNAUTHORIZED")


def test_a_method_that_nobody_knows(stack, tls):
    status, headers, body = converse(stack, tls, request(b"/api/v1/families", b"TRACE"))
    assert_error(status, headers, body, 405, "METHOD_NOT_ALLOWED")
