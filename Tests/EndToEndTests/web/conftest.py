"""The web app in real Chromium: phones with a person each, and ways to break what is between them and the server."""

import base64
import hashlib
import pathlib
import subprocess
import sys

import pytest
from playwright.sync_api import expect, sync_playwright

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from phone import LIMITED, Phone  # noqa: E402
from webapp import launch  # noqa: E402

expect.set_options(timeout=30_000)


@pytest.fixture(scope="session")
def paths(stack):
    """What the server has: tests of what is newer than it wait for it."""
    with stack.client() as client:
        return client.get("/api/openapi.json").json()["paths"]


@pytest.fixture(scope="session")
def trust(stack) -> str:
    """The argument by which Chromium trusts this stack's certificate and no other: a service worker wants one that is trusted."""
    key = subprocess.run(
        ["openssl", "x509", "-in", str(pathlib.Path(stack.values["CA_FILE"]).parent / "server.pem"), "-pubkey", "-noout"],
        capture_output=True, check=True,
    )
    der = subprocess.run(["openssl", "pkey", "-pubin", "-outform", "der"], input=key.stdout, capture_output=True, check=True)
    pin = base64.b64encode(hashlib.sha256(der.stdout).digest()).decode()
    return f"--ignore-certificate-errors-spki-list={pin}"


@pytest.fixture(scope="session")
def playwright():
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def chromium(playwright, trust):
    browser = launch(playwright, trust)
    yield browser
    browser.close()


@pytest.fixture
def phone(stack, chromium, request):
    """Makes phones: phone(person) is signed in, phone() belongs to a stranger. What the page complains about fails the test."""
    made = []

    def phone(person=None, **options) -> Phone:
        made.append(Phone(stack, chromium, **{"own_address": person is None, **options}))
        if person:
            made[-1].sign_in(person)
        return made[-1]

    yield phone
    for one in made:
        one.context.close()
    assert [url for one in made if not one.own_address for _, url, _ in one.asked if LIMITED.search(url)] == [], "own_address=True"
    complaints = [line for one in made for line in one.complaints]
    if not request.node.get_closest_marker("complains"):
        assert complaints == []


def pytest_configure(config):
    config.addinivalue_line("markers", "complains: the page may write errors to the console")
