"""Plans, reminders, the way to notifications, and what was while away: in a real browser, before a server of answers."""

import json
import re
from datetime import datetime, timedelta, timezone

import pytest
from accounts import CHANGES, CHILD, FAMILY, JO, MAIL, MEMBER, ORIGIN, Server, fits, heading, refusal, tap, violations
from playwright.sync_api import expect
from webapp import axe

ROSA = {**MEMBER, "user_id": "00000000-0000-7000-8000-000000000002", "name": "Rosa", "email": "rosa@example.com", "role": "caregiver"}
PUSH = {**MAIL, "push_key": "BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs"}
LOOKS = ("light", "dark", "night")
TIME = r"\d?\d:\d0\s[AP]M"
BY_ROSA = {"user_id": ROSA["user_id"], "name": "Rosa"}


def ago(minutes: float) -> str:
    return (datetime.now(timezone.utc) - timedelta(minutes=minutes)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def event(kind, number, minutes, by=BY_ROSA, made=None, **fields):
    time = "started_at" if kind in ("feeding", "sleep", "pumping") else "occurred_at"
    made = ago(minutes if made is None else made)
    identifier = f"00000000-0000-7000-8000-0000000001{number:02d}"
    data = {"id": identifier, "child_id": CHILD["id"], time: ago(minutes), "created_by": by, "created_at": made, "updated_at": made, "updated_by": None, "revision": 10 + number, **fields}
    return {"entity": kind, "id": identifier, "op": "upsert", "revision": 10 + number, "data": data}


def plan(name, number, **fields):
    identifier = f"00000000-0000-7000-8000-0000000002{number:02d}"
    data = {
        "id": identifier, "child_id": CHILD["id"], "name": name, "dose": None, "every_hours": None, "times": None, "max_per_day": None,
        "starts_on": "2026-01-10", "ends_on": None, "notes": None, "created_at": ago(20_000), "updated_at": ago(20_000), "revision": 5, **fields,
    }  # fmt: skip
    return {"entity": "plan", "id": identifier, "op": "upsert", "revision": 5, "data": data}


class Family(Server):
    """One with a child, that keeps what it is told."""

    def __init__(self, *changes, facts=PUSH, role="parent"):
        family = {**FAMILY, "role": role}
        super().__init__(facts, {**JO, "quiet": None, "show_details": False}, (family,))
        self.changes = [*CHANGES, {"entity": "family_member", "id": ROSA["user_id"], "op": "upsert", "revision": 1, "data": ROSA}, *changes]
        if role != "parent":
            self.changes[1] = {**self.changes[1], "data": {**MEMBER, "role": role, "is_owner": False}}
        self.reminders: list[dict] = []
        self.told = {"kinds": [], "members": True, "access_ends": True}
        self.devices: list[dict] = []
        self.made = 0
        revision = max(change["revision"] for change in self.changes)
        self.on("GET", f"/families/{FAMILY['id']}/changes", lambda _: (200, {"changes": self.changes, "next_since": revision, "has_more": False}))
        self.on("GET", "/users/me/reminders", lambda _: (200, {"reminders": self.reminders, "count": len(self.reminders)}))
        self.on("POST", "/users/me/reminders", self.remind)
        self.on("GET", f"/families/{FAMILY['id']}/notifications", lambda _: (200, {"notifications": self.told}))
        self.on("PUT", f"/families/{FAMILY['id']}/notifications", self.tell)
        self.on("GET", "/users/me/devices", lambda _: (200, {"devices": self.devices, "count": len(self.devices)}))
        self.on("POST", "/users/me/devices", self.add_device)
        self.on("PATCH", "/users/me", self.change)
        self.on("POST", f"/children/{CHILD['id']}/events", self.log)

    def remind(self, body):
        self.reminders = [one for one in self.reminders if one.get("on") != body.get("on")] + [{**body, "created_at": ago(0)}]
        self.on("DELETE", f"/users/me/reminders/{body['id']}", lambda _: (204, None))
        return 201, {"reminder": self.reminders[-1]}

    def tell(self, body):
        self.told = body
        return 200, {"notifications": body}

    def add_device(self, body):
        for one in self.devices:
            if one["endpoint"] == body["endpoint"]:
                return 200, {"device": one}
        self.made += 1
        identifier = f"00000000-0000-7000-8000-0000000003{self.made:02d}"
        self.devices.append({"id": identifier, "type": "web_push", "created_at": ago(0), "user_agent": "Chrome Android", "current": True, "endpoint": body["endpoint"]})

        def removed(_):
            self.devices = [one for one in self.devices if one["id"] != identifier]
            return 204, None

        self.on("DELETE", f"/users/me/devices/{identifier}", removed)
        return 201, {"device": self.devices[-1]}

    def change(self, body):
        self.user = {**self.user, **body}
        return 200, {"user": self.user}

    def log(self, body):
        made = [{"type": one["type"], "event": {**one["event"], "child_id": CHILD["id"], "revision": 99, "created_by": MEMBER, "created_at": ago(0), "updated_at": ago(0)}} for one in body["events"]]
        return 201, {"events": made}


def full() -> Family:
    return Family(
        plan("Paracetamol", 1, dose="2.5 ml", every_hours=6, max_per_day=4), plan("Vitamin D", 2, dose="1 drop", times=["00:05"]),
        plan("Iron drops for babies, strawberry", 3, dose="5 drops", every_hours=8),
        event("medication", 1, 120, name="Paracetamol", dose="2.5 ml", plan_id=plan("", 1)["id"]),
        event("medication", 2, 600, name="Iron drops for babies, strawberry", plan_id=plan("", 3)["id"]),
        event("feeding", 3, 60, type="breast", side="left", ended_at=ago(45)), event("feeding", 4, 40, type="bottle", amount_ml=60, content="formula"),
        event("diaper", 5, 200, type="wet"), event("sleep", 6, 150, type="nap", ended_at=ago(80)), event("pumping", 7, 90, side="both", amount_ml=120, ended_at=ago(75)),
        *(event("feeding", 10 + number, 60 + 178 * number, type="bottle", amount_ml=90) for number in range(1, 34)),
        *(event("sleep", 50 + number, 150 + 178 * number, type="nap", ended_at=ago(80 + 178 * number)) for number in range(1, 34)),
    )


# --- On Today


def at_home(page):
    heading(page, "Emma")
    expect(page.locator(".last")).to_be_visible()


def found(page) -> list[str]:
    """What is below the buttons or between two sheets has a contrast that axe can't judge: nor is it read there."""
    if page.get_by_role("dialog").count() > 1:
        return [one["id"] for one in axe(page)["violations"]]
    return [one for one in violations(page) if "<text " not in one]


def said(page, text: str):
    """A space stands for one that doesn't break a line, too."""
    expect(page.get_by_text(re.compile(text.replace(" ", r"\s"))).first).to_be_visible()


LEFT = """async ([child, minutes]) => {
    const { id } = JSON.parse(localStorage.getItem('account'));
    const open = indexedDB.open(`baby-basics-${id}`);
    const database = await new Promise((resolve) => { open.onsuccess = () => resolve(open.result); });
    const change = database.transaction('meta', 'readwrite');
    change.objectStore('meta').put(Date.now() - minutes * 60_000, `looked:${child}`);
    await new Promise((resolve) => { change.oncomplete = resolve; });
    database.close();
}"""


def left(page, minutes: float) -> None:
    """As if this person had last looked so long ago."""
    page.goto(f"{ORIGIN}/empty")  # what is open looks
    page.evaluate(LEFT, [CHILD["id"], minutes])
    page.goto(f"{ORIGIN}/")
    at_home(page)


def test_while_you_were_away_is_one_line_and_goes_with_a_tap(open_at):
    mine = {"user_id": JO["id"], "name": "Jo"}
    server = Family(
        event("feeding", 1, 100, type="bottle", amount_ml=120), event("feeding", 2, 30, type="bottle", amount_ml=120),
        event("sleep", 3, 90, type="nap", ended_at=ago(20)), event("diaper", 4, 25, type="wet"), event("diaper", 5, 26, by=mine, type="wet"),
        event("diaper", 6, 300, type="dirty"),
    )  # fmt: skip
    page = open_at("/", server)
    at_home(page)
    expect(page.locator(".away")).to_have_count(0)  # nobody was away yet
    left(page, 200)
    line = page.locator(".away")
    expect(line).to_contain_text(re.compile(r"Since .*, Rosa: 2 bottles \(240\sml\), 1 nap of 1\sh\s10\smin, 1 diaper$"))
    summary = line.locator("summary")
    folded = summary.bounding_box()["height"]
    summary.click()
    assert summary.bounding_box()["height"] > folded, "a tap shows all of it"
    page.reload()
    expect(line).to_have_count(1)  # looking is not enough
    line.get_by_role("button", name="Dismiss").click()
    expect(line).to_have_count(0)
    page.reload()
    at_home(page)
    expect(line).to_have_count(0)


def test_what_comes_while_one_looks_is_not_told_again(open_at):
    server = Family(event("diaper", 1, 100, type="wet"))
    page = open_at("/", server)
    at_home(page)
    left(page, 50)
    server.changes.append(event("diaper", 2, 0, made=-0.05, type="dirty"))
    server.changes[-1]["revision"] = 900
    server.on("GET", f"/families/{FAMILY['id']}/changes", lambda _: (200, {"changes": server.changes, "next_since": 900, "has_more": False}))
    said(page, "Dirty diaper")
    page.evaluate("location.hash = '#/timeline'")  # and away from it
    heading(page, "Timeline")
    page.evaluate("location.hash = '#/today'")
    at_home(page)
    expect(page.locator(".away")).to_have_count(0)


def test_what_others_logged_while_the_line_was_dismissed_offline_is_told_when_it_comes(open_at):
    server = Family(event("diaper", 1, 100, type="wet"))
    page = open_at("/", server)
    at_home(page)
    left(page, 200)
    line = page.locator(".away")
    expect(line).to_contain_text("Rosa: 1 diaper")
    path = f"/families/{FAMILY['id']}/changes"
    for asked in (path, "/users/me", "/families"):
        server.on("GET", asked, "offline")
    page.reload()
    at_home(page)
    line.get_by_role("button", name="Dismiss").click()
    expect(line).to_have_count(0)
    page.reload()
    at_home(page)
    expect(page.locator(".totals strong").first).to_be_visible()
    expect(line).to_have_count(0)
    server.changes.append({**event("feeding", 2, 20, type="bottle", amount_ml=90), "revision": 900})  # while this device heard nothing
    server.on("GET", path, lambda _: (200, {"changes": server.changes, "next_since": 900, "has_more": False}))
    server.on("GET", "/users/me", lambda _: (200, {"user": server.user}))
    server.on("GET", "/families", (200, {"families": [FAMILY], "count": 1}))
    page.reload()
    at_home(page)
    expect(line).to_contain_text(re.compile(r"Rosa: 1 bottle \(90\sml\)$"))


ALOUD = """() => {
    window.aloud = [];
    const region = (node) => (node.nodeType === 1 ? node : node.parentElement)?.closest('[role=status], [role=alert], [aria-live=polite], [aria-live=assertive]');
    new MutationObserver((all) => all.forEach(({ target }) => region(target) && window.aloud.push(region(target).textContent)))
        .observe(document.body, { subtree: true, childList: true, characterData: true });
}"""


def test_a_clock_that_goes_on_is_not_read_out(open_at):
    server = full()
    server.reminders = [{"id": "r1", "child_id": CHILD["id"], "on": "diaper", "after_minutes": 180}]
    page = open_at("/", server)
    at_home(page)
    left(page, 200)
    due = page.locator(".notice.due p")
    expect(page.locator(".next li").first).to_be_visible()
    said(page, "3 h 2\\d min since the last diaper")
    expect(page.get_by_role("status").filter(has_text=re.compile(r"^3\sh since the last diaper$"))).to_have_count(1)
    page.clock.install()
    page.reload()
    at_home(page)
    expect(due).to_be_visible()
    for part in (".next li", ".totals strong", ".away"):  # what comes after the rest
        expect(page.locator(part).first).to_be_visible()
    page.evaluate(ALOUD)
    before = due.inner_text()
    page.clock.fast_forward(5 * 60_000)
    expect(due).not_to_have_text(before)
    assert page.evaluate("window.aloud") == []


@pytest.mark.parametrize(("feeds", "ago_text"), [({}, "1 h ago"), ({"fromEnd": True}, "4[56] min ago"), ({"solids": True}, "1[01] min ago")])
def test_the_nursery_says_what_today_says(open_at, feeds, ago_text):
    server = Family(
        event("feeding", 1, 60.2, type="breast", side="left", ended_at=ago(45.2)), event("feeding", 2, 40, type="bottle", amount_ml=60),
        event("feeding", 3, 10.2, type="solid", food="Pear"),
    )
    page = open_at("/", server, kept={"device": {"feeds": feeds}})
    at_home(page)
    shown = page.locator(".last .feeding .said").first
    text = re.compile(rf"Fed {ago_text}".replace(" ", r"\s"))
    expect(shown).to_have_text(text)
    page.evaluate("location.hash = '#/nursery'")
    expect(page.locator(".nursery-since li").first).to_have_text(text)


def test_a_bottle_after_the_breast_is_one_feed_and_counted_from_its_start(open_at):
    page = open_at("/", Family(event("feeding", 1, 60, type="breast", side="left", ended_at=ago(45)), event("feeding", 2, 40, type="bottle", amount_ml=60)))
    row = page.locator(".last .feeding")
    expect(row).to_have_count(1)
    expect(row).to_contain_text(re.compile(r"Fed 1\sh\sago\s*Breast, left, then 60\sml · "))


def test_what_may_come_next_is_said_until_this_device_is_told_not_to(open_at):
    bottles = [event("feeding", number, 60 + 178 * number, type="bottle", amount_ml=90) for number in range(34)]
    naps = [event("sleep", 40 + number, 100 + 178 * number, type="nap", ended_at=ago(40 + 178 * number)) for number in range(34)]
    page = open_at("/", Family(*bottles, *naps))
    lines = page.locator(".next li")
    expect(lines).to_have_text([re.compile(rf"^Next feed about {TIME}( \({TIME} to {TIME}\))?$"), re.compile(rf"^Awake for 4\d\smin, sleepy about {TIME}( \({TIME} to {TIME}\))?$")])
    page.evaluate("location.hash = '#/account'")
    page.get_by_label("Say when the next feed and sleep may come").uncheck()
    page.evaluate("location.hash = '#/today'")
    at_home(page)
    expect(page.locator(".totals strong").first).to_be_visible()  # which is asked for at the same time
    expect(lines).to_have_count(0)


# --- The bell

PHONE = """([answer, standalone]) => {
    window.asked = 0;
    if (standalone !== undefined) {
        Object.defineProperty(navigator, 'standalone', { value: standalone });
        if (!standalone) delete window.PushManager;
        return;
    }
    window.Notification = class { static get permission() { return localStorage.permission ?? 'default'; } };
    Notification.requestPermission = async () => { window.asked += 1; localStorage.permission = answer; return answer; };
    const encode = (text) => Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (one) => one.charCodeAt(0)).buffer;
    const made = () => {
        const kept = JSON.parse(localStorage.subscription ?? 'null');
        return kept && {
            options: { applicationServerKey: encode(kept.key) }, unsubscribe: async () => { delete localStorage.subscription; },
            toJSON: () => ({ endpoint: kept.endpoint, keys: { p256dh: 'p', auth: 'a' } }),
        };
    };
    const pushManager = {
        getSubscription: async () => made(),
        subscribe: async ({ userVisibleOnly, applicationServerKey }) => {
            if (!userVisibleOnly) throw new Error('for the user');
            const key = btoa(String.fromCharCode(...applicationServerKey)).replace(/\\+/g, '-').replace(/\\//g, '_').replace(/=/g, '');
            localStorage.made = Number(localStorage.made ?? 0) + 1;
            localStorage.subscription = JSON.stringify({ key, endpoint: `https://push.example/${localStorage.made}` });
            return made();
        },
    };
    const registration = { pushManager, getNotifications: async () => [], update: async () => {} };
    Object.defineProperty(navigator.serviceWorker, 'ready', { get: async () => registration });
    navigator.serviceWorker.getRegistration = async () => registration;
}"""


def phone_says(page, answer: str | None = "granted", standalone: bool | None = None) -> None:
    arguments = [answer] if standalone is None else [answer, standalone]
    page.add_init_script(f"({PHONE})({json.dumps(arguments)})")
    page.reload()
    at_home(page)


def feeding() -> Family:
    return Family(event("feeding", 1, 130, type="bottle", amount_ml=90))


def ring(page, hours: str) -> None:
    tap(page, "Tell me when a feed is due")
    page.get_by_role("radio", name=re.compile(hours.replace(" ", r"\s"))).check()


def devices(server) -> list[str]:
    return [one["endpoint"] for one in server.devices]


def wait_for(page, condition) -> None:
    for _ in range(300):
        if condition():
            return
        page.wait_for_timeout(20)
    assert condition()


def test_the_permission_is_asked_at_the_bell_and_never_before(open_at):
    server = feeding()
    page = open_at("/", server)
    at_home(page)
    phone_says(page)
    for screen in ("timeline", "account", "told", "today"):
        page.evaluate("screen => { location.hash = `#/${screen}` }", screen)
        expect(page.get_by_text("…", exact=True)).to_have_count(0)
    tap(page, "Tell me when a feed is due")
    assert page.evaluate("window.asked") == 0
    page.get_by_role("radio", name=re.compile(r"^3\sh")).check()
    said(page, "This device will tell you, quietly")
    assert page.evaluate("window.asked") == 1
    wait_for(page, lambda: [(one["on"], one["after_minutes"]) for one in server.reminders] == [("feeding", 180)])
    assert devices(server) == ["https://push.example/1"]
    page.get_by_role("radio", name=re.compile(r"^2½\sh")).check()
    wait_for(page, lambda: [one["after_minutes"] for one in server.reminders] == [150])
    assert page.evaluate("window.asked") == 1, "once"
    tap(page, "Close")
    expect(page.get_by_role("button", name="Tell me when a feed is due")).to_have_attribute("aria-pressed", "true")
    tap(page, "Tell me when a feed is due")
    page.get_by_role("radio", name="Off").check()
    wait_for(page, lambda: ("DELETE", f"/users/me/reminders/{server.reminders[0]['id']}", None) in server.asked)
    expect(page.get_by_role("button", name="Tell me when a feed is due", include_hidden=True)).to_have_attribute("aria-pressed", "false")


def test_a_no_is_lived_with(open_at):
    """The reminder is there all the same, shows on Today when it is due, and nobody is asked again."""
    server = feeding()
    page = open_at("/", server)
    at_home(page)
    phone_says(page, "denied")
    ring(page, "^2 h")
    said(page, "It shows on Today when it’s due, while Baby Basics is open. This browser shows no notifications")
    page.get_by_role("radio", name=re.compile(r"^2½\sh")).check()
    page.get_by_role("radio", name=re.compile(r"^2\sh")).check()
    assert page.evaluate("window.asked") == 1
    tap(page, "Close")
    said(page, "2 h 1\\d min since the last feed")
    assert devices(server) == []


TAPS = """async () => {
    const app = document.querySelector('script[src$="/main.js"]').src.replace("main.js", "");
    const { html, render } = await import(`${app}vendor/preact.js`);
    const { Choice } = await import(`${app}parts/ui.js`);
    const asked = [];
    const place = document.body.appendChild(document.createElement("div"));
    const options = [[0, "None"], [1, "One"], [2, "Two"]];
    const onChange = () => new Promise((done) => asked.push(done));
    render(html`<${Choice} label="How many" options=${options} value=${0} onChange=${onChange} />`, place);
    const radios = [...place.querySelectorAll("input")];
    const shown = [];
    for (const step of [() => radios[1].click(), () => radios[2].click(), ...[0, 1].map((first) => () => asked[first]())]) {
        step();
        await new Promise((done) => setTimeout(done, 50));
        shown.push(radios.findIndex(({ checked }) => checked));
    }
    return shown;
}"""


def test_what_was_chosen_last_shows_whatever_was_chosen_before(open_at):
    """Two taps, of which the first is done before the second is; and the second, too, changes nothing in the end."""
    page = open_at("/", feeding())
    at_home(page)
    assert page.evaluate(TAPS) == [1, 2, 2, 0]


def test_on_an_iphone_it_is_said_how_to_come_to_the_home_screen(open_at):
    server = feeding()
    page = open_at("/", server)
    at_home(page)
    phone_says(page, standalone=False)
    ring(page, "^2 h")
    expect(page.get_by_role("img", name="The share button")).to_be_visible()
    said(page, "Choose “Add to Home Screen”")
    wait_for(page, lambda: len(server.reminders) == 1)


def test_a_server_that_sends_nothing_is_no_reason_to_ask(open_at):
    server = feeding()
    server.facts = MAIL
    page = open_at("/", server)
    at_home(page)
    phone_says(page)
    ring(page, "^2 h")
    said(page, "It shows on Today when it’s due, while Baby Basics is open.")
    assert page.evaluate("window.asked") == 0
    tap(page, "Close")
    page.evaluate("location.hash = '#/account'")
    expect(page.get_by_role("heading", name="Security")).to_be_visible()
    expect(page.get_by_role("link", name="Notifications")).to_have_count(0)


def test_a_reminder_is_due_without_a_network_until_it_is_seen_or_answered(open_at):
    server = feeding()
    page = open_at("/", server)
    at_home(page)
    for path in ("/users/me/reminders", f"/children/{CHILD['id']}/events"):
        server.on("POST", path, "offline")
    ring(page, "^2 h")
    tap(page, "Close")
    due = page.locator(".notice.due")
    expect(due).to_contain_text(re.compile(r"2\sh\s1\d\smin since the last feed"))
    due.get_by_role("button", name="Dismiss").click()
    expect(due).to_have_count(0)
    page.reload()
    at_home(page)
    expect(due).to_have_count(0)
    ring(page, "^2½ h")
    page.get_by_role("radio", name=re.compile(r"^2\sh")).check()
    tap(page, "Close")
    expect(due).to_have_count(0)  # the same reminder, of the same feed


def test_due_can_be_answered_with_a_log(open_at):
    server = feeding()
    server.reminders = [{"id": "00000000-0000-7000-8000-000000000401", "child_id": CHILD["id"], "on": "feeding", "after_minutes": 120}]
    page = open_at("/", server)
    due = page.locator(".notice.due")
    due.get_by_role("button", name="Log").click()
    page.get_by_role("button", name=re.compile("^Log .*ml")).click()
    expect(due).to_have_count(0)


def test_another_key_of_the_server_is_subscribed_to_by_itself(open_at):
    server = feeding()
    page = open_at("/", server)
    at_home(page)
    phone_says(page)
    ring(page, "^3 h")
    wait_for(page, lambda: devices(server) == ["https://push.example/1"])
    tap(page, "Close")
    page.reload()
    at_home(page)
    wait_for(page, lambda: ("GET", "/users/me/devices", None) in server.asked)  # whether it is still known
    assert len(server.posts("/users/me/devices")) == 1
    server.facts = {**PUSH, "push_key": "B" + PUSH["push_key"][1:].swapcase()}
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    wait_for(page, lambda: devices(server) == ["https://push.example/2"])
    assert page.evaluate("window.asked") == 0, "the permission holds"


def test_who_signs_out_is_told_nothing_here_any_more(open_at):
    server = feeding()
    server.on("POST", "/auth/logout", (200, {"success": True}))
    page = open_at("/", server)
    at_home(page)
    phone_says(page)
    ring(page, "^3 h")
    wait_for(page, lambda: page.evaluate("localStorage.subscription") is not None and devices(server) != [])
    tap(page, "Close")
    page.evaluate("location.hash = '#/account'")
    tap(page, "Sign Out")
    expect(page.get_by_role("button", name="Log In")).to_be_visible()
    assert page.evaluate("localStorage.subscription") is None
    assert page.evaluate("indexedDB.databases().then((all) => all.length)") == 0


def test_what_somebody_else_left_here_tells_nobody(open_at):
    """Another account of this browser had notifications, and did not end them."""
    server = feeding()
    page = open_at("/", server)
    at_home(page)
    page.evaluate("key => { localStorage.subscription = JSON.stringify({ key, endpoint: 'https://push.example/theirs' }) }", PUSH["push_key"])
    phone_says(page)
    wait_for(page, lambda: page.evaluate("localStorage.subscription") is None)
    assert devices(server) == []


def test_nothing_is_said_to_be_told_before_the_server_knows_the_device(open_at):
    server = feeding()
    page = open_at("/", server)
    at_home(page)
    phone_says(page)
    server.on("POST", "/users/me/devices", "offline")
    ring(page, "^3 h")
    said(page, "This device can’t tell you yet: Baby Basics could not be reached. It tries again by itself")
    expect(page.get_by_text("This device will tell you")).to_have_count(0)
    tap(page, "Close")
    page.evaluate("location.hash = '#/told'")
    said(page, "This device can’t tell you yet: Baby Basics could not be reached.")
    expect(page.get_by_text("It tells you, even while")).to_have_count(0)
    expect(page.get_by_role("button", name="Turn off here")).to_be_visible()
    server.on("POST", "/users/me/devices", server.add_device)
    page.evaluate("dispatchEvent(new Event('online'))")
    said(page, "It tells you, even while Baby Basics is closed.")
    assert devices(server) == ["https://push.example/1"]
    assert page.evaluate("window.asked") == 1


def test_what_the_server_says_against_a_device_is_told(open_at):
    server = feeding()
    page = open_at("/", server)
    at_home(page)
    phone_says(page)
    server.on("POST", "/users/me/devices", (409, refusal("CONFLICT", "There are 10 devices already")))
    page.evaluate("location.hash = '#/told'")
    tap(page, "Turn on here")
    said(page, "This device can’t tell you yet. There are 10 devices already.")
    server.on("POST", "/users/me/devices", server.add_device)
    page.reload()
    said(page, "It tells you, even while Baby Basics is closed.")


def test_who_turns_it_off_while_the_server_is_asked_has_it_off(open_at):
    server = feeding()
    page = open_at("/", server)
    at_home(page)
    phone_says(page)
    server.on("POST", "/users/me/devices", "offline")
    ring(page, "^3 h")
    said(page, "This device can’t tell you yet")
    tap(page, "Close")
    page.evaluate("location.hash = '#/told'")
    answers = []
    server.on("POST", "/users/me/devices", lambda body: answers.append(server.add_device(body)) or answers[-1])
    page.route("**/users/me/devices", lambda route: held.append(route) if route.request.method == "POST" else route.fallback())
    held: list = []
    page.evaluate("dispatchEvent(new Event('online'))")
    wait_for(page, lambda: held != [])
    tap(page, "Turn off here")
    said(page, "It tells you nothing yet.")
    held[0].fallback()
    wait_for(page, lambda: answers != [] and devices(server) == [])
    page.reload()
    said(page, "It tells you nothing yet.")
    assert devices(server) == []


def test_what_was_removed_on_another_device_stays_off_until_it_is_turned_on(open_at):
    server = feeding()
    page = open_at("/", server)
    at_home(page)
    phone_says(page)
    ring(page, "^3 h")
    wait_for(page, lambda: len(devices(server)) == 1)
    tap(page, "Close")
    server.devices = []
    page.reload()
    at_home(page)
    notice = page.locator(".notice.push")
    expect(notice).to_contain_text("This device tells you nothing any more: it was removed from your devices, or signed out, somewhere else.")
    notice.get_by_role("button", name="Dismiss").click()
    assert page.evaluate("localStorage.subscription") is None
    page.reload()
    at_home(page)
    page.evaluate("location.hash = '#/told'")
    said(page, "It tells you nothing yet.")
    expect(notice).to_have_count(0)
    assert len(server.posts("/users/me/devices")) == 1
    tap(page, "Turn on here")
    said(page, "It tells you, even while Baby Basics is closed.")
    assert devices(server) == ["https://push.example/2"]


def test_a_session_that_ended_takes_the_notifications_and_the_same_person_is_told_so(open_at):
    server = feeding()
    page = open_at("/", server)
    at_home(page)
    phone_says(page)
    ring(page, "^3 h")
    wait_for(page, lambda: devices(server) != [])
    tap(page, "Close")
    user, server.user = server.user, None
    page.reload()
    expect(page.get_by_role("button", name="Log In")).to_be_visible()
    wait_for(page, lambda: page.evaluate("localStorage.subscription") is None)
    server.user, server.devices = user, []  # which go with it
    server.on("POST", "/auth/login", (200, {"session": {"token": None, "expires_at": ago(-9999)}, "user": user}))
    tap(page, "Log In")
    page.get_by_label("Email").fill(JO["email"])
    page.get_by_label("Password").fill("correct horse battery")
    tap(page, "Log In")
    at_home(page)
    expect(page.locator(".notice.push")).to_contain_text("This device tells you nothing any more")
    assert devices(server) == []
    ring(page, "^2 h")
    said(page, "This device will tell you, quietly")
    assert devices(server) == ["https://push.example/2"]


# --- What I'm told of


def test_what_one_is_told_of_by_family_and_kind(open_at):
    server = feeding()
    page = open_at("/", server)
    at_home(page)
    phone_says(page)
    page.evaluate("location.hash = '#/account'")
    tap(page, "Notifications", "link")
    heading(page, "Notifications")
    page.get_by_label("Feed", exact=True).check()
    page.get_by_label("Medicine", exact=True).check()
    page.get_by_label("somebody joins or leaves").uncheck()
    wait_for(page, lambda: server.told == {"kinds": ["feeding", "medication"], "members": False, "access_ends": True})
    page.get_by_label("Tell me nothing during the night").check()
    page.get_by_label("From").fill("21:30")
    page.get_by_label("From").press("Tab")
    wait_for(page, lambda: server.user["quiet"] == {"from": "21:30", "to": "06:00"})
    page.get_by_label("Show details").check()
    wait_for(page, lambda: server.user["show_details"] is True)
    tap(page, "Turn on here")
    said(page, "It tells you, even while Baby Basics is closed.")
    row = page.locator(".rows li").filter(has_text="Chrome on Android")
    expect(row).to_contain_text("This device")
    row.get_by_role("button", name="Remove").click()
    said(page, "It tells you nothing yet.")
    expect(row).to_have_count(0)
    assert devices(server) == [] and page.evaluate("localStorage.subscription") is None


def test_what_the_server_refuses_goes_back(open_at):
    server = feeding()
    server.on("PUT", f"/families/{FAMILY['id']}/notifications", (403, refusal("FORBIDDEN", "You may not do this")))
    page = open_at("/", server)
    at_home(page)
    page.evaluate("location.hash = '#/told'")
    page.get_by_label("Feed", exact=True).click()
    said(page, "You may not do this.")
    expect(page.get_by_label("Feed", exact=True)).not_to_be_checked()


# --- For eyes, keyboards and screen readers


@pytest.mark.parametrize("look", LOOKS)
def test_axe_finds_nothing(open_at, look):
    server = full()
    server.reminders = [{"id": "r1", "child_id": CHILD["id"], "on": "diaper", "after_minutes": 180}]
    page = open_at("/", server, look=look)
    at_home(page)
    left(page, 200)
    expect(page.locator(".away")).to_be_visible()
    expect(page.locator(".next li").first).to_be_visible()
    assert found(page) == []
    for open_it in (
        lambda: tap(page, "Tell me when a feed is due"), lambda: tap(page, "Tell me when Iron drops for babies, strawberry is due"),
        lambda: page.evaluate("id => { location.hash = `#/today/give/${id}` }", plan("", 1)["id"]),
    ):  # fmt: skip
        open_it()
        expect(page.get_by_role("dialog")).to_be_visible()
        assert found(page) == []
        if page.get_by_role("button", name="Log Paracetamol").count():
            tap(page, "Log Paracetamol")
            heading_of = page.get_by_role("heading", name=re.compile("Rosa gave"))
            expect(heading_of).to_be_visible()
            assert found(page) == []
            tap(page, "Don’t log")
        page.get_by_role("dialog").get_by_role("button", name="Close").click()
    page.evaluate("location.hash = '#/told'")
    page.get_by_label("Tell me nothing during the night").check()
    expect(page.get_by_label("From")).to_be_visible()
    assert found(page) == []
    page.evaluate("id => { location.hash = `#/child/${id}` }", CHILD["id"])
    page.get_by_role("button", name="Add a plan").click()
    page.get_by_role("radio", name="At set times").check()
    tap(page, "Add a time")
    assert found(page) == []


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_nothing_goes_sideways(open_at, width):
    page = open_at("/", full(), width=width)
    at_home(page)
    left(page, 200)
    expect(page.locator(".away")).to_be_visible()
    assert fits(page)
    for screen in ("told", f"child/{CHILD['id']}", f"child/{CHILD['id']}/{plan('', 1)['id']}"):
        page.evaluate("screen => { location.hash = `#/${screen}` }", screen)
        expect(page.get_by_text("…", exact=True)).to_have_count(0)
        assert fits(page)


def test_a_keyboard_rings_gives_and_plans(open_at):
    server = full()
    page = open_at("/", server)
    at_home(page)
    bell = page.get_by_role("button", name="Tell me when a diaper is due")
    bell.focus()
    page.keyboard.press("Enter")
    page.get_by_role("radio", name="Off").focus()
    page.keyboard.press("ArrowRight")
    wait_for(page, lambda: [one["after_minutes"] for one in server.reminders] == [120])
    page.keyboard.press("Escape")
    expect(bell).to_be_focused()
    page.get_by_role("button", name="Give Iron").focus()
    page.keyboard.press("Enter")
    said(page, "Iron drops for babies, strawberry, 5 drops given")
    page.evaluate("id => { location.hash = `#/today/give/${id}` }", plan("", 1)["id"])
    page.get_by_role("button", name="Log Paracetamol").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=re.compile("Rosa gave"))).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Log Paracetamol")).to_be_focused()
