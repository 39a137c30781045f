"""What nginx serves itself: the invitation page, the app association, and everything else that is not there."""


import pytest

from stack import assert_common_headers, headers_of

TOKEN = "xK9mLp2qR5tN8vW3yBcd4A"
IDENTIFIER = "550e8400-e29b-41d4-a716-446655440000"
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


@pytest.mark.parametrize("path", ["/.well-known/apple-app-site-association", "/apple-app-site-association"])
def test_app_association(client, path):
    answer = client.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    assert_common_headers(headers_of(answer), store="public, max-age=3600")
    links = answer.json()["applinks"]
    (entry,) = links["details"]
    assert links["apps"] == []
    assert entry["appID"].endswith(".com.bretzfam.babybasics")
    assert entry["paths"] == ["/join/*"]
    assert entry["appIDs"] == [entry["appID"]]
    assert entry["components"] == [{"/": "/join/*"}]
    assert answer.json()["webcredentials"] == {"apps": entry["appIDs"]}
    assert "@" not in answer.text


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_password_managers_are_led_to_where_the_password_is_changed(client, stack, method):
    answer = client.request(method, "/.well-known/change-password", headers={"Host": "evil.example"})
    assert answer.status_code == 302
    assert answer.headers["location"] == f"{stack.base_url}/#/account"
    assert_common_headers(headers_of(answer))
    # By which they see that a 200 would mean something.
    assert client.get("/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200").status_code == 404


@pytest.mark.parametrize("token", [TOKEN, "-" * 22, "_" * 22, IDENTIFIER, IDENTIFIER.upper()])
def test_invitation_page(client, stack, token):
    answer = client.get(f"/join/{token}")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert_common_headers(headers_of(answer))
    assert answer.headers["content-security-policy"] == PAGE_POLICY
    assert headers_of(answer)["x-robots-tag"] == ["noindex"]
    assert f"app-argument={stack.base_url}/join/{token}\">" in answer.text
    assert answer.text.count(token) == 1
    assert "<!--#" not in answer.text and "@" not in answer.text
    head = client.head(f"/join/{token}")
    assert head.status_code == 200 and head.content == b""
    assert_common_headers(headers_of(head))


@pytest.mark.parametrize("token", [TOKEN, IDENTIFIER])
@pytest.mark.parametrize("pasted", ["/", ".", ",", ")", "%29", ">", "%3E", "]", "%5D", "%22", "’", "%E2%80%99", ").", '%22>', "/.,)’"])
def test_what_was_pasted_after_the_link_is_passed_over(client, stack, token, pasted):
    answer = client.get(f"/join/{token}{pasted}")
    assert answer.status_code == 200
    assert answer.text == client.get(f"/join/{token}").text


def test_invitation_page_is_the_same_for_every_token(client):
    one, other = client.get(f"/join/{TOKEN}"), client.get(f"/join/{'A' * 22}")
    assert one.text.replace(TOKEN, "A" * 22) == other.text


def test_invitation_page_never_trusts_the_host_header(client, stack):
    answer = client.get(f"/join/{TOKEN}", headers={"Host": "evil.example"})
    assert "evil.example" not in answer.text and stack.base_url in answer.text


def test_invitation_page_has_no_inline_code(client):
    text = client.get(f"/join/{TOKEN}").text
    assert "<style" not in text and "style=" not in text and " on" + "click" not in text
    assert all(" src=" in piece for piece in text.split("<script")[1:])


@pytest.mark.parametrize(
    "path",
    [
        "/join", "/join/", "/join/short", f"/join/{TOKEN}A", f"/join/{TOKEN[:-1]}", f"/join/{TOKEN}/more", f"/join/{TOKEN}.A",
        f"/join/{TOKEN}%20", f"/join/{TOKEN}%E2%80", f"/join/{TOKEN[:-1]}=", f"/join/{TOKEN[:-1]}%3C", f"/JOIN/{TOKEN}",
        f"/Join/{TOKEN}", f"/x/join/{TOKEN}", "/compressed/list",
        f"/join/{IDENTIFIER[:-1]}", f"/join/{IDENTIFIER.replace('-', '')}", "/error/404.html", "/error/404/page",
        "/join.html", "/assets/", "/assets/none.js", "/.env", "/.well-known/", "/healthz", "/apiary",
        "/pages/", "/pages/en", "/pages/en/join.html", "/pages/en/404.html", "/pages/join.html",
    ],
)
def test_what_is_not_there_is_a_friendly_page(client, path):
    answer = client.get(path)
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    # Under /assets/ a missing file may be kept for a few minutes, like those that are there.
    assert_common_headers(headers_of(answer), store=None if path.startswith("/assets/") else "no-store")
    assert "There’s nothing here" in answer.text
    assert "nginx" not in answer.text
    if not path.startswith("/assets/"):
        assert headers_of(answer)["x-robots-tag"] == ["noindex"]
        assert answer.headers["content-security-policy"] == PAGE_POLICY


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"])
@pytest.mark.parametrize("path", [f"/join/{TOKEN}", "/.well-known/apple-app-site-association", "/.well-known/change-password"])
def test_pages_can_only_be_read(client, method, path):
    answer = client.request(method, path)
    assert answer.status_code == 405
    assert headers_of(answer)["allow"] == ["GET, HEAD"]
    assert "That can’t be done here" in answer.text


@pytest.mark.parametrize("name", ["pages.css", "join.js", "words.js", "moon.svg"])
def test_assets(client, name):
    answer = client.get(f"/assets/{name}")
    assert answer.status_code == 200
    types = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml"}
    assert answer.headers["content-type"] == types[name.rpartition(".")[2]]
    assert_common_headers(headers_of(answer), store="public, max-age=300")


FILES = pytest.mark.parametrize("path", [f"/join/{TOKEN}", "/.well-known/apple-app-site-association", "/assets/pages.css"])


# The last on its connection: nginx closes it after a 412 of its own, though it says that it keeps it.
@FILES
def test_conditions_that_nothing_meets(client, path):
    answer = client.get(path, headers={"If-Match": '"1"'})
    assert answer.status_code == 412 and "That didn’t come through" in answer.text
    assert_common_headers(headers_of(answer), store=None)


@FILES
def test_who_asks_for_a_part_gets_all(client, path):
    whole = client.get(path, headers={"Range": "bytes=90000-"})
    assert whole.status_code == 200 and whole.content == client.get(path).content
    assert_common_headers(headers_of(whole), store=None)
