"""What breaks between a phone and the server: what the person sees, and that nothing is lost."""

import json
import pathlib
import re
import time

import pytest
from phone import error
from playwright.sync_api import expect
from webapp import picture

EVENTS = re.compile(r"/children/[^/]+/events$")
ONE = re.compile(r"/children/[^/]+/feedings/[^/]+$")


def outbox(one) -> list:
    return one.kept("outbox")


def edit_amount(one, before: int, after: int) -> None:
    one.go("timeline")
    one.tap(f"Bottle, {before} ml", role="link")
    one.page.get_by_label("Amount").fill(str(after))
    one.page.get_by_label("Amount").press("Tab")
    one.tap("Save")


def logged(one, household_parent, amount=90) -> str:
    """A bottle that the server has."""
    one.log_bottle(amount)
    one.settled()
    one.go("timeline")  # without a network it is there if it was seen once
    one.heading("Timeline")
    one.go("today")
    return household_parent.ok("GET", f"/children/{household_parent.child}/feedings")["feedings"][0]["id"]


def test_no_network(phone, household, saved):
    parent = household()
    one = phone(parent)
    one.heading("Ada")
    one.offline()
    one.log_bottle(60)
    one.log_bottle(70)
    one.log_bottle(80)
    one.sees(re.compile("3 entries waiting"))
    one.sees(re.compile("no connection"))
    one.sees(re.compile("Bottle, 80 ml"))
    assert saved(parent) == []
    sent = len(one.asked)
    one.offline(False)
    one.settled()
    assert [event["event"]["amount_ml"] for event in saved(parent)] == [80, 70, 60]
    one.lacks(re.compile("entries waiting"))
    posts = [asked for asked in one.asked[sent:] if EVENTS.search(asked[1])]
    assert len(posts) == 1, "events of one child travel together"


def test_a_lost_answer(phone, household, saved):
    parent = household()
    one = phone(parent)
    one.heading("Ada")
    one.lose_answers("**/events")
    one.log_bottle(65)
    one.settled()
    assert [event["event"]["amount_ml"] for event in saved(parent)] == [65]
    sent = [json.loads(body)["events"][0]["event"]["id"] for method, url, body in one.asked if EVENTS.search(url)]
    assert len(sent) == 2 and len(set(sent)) == 1


def test_a_lost_answer_of_an_edit_and_a_delete(phone, household, saved):
    parent = household()
    one = phone(parent)
    logged(one, parent)
    one.lose_answers(ONE, method="PATCH")
    edit_amount(one, 90, 95)
    one.settled()
    assert saved(parent)[0]["event"]["amount_ml"] == 95
    one.lose_answers(ONE, method="DELETE")
    one.tap("Bottle, 95 ml", role="link")
    one.tap("Delete")
    one.settled()
    assert saved(parent) == []
    assert one.kept("notices") == []


def test_412_different_fields_are_both_kept(phone, household, saved):
    parent = household()
    one = phone(parent)
    id = logged(one, parent)
    one.offline()
    edit_amount(one, 90, 95)
    parent.ok("PATCH", f"/children/{parent.child}/feedings/{id}", {"notes": "From Maria"})
    one.offline(False)
    one.settled()
    event = saved(parent)[0]["event"]
    assert (event["amount_ml"], event["notes"]) == (95, "From Maria")
    one.sees("From Maria")
    assert one.kept("notices") == []


@pytest.mark.parametrize("kept", ["theirs", "mine"])
def test_412_the_same_field_the_later_is_kept_and_both_are_told(phone, household, saved, kept):
    parent = household()
    one = phone(parent)
    id = logged(one, parent)
    one.context.route(re.compile("/changes"), lambda route: route.abort())  # a question that is held would bring the news
    one.page.reload()
    one.go("timeline")
    one.heading("Timeline")
    one.offline()
    if kept == "mine":
        parent.ok("PATCH", f"/children/{parent.child}/feedings/{id}", {"amount_ml": 70})
        time.sleep(0.05)
    edit_amount(one, 90, 95)
    if kept == "theirs":
        time.sleep(0.05)
        parent.ok("PATCH", f"/children/{parent.child}/feedings/{id}", {"amount_ml": 70})
    one.offline(False)
    one.settled()
    assert saved(parent)[0]["event"]["amount_ml"] == (95 if kept == "mine" else 70)
    one.sees(re.compile("Yours: 95 ml. Theirs: 70 ml. " + ("Yours" if kept == "mine" else "Theirs") + " was later and is kept"))


def test_404_gone_for_everyone(phone, household, saved):
    parent = household()
    one = phone(parent)
    id = logged(one, parent)
    one.offline()
    edit_amount(one, 90, 95)
    parent.ok("DELETE", f"/children/{parent.child}/feedings/{id}", status=204)
    one.offline(False)
    one.sees("An entry was deleted by someone else in the meantime. It’s gone here too.")
    one.settled()
    assert outbox(one) == [] and one.kept("events") == []
    one.tap("Dismiss")
    one.lacks(re.compile("deleted by someone else"))
    one.page.reload()
    one.heading("Timeline")
    one.lacks(re.compile("deleted by someone else"))


def test_400_is_kept_aside_and_blocks_nothing(phone, household, saved):
    """The server refuses one of two and says which, as the contract has it."""
    parent = household()
    one = phone(parent)
    one.heading("Ada")
    one.offline()
    one.log_bottle(60)
    one.log_bottle(70)
    one.answer(EVENTS, 400, error("VALIDATION_ERROR", "Invalid", [{"field": "events[0].event.amount_ml", "message": "must be smaller"}]), times=1)
    one.offline(False)
    one.sees(re.compile("1 entry couldn’t be saved"))
    one.settled()
    assert [event["event"]["amount_ml"] for event in saved(parent)] == [70]
    one.tap("See why", role="link")
    one.sees("Bottle, 60 ml, formula")
    one.sees("Amount must be smaller.")
    one.tap("Try again")
    one.sees(re.compile("Everything is fine"))
    one.settled()
    assert sorted(event["event"]["amount_ml"] for event in saved(parent)) == [60, 70]


def test_400_of_a_real_entry_can_be_changed(phone, household, saved):
    """A server that doesn't say which one is asked one by one."""
    parent = household()
    one = phone(parent)
    one.heading("Ada")
    one.offline()
    one.log_bottle(60)
    one.log_bottle(70)
    one.answer(EVENTS, 400, error("VALIDATION_ERROR", "No"), times=3)
    one.offline(False)
    one.sees(re.compile("2 entries couldn’t be saved"))
    one.tap("See why", role="link")
    one.page.get_by_role("listitem").filter(has_text="60 ml").get_by_role("button", name="Change it").click()
    one.page.get_by_label("Amount").fill("65")
    one.page.get_by_label("Amount").press("Tab")
    one.tap("Save")
    one.settled()
    assert [event["event"]["amount_ml"] for event in saved(parent)] == [65]
    one.go("waiting")
    one.tap("Give up")
    one.sees(re.compile("Everything is fine"))
    assert [kept["event"]["amount_ml"] for kept in one.kept("events")] == [65]


@pytest.mark.parametrize("reason", ["running", None])
def test_a_second_running_sleep_is_kept_aside(phone, household, saved, reason):
    parent = household()
    one = phone(parent)
    one.heading("Ada")
    one.offline()
    parent.ok("POST", f"/children/{parent.child}/sleeps", {"type": "nap", "started_at": "2099-01-01T00:00:00Z"}, 400)
    one.page.evaluate("0")
    one.tap("Sleep")
    one.page.get_by_role("button", name=re.compile("^Start ")).click()
    parent.ok("POST", f"/children/{parent.child}/sleeps", {"type": "nap", "started_at": now_text()}, 201)
    in_other_words(one, reason)
    one.offline(False)
    one.sees(re.compile("1 entry couldn’t be saved"))
    one.tap("See why", role="link")
    one.sees("Another sleep was already running then. End that one first.")


def now_text() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def test_deleted_stays_deleted(phone, household, saved, paths):
    """What was logged here, arrived, and was deleted before its answer came."""
    parent = household()
    one = phone(parent)
    one.heading("Ada")
    one.lose_answers("**/events")
    one.context.route(EVENTS, lambda route: route.abort() if saved(parent) else route.fallback())
    one.log_bottle(60)
    deadline = time.monotonic() + 20
    while not saved(parent) and time.monotonic() < deadline:
        one.page.wait_for_timeout(100)
    (event,) = saved(parent)
    parent.ok("DELETE", f"/children/{parent.child}/feedings/{event['event']['id']}", status=204)
    one.page.evaluate("dispatchEvent(new Event('online'))")
    one.settled()
    assert saved(parent) == []
    if "GONE" in str(paths):
        one.sees(re.compile("deleted by someone else"))
        assert one.kept("events") == []


def test_410_gone_in_a_batch(phone, household, saved):
    """The contract's answer to a batch with an id that was deleted."""
    parent = household()
    one = phone(parent)
    one.heading("Ada")

    def gone(route):
        events = json.loads(route.request.post_data)["events"]
        body = {"events": [{"type": "feeding", "id": one["event"]["id"], "event": None, "deleted": True} for one in events], "count": len(events)}
        route.fulfill(status=201, headers={"Content-Type": "application/json"}, body=json.dumps(body))

    one.context.route(EVENTS, gone)
    one.log_bottle(60)
    one.sees(re.compile("An entry was deleted by someone else"))
    one.settled()
    assert one.kept("events") == [] and outbox(one) == []


def test_410_the_family_is_read_anew_and_what_waits_stays(phone, household, saved):
    parent = household()
    one = phone(parent)
    logged(one, parent, 90)
    parent.ok("POST", f"/children/{parent.child}/notes", {"content": "From elsewhere", "occurred_at": now_text()}, 201)
    one.answer(EVENTS, 503, error("SERVICE_UNAVAILABLE", "Away"), method="POST")
    one.log_bottle(60)
    one.answer(re.compile(r"/changes\?since=[1-9]"), 410, error("RESYNC_REQUIRED", "Start again"), times=1)
    one.page.reload()
    one.sees(re.compile("Bottle, 60 ml"))
    one.go("timeline")
    one.sees("From elsewhere")
    one.sees("Bottle, 90 ml, formula")
    assert len([entry for entry in outbox(one) if entry["op"] == "create"]) == 1


def test_a_screen_that_is_not_here_yet_says_so_and_comes_with_the_network(phone, household, person, artifacts):
    parent, maria = household(), person("Maria")
    maria.join(parent.invite(parent.family, "caregiver"))
    one = phone(maria)
    one.heading("Ada")
    for screen in ("timeline", "trends", "set-up"):
        one.context.route(f"**/{screen}.js", lambda route: route.abort("internetdisconnected"))
    one.go("timeline")
    one.heading("Not on this device yet")
    picture(one.page, artifacts / "web-not-here-yet.png")
    one.tap("Back", role="link")
    one.heading("Ada")
    one.go("trends")
    one.heading("Trends")
    one.sees("This page has to be fetched once.")
    parent.ok("DELETE", f"/families/{parent.family}/members/{maria.id}", status=204)
    one.heading("Not on this device yet")
    expect(one.page.get_by_role("link", name="Back")).to_have_count(0)
    one.context.unroute("**/set-up.js")
    one.heading("Welcome, Maria!")
    one.sees(re.compile("You’re no longer in Johnny's Family"))


def test_what_is_written_over_a_screen_that_is_not_here_yet_stays(phone, household):
    one = phone(household())
    one.heading("Ada")
    one.context.route("**/growth.js", lambda route: route.abort("internetdisconnected"))
    one.go("growth")
    one.sees("This page has to be fetched once.")
    one.tap("Add a measurement")
    one.page.get_by_label("Weight (kg)").fill("6.7")
    with one.page.expect_response("**/api/v1/server"):  # it is looked for
        pass
    one.page.wait_for_timeout(500)
    assert one.page.get_by_label("Weight (kg)").input_value() == "6.7"
    one.context.unroute("**/growth.js")
    one.tap("Close")
    one.sees("The WHO has a standard for girls")


@pytest.mark.parametrize(("screen", "what"), [
    ("month", ".day-picker"), ("doctor", ".paper"), ("sheet", ".sheet-of-days"), ("nursery", ".nursery"), ("import", "input[type=file]"),
])
def test_a_screen_is_not_seen_without_its_styles(phone, household, screen, what):
    one = phone(household())
    one.heading("Ada")
    held = []
    name = "transfer" if screen == "import" else screen
    one.context.route(f"**/{name}.css", lambda route: held.append(route))
    one.go(screen)
    deadline = time.monotonic() + 30
    while not held:
        assert time.monotonic() < deadline
        one.page.wait_for_timeout(50)
    one.page.wait_for_timeout(300)
    assert one.page.locator(what).count() == 0
    for route in held:
        route.continue_()
    expect(one.page.locator(what).first).to_be_attached()


def test_403_the_family_goes_and_what_was_waiting_for_it_can_be_saved_and_imported_by_a_parent(phone, household, person, artifacts):
    parent, maria = household(), person("Maria")
    maria.join(parent.invite(parent.family, "caregiver"))
    one = phone(maria)
    one.heading("Ada")
    one.offline()
    one.log_bottle(60)
    parent.ok("DELETE", f"/families/{parent.family}/members/{maria.id}", status=204)
    one.offline(False)
    one.heading("Welcome, Maria!")
    one.sees(re.compile("You’re no longer in Johnny's Family"))
    for store in ("events", "children", "members", "families", "outbox"):
        assert one.kept(store) == [], store
    picture(one.page, artifacts / "web-family-gone.png")
    with one.page.expect_download() as download:
        one.tap("Save as a file")
    assert re.fullmatch(r"Johnny-s-Family-not-sent-[0-9-]{10}\.json", download.value.suggested_filename)
    one.go("account")
    one.tap("Sign Out")
    one.sees(re.compile("1 entry waiting to be sent"))
    one.tap("Cancel")
    one.go("today")
    one.tap("Dismiss")
    one.sees("Its entries are nowhere else. Save them as a file first if you want to keep them.")
    one.page.get_by_role("dialog").get_by_role("button", name="Dismiss").click()
    one.lacks(re.compile("You’re no longer in"))
    other = phone(parent)
    other.heading("Ada")
    other.go("import")
    file = pathlib.Path(download.value.path()).read_bytes()
    other.page.locator("input[type=file]").set_input_files({"name": "it.json", "mimeType": "application/json", "buffer": file})
    other.tap("Import 1 entry")
    other.sees(re.compile("1 entry is in"))
    [event] = parent.ok("GET", f"/children/{parent.child}/timeline")["events"]
    assert event["event"]["amount_ml"] == 60


def test_401_the_outbox_waits_for_the_same_person(phone, household, person, saved):
    parent, other = household(), person("Eve")
    one = phone(parent, own_address=True)
    one.heading("Ada")
    one.offline()
    one.log_bottle(60)
    parent.ok("POST", "/auth/logout", {}, 204)
    one.offline(False)
    one.heading("Please log in again")
    expect(one.page.get_by_label("Email")).to_have_value(parent.email)
    one.log_in(other.email)
    one.heading("Welcome, Eve!")
    assert one.kept("outbox") == [] and one.kept("events") == []
    one.go("account")
    one.tap("Sign Out")
    one.tap("Log In")
    one.log_in(parent.email)
    one.heading("Ada")
    one.settled()
    with_token = parent.http.post("/api/v1/auth/login", json={"email": parent.email, "password": parent.password})
    parent.take(with_token.json()["session"]["token"])
    assert [event["event"]["amount_ml"] for event in saved(parent)] == [60]


def test_429_waits_as_long_as_it_is_asked_to(phone, household, saved):
    parent = household()
    one = phone(parent)
    one.heading("Ada")
    one.answer(EVENTS, 429, error("RATE_LIMITED", "Too many"), {"Retry-After": "3"}, times=1)
    started = time.monotonic()
    one.log_bottle(60)
    one.sees(re.compile("1 entry waiting · the server is busy"))
    one.settled()
    assert time.monotonic() - started > 2.9
    assert len(saved(parent)) == 1
    assert len([asked for asked in one.asked if EVENTS.search(asked[1])]) == 2


@pytest.mark.parametrize(("status", "times"), [(500, 2), (502, 1), (503, 1)])
def test_5xx_is_tried_again(phone, household, saved, status, times):
    parent = household()
    one = phone(parent)
    one.heading("Ada")
    one.answer(EVENTS, status, error("INTERNAL_ERROR", "Oh"), times=times)
    one.log_bottle(60)
    one.sees(re.compile("1 entry waiting"))
    one.settled()
    assert len(saved(parent)) == 1
    one.lacks(re.compile("entry waiting"))


FULL = """
    const put = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function (...values) {
        if (window.isFull) throw new DOMException("full", "QuotaExceededError");
        return put.apply(this, values);
    };
"""


@pytest.mark.complains
def test_a_full_storage_keeps_the_sheet_open(phone, household, saved):
    parent = household()
    one = phone(parent)
    one.context.add_init_script(FULL)
    one.page.reload()
    one.heading("Ada")
    one.page.evaluate("window.isFull = true")
    one.tap("Bottle")
    one.tap("Log 120 ml")
    one.sees(re.compile("storage is full"))
    expect(one.page.get_by_role("dialog")).to_be_visible()
    one.page.evaluate("window.isFull = false")
    one.tap("Log 120 ml")
    one.settled()
    assert len(saved(parent)) == 1


IS_FULL = "window.isFull = true;"
NEVER_LOOKED = """async () => {
    const { id } = JSON.parse(localStorage.getItem('account'));
    const opening = indexedDB.open(`baby-basics-${id}`);
    const database = await new Promise((resolve) => { opening.onsuccess = () => resolve(opening.result); });
    const writing = database.transaction('meta', 'readwrite');
    writing.objectStore('meta').delete(IDBKeyRange.bound('looked:', 'looked;'));
    await new Promise((resolve) => { writing.oncomplete = resolve; });
    database.close();
}"""


@pytest.mark.complains
def test_a_full_storage_still_shows_the_day(phone, household):
    parent = household()
    one = phone(parent)
    one.heading("Ada")
    one.page.evaluate(FULL + IS_FULL)  # or it looks once more while it goes
    one.page.evaluate(NEVER_LOOKED)
    one.context.add_init_script(FULL + IS_FULL)
    one.page.reload()
    one.heading("Ada")
    expect(one.page.get_by_role("button", name="Bottle").first).to_be_visible()


@pytest.mark.complains
def test_a_full_storage_is_not_the_server_s_fault(phone, household, saved):
    parent = household()
    one = phone(parent)
    one.context.add_init_script(FULL)
    one.page.reload()
    one.heading("Ada")
    one.answer(EVENTS, 503, error("SERVICE_UNAVAILABLE", "Away"), times=1)
    one.log_bottle(60)
    one.sees(re.compile("1 entry waiting · the server is busy"))
    one.page.evaluate("window.isFull = true")
    expect(one.page.get_by_text("the server is busy")).to_have_count(0, timeout=10_000)
    one.sees(re.compile("1 entry waiting"))
    one.page.evaluate("window.isFull = false")
    one.settled()
    assert len(saved(parent)) == 1


REJECTED = """async ({ family, child }) => {
    const { id } = JSON.parse(localStorage.getItem('account'));
    const opening = indexedDB.open(`baby-basics-${id}`);
    const database = await new Promise((resolve) => { opening.onsuccess = () => resolve(opening.result); });
    const writing = database.transaction('outbox', 'readwrite');
    for (let count = 0; count < 1300; count += 1) {
        const event = { id: crypto.randomUUID(), content: 'No', occurred_at: new Date().toISOString() };
        writing.objectStore('outbox').add({ op: 'create', id: event.id, type: 'note', child_id: child, family_id: family, tries: 0, rejected: 'No', event });
    }
    await new Promise((resolve) => { writing.oncomplete = resolve; });
    database.close();
}"""


def test_any_number_rejected_blocks_nothing(phone, household, saved):
    parent = household()
    one = phone(parent)
    one.heading("Ada")
    one.page.evaluate(REJECTED, {"family": parent.family, "child": parent.child})
    one.log_bottle(60)
    deadline = time.monotonic() + 20
    while not saved(parent) and time.monotonic() < deadline:
        one.page.wait_for_timeout(100)
    assert [event["event"]["amount_ml"] for event in saved(parent)] == [60]


@pytest.mark.complains
def test_a_refused_storage_is_said(phone, household):
    parent = household()
    one = phone(parent)
    one.context.add_init_script('indexedDB.open = () => { throw new DOMException("no", "SecurityError"); };')
    one.page.reload()
    one.heading("This browser won’t keep anything")
    assert one.page.evaluate("localStorage.getItem('account')") is not None


@pytest.mark.parametrize("hours", [1, -1])
def test_a_clock_that_is_wrong_by_an_hour(phone, household, saved, hours):
    parent = household()
    one = phone(parent)
    one.context.add_init_script(f"const real = Date.now; const D = Date; const shift = {hours} * 3600000;" + """
        window.Date = class extends D {
            constructor(...parts) { parts.length ? super(...parts) : super(real() + shift); }
            static now() { return real() + shift; }
        };
    """)
    one.page.evaluate("localStorage.removeItem('clock')")
    one.page.reload()
    one.heading("Ada")
    one.page.wait_for_function("() => localStorage.getItem('clock') !== null")
    one.log_bottle(60)
    one.sees("just now")
    one.settled()
    (event,) = saved(parent)
    assert abs(time.time() - one.page.evaluate("at => new Date(at).getTime() / 1000", event["at"])) < 60


def in_other_words(one, reason: str | None) -> None:
    """Refusals of batches say what they say in another language, with the reason or, as servers before it, without."""

    def handle(route) -> None:
        answer = one.carry_out(route)
        body = answer.json()
        for detail in body.get("error", {}).get("details", []):
            detail["message"] = "geht so nicht"
            detail.pop("reason", None)
            if reason:
                detail["reason"] = reason
        route.fulfill(status=answer.status_code, headers={"Content-Type": "application/json", "Date": answer.headers["date"]}, body=json.dumps(body))

    one.context.route(EVENTS, handle)


@pytest.mark.parametrize("reason", ["in_future", None])
def test_a_fast_clock_without_a_network_is_put_right_later(phone, household, saved, reason):
    parent = household()
    one = phone(parent)
    one.heading("Ada")
    one.offline()
    one.page.evaluate("""() => {
        const real = Date.now; const D = Date;
        window.Date = class extends D {
            constructor(...parts) { parts.length ? super(...parts) : super(real() + 3600000); }
            static now() { return real() + 3600000; }
        };
    }""")
    one.log_bottle(60)
    in_other_words(one, reason)
    one.offline(False)
    one.sees(re.compile("clock is ahead"))
    one.settled()
    (event,) = saved(parent)
    assert abs(time.time() - one.page.evaluate("at => new Date(at).getTime() / 1000", event["at"])) < 120


def test_two_tabs_are_one_client(phone, household, saved):
    parent = household()
    one = phone(parent)
    one.heading("Ada")
    two = one.new_page()
    two.goto(one.page.url)
    expect(two.get_by_role("heading", name="Ada")).to_be_visible()
    two.get_by_role("button", name="Bottle").click()
    two.get_by_role("button", name="Log 120 ml").click()
    one.sees(re.compile("Bottle, 120 ml"))
    one.settled()
    assert len(saved(parent)) == 1
    assert len([asked for asked in one.asked if EVENTS.search(asked[1])]) == 1
    held = one.page.evaluate("navigator.locks.query().then(({ held, pending }) => [held.length, pending.length])")
    assert held == [1, 1]
    one.page.close()
    one.page = two
    one.log_bottle(70)
    one.settled()
    assert len(saved(parent)) == 2


def test_signing_out_in_one_tab_is_seen_in_the_other(phone, household):
    one = phone(household())
    one.heading("Ada")
    two = one.new_page()
    two.goto(one.page.url)
    expect(two.get_by_role("heading", name="Ada")).to_be_visible()
    one.go("account")
    one.tap("Sign Out")
    expect(two.get_by_role("button", name="I Have an Invite")).to_be_visible()


def test_a_reload_in_the_middle(phone, household, saved):
    parent = household()
    one = phone(parent)
    one.heading("Ada")
    one.context.route(EVENTS, lambda route: None)  # the answer takes for ever
    one.log_bottle(60)
    one.context.unroute(EVENTS)
    one.page.reload()
    one.sees(re.compile("Bottle, 60 ml"))
    one.settled()
    assert len(saved(parent)) == 1


def test_a_tab_killed_between_store_and_network(phone, household, saved):
    parent = household()
    one = phone(parent)
    one.heading("Ada")
    one.offline()
    one.log_bottle(60)
    one.page.close(run_before_unload=False)
    assert saved(parent) == []
    one.offline(False)
    one.page = one.new_page()
    one.open()
    one.sees(re.compile("Bottle, 60 ml"))
    one.settled()
    assert len(saved(parent)) == 1


def test_a_server_that_holds_no_question_is_not_asked_over_and_over(phone, household):
    parent = household()
    one = phone(parent)
    one.heading("Ada")
    one.answer(re.compile(r"/changes\?.*wait="), 200, {"changes": [], "next_since": 10_000, "has_more": False})
    one.page.reload()
    one.heading("Ada")
    one.page.wait_for_timeout(3_000)
    assert 0 < len([asked for asked in one.asked if "wait=" in asked[1]]) <= 5


LOOKED_AT = """(state) => {
    Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
}"""


def test_without_a_screen_nothing_is_asked(phone, household):
    """News come, and nobody looks; then somebody does."""
    parent = household()
    one = phone(parent)
    one.heading("Ada")
    one.page.wait_for_timeout(500)
    one.page.evaluate(LOOKED_AT, "hidden")
    one.page.wait_for_timeout(300)
    before = len(one.asked)
    parent.ok("POST", f"/children/{parent.child}/feedings", {"type": "bottle", "amount_ml": 65, "started_at": now_text()}, 201)
    one.page.wait_for_timeout(1_500)
    assert len(one.asked) == before
    assert one.kept("events") == []
    one.page.evaluate(LOOKED_AT, "visible")
    one.sees(re.compile("Bottle, 65 ml"))
