"""Other programs: tokens and webhooks, in a real browser, before a server of answers."""

import re

import pytest
from accounts import CHANGES, CHILD, FAMILY, JO, MAIL, MEMBER, Server, fits, heading, refusal, tap, violations
from playwright.sync_api import expect

AT = "2026-06-10T12:00:00.000Z"
SECRET = "bb_" + "k9Xr2mQ7vT1pLw4zYc8nBd5hGj3sFa6eUo0iRxWt1Ab"
SIGNED_BY = "whsec_" + "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwPq7tV0nXs2E="
HOOK = "https://home.example.com/hooks/baby-basics/a-long-name-of-a-thing-that-listens"
LOOKS = ("light", "dark", "night")
OTHER = {**FAMILY, "id": "00000000-0000-7000-8000-0000000000ff", "name": "The Riveras", "role": "viewer"}


def identifier(number: int) -> str:
    return f"00000000-0000-7000-8000-0000000005{number:02d}"


def delivery(number: int, state: str = "delivered", **fields) -> dict:
    return {
        "id": identifier(number), "type": "event.created", "kind": "feeding", "event_id": identifier(90 + number % 9), "created_at": AT,
        "state": state, "attempts": 1, "last_attempt_at": AT, "status": 204, "failure": None, **fields,
    }  # fmt: skip


class Programs(Server):
    """One that keeps tokens and webhooks as ours does."""

    def __init__(self, families=(FAMILY,), role="parent"):
        super().__init__(MAIL, JO, tuple({**one, "role": role} if one is FAMILY else one for one in families))
        changes = [CHANGES[0], {**CHANGES[1], "data": {**MEMBER, "role": role, "is_owner": role == "parent"}}, CHANGES[2]]
        self.on("GET", f"/families/{FAMILY['id']}/changes", lambda _: (200, {"changes": changes, "next_since": 2, "has_more": False}))
        self.on("GET", f"/families/{OTHER['id']}/changes", (200, {"changes": [{**CHANGES[0], "id": OTHER["id"], "data": OTHER}], "next_since": 2, "has_more": False}))
        self.tokens: list[dict] = []
        self.hooks: list[dict] = []
        self.calls: list[dict] = []
        self.on("GET", "/users/me/tokens", lambda _: (200, {"tokens": self.tokens, "count": len(self.tokens)}))
        self.on("POST", "/users/me/tokens", self.issue)
        self.path = f"/families/{FAMILY['id']}/webhooks"
        self.on("GET", self.path, lambda _: (200, {"webhooks": self.hooks, "count": len(self.hooks)}))
        self.on("POST", self.path, self.add)

    def issue(self, body):
        name = next(one["name"] for one in (FAMILY, OTHER) if one["id"] == body["family_id"])
        return 201, {"token": {**self.token(body["name"], scope=body["scope"], expires_at=body.get("expires_at"), family_name=name), "secret": SECRET}}

    def token(self, name: str, **fields) -> dict:
        token = {
            "id": identifier(len(self.tokens)), "name": name, "family_id": FAMILY["id"], "family_name": FAMILY["name"], "scope": "read",
            "created_at": AT, "last_used_at": None, "expires_at": None, **fields,
        }  # fmt: skip
        self.tokens.append(token)

        def ended(_):
            self.tokens.remove(token)
            return 204, None

        self.on("DELETE", f"/users/me/tokens/{token['id']}", ended)
        return token

    def add(self, body):
        return 201, {"webhook": {**self.hook(**body), "secret": SIGNED_BY}}

    def hook(self, **fields) -> dict:
        hook = {
            "id": identifier(40 + len(self.hooks)), "url": HOOK, "kinds": None, "active": True, "failed_at": None,
            "created_by": {"user_id": JO["id"], "name": "Jo"}, "created_at": AT, "updated_at": AT, **fields,
        }  # fmt: skip
        self.hooks.append(hook)
        path = f"{self.path}/{hook['id']}"

        def removed(_):
            self.hooks.remove(hook)
            return 204, None

        def changed(body):
            hook.update(body, failed_at=None)
            return 200, {"webhook": hook}

        self.on("DELETE", path, removed)
        self.on("PATCH", path, changed)
        self.on("GET", f"{path}/deliveries", lambda _: (200, {"deliveries": self.calls, "count": len(self.calls)}))
        return hook

    def called(self, hook: dict, *calls: dict) -> None:
        self.calls = list(calls)
        for call in calls:
            answered = {**call, "state": "delivered", "status": 200, "failure": None, "attempts": call["attempts"] + 1}
            self.on("POST", f"{self.path}/{hook['id']}/deliveries/{call['id']}/retry", (202, {"delivery": answered}))


def opened(open_at, server: Programs, screen: str, **options):
    page = open_at("/", server, **options)
    heading(page, CHILD["name"])
    page.evaluate("screen => { location.hash = `#/${screen}` }", screen)
    return page


def copied(page) -> str:
    page.evaluate("() => { navigator.clipboard.writeText = async (text) => { window.copied = text; }; }")
    tap(page, "Copy")
    expect(page.get_by_text("Copied")).to_be_visible()
    return page.evaluate("window.copied")


# --- Tokens


def test_a_token_is_made_shown_once_and_ended(open_at):
    server = Programs()
    page = opened(open_at, server, "account")
    tap(page, "Other programs", "link")
    heading(page, "Other programs")
    tap(page, "Make a token")
    expect(page.get_by_label("Name")).to_be_focused()
    expect(page.get_by_text("Say which program it is, so that you know it later.")).to_be_visible()
    page.get_by_label("Name").fill(" Bedside button ")
    page.get_by_role("radio", name="Look and log").check()
    expect(page.get_by_text("can log, change and delete entries")).to_be_visible()
    tap(page, "Make a token")
    heading(page, "Token made")
    expect(page.get_by_text("It is shown this once only.")).to_be_visible()
    expect(page.locator(".link-text")).to_have_text(SECRET)
    assert copied(page) == SECRET
    assert server.posts("/users/me/tokens") == [{"name": "Bedside button", "family_id": FAMILY["id"], "scope": "log"}]
    tap(page, "Done")
    row = page.locator(".rows li")
    expect(row).to_contain_text("Bedside button")
    expect(row).to_contain_text("Look and log · Miller’s Family")
    expect(row).to_contain_text("Not used yet")
    expect(page.get_by_text(SECRET)).to_have_count(0)
    tap(page, "End Bedside button")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("End Bedside button?")
    tap(page, "Cancel")
    expect(row).to_have_count(1)
    tap(page, "End Bedside button")
    dialog.get_by_role("button", name="End it").click()
    expect(row).to_have_count(0)
    assert server.tokens == []


def test_nothing_of_a_secret_stays_on_the_device(open_at):
    server = Programs()
    page = opened(open_at, server, "programs")
    page.get_by_label("Name").fill("Sheet")
    tap(page, "Make a token")
    expect(page.locator(".link-text")).to_have_text(SECRET)
    page.evaluate("location.hash = '#/account'")
    expect(page.get_by_role("heading", name="Security")).to_be_visible()
    page.evaluate("location.hash = '#/programs'")
    heading(page, "Other programs")
    expect(page.locator(".rows li")).to_contain_text("Sheet")
    everything = """async () => {
        const all = [JSON.stringify(localStorage), JSON.stringify(sessionStorage), document.body.textContent];
        for (const { name } of await indexedDB.databases()) {
            const open = indexedDB.open(name);
            const database = await new Promise((resolve) => { open.onsuccess = () => resolve(open.result); });
            for (const store of database.objectStoreNames) {
                const rows = database.transaction(store).objectStore(store).getAll();
                all.push(JSON.stringify(await new Promise((resolve) => { rows.onsuccess = () => resolve(rows.result); })));
            }
            database.close();
        }
        return all.join();
    }"""
    assert SECRET not in page.evaluate(everything)


def test_an_end_a_family_and_what_its_role_may(open_at):
    server = Programs((FAMILY, OTHER))
    page = opened(open_at, server, "programs")
    page.get_by_label("Name").fill("Sheet")
    page.get_by_role("radio", name="Look and log").check()
    page.get_by_label("Family", exact=True).select_option("The Riveras")
    expect(page.get_by_role("radio")).to_have_count(0)  # a viewer's program looks
    expect(page.get_by_text("changes nothing")).to_be_visible()
    date = page.evaluate("new Date(Date.now() + 30 * 86400000).toISOString().slice(0, 10)")
    page.get_by_label("Access until").fill(date)
    page.get_by_label("Access until").press("Tab")
    tap(page, "Make a token")
    heading(page, "Token made")
    (asked,) = server.posts("/users/me/tokens")
    assert (asked["family_id"], asked["scope"], asked["expires_at"][:10]) == (OTHER["id"], "read", date)
    expect(page.locator(".link-card")).to_contain_text("The Riveras")


def test_when_each_was_used_and_ends(open_at):
    server = Programs()
    server.token("Sheet", last_used_at=AT, expires_at="2026-07-01T00:00:00.000Z")
    page = opened(open_at, server, "programs")
    expect(page.locator(".rows li")).to_contain_text(re.compile(r"Used .* ago · ended .*2026|Used .* · ended"))


def test_what_the_server_says_against_a_token_is_shown_where_it_belongs(open_at):
    server = Programs()
    page = opened(open_at, server, "programs")
    server.on("POST", "/users/me/tokens", (409, refusal("CONFLICT", "You have 20 tokens already")))
    page.get_by_label("Name").fill("Sheet")
    tap(page, "Make a token")
    expect(page.get_by_role("alert").filter(has_text=re.compile("."))).to_have_text("You have 20 tokens already.")
    server.on("POST", "/users/me/tokens", (400, refusal("VALIDATION_ERROR", "No", [{"field": "name", "message": "is taken"}])))
    tap(page, "Make a token")
    expect(page.get_by_text("This is taken.")).to_be_visible()
    expect(page.get_by_label("Name")).to_be_focused()


def test_without_a_network_it_is_said_and_tried_again(open_at):
    server = Programs()
    server.on("GET", "/users/me/tokens", "offline")
    page = opened(open_at, server, "programs")
    expect(page.get_by_role("alert")).to_contain_text("We can’t reach Baby Basics right now")
    server.token("Sheet")
    server.on("GET", "/users/me/tokens", lambda _: (200, {"tokens": server.tokens, "count": 1}))
    tap(page, "Try again")
    expect(page.locator(".rows li")).to_contain_text("Sheet")


def test_the_history_says_which_program_it_was(open_at):
    server = Programs()
    by = {"user_id": JO["id"], "name": "Jo"}
    entry = {"user": by, "token": None, "entity_id": identifier(1), "changes": None, "created_at": AT}
    entries = [
        {**entry, "id": identifier(1), "entity_type": "feeding", "action": "create", "token": "Bedside button"},
        {**entry, "id": identifier(2), "entity_type": "token", "action": "create"}, {**entry, "id": identifier(3), "entity_type": "webhook", "action": "delete"},
    ]  # fmt: skip
    server.on("GET", f"/families/{FAMILY['id']}/audit", (200, {"entries": entries, "count": 3, "next_cursor": None}))
    page = opened(open_at, server, "changes")
    lines = page.locator(".changes li > p:first-child")
    expect(lines).to_have_text(["Jo by Bedside button added a feed", "Jo let a program in", "Jo removed a webhook"])


# --- Webhooks


def test_a_webhook_is_added_for_some_kinds_shown_once_and_removed(open_at):
    server = Programs()
    page = opened(open_at, server, "family")
    tap(page, "Webhooks", "link")
    heading(page, "Webhooks")
    page.get_by_label("Address").fill("http://home.example.com")
    tap(page, "Add")
    expect(page.get_by_text("It has to be an address that begins with https://")).to_be_visible()
    expect(page.get_by_label("Address")).to_be_focused()
    page.get_by_label("Address").fill(HOOK)
    page.get_by_role("radio", name="Some kinds").check()
    tap(page, "Add")
    expect(page.get_by_role("alert").filter(has_text=re.compile("."))).to_have_text("Choose at least one kind, or all.")
    page.get_by_label("Feed", exact=True).check()
    page.get_by_label("Diaper", exact=True).check()
    tap(page, "Add")
    heading(page, "Webhook added")
    assert copied(page) == SIGNED_BY
    assert server.posts(server.path) == [{"url": HOOK, "kinds": ["feeding", "diaper"]}]
    tap(page, "Done")
    row = page.locator(".rows li")
    expect(row).to_contain_text("Called for feed and diaper")
    expect(row).to_contain_text("On")
    expect(page.get_by_text(SIGNED_BY)).to_have_count(0)
    row.get_by_role("link").click()
    heading(page, "Webhook")
    expect(page.get_by_text("None yet: it is called with the next thing that is logged.")).to_be_visible()
    tap(page, "Remove")
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    heading(page, "Webhooks")
    expect(row).to_have_count(0)
    assert server.hooks == []


def test_all_kinds_are_not_named(open_at):
    server = Programs()
    page = opened(open_at, server, "webhooks")
    page.get_by_label("Address").fill(HOOK)
    tap(page, "Add")
    heading(page, "Webhook added")
    assert server.posts(server.path) == [{"url": HOOK}]


CALLS = (
    delivery(1), delivery(2, "waiting", attempts=0, status=None, last_attempt_at=None), delivery(3, "waiting", attempts=3, status=503, type="event.updated"),
    delivery(4, "failed", attempts=30, status=None, failure="timed out", kind="diaper", type="event.deleted"),
)  # fmt: skip


def test_what_became_of_its_calls_and_one_is_sent_again(open_at):
    server = Programs()
    hook = server.hook()
    server.called(hook, *CALLS)
    page = opened(open_at, server, f"webhooks/{hook['id']}")
    rows = page.locator(".call")
    expect(rows).to_have_count(4)
    for place, text in enumerate(
        ("Feed logged.*Taken: answered 204", "Feed logged.*Waits for the ones before it", "Feed changed.*Not taken yet, after 3 tries: answered 503",
         "Diaper deleted.*Given up after 30 tries: no answer .timed out.")
    ):  # fmt: skip
        expect(rows.nth(place)).to_contain_text(re.compile(text))
    expect(rows.nth(1).get_by_role("button")).to_have_count(0)  # it is being sent
    rows.nth(3).get_by_role("button", name=re.compile("^Send again")).click()
    expect(rows.nth(3)).to_contain_text("Taken: answered 200")


def test_what_is_on_its_way_is_looked_at_again_until_it_has_come(open_at):
    server = Programs()
    hook = server.hook()
    server.called(hook, delivery(1, "waiting", attempts=0, status=None, last_attempt_at=None), delivery(2))
    page = opened(open_at, server, f"webhooks/{hook['id']}")
    row = page.locator(".call").first
    expect(row).to_contain_text("On its way")
    server.called(hook, delivery(1), delivery(2))
    expect(row).to_contain_text("Taken: answered 204")


def test_of_one_that_is_off_nothing_is_sent_again(open_at):
    server = Programs()
    hook = server.hook(active=False)
    server.called(hook, delivery(1, "failed", attempts=30, status=500))
    page = opened(open_at, server, f"webhooks/{hook['id']}")
    expect(page.locator(".call")).to_contain_text("Given up after 30 tries")
    expect(page.get_by_role("button", name=re.compile("^Send again"))).to_have_count(0)
    tap(page, "Turn on")
    expect(page.get_by_role("button", name=re.compile("^Send again"))).to_have_count(1)


def test_one_that_was_turned_off_says_since_when_and_why_and_is_turned_on(open_at):
    server = Programs()
    hook = server.hook(active=False, failed_at="2026-06-09T08:30:00.000Z")
    page = opened(open_at, server, "webhooks")
    expect(page.locator(".rows li")).to_contain_text(re.compile(r"Off since .*8:30.AM: nobody had taken a call for a day"))
    page.locator(".rows li").get_by_role("link").click()
    tap(page, "Turn on")
    expect(page.get_by_text("On", exact=True)).to_be_visible()
    assert hook["active"] is True
    tap(page, "Turn off")
    expect(page.get_by_text("Off", exact=True)).to_be_visible()


@pytest.mark.parametrize("role", ["caregiver", "viewer"])
def test_webhooks_are_for_parents(open_at, role):
    server = Programs(role=role)
    page = opened(open_at, server, "family")
    expect(page.get_by_role("link", name="Export")).to_be_visible()
    expect(page.get_by_role("link", name="Webhooks")).to_have_count(0)
    page.evaluate("location.hash = '#/webhooks'")
    expect(page.get_by_text("Parents can see and change these.")).to_be_visible()
    assert not any(path == server.path for _, path, _ in server.asked)


# --- For eyes, keyboards and screen readers


def full() -> Programs:
    server = Programs((FAMILY, OTHER))
    server.token("Bedside button", scope="log", last_used_at=AT)
    server.token("The spreadsheet of the grandparents in Nova Scotia", expires_at="2027-06-01T00:00:00.000Z", last_used_at=AT)
    server.called(server.hook(kinds=["feeding", "sleep", "medication"]), *CALLS)
    server.hook(active=False, failed_at="2026-06-09T08:30:00.000Z")
    return server


def screens(page, server: Programs):
    """Each in turn, by its name."""
    for name, route in (("programs", "programs"), ("webhooks", "webhooks"), ("webhook", f"webhooks/{server.hooks[0]['id']}")):
        page.evaluate("route => { location.hash = `#/${route}` }", route)
        expect(page.locator(".rows li").first).to_be_visible()
        yield name
    page.evaluate("location.hash = '#/webhooks'")
    page.get_by_role("radio", name="Some kinds").check()
    yield "webhooks-kinds"
    page.get_by_label("Address").fill(HOOK)
    page.get_by_label("Feed", exact=True).check()
    tap(page, "Add")
    heading(page, "Webhook added")
    yield "webhook-made"
    page.evaluate("location.hash = '#/programs'")
    page.get_by_label("Name").fill("Sheet")
    tap(page, "Make a token")
    heading(page, "Token made")
    yield "program-made"


@pytest.mark.parametrize("look", LOOKS)
def test_axe_finds_nothing(open_at, look):
    server = full()
    page = opened(open_at, server, "account", look=look)
    for name in screens(page, server):
        assert violations(page) == [], name
    tap(page, "Done")
    page.reload()
    tap(page, "End Bedside button")
    expect(page.get_by_role("dialog")).to_be_visible()
    assert violations(page) == []


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_nothing_goes_sideways(open_at, width):
    server = full()
    page = opened(open_at, server, "account", width=width)
    for name in screens(page, server):
        assert fits(page), name
