"""Other programs in the app as it is served, against the real server: what the screens give out works, and what they say happened did."""

import re
import time

import pytest
from accounts import fits, heading, tap, violations
from own_stack import until
from people import Person
from playwright.sync_api import expect
from real import signed_in
from receivers import webhook_stack
from standardwebhooks import Webhook
from webapp import picture


@pytest.fixture(scope="module")
def own(stack):
    with webhook_stack(stack.place / "bin/babybasics") as own:
        yield own


@pytest.fixture
def parent(own):
    parent = Person(own, "Johnny")
    parent.family = parent.create_family()
    parent.child = parent.create_child(parent.family, "Ada")
    yield parent
    parent.http.close()


def log(parent: Person, type: str = "wet") -> None:
    parent.ok("POST", f"/children/{parent.child}/diapers", {"type": type}, 201)


def make_token(page, name: str) -> str:
    page.get_by_label("Name").fill(name)
    page.get_by_role("radio", name="Look and log").check()
    tap(page, "Make a token")
    heading(page, "Token made")
    return page.locator(".link-text").inner_text()


def add_webhook(page, url: str) -> str:
    page.get_by_label("Address").fill(url)
    tap(page, "Add")
    heading(page, "Webhook added")
    return page.locator(".link-text").inner_text()


def test_a_token_works_from_when_it_is_shown_until_it_is_ended(own, parent, chromium):
    with signed_in(chromium, parent, "account") as page, own.client() as program:
        tap(page, "Other programs", "link")
        program.headers["Authorization"] = f"Bearer {make_token(page, 'Bedside button')}"
        diapers = f"/api/v1/children/{parent.child}/diapers"
        assert program.post(diapers, json={"type": "wet"}).status_code == 201
        assert program.get("/api/v1/users/me").status_code == 403
        until(lambda: parent.ok("GET", "/users/me/tokens")["tokens"][0]["last_used_at"] or time.sleep(0.5), 10)
        tap(page, "Done")
        expect(page.locator(".rows li")).to_contain_text("Used just now")
        tap(page, "End Bedside button")
        page.get_by_role("dialog").get_by_role("button", name="End it").click()
        expect(page.locator(".rows li")).to_have_count(0)
        assert program.post(diapers, json={"type": "wet"}).status_code == 401


def test_a_webhook_is_called_and_a_call_is_sent_again(own, parent, chromium):
    with signed_in(chromium, parent, "webhooks") as page:
        page.get_by_label("Address").fill("https://10.1.2.3/x")
        tap(page, "Add")
        expect(page.get_by_text("This must be an address that can be reached from the internet.")).to_be_visible()
        secret = add_webhook(page, own.receivers.url("screen"))
        own.receivers.answers["/screen"] = lambda call: 503
        log(parent)
        until(lambda: own.receivers.tried("screen"))
        tap(page, "Done")
        page.locator(".rows li").get_by_role("link").click()
        row = page.locator(".call")
        expect(row).to_contain_text(re.compile("Diaper logged.*Not taken yet, after .*: answered 503"))
        own.receivers.answers["/screen"] = lambda call: 200
        row.get_by_role("button", name=re.compile("^Send again")).click()
        expect(row).to_contain_text("Taken: answered 200")
        (call,) = own.receivers.wait("screen")
        assert Webhook(secret).verify(call.body, call.headers)["data"]["child"]["name"] == "Ada"
        # One that was taken comes again, under its id, and the screen says so by itself.
        row.get_by_role("button", name=re.compile("^Send again")).click()
        assert [again.id for again in own.receivers.wait("screen", 2)] == [call.id] * 2
        expect(row).to_contain_text("Taken: answered 200")


@pytest.mark.parametrize("look", ["light", "dark"])
def test_the_screens_with_what_a_server_has(own, parent, chromium, artifacts, look):
    names = iter(["one", "two"])

    def seen(page, name: str) -> None:
        for width in (320, 390, 1280):
            page.set_viewport_size({"width": width, "height": 844})
            assert fits(page), f"{name} {width}"
            assert violations(page) == [], f"{name} {width}"
            picture(page, artifacts / f"programs-{name}-{width}-{look}.png", full_page=True)

    own.receivers.answers[f"/{look}-refuses"] = lambda call: 500
    with signed_in(chromium, parent, "programs", look) as page:
        for made in ("A button beside the bed", "The spreadsheet of the grandparents"):
            make_token(page, made)
            seen(page, f"token-{next(names)}")
            tap(page, "Done")
        seen(page, "tokens")
        tap(page, "End A button beside the bed")
        seen(page, "end")
        tap(page, "Cancel")
        page.evaluate("location.hash = '#/webhooks'")
        add_webhook(page, own.receivers.url(f"{look}-takes"))
        seen(page, "webhook-made")
        tap(page, "Done")
        add_webhook(page, own.receivers.url(f"{look}-refuses"))
        for type in ("wet", "dirty", "mixed"):
            log(parent, type)
        own.receivers.wait(f"{look}-takes", 3)
        until(lambda: own.receivers.tried(f"{look}-refuses"))
        tap(page, "Done")
        page.get_by_role("radio", name="Some kinds").check()
        seen(page, "webhooks")
        for place, name in enumerate(("takes", "refuses")):
            page.locator(".rows li").nth(place).get_by_role("link").click()
            expect(page.locator(".call")).to_have_count(3)
            expect(page.locator(".call").last).to_contain_text(re.compile("answered"))
            seen(page, f"webhook-{name}")
            page.evaluate("location.hash = '#/webhooks'")
            heading(page, "Webhooks")
