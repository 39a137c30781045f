"""Import and export in the app as it is served, against the real server: what is sent is taken, once."""

import datetime
import json
import os
import pathlib

import pytest
from playwright.sync_api import expect, sync_playwright

SAME_ORIGIN = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=arguments)
        yield browser
        browser.close()


@pytest.fixture
def johnny(person):
    johnny = person("Johnny")
    johnny.family = johnny.create_family()
    johnny.child = johnny.create_child(johnny.family, "Ada")
    return johnny


@pytest.fixture
def app(browser, stack, johnny):
    """The app, signed in; whatever it complains of fails the test."""
    credentials = {"email": johnny.email, "password": johnny.password, "session": "cookie"}
    with stack.client() as client:
        answer = client.post("/api/v1/auth/login", json=credentials, headers=SAME_ORIGIN)
    if (
        "set-cookie" not in answer.headers
        or not (pathlib.Path(__file__).parents[3] / "deploy/www/app/main.js").exists()
    ):
        pytest.skip("needs the web app and sessions in cookies")
    name, _, rest = answer.headers["set-cookie"].partition("=")
    context = browser.new_context(
        locale="en-US", ignore_https_errors=True, service_workers="block", viewport={"width": 390, "height": 844}
    )
    context.add_cookies([{
        "name": name, "value": rest.partition(";")[0], "url": stack.base_url, "secure": True, "httpOnly": True,
        "sameSite": "Strict",
    }])  # fmt: skip
    page = context.new_page()
    complaints = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(stack.base_url + "/robots-are-not-here")
    page.evaluate("account => localStorage.setItem('account', account)", json.dumps(answer.json()["user"]))
    page.goto(stack.base_url + "/#/import")
    yield page
    context.close()
    assert complaints == []


def choose(page, name, text):
    page.locator("input[type=file]").set_input_files({"name": name, "mimeType": "text/csv", "buffer": text.encode()})


def all_of(johnny):
    found, cursor = [], ""
    while cursor is not None:
        answer = johnny.ok("GET", f"/children/{johnny.child}/timeline?limit=200{cursor and f'&cursor={cursor}'}")
        found += answer["events"]
        cursor = answer["next_cursor"]
    return found


SLEEPS = "child_id,start,end,nap,notes\n" + "".join(
    f"1,2026-02-{day:02} {hour:02}:00:00,2026-02-{day:02} {hour:02}:40:00,1,<b>{day}</b>\n"
    for day in range(1, 29)
    for hour in range(24)
)


def test_import_for_real_twice_and_export(app, johnny):
    choose(app, "sleep.csv", SLEEPS + "1,2026-02-25 07:00:00,2026-02-27 07:00:00,0,too long\n")
    expect(app.get_by_text("sleep.csv, line 674: it lasts over 24 hours")).to_be_visible(timeout=20_000)
    app.get_by_role("button", name="Import 672 entries").click()
    expect(app.get_by_text("672 entries are in.")).to_be_visible(timeout=30_000)
    events = all_of(johnny)
    assert len(events) == 672
    first = events[-1]
    assert first["at"] == "2026-02-01T05:00:00.000Z"
    assert (first["event"]["type"], first["event"]["notes"]) == ("nap", "<b>1</b>")

    # Once they are on this device nothing is left of the same file.
    app.get_by_role("button", name="Import more").click()

    def again():
        choose(app, "sleep.csv", SLEEPS)
        expect(app.get_by_role("heading", name="Nothing new to import")).to_be_visible(timeout=5_000)

    wait_for(again)
    expect(app.get_by_text("672 are here already.")).to_be_visible()

    app.goto(app.url.replace("#/import", "#/export"))
    with app.expect_download() as download:
        app.get_by_role("button", name="Save everything").click()
    everything = json.loads(pathlib.Path(download.value.path()).read_text())
    mine = {one["event"]["id"]: one["event"] for one in everything["children"][0]["events"]}
    assert mine.keys() == {one["event"]["id"] for one in events}


FILES = {
    "pumping.csv": "child_id,start,end,amount\n1,2026-02-25 07:00:00,2026-02-25 07:20:00,120\n",
    "temperature.csv": "child_id,temperature,time\n1,100.4,2026-02-25 08:00:00\n",
    "weight.csv": "child_id,weight,date\n1,5.25,2026-02-25\n",
    "height.csv": "child_id,height,date\n1,58.5,2026-02-26\n",
    "headcircumference.csv": "child_id,head_circumference,date\n1,40.5,2026-02-27\n",
    "tummytime.csv": "child_id,start,end,milestone\n1,2026-02-25 09:00:00,2026-02-25 09:10:00,Rolled over\n",
}


def test_the_other_kinds_of_baby_buddy(app, johnny):
    app.locator("input[type=file]").set_input_files([
        {"name": name, "mimeType": "text/csv", "buffer": text.encode()} for name, text in FILES.items()
    ])  # fmt: skip
    app.get_by_role("button", name="Import 6 entries").click()
    expect(app.get_by_text("6 entries are in.")).to_be_visible()
    found = {(one["type"], one["at"][:10]): one["event"] for one in all_of(johnny)}
    assert found["pumping", "2026-02-25"]["amount_ml"] == 120
    assert found["temperature", "2026-02-25"]["celsius"] == 38
    assert found["measurement", "2026-02-25"]["weight_g"] == 5250
    assert found["measurement", "2026-02-26"]["length_cm"] == 58.5
    assert found["measurement", "2026-02-27"]["head_cm"] == 40.5
    assert (found["activity", "2026-02-25"]["name"], found["activity", "2026-02-25"]["notes"]) == ("Tummy time", "Rolled over")


def diapers(count):
    start = datetime.datetime(2025, 6, 1)
    times = (start + datetime.timedelta(minutes=45 * place) for place in range(count))
    return "child_id,time,wet,solid\n" + "\n".join(f"1,{time:%Y-%m-%d %H:%M:%S},1,0" for time in times)


def test_an_import_that_is_cut_off_goes_on_by_itself(app, johnny):
    """By the network, by the limit of requests, and by looking at another screen."""
    refused = []

    def limit(route):
        if len(refused) < 1:
            refused.append(route)
            return route.fulfill(status=429, headers={"Retry-After": "1"}, json={"error": {"code": "RATE_LIMITED", "message": "No"}})
        return route.fallback()

    status = app.locator(".import-sending").get_by_role("status")
    choose(app, "diaperchange.csv", diapers(2_000))
    app.context.route("**/events", limit)
    app.get_by_role("button", name="Import 2,000 entries").click()
    expect(status).to_contain_text("Waiting for the server’s limit")
    expect(status).to_contain_text("500 of", timeout=20_000)
    app.context.set_offline(True)
    expect(status).to_contain_text("No connection", timeout=20_000)
    app.get_by_role("link", name="Today").click()
    expect(app.get_by_role("heading", name="Ada")).to_be_visible()
    app.context.set_offline(False)
    app.goto(app.url.replace("#/today", "#/import"))
    expect(app.get_by_text("2,000 entries are in.")).to_be_visible(timeout=40_000)
    assert len({one["event"]["id"] for one in all_of(johnny)}) == 2_000


def test_growth_tables_are_served(app):
    app.goto(app.url.replace("#/import", "#/growth"))
    app.get_by_role("radio", name="Boys").check(force=True)
    expect(app.locator("svg.growth .curve")).to_have_count(5, timeout=15_000)
    expect(app.get_by_text("Nothing measured yet")).to_be_visible()


def test_what_the_server_alone_knows_to_refuse(app, johnny):
    """A second sleep that is still running: the server names it, the rest is taken."""
    started = johnny.ok("POST", f"/children/{johnny.child}/sleeps", {"started_at": minutes_ago(40)}, status=201)
    ended = "1,2026-02-{day} 07:00:00,2026-02-{day} 08:00:00\n"
    choose(app, "sleep.csv", f"child_id,start,end\n{ended.format(day=25)}1,{minutes_ago(20)},\n{ended.format(day=26)}")
    app.get_by_role("button", name="Import 3 entries").click()
    expect(app.get_by_text("2 entries are in.")).to_be_visible(timeout=30_000)
    expect(app.get_by_text("sleep.csv, line 3:")).to_be_visible()
    ids = [one["event"]["id"] for one in all_of(johnny)]
    assert len(ids) == 3 and started["sleep"]["id"] in ids


def minutes_ago(minutes):
    moment = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(minutes=minutes)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def wait_for(attempt, times=10):
    for left in reversed(range(times)):
        try:
            return attempt()
        except AssertionError:
            if not left:
                raise
