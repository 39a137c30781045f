"""What Today says, and how this device wants it said."""

import re
from datetime import datetime, timedelta, timezone

import pytest
from people import in_the_middle_of_the_day
from playwright.sync_api import expect


def ago(minutes: float) -> str:
    return (datetime.now(timezone.utc) - timedelta(minutes=minutes)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def test_the_clock_is_the_regions_until_this_device_is_told(phone, household):
    """English words and a day of 24 hours: a German browser has no AM and PM."""
    parent = household()
    parent.ok("POST", f"/children/{parent.child}/feedings", {"type": "bottle", "amount_ml": 112.5, "started_at": ago(5)}, 201)
    one = phone(parent, locale="de-DE")
    row = one.page.locator(".last .feeding")
    expect(row).to_contain_text(re.compile(r"112,5\sml.* · \d{1,2}:\d\d$"))
    one.go("account")
    one.choose("12 h")
    one.go("today")
    expect(row).to_contain_text(re.compile(r" · \d?\d:\d\d\s[ap]m$", re.IGNORECASE))
    one.page.reload()
    expect(row).to_contain_text(re.compile(r" · \d?\d:\d\d\s[ap]m$", re.IGNORECASE))
    one.tap("Bottle")
    expect(one.page.get_by_label("Amount")).to_have_value("112,5")
    one.page.get_by_role("dialog").get_by_role("button", name="More").click()
    expect(one.page.get_by_label("Amount")).to_have_value("122,5")


def test_a_vitamin_hides_no_medicine(phone, household):
    """The last dose of each name of 48 hours; more than three are behind a tap."""
    parent = household()
    given = [("Vitamin D", "1 drop", 30), ("Paracetamol", "2.5 ml", 300), ("vitamin d", "2 drops", 1500), ("Ibuprofen", "2 ml", 900), ("Iron", "5 drops", 1000), ("Old syrup", "1 ml", 2900)]
    for name, dose, minutes in given:
        parent.ok("POST", f"/children/{parent.child}/medications", {"name": name, "dose": dose, "occurred_at": ago(minutes)}, 201)
    one = phone(parent)
    rows = one.page.locator(".last .medication")
    expect(rows).to_contain_text(["Vitamin D", "Paracetamol", "Ibuprofen"])
    expect(rows).to_have_count(3)
    expect(rows.nth(0)).to_contain_text("1 drop · ")
    expect(rows.nth(1)).to_contain_text(re.compile(r"5\sh(\s\d\smin)?\sago"))
    one.tap("1 more medicine")
    expect(rows).to_contain_text(["Vitamin D", "Paracetamol", "Ibuprofen", "Iron"])
    one.lacks("Old syrup")
    expect(one.page.get_by_role("button", name="more medicine")).to_have_count(0)


LINES = """(element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top / 8))).size;
}"""


@pytest.mark.parametrize("width", [320, 390])
def test_how_long_ago_stands_on_one_line_beside_a_long_name(phone, household, width):
    parent = household()
    parent.ok("PATCH", "/users/me", in_the_middle_of_the_day())
    for name, minutes in (("Paracetamol suspension for babies, strawberry", 1217), ("Ibuprofen", 1450)):
        parent.ok("POST", f"/children/{parent.child}/medications", {"name": name, "occurred_at": ago(minutes)}, 201)
    parent.ok("POST", f"/children/{parent.child}/feedings", {"type": "breast", "side": "left", "started_at": ago(88 + 5), "ended_at": ago(5)}, 201)
    parent.ok("POST", f"/children/{parent.child}/sleeps", {"type": "nap", "started_at": ago(500), "ended_at": ago(10)}, 201)
    one = phone(parent, viewport={"width": width, "height": 700})
    said = one.page.locator(".last .medication strong")
    expect(said).to_have_text([re.compile(r"^20\sh\s1\d\smin\sago$"), re.compile(r"^24\sh\s1\d\smin\sago$")])
    assert [said.nth(place).evaluate(LINES) for place in range(2)] == [1, 1]
    assert one.page.locator(".last .medication .what").nth(1).evaluate(LINES) == 1, "nor does a word break beside it"
    assert one.page.locator(".totals strong").nth(1).evaluate(LINES) == 1
    total = one.page.locator(".totals dd .soft").first
    expect(total).to_have_text("1 h 28 min breast")
    assert "\u00a0" in total.inner_text() and " breast" in total.inner_text()


@pytest.mark.parametrize("width", [900, 1280])
def test_on_a_wide_screen_the_buttons_stand_beside_the_day(phone, household, width):
    one = phone(household(), viewport={"width": width, "height": 600})
    totals = one.page.locator(".totals")
    totals.scroll_into_view_if_needed()
    dock, day = one.page.locator(".dock").bounding_box(), totals.bounding_box()
    assert dock["x"] >= day["x"] + day["width"]
    one.page.mouse.wheel(0, 2_000)
    expect(one.page.get_by_role("button", name="Diaper")).to_be_in_viewport()


ANSWERS = """answer => {
    window.asked = 0;
    navigator.storage.persisted = async () => false;
    navigator.storage.persist = async () => { window.asked += 1; return answer; };
}"""


def asked(one) -> int:
    return one.page.evaluate("window.asked")


def test_the_browser_is_asked_to_keep_the_store_after_the_first_log(phone, household):
    one = phone(household())
    one.context.add_init_script(f"({ANSWERS})(false)")
    one.page.reload()
    one.heading("Ada")
    one.page.wait_for_timeout(300)
    assert asked(one) == 0
    one.log_bottle()
    one.settled()
    assert asked(one) == 1
    one.log_bottle()
    one.page.reload()
    one.log_bottle()
    one.settled()
    assert asked(one) == 0, "once"


def test_the_account_says_that_what_waits_may_be_cleared(phone, household):
    one = phone(household())
    one.context.add_init_script(f"({ANSWERS})(false)")
    one.page.reload()
    one.log_bottle()
    one.settled()
    one.go("account")
    one.heading("Your account")
    one.lacks(re.compile("on this device alone"))
    one.go("today")
    one.offline()
    one.log_bottle()
    one.go("account")
    one.sees("1 entry is on this device alone, and this browser may clear it when space runs out.")
    one.tap("Ask the browser to keep it")
    one.sees(re.compile("The browser said no"))
    one.page.evaluate(ANSWERS, True)
    one.tap("Ask the browser to keep it")
    one.sees("This browser keeps them now")
    one.lacks(re.compile("on this device alone"))


def test_solids_reset_no_clock_until_this_device_is_told(phone, household):
    parent = household()
    path = f"/children/{parent.child}/feedings"
    parent.ok("POST", path, {"type": "breast", "side": "left", "started_at": ago(190), "ended_at": ago(170)}, 201)
    parent.ok("POST", path, {"type": "solid", "food": "Pear", "started_at": ago(30)}, 201)
    one = phone(parent)
    rows = one.page.locator(".last .feeding")
    expect(rows).to_have_count(2)
    expect(rows.nth(0)).to_contain_text(re.compile(r"3\sh\s1\d\smin\sago"))
    expect(rows.nth(0)).to_contain_text(re.compile(r"Breast, left · \d?\d:\d\d(\s[AP]M)?–\d?\d:\d\d\s[AP]M"))
    expect(rows.nth(1)).to_contain_text("Solids")
    expect(rows.nth(1)).to_contain_text(re.compile(r"3\d\smin\sago"))
    one.go("account")
    one.choose("End")
    one.go("today")
    expect(rows.nth(0)).to_contain_text(re.compile(r"2\sh\s5\d\smin\sago"))
    one.go("account")
    one.page.get_by_label("Solids count as a feed there").check()
    one.go("today")
    expect(rows).to_have_count(1)
    expect(rows.nth(0)).to_contain_text(re.compile(r"3\d\smin\sago"))


def test_yesterday_is_one_tap_away(phone, household):
    parent = household()
    bottle = {"type": "bottle", "amount_ml": 90, "started_at": ago(1440)}
    parent.ok("POST", f"/children/{parent.child}/feedings", bottle, 201)
    one = phone(parent)
    one.heading("The day so far")
    expect(one.page.get_by_role("button", name="The day after")).to_have_attribute("aria-disabled", "true")
    feeds = one.page.locator(".totals > div").first
    for _ in range(2):  # the day may have turned at seven meanwhile, at most once
        if "90" in feeds.inner_text():
            break
        before = one.page.locator("#day-title").inner_text()
        one.tap("The day before")
        expect(one.page.locator("#day-title")).not_to_have_text(before)
    one.heading("Yesterday")
    expect(feeds).to_contain_text("90 ml")
    one.tap("The day after")
    one.heading("The day so far")
    expect(feeds).not_to_contain_text("90 ml")


def test_today_shows_what_this_device_was_told_and_in_that_order(phone, household):
    parent = household()
    parent.ok("POST", f"/children/{parent.child}/feedings", {"type": "bottle", "amount_ml": 90, "started_at": ago(30)}, 201)
    one = phone(parent)
    one.tap("More")
    one.tap("Choose what is here", role="link")
    one.heading("What Today shows")
    one.page.get_by_label("Breast", exact=True).uncheck()
    for _ in range(2):
        one.tap("Move Sleep up")
    expect(one.page.get_by_role("button", name="Move Sleep up")).to_be_focused()
    expect(one.page.get_by_role("status").filter(has_text="Sleep is number 1")).to_have_count(1)
    one.go("today")
    buttons = one.page.locator(".dock .log")
    expect(buttons).to_have_text(["Sleep", "Bottle", "Diaper", "Solids", "More"])
    expect(one.page.locator(".last > div").first).to_have_class("sleep")
    expect(one.page.locator(".totals dt")).to_have_text(["Sleep", "Feeds", "Diapers"])
    one.go("cards")
    one.page.get_by_label("Diaper", exact=True).uncheck()
    one.page.reload()
    one.go("today")
    expect(buttons).to_have_text(["Sleep", "Bottle", "Solids", "Note", "More"])
    expect(one.page.locator(".totals dt")).to_have_text(["Sleep", "Feeds"])
    one.tap("More")
    one.heading("Log")
    expect(one.page.get_by_role("dialog").get_by_role("button", name="Breast")).to_have_count(0)
    one.tap("Choose what is here", role="link")
    one.tap("As it was at first")
    one.go("today")
    expect(buttons).to_have_text(["Bottle", "Breast", "Sleep", "Diaper", "More"])


def test_a_breast_feed_switches_pauses_and_is_one_feed(phone, household, saved):
    """The clock is this device's: it survives a reload. The minutes without the pause are the feed's."""
    parent = household()
    one = phone(parent)
    one.heading("Ada")
    one.page.clock.install(time=datetime.now() - timedelta(minutes=24))
    one.context.route("**/api/**", lambda route: route.abort())  # the server's time would put the clock right
    one.page.reload()
    one.tap("Breast", exact=True)
    one.choose("Left")
    one.tap("Start left")
    row = one.page.get_by_role("region", name="Feeding")
    expect(row).to_contain_text("Breast, left")
    one.page.clock.fast_forward("07:00")
    row.get_by_role("button", name="Pause").click()
    expect(row).to_contain_text("Breast, left, paused")
    one.page.clock.fast_forward("10:00")
    expect(row.get_by_role("timer")).to_have_text(re.compile("^7:0\\d$|^07:0\\d$"))
    one.page.reload()
    expect(row).to_contain_text("Breast, left, paused")
    row.get_by_role("button", name="Go on").click()
    one.page.clock.fast_forward("02:00")
    row.get_by_role("button", name="Switch to right").click()
    expect(row).to_contain_text("Breast, right")
    one.page.clock.fast_forward("05:00")
    expect(row).to_contain_text("left 9 min, right 5 min")
    row.get_by_role("button", name="Stop").click()
    one.sees(re.compile("Feed ended after 14 min"))
    one.tap("Undo")
    expect(row).to_contain_text("left 9 min, right 5 min")
    row.get_by_role("button", name="Stop").click()
    expect(one.page.locator(".last .feeding")).to_contain_text("Breast, both sides, 9 min left, 5 min right, right last")
    one.context.unroute("**/api/**")
    one.page.reload()
    one.settled()
    (feed,) = (event["event"] for event in saved(parent))
    assert (feed["side"], feed["left_minutes"], feed["right_minutes"], feed["last_side"]) == ("both", 9, 5, "right")
    one.tap("Breast", exact=True)
    expect(one.page.get_by_role("radio", name="Left", exact=True)).to_be_checked()


def test_a_feed_that_one_switched_another_ends_with_the_minutes(phone, household, person, saved):
    parent, rosa = household(), person("Rosa")
    rosa.join(parent.invite(parent.family, "caregiver"))
    parent.ok("POST", f"/children/{parent.child}/feedings", {"type": "breast", "side": "left", "started_at": ago(12)}, 201)
    one = phone(parent)
    one.page.get_by_role("button", name="Switch to right").click()
    expect(one.page.get_by_role("button", name="Switch to left")).to_be_visible()
    one.settled()
    two = phone(rosa)
    row = two.page.get_by_role("region", name="Feeding")
    expect(row).to_contain_text("Breast, right")
    row.get_by_role("button", name="Stop").click()
    expect(row).to_have_count(0)
    two.settled()
    (feed,) = (event["event"] for event in saved(parent))
    # A side of less than half a minute is none, and this takes about as long.
    assert feed["left_minutes"] in (12, 13) and (feed["last_side"], feed["right_minutes"]) in (("left", None), ("right", 1))
    assert feed["ended_at"]
