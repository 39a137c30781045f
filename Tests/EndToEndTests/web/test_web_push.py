"""What the service worker makes of a push, with the browser's own `push` event."""

import json
import re
import secrets
import time

import pytest
from playwright.sync_api import expect
from webapp import launch

SHOWN = """async () => (await (await navigator.serviceWorker.ready).getNotifications()).map(
    ({ title, body, tag, data, actions, renotify }) => ({ title, body, tag, data, actions: actions.map(({ action, title }) => [action, title]), renotify }))"""

# A tap is the browser's to make; what the worker does with it is ours. A window that is not there can't be opened by a script.
TAP = """async ({ tag, action }) => {
    const [notification] = await self.registration.getNotifications({ tag });
    const opened = [];
    const tap = Object.assign(new Event('notificationclick'), { notification, action, waitUntil: (work) => { tap.work = work; } });
    self.clients.openWindow = async (url) => { opened.push(url); };
    self.dispatchEvent(tap);
    await tap.work.catch((error) => { if (error.name !== 'InvalidAccessError') throw error; });
    delete self.clients.openWindow;
    return opened;
}"""


ACTIVE = """async () => {
    const { active } = await navigator.serviceWorker.ready;
    while (active.state !== 'activated') await new Promise((resolve) => active.addEventListener('statechange', resolve, { once: true }));
}"""


class Worker:
    def __init__(self, one):
        self.one, self.sent = one, []
        one.context.grant_permissions(["notifications"], origin=one.stack.base_url)
        one.page.evaluate(ACTIVE)  # one that is about to be gets no push
        one.page.wait_for_function("() => navigator.serviceWorker.controller !== null")
        self.session = one.context.new_cdp_session(one.page)
        registrations = []
        self.session.on("ServiceWorker.workerRegistrationUpdated", lambda event: registrations.extend(event["registrations"]))
        self.session.send("ServiceWorker.enable")
        while not registrations:
            one.page.wait_for_timeout(20)
        self.registration = registrations[0]["registrationId"]

    def push(self, data) -> None:
        self.sent.append(data if isinstance(data, str) else json.dumps(data))
        self.deliver(self.sent[-1])

    def deliver(self, text: str) -> None:
        self.session.send("ServiceWorker.deliverPushMessage", {"origin": self.one.stack.base_url, "registrationId": self.registration, "data": text})

    def shown(self, count: int) -> list[dict]:
        return self.wait(lambda shown: len(shown) == count)

    def wait(self, condition) -> list[dict]:
        """The browser drops one of some fifty on a busy machine, without a word: like a push service, we send it again."""
        deadline, again = time.monotonic() + 30, time.monotonic() + 5
        while True:
            shown = sorted(self.one.page.evaluate(SHOWN), key=lambda one: one["tag"])
            if condition(shown):
                self.sent = []
                return shown
            assert time.monotonic() < deadline, shown
            if time.monotonic() > again:
                for text in self.sent:
                    self.deliver(text)
                again = deadline
            self.one.page.wait_for_timeout(20)

    def tap(self, tag: str, action: str = "") -> list[str]:
        (worker,) = self.one.context.service_workers
        return worker.evaluate(TAP, {"tag": tag, "action": action})


@pytest.fixture(scope="module")
def chromium(playwright, trust):
    browser = launch(playwright, trust, program="chromium")
    yield browser
    browser.close()


@pytest.fixture
def worker(phone):
    """Opens the app of a person with its worker: worker(person)."""

    def open_it(person):
        one = phone(person, workers="allow")
        one.page.get_by_role("heading", level=1).wait_for()
        return one, Worker(one)

    return open_it


def message(parent, **more) -> dict:
    return {"tag": "t", "title": "Ada", "body": "3 h since the last feed", "kind": "reminder", "family_id": parent.family, "child_id": parent.child, "event_kind": "feeding", "plan_id": None, **more}


def test_a_push_is_shown_in_the_servers_words_and_groups_by_its_tag(worker, household):
    parent = household()
    one, its = worker(parent)
    its.push(message(parent, tag="r1", body="2 h since the last feed"))
    its.push(message(parent, tag="r2", kind="told", event_kind=None, title="Johnny's Family", body="Rosa logged a bottle"))
    (first, second) = its.shown(2)
    assert (first["title"], first["body"], first["actions"], first["renotify"]) == ("Ada", "2 h since the last feed", [["log", "Log"]], True)
    assert (second["body"], second["actions"], second["renotify"]) == ("Rosa logged a bottle", [], False)
    its.push(message(parent, tag="r1", body="3 h since the last feed"))
    said = its.wait(lambda shown: any(one["body"].startswith("3 h") for one in shown))
    assert [one["body"] for one in said] == ["3 h since the last feed", "Rosa logged a bottle"]


@pytest.mark.parametrize("data", ["", "not JSON", "{}", "null", "[]"])
def test_what_can_not_be_read_is_shown_all_the_same(worker, household, data):
    """A browser that sees no notification for a push shows one of its own, or stops the pushes."""
    one, its = worker(household())
    its.push(data)
    ((shown),) = its.shown(1)
    assert (shown["title"], shown["body"]) == ("Baby Basics", "There’s something new.")


def test_a_tap_opens_the_right_child_and_marks_nothing_as_read(worker, household, person):
    parent, rosa = household("Johnny", "Ada", "Otto"), person("Rosa")
    rosa.join(parent.invite(parent.family, "caregiver"))
    one, its = worker(parent)
    one.heading("Ada")
    rosa.ok("POST", f"/children/{parent.children[1]}/diapers", {"type": "wet", "occurred_at": "2026-01-01T10:00:00Z"}, 201)
    its.push(message(parent, tag="told", kind="told", child_id=parent.children[1], event_kind=None, body="Rosa logged a diaper"))
    its.push(message(parent, tag="other"))
    its.shown(2)
    one.go("family")
    one.heading("Johnny's Family")
    assert its.tap("told") == []
    one.heading("Otto")
    assert [shown["tag"] for shown in its.shown(1)] == ["other"], "the one that was tapped goes, no other"
    expect(one.page.get_by_role("dialog")).to_have_count(0)


def test_log_opens_the_form(worker, household):
    parent = household()
    one, its = worker(parent)
    its.push(message(parent, tag="r", event_kind="diaper"))
    its.shown(1)
    its.tap("r", "log")
    expect(one.page.get_by_role("button", name="Log wet diaper")).to_be_visible()
    one.tap("Close")
    assert one.page.evaluate("location.hash") == "#/today", "a reload opens nothing"
    its.push(message(parent, tag="r", event_kind="diaper"))
    its.shown(1)
    its.tap("r", "log")
    expect(one.page.get_by_role("button", name="Log wet diaper")).to_be_visible()


def test_give_opens_the_form_with_the_plan(worker, household, paths):
    if "/api/v1/children/{childId}/plans" not in paths:
        pytest.skip("the server has no plans yet")
    parent = household()
    body = {"name": "Paracetamol", "dose": "2.5 ml", "every_hours": 6, "starts_on": "2026-01-01"}
    plan = parent.ok("POST", f"/children/{parent.child}/plans", body, 201)["plan"]
    one, its = worker(parent)
    one.sees("due now")
    its.push(message(parent, tag="d", kind="dose", event_kind="medication", plan_id=plan["id"], body="A dose is due"))
    (shown,) = its.shown(1)
    assert shown["actions"] == [["give", "Give"]]
    its.tap("d", "give")
    expect(one.page.get_by_label("Dose")).to_have_value("2.5 ml")
    one.tap("Log Paracetamol")
    one.sees(re.compile("last just now"))


def test_without_a_window_one_is_opened_where_it_leads(worker, household):
    parent = household()
    one, its = worker(parent)
    its.push(message(parent, tag="r"))
    its.shown(1)
    one.page.goto(one.stack.base_url + "/join/" + "A" * 22)  # a page of another kind is no window of the app
    assert its.tap("r", "log") == [f"/#/open/{parent.family}/{parent.child}/log/feeding"]
    one.open(f"open/{parent.family}/{parent.child}/log/feeding")
    expect(one.page.get_by_role("button", name=re.compile("^Log .*ml"))).to_be_visible()


def test_a_child_that_is_yet_to_come_is_waited_for(phone, household):
    parent = household()
    one, held = phone(), []
    one.context.route("**/changes**", lambda route: held.append(route))
    one.sign_in(parent)
    one.go(f"open/{parent.family}/{parent.child}/log/feeding")
    one.sees("…")
    while not held:
        one.page.wait_for_timeout(20)
    one.page.wait_for_timeout(500)
    one.context.unroute("**/changes**")
    for route in held:
        route.continue_()
    expect(one.page.get_by_role("button", name=re.compile("^Log .*ml"))).to_be_visible()


def test_what_leads_to_a_family_that_is_not_ones_own_leads_to_today(worker, household):
    parent = household()
    one, its = worker(parent)
    other = secrets.token_hex(4) + "-0000-7000-8000-000000000000"
    its.push(message(parent, tag="r", family_id=other, child_id=other))
    its.shown(1)
    one.go("family")
    one.heading("Johnny's Family")
    its.tap("r", "log")
    one.heading("Ada")
    expect(one.page.get_by_role("dialog")).to_have_count(0)


SUBSCRIBE_ANEW = """async (devices) => {
    const asked = [];
    const own = self.fetch;
    const keys = { p256dh: 'p', auth: 'a' };
    const made = { toJSON: () => ({ endpoint: 'https://push.example/new', keys }) };
    self.fetch = async (url, { method = 'GET', body } = {}) => {
        if (typeof url !== 'string') return own(url); // the page's, which fetches its parts
        asked.push([method, url, body ? JSON.parse(body) : null]);
        return new Response(JSON.stringify({ server: { push_key: 'BAAA' }, devices }), { status: 200 });
    };
    self.registration.pushManager.subscribe = async ({ applicationServerKey }) => { asked.push(['key', [...applicationServerKey].join()]); return made; };
    const change = Object.assign(new Event('pushsubscriptionchange'), { waitUntil: (work) => { change.work = work; } });
    self.dispatchEvent(change);
    await change.work;
    self.fetch = own;
    return asked;
}"""


def test_a_subscription_that_the_browser_changed_is_told_to_the_server(worker, household):
    one, its = worker(household())
    (running,) = one.context.service_workers
    assert running.evaluate(SUBSCRIBE_ANEW, [{"current": False}, {"current": True}]) == [
        ["GET", "/api/v1/users/me/devices", None], ["GET", "/api/v1/server", None], ["key", "4,0,0"],
        ["POST", "/api/v1/users/me/devices", {"type": "web_push", "endpoint": "https://push.example/new", "keys": {"p256dh": "p", "auth": "a"}}],
    ]  # fmt: skip


def test_a_device_that_was_removed_elsewhere_does_not_come_back_by_itself(worker, household):
    one, its = worker(household())
    (running,) = one.context.service_workers
    assert running.evaluate(SUBSCRIBE_ANEW, [{"current": False}]) == [["GET", "/api/v1/users/me/devices", None]]
