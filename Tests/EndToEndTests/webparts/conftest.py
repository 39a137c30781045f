"""Browsers for tests without a server."""

import json
import pathlib
import sys

import pytest
from playwright.sync_api import sync_playwright

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from accounts import MAIL, ORIGIN, Server, hand  # noqa: E402
from webapp import launch  # noqa: E402


@pytest.fixture(scope="module")
def chromium():
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


@pytest.fixture
def open_at(chromium):
    """Opens a path before a server of answers: open_at("/", Server(MAIL)). Whatever the page complains of fails the test."""
    contexts, complaints = [], []

    def open_at(path: str = "/", server: Server | None = None, look: str | None = None, width: int = 390, kept: dict | None = None, **options):
        server = server or Server(MAIL)
        context = chromium.new_context(
            viewport={"width": width, "height": 844}, timezone_id="UTC", reduced_motion="reduce", service_workers="block", **{"locale": "en-US", **options}
        )
        contexts.append(context)
        storage = {**({"device": {"look": look}} if look else {}), **({"account": server.user} if server.user else {}), **(kept or {})}
        page = context.new_page()
        page.server = server
        page.on("pageerror", lambda error: complaints.append(str(error)))
        expected = ("Failed to load resource", "registration blocked")
        page.on(
            "console",
            lambda message: complaints.append(message.text)
            if message.type in ("error", "warning") and not any(text in message.text for text in expected)
            else None,
        )
        page.route(f"{ORIGIN}/**", lambda route: hand(route, server))
        if storage:
            page.route(f"{ORIGIN}/empty", lambda route: route.fulfill(body="<title>Empty</title>", content_type="text/html"))
            page.goto(f"{ORIGIN}/empty")
            page.evaluate("kept => Object.entries(kept).forEach(([key, value]) => localStorage.setItem(key, JSON.stringify(value)))", json.loads(json.dumps(storage)))
        page.goto(ORIGIN + path)
        return page

    yield open_at
    for context in contexts:
        context.close()
    assert complaints == []
