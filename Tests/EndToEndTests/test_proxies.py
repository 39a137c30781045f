"""X-Forwarded-For and X-Forwarded-Proto: believed from a proxy that was named, and from nobody else."""

import secrets

import pytest

from second_edge import second_edge

BODY = {"token": "A" * 22}


@pytest.fixture(scope="module")
def balanced(stack):
    """127.253.0.0/16, where no person of the tests lives, and 10.9.0.0/16 are load balancers."""
    with second_edge(stack, TRUSTED_PROXIES="127.253.0.0/16 10.9.0.0/16") as edge:
        yield edge


def ask(client, forwarded: str | list[str]) -> int:
    """The status of a request to a route that 5 a minute may ask from one address."""
    values = [forwarded] if isinstance(forwarded, str) else forwarded
    headers = [("X-Forwarded-For", value) for value in values]
    return client.post("/api/v1/invites/preview", json=BODY, headers=headers).status_code


def fresh() -> str:
    """An address that has asked nothing yet."""
    return "203.{}.{}.{}".format(*secrets.token_bytes(3))


def test_people_behind_one_load_balancer_have_limits_of_their_own(balanced):
    with balanced.client("127.253.0.1") as client:
        one, other = fresh(), fresh()
        assert [ask(client, one) for _ in range(6)] == [404] * 5 + [429]
        assert ask(client, other) == 404
    with balanced.client("127.253.3.4") as client:  # another balancer, the same person
        assert ask(client, one) == 429


def test_what_a_person_wrote_before_the_load_balancer_counts_for_nothing(balanced):
    with balanced.client("127.253.0.2") as client:
        one = fresh()
        assert [ask(client, f"{fresh()}, {one}") for _ in range(6)] == [404] * 5 + [429]
        assert ask(client, [fresh(), one]) == 429
        assert ask(client, f"{fresh()}, {one}, 10.9.8.7") == 429  # through two balancers
        assert ask(client, f"{one}, {fresh()}") == 404


def test_one_ipv6_network_is_one_person(balanced):
    with balanced.client("127.253.0.3") as client:
        network = f"2001:db8:{secrets.token_hex(2)}:{secrets.token_hex(2)}"
        statuses = [ask(client, f"{network}::{number + 1:x}") for number in range(6)]
    assert statuses == [404] * 5 + [429]


@pytest.mark.parametrize("forwarded", ["unknown", "", "1.2.3", "999.1.1.1", "'; drop table users", "a" * 500])
def test_a_load_balancer_that_says_nothing_useful_is_the_client(balanced, forwarded):
    source = f"127.253.{secrets.randbelow(255)}.{secrets.randbelow(250) + 4}"
    with balanced.client(source) as client:
        assert [ask(client, forwarded) for _ in range(6)] == [404] * 5 + [429]


def test_others_are_not_believed_there(stack, balanced):
    with balanced.client(next(stack.addresses)) as client:
        assert [ask(client, fresh()) for _ in range(6)] == [404] * 5 + [429]


def test_without_load_balancers_nobody_is_believed(stack):
    for source in (next(stack.addresses), f"127.253.{secrets.randbelow(255)}.{secrets.randbelow(250) + 4}"):
        with stack.client(source) as client:
            assert [ask(client, fresh()) for _ in range(6)] == [404] * 5 + [429]


def test_a_proxy_that_got_it_by_https_may_speak_http(balanced, stack):
    headers = {"X-Forwarded-For": fresh(), "X-Forwarded-Proto": "https"}
    with balanced.client("127.253.0.5", http=True) as client:
        client.headers.update(headers)
        answer = client.get("/health")
        assert answer.status_code == 200 and answer.headers["strict-transport-security"]
        assert client.get("/").status_code == 200
        assert client.get(f"/join/{'A' * 22}").status_code == 200
        assert client.get("/api/v1/children").status_code == 401
        assert client.post("/api/v1/auth/login", content=b"x" * 70_000).status_code == 413
        assert [ask(client, headers["X-Forwarded-For"]) for _ in range(6)] == [404] * 5 + [429]


@pytest.mark.parametrize("said", [[], ["http"], ["on"], ["http", "https"], ["http, https"], [""]])
def test_a_proxy_that_got_it_by_http_is_refused(balanced, stack, said):
    headers = [("X-Forwarded-Proto", one) for one in said]
    with balanced.client("127.253.0.5", http=True) as client:
        assert client.get("/health", headers=headers).status_code == 403
        answer = client.get("/", headers=headers)
        assert answer.status_code == 308 and answer.headers["location"] == stack.base_url + "/"
        assert "strict-transport-security" not in answer.headers


def test_others_are_not_believed_to_have_got_it_by_https(stack, balanced):
    headers = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "127.253.0.5"}
    with balanced.client(next(stack.addresses), http=True) as client:
        assert client.get("/health", headers=headers).status_code == 403
        assert client.get("/", headers=headers).status_code == 308
    with stack.client(http=True) as client:
        assert client.get("/health", headers=headers).status_code == 403


def test_the_flood_wall_counts_people_too(stack):
    """nginx's own limit, made so low that the third request of one person meets it."""
    def lower(text: str) -> str:
        assert "rate=20r/s;" in text and "burst=40 " in text
        return text.replace("rate=20r/s;", "rate=1r/m;").replace("burst=40 ", "burst=1 ")

    with second_edge(stack, lower, TRUSTED_PROXIES="127.253.0.0/16") as edge, edge.client("127.253.0.4") as client:
        def walls(addresses: list[str]) -> list[bool]:
            answers = [
                client.post("/api/v1/invites/preview", json=BODY, headers={"X-Forwarded-For": one}) for one in addresses
            ]
            return ["in a moment" in answer.text for answer in answers]

        assert walls([fresh() for _ in range(6)]) == [False] * 6
        assert walls([fresh()] * 3) == [False, False, True]
        network = f"2001:db8:{secrets.token_hex(2)}:{secrets.token_hex(2)}"
        assert walls([f"{network}::{number + 1:x}" for number in range(3)]) == [False, False, True]
        assert walls([f"2001:db8:{number + 1:x}::1" for number in range(3)]) == [False, False, False]
