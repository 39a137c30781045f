"""The limits of the contract, counted over all workers."""

import concurrent.futures
import secrets
import time

import pytest

from stack import assert_common_headers, assert_error, headers_of

UNKNOWN = {"email": "nobody@example.com", "password": "securepassword123"}
BUCKETS = {
    "/auth/login": UNKNOWN,
    "/auth/register": {"name": "", "email": "x", "password": "short"},
    "/auth/reset-password": {"email": "nobody@example.com", "new_password": "securepassword123"},
    "/auth/forgot-password": {"email": "nobody@example.com"},
    "/auth/verify-email": {"token": "A" * 43},
    "/invites/preview": {"token": "A" * 22},
}


def assert_limited(answer) -> None:
    headers = headers_of(answer)
    assert_error(answer.status_code, headers, answer.content, 429, "RATE_LIMITED")
    assert_common_headers(headers)
    assert len(headers["retry-after"]) == 1 and 1 <= int(headers["retry-after"][0]) <= 60


def in_one_minute(attempt):
    """What comes of it where no minute ends in between, by which the limit of a user counts."""
    while True:
        minute = time.time() // 60
        result = attempt()
        if time.time() // 60 == minute:
            return result


@pytest.mark.parametrize("path", BUCKETS)
def test_five_a_minute_for_one_address(stack, path):
    """Each request on a connection of its own, so that both workers see some; failed ones count."""
    source = next(stack.addresses)
    # An account has a limit of its own, wherever somebody tries from.
    nobody = {"email": f"nobody-{secrets.token_hex(4)}@example.com"}
    bodies = {bucket: {**body, **nobody} if body.get("email") == UNKNOWN["email"] else body for bucket, body in BUCKETS.items()}

    def one(_):
        with stack.client(source) as client:
            return client.post(f"/api/v1{path}", json=bodies[path])

    with concurrent.futures.ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(one, range(8)))
    accepted = [answer for answer in answers if answer.status_code != 429]
    assert len(accepted) == 5, [answer.status_code for answer in answers]
    # 503: a password that no processor had time for. It counts all the same.
    assert {answer.status_code for answer in accepted} <= {400, 401, 404, 409, 503}
    for answer in accepted:
        assert headers_of(answer)["ratelimit-limit"] == ["5"]
        assert int(answer.headers["ratelimit-remaining"]) in range(5)
        assert len(headers_of(answer)["ratelimit-reset"]) == 1
    for answer in answers:
        if answer.status_code == 429:
            assert_limited(answer)
    # The other buckets of this address are untouched, and so is this bucket of another.
    with stack.client(source) as client:
        for other in BUCKETS.keys() - {path}:
            assert client.post(f"/api/v1{other}", json=bodies[other]).status_code != 429
        assert client.get("/health").status_code == 200
    with stack.client() as client:
        assert client.post(f"/api/v1{path}", json=bodies[path]).status_code != 429


def test_the_client_cannot_choose_its_address(stack):
    with stack.client() as client:
        statuses = [
            client.post(
                "/api/v1/invites/preview", json={"token": "A" * 22},
                headers={"X-Forwarded-For": f"10.0.0.{number}", "X-Real-IP": f"10.0.0.{number}", "Forwarded": "for=1.1.1.1"},
            ).status_code
            for number in range(7)
        ]
    assert statuses == [404] * 5 + [429] * 2


def test_a_hundred_a_minute_for_one_person(stack, person):
    def ask() -> list:
        johnny = person("Johnny")
        with stack.client() as second:
            session = second.post("/api/v1/auth/login", json={"email": johnny.email, "password": johnny.password})
            second.headers["Authorization"] = f"Bearer {session.json()['session']['token']}"

            def one(number):
                with stack.client() as client:
                    client.headers = (johnny.http if number % 2 else second).headers
                    return client.get("/api/v1/families")

            with concurrent.futures.ThreadPoolExecutor(8) as threads:
                return list(threads.map(one, range(120)))

    answers = in_one_minute(ask)
    assert sum(answer.status_code == 200 for answer in answers) == 100
    for answer in answers:
        if answer.status_code != 200:
            assert_limited(answer)


def test_five_checks_of_ones_own_password_a_minute(person):
    johnny = person("Johnny")
    change = {"current_password": "not my password", "new_password": "a new battery for the horse"}
    for remaining in (4, 3, 2, 1, 0):
        answer = johnny.call("POST", "/auth/change-password", change)
        assert answer.status_code == 403
        assert headers_of(answer)["ratelimit-remaining"] == [str(remaining)]
    johnny.move()
    assert_limited(johnny.call("POST", "/auth/change-password", change))
    assert_limited(johnny.call("DELETE", "/users/me", {"password": johnny.password}))
    assert johnny.call("GET", "/users/me").status_code == 200


def test_what_is_not_there_costs_no_one_s_share(stack, person):
    johnny = person("Johnny")
    token = secrets.token_hex(32)
    with stack.client() as stranger:
        stranger.headers["Authorization"] = f"Bearer {token}"
        assert {stranger.get("/api/v1/families").status_code for _ in range(110)} == {401}
    assert johnny.call("GET", "/families").status_code == 200
