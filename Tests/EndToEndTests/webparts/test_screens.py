"""Trends, growth, import and export in a real browser, over a store that is a list.

Nothing is served: the browser is handed the files.
"""

import csv
import datetime
import io
import json
import mimetypes
import pathlib
import re

import pytest
from playwright.sync_api import expect, sync_playwright
from webapp import axe, launch

HERE = pathlib.Path(__file__).parent
WWW = HERE.parents[2] / "deploy/www"
ORIGIN = "https://app.test"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Screen</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="/app/app.css">
<script type="module" src="/app/harness.js"></script></head><body><div id="app"></div></body></html>"""
NOW = datetime.datetime(2026, 6, 10, 16, tzinfo=datetime.timezone.utc)
EMMA = {"id": "00000000-0000-7000-8000-00000000000a", "name": "Emma", "date_of_birth": "2026-01-10"}
NOAH = {"id": "00000000-0000-7000-8000-00000000000b", "name": "Noah", "date_of_birth": "2026-01-10"}
ACCOUNT = {"id": "a", "name": "Jo", "timezone": "America/New_York", "day_start_time": "07:00"}
LOOKS = pytest.mark.parametrize("look", ["light", "dark", "night"])

pytestmark = pytest.mark.skipif(not (WWW / "app/parts/ui.js").exists(), reason="needs the rest of the web app")


def wire(moment):
    return moment.strftime("%Y-%m-%dT%H:%M:%S.000Z")


def event(kind, moment, child=EMMA, **fields):
    at = wire(moment)
    time = "started_at" if kind in ("feeding", "sleep") else "occurred_at"
    return {"type": kind, "at": at, "event": {"id": f"{kind}-{at}", "child_id": child["id"], time: at, **fields}}


def days(count):
    """Bottles, diapers and sleeps of the last days."""
    found = []
    for back in range(count):
        noon = NOW - datetime.timedelta(days=back)
        found += [
            event("feeding", noon - datetime.timedelta(hours=hours), type="bottle", amount_ml=90) for hours in (1, 4)
        ]
        found.append(event("diaper", noon - datetime.timedelta(hours=2), type="wet"))
        start = noon - datetime.timedelta(hours=12)
        found.append(event("sleep", start, type="night", ended_at=wire(start + datetime.timedelta(hours=8))))
    return found


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


@pytest.fixture
def open_screen(browser):
    """Opens a screen with what it is given. Whatever the browser complains of fails the test."""
    contexts, complaints = [], []

    def open_one(screen, events=(), look="light", width=390, role="parent", api=None, **more):
        context = browser.new_context(
            viewport={"width": width, "height": 800}, locale="en-US", timezone_id="Asia/Tokyo", accept_downloads=True
        )
        contexts.append(context)
        given = {
            "screen": screen, "look": look, "now": NOW.timestamp() * 1000, "role": role, "events": list(events),
            "child": EMMA, "children": [EMMA, NOAH], "account": ACCOUNT, **more,
        }  # fmt: skip
        page = context.new_page()
        page.clock.set_fixed_time(NOW)
        page.add_init_script(f"window.given = {json.dumps(given)}")
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console", lambda message: complaints.append(message.text) if message.type in ("error", "warning") else None
        )
        page.route(f"{ORIGIN}/**", lambda route: hand(route, api))
        page.goto(f"{ORIGIN}/")
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert complaints == []


def hand(route, api):
    path = route.request.url.removeprefix(ORIGIN).split("?")[0]
    if path.startswith("/api/"):
        return api(route) if api else route.fulfill(status=404, json={})
    if path == "/favicon.ico":
        return route.fulfill(status=204)
    headers = {"Content-Security-Policy": POLICY}
    if path == "/":
        return route.fulfill(body=PAGE, content_type="text/html", headers=headers)
    file = HERE / "harness.js" if path == "/app/harness.js" else WWW / path.lstrip("/")
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    return route.fulfill(path=file, content_type="text/javascript" if file.suffix == ".js" else kind, headers=headers)


def violations(page):
    return [f"{one['id']}: {node['html']}" for one in axe(page)["violations"] for node in one["nodes"]]


def fits(page):
    return page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


# --- Trends ---------------------------------------------------------------------------------------------------


@LOOKS
def test_trends_at_every_width(open_screen, look):
    for width in (320, 1280) if look == "light" else (320,):
        page = open_screen("trends", days(100), look=look, width=width)
        for count in (7, 30, 90):
            page.get_by_role("radio", name=f"{count} days").check(force=True)
            expect(page.locator("svg.bars.feeds").first.locator(".column")).to_have_count(count)
            expect(page.locator("svg.pattern .track")).to_have_count(count)
            assert fits(page)
        assert violations(page) == []
        assert page.locator("[style]").count() == 0


def test_trends_say_what_they_draw(open_screen):
    page = open_screen("trends", days(10))
    expect(page.get_by_text("2 feeds a day on average")).to_be_visible()
    expect(page.get_by_text("180 ml a day on average")).to_be_visible()
    expect(page.get_by_text("8 h a day on average")).to_be_visible()
    page.get_by_text("As a table").nth(2).click()
    rows = page.get_by_role("region", name="Sleep, as a table").get_by_role("row")
    expect(rows).to_have_count(8)
    expect(rows.last).to_contain_text("Wed, Jun 10")
    expect(rows.nth(1)).to_contain_text("8 h")


def test_a_mean_of_nothing_is_a_mean(open_screen):
    page = open_screen("trends", [event("diaper", NOW - datetime.timedelta(days=back), type="wet") for back in range(3)])
    expect(page.get_by_text("0 feeds a day on average")).to_be_visible()
    expect(page.get_by_text("0 min a day on average")).to_be_visible()


def test_trends_in_a_zone_newer_than_the_browser(open_screen):
    page = open_screen("trends", days(10), account={**ACCOUNT, "timezone": "Mars/Olympus_Mons"})
    page.get_by_text("As a table").nth(3).click()
    expect(page.get_by_role("region", name=re.compile("as a table")).get_by_text("1:00 PM–9:00 PM").first).to_be_visible()


def test_trends_follow_the_store_and_leave_out_days_before_the_first_entry(open_screen):
    page = open_screen("trends")
    expect(page.get_by_text("Nothing logged for Emma in these 7 days.")).to_be_visible()
    page.evaluate("events => window.add(events)", days(2))
    expect(page.locator("svg.bars.feeds").first.locator(".column")).to_have_count(2)


def test_text_of_twice_the_size_stays_on_the_screen(open_screen):
    page = open_screen("trends", days(10), width=320)
    page.add_style_tag(url=f"{ORIGIN}/app/app.css")
    page.evaluate("document.documentElement.setAttribute('class', 'large')")
    page.evaluate(
        "document.styleSheets[0].insertRule('html.large { font-size: 200% }', document.styleSheets[0].cssRules.length)"
    )
    page.set_viewport_size({"width": 321, "height": 800})
    expect(page.locator("svg.bars").first).to_be_visible()
    assert fits(page)


def mixed_days():
    """Three days with feeds of each type, diapers of each kind, a fever and what was given for it."""
    found = days(3)
    for back in range(3):
        noon = NOW - datetime.timedelta(days=back)
        found += [
            event("feeding", noon - datetime.timedelta(hours=7), type="breast", side="left", ended_at=wire(noon - datetime.timedelta(hours=6.5))),
            event("feeding", noon - datetime.timedelta(hours=2.5), type="solid", food="Pear"),
            event("diaper", noon - datetime.timedelta(hours=3), type="dirty"),
            event("diaper", noon - datetime.timedelta(hours=6), type="mixed"),
        ]
    found.append(event("temperature", NOW - datetime.timedelta(hours=5), celsius=38.4, site="ear"))
    found.append(event("temperature", NOW - datetime.timedelta(hours=30), celsius=37.2, site="armpit"))
    found.append(event("medication", NOW - datetime.timedelta(hours=4), name="Paracetamol", dose="2.5 ml", notes="spat out half"))
    return found


@LOOKS
def test_trends_tell_kinds_apart(open_screen, look):
    page = open_screen("trends", mixed_days(), look=look, width=320)
    expect(page.get_by_role("img", name=re.compile("^Diapers"))).to_be_visible()
    assert page.locator("svg.bars.diapers .part").count() == 9
    assert page.locator("svg.bars.feeds").first.locator(".part").count() == 9
    expect(page.locator(".chart-key.diapers li")).to_have_text(["Wet", "Dirty", "Mixed"])
    page.get_by_text("As a table: Diapers").click()
    rows = page.get_by_role("region", name="Diapers, as a table").get_by_role("row")
    expect(rows.first).to_have_text("DayDiapersWetDirtyMixed")
    expect(rows.last).to_have_text("Wed, Jun 102110")
    expect(page.get_by_text("2 measured, 38.4 °C the highest")).to_be_visible()
    expect(page.locator("svg.readings .reading")).to_have_count(2)
    # Of 9, 12 and 15 o'clock, and the nights between.
    expect(page.get_by_text("6 h 45 min on average, 18 h the longest; solids don’t count")).to_be_visible()
    assert fits(page)
    assert violations(page) == []


def test_fourteen_days_on_paper(open_screen):
    page = open_screen("sheet", mixed_days(), look="night", width=390)
    rows = page.get_by_role("region", name="Each day in numbers").get_by_role("row")
    expect(rows).to_have_count(15)
    expect(rows.last).to_contain_text("38.4 °C")
    expect(page.get_by_text("Emma, born Jan 10, 2026.")).to_be_visible()
    expect(page.get_by_role("listitem").filter(has_text="Paracetamol, 2.5 ml, spat out half")).to_have_count(1)
    expect(page.get_by_role("heading", level=2)).to_have_count(4)
    assert fits(page)
    assert violations(page) == []
    page.emulate_media(media="print")
    expect(page.get_by_role("button", name="Print")).to_be_hidden()
    assert page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--paper')").strip() == "#fff"
    page.set_viewport_size({"width": 703, "height": 1000})  # 186 mm: A4 without its margins
    assert fits(page)
    assert page.locator("table").evaluate("table => table.getBoundingClientRect().right <= innerWidth")
    page.emulate_media(media="screen")
    page.evaluate("() => { window.printed = 0; window.print = () => { window.printed += 1; }; }")
    page.get_by_role("button", name="Print").click()
    assert page.evaluate("window.printed") == 1


# --- The day's ribbon -----------------------------------------------------------------------------------------


@LOOKS
def test_ribbon(open_screen, look):
    running = event("sleep", NOW - datetime.timedelta(minutes=30), type="nap", ended_at=None)
    page = open_screen("ribbon", [*days(2), running], look=look, width=320)
    picture = page.get_by_role("img", name="The day: 2 feeds, 1 diaper, 1 h 30 min asleep")
    expect(picture).to_be_visible()
    expect(picture.locator(".goes-on")).to_have_count(1)
    expect(picture.locator(".now")).to_have_count(1)
    assert fits(page)


def test_hours_and_places_across_a_change_of_clocks(open_screen):
    """31 October in New York lasts from 07:00 to 07:00 of the next day, 25 hours."""
    page = open_screen("ribbon", days(1))
    hours, places = page.evaluate("""async () => {
        const { hoursBetween } = await import("/app/charts/ribbon.js");
        const { placeOf } = await import("/app/charts/sleep-pattern.js");
        const at = (text) => Date.parse(text);
        const day = [at("2026-10-31T11:00:00Z"), at("2026-11-01T12:00:00Z")];
        const times = ["10:00", "11:00", "17:00"].map((time) => at(`2026-10-31T${time}:00Z`))
            .concat(["05:30", "06:30", "11:00", "12:00"].map((time) => at(`2026-11-01T${time}:00Z`)));
        return [
            hoursBetween(...day, "America/New_York", 6)
                .map(({ moment, hour }) => [new Date(moment).toISOString(), hour]),
            times.map((time) => placeOf(time, day, "America/New_York", 7 * 60) * 24),
        ];
    }""")
    assert hours == [
        ["2026-10-31T16:00:00.000Z", 12],
        ["2026-10-31T22:00:00.000Z", 18],
        ["2026-11-01T04:00:00.000Z", 0],
        ["2026-11-01T11:00:00.000Z", 6],
    ]
    # Half past one comes twice, and is in one place; before and after the day are its ends.
    assert [round(place, 6) for place in places] == [0, 0, 6, 18.5, 18.5, 23, 24]


# --- Growth ---------------------------------------------------------------------------------------------------

MEASURED = [
    event(
        "measurement",
        datetime.datetime(2026, 3, 10, 15, tzinfo=datetime.timezone.utc),
        weight_g=5500,
        length_cm=58.0,
        head_cm=None,
    ),
    event(
        "measurement",
        datetime.datetime(2026, 6, 9, 15, tzinfo=datetime.timezone.utc),
        weight_g=6900,
        length_cm=64.5,
        head_cm=42.0,
    ),
]


@LOOKS
def test_growth_asks_once_and_tells_nobody(open_screen, look):
    asked = []
    page = open_screen("growth", MEASURED, look=look, width=320, api=lambda route: asked.append(route.request.url))
    expect(page.get_by_text("Which is Emma’s?")).to_be_visible()
    expect(page.locator("svg.growth")).to_have_count(0)
    page.get_by_role("radio", name="Girls").check(force=True)
    expect(page.get_by_text("6.9 kg").first).to_be_visible()
    expect(page.locator("svg.growth .point")).to_have_count(2)
    expect(page.locator("svg.growth .curve")).to_have_count(5)
    assert fits(page)
    assert violations(page) == []
    assert page.locator("[style]").count() == 0
    page.reload()
    expect(page.get_by_role("radio", name="Girls")).to_be_checked()
    expect(page.locator("svg.growth .point")).to_have_count(2)
    assert asked == []


def test_growth_percentiles_and_the_other_measures(open_screen):
    page = open_screen("growth", MEASURED)
    page.get_by_role("radio", name="Girls").check(force=True)
    # At 150 days; z of pygrowup2: 0.04.
    expect(page.get_by_role("list", name="Weight, latest first").get_by_role("listitem").first).to_contain_text(
        "P52, z +0.04"
    )
    page.get_by_role("radio", name="Head").check(force=True)
    expect(page.get_by_role("list", name="Head, latest first").get_by_role("listitem")).to_have_count(1)


def test_growth_of_a_child_born_early(open_screen):
    page = open_screen("growth", MEASURED)
    page.get_by_role("radio", name="Girls").check(force=True)
    first = page.get_by_role("list", name="Weight, latest first").get_by_role("listitem").first
    expect(first).to_contain_text("21 weeks")
    page.get_by_text("Born early?").click()
    page.get_by_label("Due date").fill("2026-03-07")
    expect(page.get_by_text("Born 8 weeks early")).to_be_visible()
    expect(first).to_contain_text("corrected age 13 weeks")


# --- Import and export ----------------------------------------------------------------------------------------

FEEDINGS = """id,child_first_name,start,end,type,method,amount,notes,tags
1,Emma,2026-02-25 07:00:00,2026-02-25 07:20:00,breast milk,left breast,,,
2,Emma,2026-02-25 10:00:00,2026-02-25 10:10:00,formula,bottle,4,,night
3,Emma,2026-02-25 13:00:00,yesterday,formula,bottle,4,"a, b",
4,Noah,2026-02-25 13:00:00,2026-02-25 13:10:00,formula,bottle,3.5,<b>bold</b>,
"""


class Server:
    """Takes batches; `delay` answers late."""

    def __init__(self):
        self.held, self.requests = {}, 0

    def __call__(self, route):
        request = route.request
        if request.url.endswith("/api/openapi.json"):
            kinds = ("feedings", "diapers", "sleeps", "notes")
            return route.fulfill(json={"paths": {f"/api/v1/children/{{childId}}/{kind}": {} for kind in kinds}})
        child = request.url.split("/children/")[1].split("/")[0]
        self.requests += 1
        items = request.post_data_json["events"]
        self.held |= {one["event"]["id"]: (child, one) for one in items}
        made = {"child_id": child, "revision": 1, "created_at": wire(NOW), "updated_at": wire(NOW)}
        answered = [{"type": one["type"], "event": one["event"] | made} for one in items]
        return route.fulfill(status=201, json={"events": answered, "count": len(items)})


def choose(page, name, text):
    page.locator("input[type=file]").set_input_files({"name": name, "mimeType": "text/csv", "buffer": text.encode()})


def test_import_shows_first_then_sends_and_a_second_time_adds_nothing(open_screen):
    server = Server()
    page = open_screen("import", api=server, width=320)
    choose(page, "feeding.csv", FEEDINGS)
    expect(page.get_by_role("heading", name="3 entries to import")).to_be_visible()
    expect(page.get_by_text("Feedings: 4 rows. Columns that aren’t taken: tags")).to_be_visible()
    expect(page.get_by_label("“Emma” (3)")).to_have_value(EMMA["id"])
    expect(page.get_by_label("“Noah” (1)")).to_have_value(NOAH["id"])
    expect(page.get_by_label("Times in the files are of")).to_have_value("America/New_York")
    expect(page.get_by_role("radio", name="fl oz")).to_be_checked()
    expect(page.get_by_text("feeding.csv, line 4: the end “yesterday” is no time")).to_be_visible()
    expect(page.locator("b")).to_have_count(0)
    assert server.requests == 0
    assert violations(page) == []
    assert fits(page)
    page.get_by_role("button", name="Import 3 entries").click()
    expect(page.get_by_role("heading", name="Imported")).to_be_visible()
    expect(page.get_by_text("3 entries are in.")).to_be_visible()
    assert violations(page) == []
    by_child = [child for child, _ in server.held.values()]
    assert sorted(by_child) == [EMMA["id"], EMMA["id"], NOAH["id"]]
    bottle = next(one["event"] for _, one in server.held.values() if one["event"].get("amount_ml") == 118.3)
    assert bottle["started_at"] == "2026-02-25T15:00:00.000Z"

    # As the changes feed brings them; then the same file again.
    arrived = [
        {"type": one["type"], "at": one["event"]["started_at"], "event": one["event"] | {"child_id": child}}
        for child, one in server.held.values()
    ]
    page.evaluate("events => window.add(events)", arrived)
    page.get_by_role("button", name="Import more").click()
    choose(page, "feeding.csv", FEEDINGS)
    expect(page.get_by_role("heading", name="Nothing new to import")).to_be_visible()
    expect(page.get_by_text("3 are here already.")).to_be_visible()
    assert page.get_by_role("button", name="Import 3").count() == 0


def test_what_a_file_does_not_say_is_asked(open_screen):
    server = Server()
    page = open_screen("import", api=server, width=320)
    choose(page, "calendar.csv", "Start,End,Notes\n2026-02-25 13:00:00,2026-02-25 14:00:00,in the pram\n")
    expect(page.get_by_text("2026-02-25 13:00:00 · 2026-02-25 14:00:00 · in the pram")).to_be_visible()
    expect(page.get_by_role("heading", name="Nothing new to import")).to_be_visible()
    assert page.get_by_role("button", name="Import 1 entry").count() == 0
    assert violations(page) == []
    assert fits(page)
    question = page.get_by_label("What is in calendar.csv?")
    question.select_option("Tummy times")
    question.select_option("Sleeps")
    expect(page.get_by_role("heading", name="1 entry to import")).to_be_visible()
    question.select_option("Leave out")
    expect(page.get_by_role("heading", name="Nothing new to import")).to_be_visible()
    question.select_option("Sleeps")
    page.get_by_role("button", name="Import 1 entry").click()
    expect(page.get_by_text("1 entry is in.")).to_be_visible()
    assert [one["type"] for _, one in server.held.values()] == ["sleep"]


def test_rows_that_were_not_taken_can_be_saved(open_screen):
    page = open_screen("import", api=Server())
    choose(page, "feeding.csv", FEEDINGS)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save those of feeding.csv").click()
    assert download.value.suggested_filename == "feeding-not-taken.csv"
    rows = list(csv.DictReader(io.StringIO(pathlib.Path(download.value.path()).read_text())))
    assert [(row["line"], row["id"], row["notes"]) for row in rows] == [("4", "3", "a, b")]
    assert rows[0]["reason"].startswith("the end “yesterday”")


def test_another_zone_another_child_and_a_kind_without_a_place(open_screen):
    server = Server()
    page = open_screen("import", api=server)
    page.locator("input[type=file]").set_input_files([
        {"name": "note.csv", "mimeType": "text/csv", "buffer": b"child_id,note,time\n7,Hello,2026-02-25 07:00:00"},
        {"name": "temperature.csv", "mimeType": "text/csv",
         "buffer": b"child_id,temperature,time\n7,37.2,2026-02-25 07:00:00"},
        {"name": "bmi.csv", "mimeType": "text/csv", "buffer": b"child_id,bmi,date\n7,15,2026-02-25"},
    ])  # fmt: skip
    expect(page.get_by_text("this server has no place for these yet")).to_be_visible()
    expect(page.get_by_text("Not taken: BMI follows from weight and height")).to_be_visible()
    page.get_by_label("Times in the files are of").select_option("Europe/Berlin")
    page.get_by_label("“7” (2)").select_option(NOAH["id"])
    expect(page.get_by_text("Feb 25, 1:00 AM, Noah")).to_be_visible()
    page.get_by_role("button", name="Import 1 entry").click()
    expect(page.get_by_text("1 entry is in.")).to_be_visible()
    [(child, one)] = server.held.values()
    assert (child, one["event"]["occurred_at"]) == (NOAH["id"], "2026-02-25T06:00:00.000Z")


def test_ten_thousand_rows_can_be_stopped_and_gone_on_with(open_screen):
    start = datetime.datetime(2025, 1, 1)
    times = [start + datetime.timedelta(minutes=45 * place) for place in range(10_000)]
    text = "child_id,time,wet,solid\n" + "\n".join(f"1,{time:%Y-%m-%d %H:%M:%S},1,0" for time in times)
    server = Server()
    page = open_screen("import", api=server)
    choose(page, "diaperchange.csv", text)
    expect(page.get_by_role("button", name="Import 10,000 entries")).to_be_visible(timeout=20_000)
    page.get_by_role("button", name="Import 10,000 entries").click()
    expect(page.get_by_role("status")).to_contain_text("of 10,000")
    expect(page.get_by_role("status")).to_contain_text(re.compile("[1-9].*00 of"), timeout=20_000)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("heading", name="Not everything is imported yet")).to_be_visible()
    assert 0 < len(server.held) < 10_000
    # How requests are paced is upload.test.mjs's matter; here it only has to go on.
    page.get_by_role("button", name="Import more").click()
    arrived = [
        {"type": "diaper", "at": one["event"]["occurred_at"], "event": one["event"] | {"child_id": child}}
        for child, one in server.held.values()
    ]
    page.evaluate("events => window.add(events)", arrived)
    choose(page, "diaperchange.csv", text)
    expect(page.get_by_role("button", name=f"Import {10_000 - len(server.held):,} entries")).to_be_visible(
        timeout=20_000
    )


TWINS = (
    "child_first_name,child_last_name,start,end,type,method,amount\n"
    'Baby A,Smith,2026-02-25 07:00:00,,formula,bottle,"1,000"\nBaby B,Smith,2026-02-25 10:00:00,,formula,bottle,900\n'
)


@LOOKS
def test_what_isnt_clear_is_asked_before_anything_is_sent(open_screen, look):
    """Whose the rows are, and what can be read two ways."""
    children = [{**EMMA, "name": "Baby A"}, {**NOAH, "name": "Rosa"}]
    server = Server()
    page = open_screen("import", api=server, width=320, look=look, child=children[0], children=children)
    choose(page, "feeding.csv", TWINS)
    expect(page.get_by_label("“Baby A Smith” (1)")).to_have_value(EMMA["id"])
    expect(page.get_by_label("“Baby B Smith” (1)")).to_have_value("?")
    expect(page.get_by_text("1 row: choose above whose it is.")).to_be_visible()
    expect(page.get_by_text("the amount “1,000” can be read as 1 or 1000")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("^Import "))).to_have_count(0)
    assert violations(page) == []
    assert fits(page)
    page.get_by_role("radio", name="1.5").check(force=True)
    expect(page.get_by_text("Bottle, 1000 ml, formula")).to_be_visible()
    page.get_by_label("“Baby B Smith” (1)").select_option(EMMA["id"])
    expect(page.get_by_text("“Baby A Smith” and “Baby B Smith” both go to Baby A.")).to_be_visible()
    page.get_by_label("“Baby B Smith” (1)").select_option(NOAH["id"])
    expect(page.get_by_text("both go to")).to_have_count(0)
    page.get_by_role("button", name="Import 2 entries").click()
    expect(page.get_by_text("2 entries are in.")).to_be_visible()
    assert sorted((child, one["event"]["amount_ml"]) for child, one in server.held.values()) == [(EMMA["id"], 1000), (NOAH["id"], 900)]


def test_rows_without_a_child_that_another_has_are_asked_about(open_screen):
    server = Server()
    page = open_screen("import", api=server, width=320)
    text = "note,time\nHello,2026-02-25 07:00:00"
    choose(page, "note.csv", text)
    page.get_by_role("button", name="Import 1 entry").click()
    expect(page.get_by_text("1 entry is in.")).to_be_visible()
    [(child, one)] = server.held.values()
    at = one["event"]["occurred_at"]
    more = {"child_id": child, "created_at": at, "updated_at": at, "revision": 1}
    page.evaluate("events => window.add(events)", [{"type": "note", "at": at, "event": one["event"] | more}])
    page.get_by_role("button", name="Import more").click()
    choose(page, "note.csv", text)
    expect(page.get_by_text("1 is here already.")).to_be_visible()
    page.get_by_label("Rows without a child (1)").select_option(NOAH["id"])
    asked = page.get_by_role("group", name=re.compile("are here already, with another child"))
    expect(asked).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("^(Import|Change) "))).to_have_count(0)
    assert violations(page) == []
    asked.get_by_role("radio", name="Move them").check(force=True)
    expect(page.get_by_text("Emma → Noah")).to_be_visible()
    expect(page.get_by_role("button", name="Change 1 entry")).to_be_visible()
    asked.get_by_role("radio", name="Add them").check(force=True)
    expect(page.get_by_role("button", name="Import 1 entry")).to_be_visible()


@LOOKS
def test_earlier_imports_are_listed_with_their_way_back(open_screen, look):
    made = {"created_at": wire(NOW), "updated_at": wire(NOW), "created_by": {"user_id": "a", "name": "Jo"}, "revision": 3}
    events = [event("diaper", NOW - datetime.timedelta(hours=hours), type="wet", **made) for hours in range(3)]
    for place, one in enumerate(events):
        one["event"]["id"] = f"00000000-0000-8000-8000-00000000000{place}"
    page = open_screen("import", events + days(2), width=320, look=look)
    expect(page.get_by_text("3 entries by Jo")).to_be_visible()
    assert violations(page) == []
    assert fits(page)
    page.get_by_role("button", name="Undo this import").click()
    expect(page.get_by_role("dialog").get_by_text("3 entries that it made are deleted.")).to_be_visible()
    assert violations(page) == []
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_viewers_import_nothing(open_screen):
    page = open_screen("import", role="viewer")
    expect(page.get_by_text("You’re a viewer in Miller’s Family")).to_be_visible()
    expect(page.locator("input[type=file]")).to_have_count(0)


@LOOKS
def test_export_saves_what_import_reads(open_screen, look):
    page = open_screen("export", days(3), look=look, width=320)
    expect(page.get_by_role("button", name="Save 6 feeds")).to_be_visible()
    assert violations(page) == []
    assert fits(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save 6 feeds").click()
    assert download.value.suggested_filename == "Miller-s-Family-feedings-2026-06-10.csv"
    rows = list(csv.DictReader(io.StringIO(pathlib.Path(download.value.path()).read_text(), newline="")))
    assert len(rows) == 6
    assert rows[-1]["started_at"] == "2026-06-10T11:00:00-04:00"
    with page.expect_download() as download:
        page.get_by_role("button", name="Save everything").click()
    everything = json.loads(pathlib.Path(download.value.path()).read_text())
    assert [child["name"] for child in everything["children"]] == ["Emma", "Noah"]
    assert len(everything["children"][0]["events"]) == len(days(3))
