"""What went wrong and is put right: sleeps that overlap, entries that were deleted; and twins, who do the same."""

import re
from datetime import datetime, timedelta, timezone

from playwright.sync_api import expect


def ago(minutes: float) -> str:
    return (datetime.now(timezone.utc) - timedelta(minutes=minutes)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def nap(start: float, end: float) -> dict:
    return {"type": "nap", "started_at": ago(start), "ended_at": ago(end)}


def test_an_overlap_is_said_to_whoever_made_it_with_a_way_to_the_other(phone, household, person):
    parent, rosa = household(), person("Rosa")
    rosa.join(parent.invite(parent.family, "caregiver"))
    rosa.ok("POST", f"/children/{parent.child}/sleeps", nap(40, 10), 201)
    one, two = phone(parent), phone(rosa)
    two.heading("Ada")
    one.sees(re.compile("Woke up"))
    one.lacks(re.compile("overlaps"))
    one.tap("Sleep")
    one.choose("Nap")
    one.choose("30 min")
    one.page.get_by_role("button", name="Log nap").click()
    notice = one.page.get_by_role("status").filter(has_text="overlaps")
    expect(notice).to_contain_text(re.compile(r"The nap from .* overlaps with the nap from \d?\d:\d\d\s[AP]M by Rosa\."))
    one.settled()
    while len(two.kept("events")) < 2:
        two.page.wait_for_timeout(50)
    two.lacks(re.compile("overlaps"))
    notice.get_by_role("link", name="Look at it").click()
    sheet = one.page.get_by_role("dialog")
    expect(sheet).to_contain_text("Logged by Rosa")
    expect(sheet).to_contain_text(re.compile("Overlaps with the nap from .* by you"))
    sheet.get_by_role("button", name="Delete").click()
    expect(one.page.get_by_role("dialog")).to_have_count(0)
    one.go("today")
    one.heading("Ada")
    one.sees(re.compile("Woke up"))
    one.lacks(re.compile("overlaps"))


def test_an_edit_that_overlaps_says_so(phone, household, person):
    parent, rosa = household(), person("Rosa")
    rosa.join(parent.invite(parent.family, "caregiver"))
    rosa.ok("POST", f"/children/{parent.child}/sleeps", nap(9_000, 8_940), 201)
    mine = parent.ok("POST", f"/children/{parent.child}/sleeps", nap(8_900, 8_860), 201)["sleep"]
    one = phone(parent)
    one.go(f"timeline/{mine['id']}")
    start = one.page.get_by_label("Started")
    local = datetime.fromisoformat(start.input_value()) - timedelta(minutes=60)
    start.fill(local.isoformat(timespec="minutes"))
    one.tap("Save")
    one.sees(re.compile("Saved. The nap from .* overlaps with the nap from .* by Rosa."))
    one.tap("Look", role="link", exact=True)
    expect(one.page.get_by_role("dialog")).to_contain_text("Logged by Rosa")


def test_an_overlap_can_be_left_as_it_is(phone, household, person):
    parent, rosa = household(), person("Rosa")
    rosa.join(parent.invite(parent.family, "caregiver"))
    rosa.ok("POST", f"/children/{parent.child}/sleeps", nap(40, 10), 201)
    parent.ok("POST", f"/children/{parent.child}/sleeps", nap(20, 5), 201)
    one = phone(parent)
    one.page.get_by_role("status").filter(has_text="overlaps").get_by_role("button", name="Dismiss").click()
    one.lacks(re.compile("overlaps"))
    one.page.reload()
    one.sees(re.compile("Woke up"))
    one.lacks(re.compile("overlaps"))


def test_what_somebody_else_deleted_is_found_and_brought_back(phone, household, person, saved):
    parent, rosa = household(), person("Rosa")
    rosa.join(parent.invite(parent.family, "caregiver"))
    path = f"/children/{parent.child}/feedings"
    made = parent.ok("POST", path, {"type": "bottle", "amount_ml": 85, "started_at": ago(30)}, 201)["feeding"]
    one = phone(rosa)
    one.sees(re.compile("Bottle, 85 ml"))
    parent.call("DELETE", f"{path}/{made['id']}")
    one.lacks(re.compile("Bottle, 85 ml"))
    for screen, title in (("deleted", "Deleted entries"), ("timeline", "Timeline")):
        one.go(screen)  # fetched while there is a network: this phone has no service worker
        one.heading(title)
    one.offline()
    one.tap("Deleted entries", role="link")
    one.heading("Deleted entries")
    one.sees(re.compile("Bottle, 85 ml"))
    one.tap("Bring back: Bottle, 85 ml")
    one.sees("Nothing was deleted.")
    one.go("timeline")
    one.sees(re.compile("Bottle, 85 ml"))
    one.offline(False)
    one.settled()
    (event,) = saved(parent)
    assert event["event"]["id"] == made["id"]


def test_a_parent_finds_what_was_deleted_before_this_device_knew_it(phone, household, person, saved):
    parent, rosa = household("Johnny", "Ada", "Otto"), person("Rosa")
    rosa.join(parent.invite(parent.family, "caregiver"))
    child = parent.children[1]
    made = {}
    for amount in (85, 95):
        bottle = {"type": "bottle", "amount_ml": amount, "started_at": ago(amount)}
        made[amount] = parent.ok("POST", f"/children/{child}/feedings", bottle, 201)["feeding"]["id"]
        rosa.call("DELETE", f"/children/{child}/feedings/{made[amount]}")
    parent.call("POST", f"/children/{child}/feedings/{made[95]}/restore", {})
    one = phone(parent)
    one.go("deleted")
    one.sees("Nothing was deleted.")
    one.tap("Look for older ones")
    cards = one.page.locator(".cards .card")
    expect(cards).to_have_count(1)
    expect(cards).to_contain_text("Bottle, 85 ml")
    expect(cards).to_contain_text("Deleted by Rosa")
    one.tap("Bring back: Bottle, 85 ml")
    expect(cards).to_have_count(0)
    assert {event["event"]["id"] for event in saved(parent, child)} == set(made.values())
    two = phone(rosa)
    two.go("deleted")
    two.sees("Nothing was deleted.")
    expect(two.page.get_by_role("button", name="Look for older ones")).to_have_count(0)


def test_twins_who_did_the_same_are_one_tap(phone, household, saved):
    parent = household("Johnny", "Ada", "Otto")
    one = phone(parent)
    one.tap("Diaper for Ada")
    one.tap("The same for Ada and Otto")
    one.sees("Wet diaper for Ada and Otto logged")
    expect(one.page.get_by_role("link", name="Wet diaper")).not_to_have_count(0)
    one.settled()
    assert [len(saved(parent, child)) for child in parent.children] == [1, 1]
    one.tap("Undo")
    expect(one.page.get_by_role("link", name="Wet diaper")).to_have_count(0)
    one.settled()
    assert [len(saved(parent, child)) for child in parent.children] == [0, 0]
    one.tap("More")
    one.tap("Temperature for Ada")
    expect(one.page.get_by_role("button", name="The same for")).to_have_count(0)


def test_twins_fall_asleep_together_unless_one_sleeps_already(phone, household, saved):
    parent = household("Johnny", "Ada", "Otto")
    parent.ok("POST", f"/children/{parent.children[1]}/sleeps", {"type": "nap", "started_at": ago(20)}, 201)
    one = phone(parent)
    one.heading("Ada")
    one.choose("Otto")
    expect(one.page.get_by_role("region", name="Asleep")).to_be_visible()
    one.choose("Ada")
    one.tap("Sleep for Ada")
    one.tap("The same for Ada and Otto")
    one.sees(re.compile("Otto is asleep already"))
    assert saved(parent, parent.children[0]) == []


def test_brothers_are_no_twins(phone, household):
    parent = household()
    parent.call("POST", f"/families/{parent.family}/children", {"name": "Ben", "date_of_birth": "2023-05-01"})
    one = phone(parent)
    one.tap("Bottle for Ada")
    expect(one.page.get_by_role("button", name=re.compile("^Log 120"))).to_be_visible()
    expect(one.page.get_by_role("button", name="The same for")).to_have_count(0)
