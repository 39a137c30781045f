"""The pages under axe-core, in every state and both colour schemes, and with nothing but a keyboard."""

import pytest
from playwright.sync_api import Page, expect

from languages import LANGUAGES, words
from stack import Stack
from test_join_page import INVITE, TOKEN, answers, chromium, from_now_on, open_page, show  # noqa: F401  fixtures among them
from webapp import axe

STATUSES = sorted(id.split(".")[1] for id in words("en") if id.startswith("error.") and id.endswith(".title"))
SCHEMES = pytest.mark.parametrize("scheme", ["light", "dark"])
PARENT = {"invite": {**INVITE["invite"], "role": "parent"}}


def violations(page: Page) -> list[str]:
    """Best practices included. What axe-core cannot see through, a gradient, it is shown as its two ends."""
    found = []
    for colour in ("paper", "glow"):
        page.evaluate("colour => { document.body.style.background = `var(--${colour})` }", colour)
        response = axe(page)
        undecided = [one for one in response["incomplete"] if one["id"] == "color-contrast"]
        found += [f"{one['id']}: {node['html']}" for one in response["violations"] + undecided for node in one["nodes"]]
    return found


STATES = {
    "before anybody asked": (None, "#show"),
    "a caregiver's invitation": (answers(200, INVITE), "#inviter"),
    "a parent's invitation": (answers(200, PARENT), "#inviter"),
    "no longer valid": (answers(404), "#title:has-text('no longer valid')"),
    "too many tries": (answers(429, headers={"Retry-After": "37"}), "#message"),
    "the server is away": (answers(503), "#message"),
    "no connection": (lambda route: route.abort("internetdisconnected"), "#message"),
}


@SCHEMES
@pytest.mark.parametrize("state", STATES)
def test_the_invitation_in_every_state(open_page, scheme, state):  # noqa: F811
    answer, sign = STATES[state]
    page = open_page(answer=answer, color_scheme=scheme)
    if answer:
        show(page)
    expect(page.locator(sign)).to_be_visible()
    expect(page.locator("#show")).not_to_have_attribute("aria-disabled", "true")
    assert violations(page) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_invitation_in_every_language(open_page, language):  # noqa: F811
    page = open_page(answer=answers(200, INVITE), locale=language)
    assert violations(page) == []
    show(page, language)
    expect(page.locator("#inviter")).to_be_visible()
    assert violations(page) == []


@SCHEMES
def test_without_javascript(open_page, scheme):  # noqa: F811
    page = open_page(java_script_enabled=False, color_scheme=scheme)
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Get the app")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Get the app")).not_to_be_focused()


@SCHEMES
def test_without_javascript_under_axe(open_page, client, scheme):  # noqa: F811
    """axe-core is a script: it is shown what a browser without scripts makes of the page."""
    text = client.get(f"/join/{TOKEN}").text
    assert text.count("noscript>") == 2 and text.count("<script") == 2
    text = text.replace("noscript>", "div>").replace("<script", "<template").replace("</script>", "</template>")
    page = open_page("/join/cut-off", color_scheme=scheme)
    page.route("**/join/error", lambda route: route.fulfill(body=text, content_type="text/html; charset=utf-8"))
    page.goto(page.url.replace("cut-off", "error"))
    expect(page.get_by_text("Your browser has JavaScript turned off")).to_be_visible()
    assert violations(page) == []


@SCHEMES
@pytest.mark.parametrize("status", STATUSES)
def test_the_error_pages(open_page, stack: Stack, scheme, status):  # noqa: F811
    page = open_page("/join/cut-off", color_scheme=scheme)
    file = stack.place / f"www/pages/en/{status}.html"
    page.route("**/join/error", lambda route: route.fulfill(path=file, content_type="text/html; charset=utf-8"))
    page.goto(page.url.replace("cut-off", "error"))
    assert violations(page) == []
    assert page.evaluate("getComputedStyle(document.querySelector('h1')).fontWeight") == "600"  # its style is there


@SCHEMES
@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_the_whole_way_with_the_keyboard(open_page, stack: Stack, scheme, key):  # noqa: F811
    """The server away at first, then there; from the button to the app and to the shop, and out of the page again."""
    page = open_page(answer=answers(503), color_scheme=scheme)
    page.keyboard.press("Tab")
    button = page.locator("#show")
    expect(button).to_be_focused()
    page.keyboard.press(key)
    expect(button).to_have_text("Try again")
    expect(button).to_be_focused()
    from_now_on(page, answers(200, INVITE))
    page.keyboard.press(key)
    expect(page.locator("#inviter")).to_be_focused()
    for role, name in (("link", "Open in Baby Basics"), ("button", "Continue in the browser"), ("link", "Get the app")):
        page.keyboard.press("Tab")
        link = page.get_by_role(role, name=name)
        expect(link).to_be_focused()
        ring = link.evaluate("element => [getComputedStyle(element).outlineStyle, getComputedStyle(element).outlineWidth]")
        assert ring == ["solid", "3px"]
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement === document.body")
    page.keyboard.press("Shift+Tab")
    expect(page.get_by_role("link", name="Get the app")).to_be_focused()


@SCHEMES
def test_gone_with_the_keyboard(open_page, scheme):  # noqa: F811
    page = open_page(answer=answers(404), color_scheme=scheme)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Get the app")).to_be_focused()


def test_large_text_and_little_motion(open_page):  # noqa: F811
    """Twice the text size on the smallest phone: nothing is cut off, nothing to scroll sideways."""
    page = open_page(answer=answers(200, INVITE), viewport={"width": 320, "height": 568}, reduced_motion="reduce")
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    show(page)
    expect(page.locator("#inviter")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert violations(page) == []


def test_axe_would_find_something(open_page):  # noqa: F811
    page = open_page()
    page.evaluate("document.documentElement.removeAttribute('lang'); document.querySelector('#store').textContent = ''")
    found = violations(page)
    assert any(one.startswith("html-has-lang") for one in found) and any(one.startswith("link-name") for one in found)


def test_the_association_as_a_browser_gets_it(open_page, stack: Stack):  # noqa: F811
    page = open_page(f"/join/{TOKEN}")
    for path in ("/.well-known/apple-app-site-association", "/apple-app-site-association"):
        answer = page.request.get(stack.address + path, max_redirects=0)
        assert answer.status == 200 and answer.headers["content-type"] == "application/json"
        assert answer.json()["applinks"]["details"][0]["components"] == [{"/": "/join/*"}]
