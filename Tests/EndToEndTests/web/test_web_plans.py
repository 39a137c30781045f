"""Plans of medicine, as parents make them and everybody gives by them."""

import re
import time
from datetime import datetime, timedelta, timezone

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.usefixtures("plans")


@pytest.fixture
def plans(paths):
    if "/api/v1/children/{childId}/plans" not in paths:
        pytest.skip("the server has no plans yet")


def ago(minutes: float) -> str:
    return (datetime.now(timezone.utc) - timedelta(minutes=minutes)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def make(parent, name="Paracetamol", child=None, **fields) -> dict:
    body = {"name": name, "dose": "2.5 ml", "starts_on": "2026-01-01", **fields}
    return parent.ok("POST", f"/children/{child or parent.child}/plans", body, 201)["plan"]


def give(person, child, plan, minutes: float) -> dict:
    body = {"name": plan["name"], "dose": plan["dose"], "plan_id": plan["id"], "occurred_at": ago(minutes)}
    return person.ok("POST", f"/children/{child}/medications", body, 201)["medication"]


def of_plan(parent) -> dict:
    (found,) = parent.ok("GET", f"/children/{parent.child}/dashboard")["dashboard"]["plans"]
    return found


@pytest.fixture
def rosa(person):
    """Joins a family: rosa(parent)."""

    def join(parent, role="caregiver"):
        one = person("Rosa")
        one.join(parent.invite(parent.family, role))
        one.child = parent.child
        return one

    return join


def fetched(one, parent) -> None:
    """The child's page is on the device: this phone has no service worker."""
    one.go(f"child/{parent.child}")
    one.heading("Ada")
    one.heading("Medicine plans")


def in_sheet(one, button: str) -> None:
    one.page.get_by_role("dialog").get_by_role("button", name=button, exact=True).click()


def test_a_plan_is_made_without_a_network_and_given_with_one_tap(phone, household, saved):
    parent = household()
    one = phone(parent)
    fetched(one, parent)
    one.offline()
    one.tap("Add a plan")
    sheet = one.page.get_by_role("dialog")
    sheet.get_by_role("button", name="Save").click()
    one.sees("Say which medicine it is.")
    sheet.get_by_label("Medicine", exact=True).fill("Paracetamol")
    sheet.get_by_label("Dose", exact=True).fill("2.5 ml")
    sheet.get_by_label("Hours between doses").fill("200")
    sheet.get_by_role("button", name="Save").click()
    one.sees("The hours between doses must be a whole number from 1 to 168.")
    sheet.get_by_label("Hours between doses").fill("6")
    sheet.get_by_label("At most a day").fill("4")
    sheet.get_by_role("button", name="Save").click()
    one.sees(re.compile("2.5 ml · every 6 h, at most 4 times a day"))
    one.go("today")
    one.tap("Give Paracetamol")
    one.sees("Paracetamol, 2.5 ml given")
    expect(one.page.get_by_role("button", name="Give Paracetamol")).to_have_count(0)
    one.sees(re.compile(r"due at \d?\d:\d\d [AP]M"))
    one.sees("2 entries waiting")
    one.offline(False)
    one.page.evaluate("dispatchEvent(new Event('online'))")
    one.settled()
    (event,) = saved(parent)
    found = of_plan(parent)
    assert event["event"]["plan_id"] == found["plan"]["id"]
    assert (found["plan"]["every_hours"], found["plan"]["max_per_day"], found["given_today"]) == (6, 4, 1)


def test_everybody_sees_plans_and_parents_alone_change_them(phone, household, rosa):
    parent = household()
    make(parent, every_hours=6)
    caregiver, viewer = rosa(parent), rosa(parent, "viewer")
    two = phone(caregiver)
    two.sees("due now")
    expect(two.page.get_by_role("button", name="Give Paracetamol")).to_be_visible()
    two.go("family")
    two.page.get_by_role("link", name=re.compile("^Ada")).click()
    two.sees(re.compile("2.5 ml · every 6 h"))
    expect(two.page.get_by_role("button", name="Add a plan")).to_have_count(0)
    expect(two.page.get_by_role("button", name="Paracetamol")).to_have_count(0)
    expect(two.page.get_by_label("Name")).to_have_count(0)
    three = phone(viewer)
    three.sees("due now")
    expect(three.page.get_by_role("button", name="Give Paracetamol")).to_have_count(0)


def test_set_times_are_changed_and_a_plan_is_deleted_and_brought_back(phone, household):
    parent = household()
    plan = make(parent, "Vitamin D", every_hours=24)
    one = phone(parent)
    fetched(one, parent)
    one.tap("Vitamin D")
    one.choose("At set times")
    one.page.get_by_label("Time 1", exact=True).fill("07:30")
    one.tap("Add a time")
    one.page.get_by_label("Time 2", exact=True).fill("19:30")
    in_sheet(one, "Save")
    one.sees(re.compile("at 7:30 AM and 7:30 PM"))
    one.settled()
    path = f"/children/{parent.child}/plans/{plan['id']}"
    kept = parent.ok("GET", path)["plan"]
    assert (kept["every_hours"], kept["times"]) == (None, ["07:30", "19:30"])
    one.tap("Vitamin D")
    in_sheet(one, "Delete")
    one.sees("None yet. With a plan, Today says what is due, and asks before a dose that comes too soon.")
    one.settled()
    assert parent.call("GET", path).status_code == 404
    one.tap("Undo")
    one.sees(re.compile("at 7:30 AM and 7:30 PM"))
    one.settled()
    parent.ok("GET", path)


def test_what_another_parent_changed_meanwhile_is_kept(phone, household):
    parent = household()
    plan = make(parent, every_hours=6)
    one = phone(parent)
    fetched(one, parent)
    one.tap("Paracetamol")
    parent.ok("PATCH", f"/children/{parent.child}/plans/{plan['id']}", {"notes": "With milk"})
    one.page.get_by_label("Hours between doses").fill("8")
    in_sheet(one, "Save")
    one.sees("With milk")
    one.settled()
    kept = parent.ok("GET", f"/children/{parent.child}/plans/{plan['id']}")["plan"]
    assert (kept["every_hours"], kept["notes"]) == (8, "With milk")


def test_a_dose_too_soon_is_asked_about_without_a_network(phone, household, rosa, saved):
    parent = household()
    plan = make(parent, every_hours=6)
    give(rosa(parent), parent.child, plan, 121)
    one = phone(parent)
    one.sees(re.compile("last 2 h 1 min ago"))
    one.offline()
    one.tap("More")
    one.tap("Medicine")
    one.tap("Log Paracetamol")
    question = one.page.get_by_role("dialog").filter(has=one.page.get_by_role("heading", name=re.compile(r"^Rosa gave Paracetamol 2\sh\s\d\smin\sago$")))
    expect(question).to_contain_text(re.compile(r"The plan says every 6\sh. Log anyway\?"))
    question.get_by_role("button", name="Don’t log").click()
    assert len(one.kept("outbox")) == 0
    one.tap("Log Paracetamol")
    one.tap("Log anyway")
    expect(one.page.get_by_role("dialog")).to_have_count(0)
    one.offline(False)
    one.page.evaluate("dispatchEvent(new Event('online'))")
    one.settled()
    assert len(saved(parent)) == 2
    one.page.reload()
    one.sees(re.compile("last just now|last 1 min ago"))
    one.lacks(re.compile("sooner than the plan says"))  # who was asked knows


def test_one_too_many_is_asked_about(phone, household, saved):
    parent = household()
    plan = make(parent, max_per_day=1)
    give(parent, parent.child, plan, 0.2)
    one = phone(parent)
    one.sees("Paracetamol")
    one.go(f"today/give/{plan['id']}")
    one.tap("Log Paracetamol")
    one.sees(re.compile("That day it was given once, and the plan says once at most. Log anyway"))
    one.tap("Log anyway")
    one.settled()
    assert len(saved(parent)) == 2


def test_of_two_who_give_it_at_the_same_time_one_is_told(phone, household, rosa, saved):
    """Neither could know of the other: the later one hears of it, with a way to the other dose."""
    parent = household()
    make(parent, every_hours=6)
    one, two = phone(parent), phone(rosa(parent))
    for each in (one, two):
        each.sees("due now")
        each.offline()
    for each in (one, two):
        each.tap("Give Paracetamol")
        each.sees("Paracetamol, 2.5 ml given")
    for each in (one, two):
        each.offline(False)
        each.page.evaluate("dispatchEvent(new Event('online'))")
        each.settled()
    arrived(one, two)
    assert len(saved(parent)) == 2
    one.page.wait_for_timeout(100)  # for a second one, which there isn't
    told = [each for each in (one, two) if each.text(re.compile("sooner than the plan says")).count()]
    assert len(told) == 1
    told[0].page.get_by_role("link", name="Look at it").click()
    expect(told[0].page.get_by_role("dialog")).to_contain_text("Logged by " + ("Rosa" if told[0] is one else "Johnny"))


def arrived(*phones) -> None:
    for each in phones:
        deadline = time.monotonic() + 30
        while len([event for event in each.kept("events") if event["type"] == "medication" and event["event"]["revision"]]) < 2:
            assert time.monotonic() < deadline
            each.page.wait_for_timeout(50)
        expect(each.text(re.compile("last just now|last 1 min ago")).first).to_be_visible()


STANDING = """async ([plans, person, now]) => {
    const base = document.querySelector('script[type=module]').src.replace('main.js', '');
    const { standing } = await import(`${base}model/plans.js`);
    const { id } = JSON.parse(localStorage.getItem('account'));
    const open = indexedDB.open(`baby-basics-${id}`);
    const database = await new Promise((resolve) => { open.onsuccess = () => resolve(open.result); });
    const all = database.transaction('events').objectStore('events').getAll();
    const events = await new Promise((resolve) => { all.onsuccess = () => resolve(all.result); });
    database.close();
    const given = events.filter(({ type }) => type === 'medication').sort((a, b) => b.time - a.time);
    return plans.map((plan) => {
        const { last, next_at, given_today } = standing(plan, given, now, person);
        return [plan.name, last && last.id, next_at && new Date(next_at).toISOString(), given_today];
    });
}"""


@pytest.mark.parametrize("zone", ["UTC", "America/New_York", "Pacific/Auckland"])
def test_the_device_says_of_plans_what_the_server_says(phone, household, zone):
    parent = household()
    parent.ok("PATCH", "/users/me", {"timezone": zone})
    parent.user = parent.ok("GET", "/users/me")["user"]
    shapes = [
        ("six", {"every_hours": 6}, [30, 500]), ("week", {"every_hours": 168}, [9_000]), ("never given", {"every_hours": 8}, []),
        ("once", {"times": ["08:00"]}, [1_000]), ("thrice", {"times": ["07:00", "13:00", "19:00"]}, [5, 400]),
        ("small hours", {"times": ["03:00", "06:59", "23:30"]}, [200, 800]), ("needed", {}, [60]), ("tomorrow", {"every_hours": 6, "starts_on": "2099-01-01"}, []),
        ("over", {"times": ["12:00"], "ends_on": "2026-01-02"}, []),
    ]  # fmt: skip
    doses = 0
    for name, fields, given in shapes:
        plan = make(parent, name, **fields)
        for minutes in given:
            give(parent, parent.child, plan, minutes)
            doses += 1
    one = phone(parent)
    one.heading("Ada")
    deadline = time.monotonic() + 30
    while len(one.kept("events")) < len(shapes) + doses:
        assert time.monotonic() < deadline
        one.page.wait_for_timeout(50)
    answer = parent.call("GET", f"/children/{parent.child}/dashboard")
    found = answer.json()["dashboard"]["plans"]
    now = datetime.strptime(answer.headers["date"], "%a, %d %b %Y %H:%M:%S GMT").replace(tzinfo=timezone.utc).timestamp() * 1000
    assert {one["plan"]["name"] for one in found} == {name for name, _, _ in shapes} - {"tomorrow", "over"}
    person = {"timezone": zone, "dayStart": parent.user["day_start_time"]}
    said = one.page.evaluate(STANDING, [[one["plan"] for one in found], person, now])
    assert said == [[one["plan"]["name"], one["last"] and one["last"]["id"], one["next_at"], one["given_today"]] for one in found]


def test_a_bell_on_a_plan_that_was_made_without_a_network_is_kept(phone, household):
    parent = household()
    one = phone(parent)
    fetched(one, parent)
    one.go("today")
    expect(one.page.get_by_role("region", name="Log")).to_be_visible()
    one.offline()
    one.go(f"child/{parent.child}")
    one.tap("Add a plan")
    sheet = one.page.get_by_role("dialog")
    sheet.get_by_label("Medicine", exact=True).fill("Iron")
    sheet.get_by_role("button", name="Save").click()
    one.go("today")
    one.tap("Tell me when Iron is due")
    one.choose("When it’s due")
    one.tap("Close")
    one.offline(False)
    one.page.evaluate("dispatchEvent(new Event('online'))")
    one.settled()
    deadline = time.monotonic() + 30
    while not (kept := parent.ok("GET", "/users/me/reminders")["reminders"]):
        assert time.monotonic() < deadline
        one.page.wait_for_timeout(50)
    assert [reminder["plan_id"] for reminder in kept] == [of_plan(parent)["plan"]["id"]]
    expect(one.page.locator(".notices .notice")).to_have_count(0)
    expect(one.page.get_by_role("button", name="Tell me when Iron is due")).to_have_attribute("aria-pressed", "true")
