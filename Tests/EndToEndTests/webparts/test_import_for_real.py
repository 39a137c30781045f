"""Import and export in the app as it is served, against the real server: what is sent is taken, once."""

import datetime
import json
import pathlib
import re
import time

import pytest
from playwright.sync_api import expect
from real import signed_in


@pytest.fixture
def johnny(person):
    johnny = person("Johnny")
    johnny.family = johnny.create_family()
    johnny.child = johnny.create_child(johnny.family, "Ada")
    return johnny


@pytest.fixture
def app(chromium, johnny):
    with signed_in(chromium, johnny, "import") as page:
        yield page


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
    asked, cut = [], [True]

    def limit(route):
        asked.append(route)
        if len(asked) == 1:
            return route.fulfill(status=429, headers={"Retry-After": "1"}, json={"error": {"code": "RATE_LIMITED", "message": "No"}})
        return route.abort() if len(asked) > 2 and cut else route.fallback()

    status = app.locator(".import-sending").get_by_role("status")
    choose(app, "diaperchange.csv", diapers(2_000))
    app.context.route("**/events", limit)
    app.get_by_role("button", name="Import 2,000 entries").click()
    expect(status).to_contain_text("Waiting for the server’s limit")
    expect(status).to_contain_text("No connection", timeout=20_000)
    assert 0 < len(all_of(johnny)) < 2_000
    app.get_by_role("link", name="Today").click()
    expect(app.get_by_role("heading", name="Ada")).to_be_visible()
    cut.clear()
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


def imported(app, johnny, name, text, count):
    choose(app, name, text)
    app.get_by_role("button", name=f"Import {count} entr").click()
    expect(app.get_by_text(re.compile(f"^{count} entr(y is|ies are) in"))).to_be_visible(timeout=30_000)


def arrived(app, johnny):
    """All that the server has is on this device."""
    expect(app.get_by_role("heading", level=1, name="Import")).to_be_visible()

    def check():
        revisions = app.evaluate(
            """async () => {
                const { id } = JSON.parse(localStorage.getItem("account"));
                const open = indexedDB.open(`baby-basics-${id}`);
                const database = await new Promise((resolve) => { open.onsuccess = () => resolve(open.result); });
                const all = database.transaction("events").objectStore("events").getAll();
                const found = await new Promise((resolve) => { all.onsuccess = () => resolve(all.result); });
                database.close();
                return found.map(({ event }) => [event.id, event.revision]);
            }"""
        )
        assert dict(revisions) == {one["event"]["id"]: one["event"]["revision"] for one in all_of(johnny)}
        return True

    for _ in range(50):
        try:
            return check()
        except AssertionError:
            app.wait_for_timeout(200)
    return check()


FEEDS = (
    "child_id,start,end,type,method,amount\n"
    "1,2026-02-25 07:00:00,2026-02-25 07:20:00,formula,bottle,20\n"
    "1,2026-02-25 10:00:00,2026-02-25 10:20:00,formula,bottle,18\n"
    "1,2026-02-25 13:00:00,2026-02-25 13:20:00,formula,bottle,\"16,5\"\n"
)


def test_other_answers_change_what_is_there_and_leave_what_somebody_changed(app, johnny):
    imported(app, johnny, "feeding.csv", FEEDS, 3)
    arrived(app, johnny)
    newest, *others = all_of(johnny)
    assert newest["event"]["amount_ml"] == 16.5
    johnny.ok("PATCH", f"/children/{johnny.child}/feedings/{newest['event']['id']}", {"notes": "half of it spat out"})
    arrived(app, johnny)

    app.get_by_role("button", name="Import more").click()
    choose(app, "feeding.csv", FEEDS)
    expect(app.get_by_text("2 are here already.")).to_be_visible()
    app.get_by_role("radio", name="fl oz").check(force=True)
    expect(app.get_by_role("heading", name="2 entries to change")).to_be_visible()
    expect(app.get_by_text("1 was changed here after the import, and stays as it is:")).to_be_visible()
    expect(app.get_by_text("20 ml → 591.5 ml")).to_be_visible()
    app.get_by_role("button", name="Change 2 entries").click()
    expect(app.get_by_text("0 entries are in, 2 are changed.")).to_be_visible()
    after = {one["event"]["id"]: one["event"] for one in all_of(johnny)}
    assert len(after) == 3
    assert after[newest["event"]["id"]]["amount_ml"] == 16.5 and after[newest["event"]["id"]]["notes"] == "half of it spat out"
    assert sorted(after[one["event"]["id"]]["amount_ml"] for one in others) == [532.3, 591.5]

    # And back again: what the second run changed is the import's own. An answer that is lost changes nothing of that.
    # Then all of it is undone but what somebody changed.
    arrived(app, johnny)
    lost = []

    def lose(route):
        if route.request.method == "PATCH" and not lost:
            request = route.request
            headers = {"If-Match": request.headers["if-match"]}
            path = "/api/v1" + request.url.split("/api/v1")[1]
            lost.append(johnny.http.patch(path, json=request.post_data_json, headers=headers).status_code)
            return route.abort("connectionreset")
        return route.fallback()

    app.context.route("**/feedings/*", lose)
    app.get_by_role("button", name="Import more").click()
    choose(app, "feeding.csv", FEEDS)
    app.get_by_role("radio", name="ml", exact=True).check(force=True)
    app.get_by_role("button", name="Change 2 entries").click()
    expect(app.get_by_text("2 are changed.")).to_be_visible()
    assert lost == [200]
    arrived(app, johnny)
    app.get_by_role("button", name="Import more").click()
    expect(app.get_by_text("3 entries from feeding.csv")).to_be_visible()
    app.get_by_role("button", name="Undo this import").click()
    dialog = app.get_by_role("dialog")
    expect(dialog.get_by_text("2 entries that it made are deleted. 1 was changed since, and stays.")).to_be_visible()
    dialog.get_by_role("button", name="Delete 2 entries").click()
    expect(app.get_by_role("heading", name="Undone")).to_be_visible()
    expect(app.get_by_text("2 entries are deleted.")).to_be_visible()
    expect(app.get_by_text("1 was changed since the import, and stays.")).to_be_visible()
    assert [one["event"]["id"] for one in all_of(johnny)] == [newest["event"]["id"]]
    app.get_by_role("button", name="Back to Import").click()
    app.wait_for_timeout(500)
    expect(app.get_by_text("Imported in the last 30 days")).to_have_count(0)

    # Undone, it can be imported again; what stayed isn't doubled.
    arrived(app, johnny)
    choose(app, "feeding.csv", FEEDS)
    expect(app.get_by_text("1 was changed here after the import, and stays as it is:")).to_be_visible()
    app.get_by_role("button", name="Import 2 entries").click()
    expect(app.get_by_text("2 entries are in.")).to_be_visible()
    assert len(all_of(johnny)) == 3


def test_what_somebody_changes_while_the_answers_are_looked_at_stays(app, johnny):
    imported(app, johnny, "feeding.csv", FEEDS, 3)
    arrived(app, johnny)
    app.get_by_role("button", name="Import more").click()
    choose(app, "feeding.csv", FEEDS)
    app.get_by_label("Times in the files are of").select_option("Europe/Berlin")
    change = app.get_by_role("button", name="Change 3 entries")
    expect(change).to_be_visible()
    gone, edited, kept = (one["event"]["id"] for one in all_of(johnny))
    johnny.ok("DELETE", f"/children/{johnny.child}/feedings/{gone}", status=204)
    johnny.ok("PATCH", f"/children/{johnny.child}/feedings/{edited}", {"started_at": "2026-02-25T15:05:00Z"})
    change.click()
    expect(app.get_by_text("0 entries are in, 1 is changed.")).to_be_visible()
    expect(app.get_by_text("2 were changed by somebody in the meantime, and stay as they are.")).to_be_visible()
    after = {one["event"]["id"]: one["event"]["started_at"] for one in all_of(johnny)}
    assert after == {edited: "2026-02-25T15:05:00.000Z", kept: "2026-02-25T06:00:00.000Z"}


def test_a_lost_answer_doesnt_make_somebodys_change_the_imports_own(app, johnny):
    imported(app, johnny, "feeding.csv", FEEDS, 3)
    arrived(app, johnny)
    lost = []

    def lose(route):
        if route.request.method == "PATCH" and not lost:
            request = route.request
            path = request.url.split("/api/v1")[1]
            lost.append(johnny.http.patch(f"/api/v1{path}", json=request.post_data_json, headers={"If-Match": request.headers["if-match"]}).status_code)
            johnny.ok("PATCH", path, {"notes": "she liked it"})
            return route.abort("connectionreset")
        return route.fallback()

    app.context.route("**/feedings/*", lose)
    app.get_by_role("button", name="Import more").click()
    choose(app, "feeding.csv", FEEDS)
    app.get_by_label("Times in the files are of").select_option("Europe/Berlin")
    app.get_by_role("button", name="Change 3 entries").click()
    expect(app.get_by_text("3 are changed.")).to_be_visible()
    arrived(app, johnny)
    app.get_by_role("button", name="Import more").click()
    app.get_by_role("button", name="Undo this import").click()
    app.get_by_role("dialog").get_by_role("button", name="Delete 2 entries").click()
    expect(app.get_by_text("1 was changed since the import, and stays.")).to_be_visible()
    assert lost == [200] and [one["event"]["notes"] for one in all_of(johnny)] == ["she liked it"]


def test_a_child_that_was_chosen_wrongly_is_put_right(app, johnny):
    zoe = johnny.create_child(johnny.family, "Zoe")
    app.reload()
    text = FEEDS.replace("\n1,", "\n7,")
    imported(app, johnny, "feeding.csv", text, 3)
    arrived(app, johnny)
    app.get_by_role("button", name="Import more").click()
    choose(app, "feeding.csv", text)
    app.get_by_label("“7” (3)").select_option(label="Zoe")
    expect(app.get_by_text("Ada → Zoe").first).to_be_visible()
    app.get_by_role("button", name="Change 3 entries").click()
    expect(app.get_by_text("0 entries are in, 3 are changed.")).to_be_visible()
    assert all_of(johnny) == []
    assert len(johnny.ok("GET", f"/children/{zoe}/timeline")["events"]) == 3
    # The import's own still: it can be undone.
    app.get_by_role("button", name="Import more").click()
    app.get_by_role("button", name="Undo this import").click()
    app.get_by_role("dialog").get_by_role("button", name="Delete 3 entries").click()
    expect(app.get_by_text("3 entries are deleted.")).to_be_visible()
    assert johnny.ok("GET", f"/children/{zoe}/timeline")["events"] == []


def test_an_import_is_undone_at_once_and_after_the_page_was_closed(app, johnny):
    mine = johnny.ok("POST", f"/children/{johnny.child}/diapers", {"type": "wet", "occurred_at": minutes_ago(5)}, status=201)
    arrived(app, johnny)
    imported(app, johnny, "feeding.csv", FEEDS, 3)
    app.get_by_role("button", name="Undo this import").click()
    app.get_by_role("dialog").get_by_role("button", name="Delete 3 entries").click()
    expect(app.get_by_text("3 entries are deleted.")).to_be_visible()
    assert [one["event"]["id"] for one in all_of(johnny)] == [mine["diaper"]["id"]]

    # What was deleted by hand and by somebody else meanwhile is gone, and said to be.
    arrived(app, johnny)
    app.get_by_role("button", name="Back to Import").click()
    imported(app, johnny, "sleep.csv", "child_id,start,end\n" + "".join(
        f"1,2026-02-{day:02} 07:00:00,2026-02-{day:02} 08:00:00\n" for day in range(1, 11)
    ), 10)  # fmt: skip
    app.reload()
    expect(app.get_by_text("10 entries from sleep.csv")).to_be_visible()
    arrived(app, johnny)
    app.get_by_role("button", name="Undo this import").click()
    confirm = app.get_by_role("dialog").get_by_role("button", name="Delete 10 entries")
    expect(confirm).to_be_visible()
    johnny.ok("DELETE", f"/children/{johnny.child}/sleeps/{all_of(johnny)[-1]['event']['id']}", status=204)
    johnny.ok("PATCH", f"/children/{johnny.child}/sleeps/{all_of(johnny)[-1]['event']['id']}", {"type": "nap"})
    confirm.click()
    expect(app.get_by_role("heading", name="Undone")).to_be_visible()
    expect(app.get_by_text("1 was changed since the import, and stays.")).to_be_visible()
    left = {one["event"]["id"]: one for one in all_of(johnny)}
    assert len(left) == 2 and mine["diaper"]["id"] in left


def test_an_undo_whose_answers_are_lost_and_that_is_stopped_goes_on(app, johnny):
    imported(app, johnny, "diaperchange.csv", diapers(40), 40)
    arrived(app, johnny)
    lost = {}

    def lose(route):
        url = route.request.url
        if route.request.method == "DELETE" and len(lost) < 3 and url not in lost:
            lost[url] = johnny.call("DELETE", url.split("/api/v1")[1]).status_code
            return route.abort("connectionreset")
        return route.fallback()

    app.context.route("**/diapers/*", lose)
    app.get_by_role("button", name="Undo this import").click()
    app.get_by_role("dialog").get_by_role("button", name="Delete 40 entries").click()
    expect(app.get_by_role("heading", name="Undoing the import")).to_be_visible()
    expect(app.locator(".import-sending").get_by_role("status")).to_contain_text("27 of 40", timeout=30_000)
    app.get_by_role("button", name="Stop").click()
    expect(app.get_by_role("heading", name="Not everything is undone yet")).to_be_visible()
    left = len(all_of(johnny))
    assert list(lost.values()) == [204, 204, 204] and 0 < left < 15
    app.reload()
    app.get_by_role("button", name="Undo this import").click()
    app.get_by_role("dialog").get_by_role("button", name=re.compile("^Delete ")).click()
    expect(app.get_by_role("heading", name="Undone")).to_be_visible(timeout=30_000)
    assert all_of(johnny) == []


def test_another_device_can_undo_it_too(app, johnny):
    """It knows an import by its entries' ids; what was logged by hand isn't one."""
    imported(app, johnny, "feeding.csv", FEEDS, 3)
    mine = johnny.ok("POST", f"/children/{johnny.child}/diapers", {"type": "wet", "occurred_at": minutes_ago(5)}, status=201)
    changed = all_of(johnny)[1]["event"]["id"]
    johnny.ok("PATCH", f"/children/{johnny.child}/feedings/{changed}", {"amount_ml": 19})
    arrived(app, johnny)
    # As a device is that never imported anything.
    app.evaluate(
        """async () => {
            const { id } = JSON.parse(localStorage.getItem("account"));
            const open = indexedDB.open(`baby-basics-${id}`);
            const database = await new Promise((resolve) => { open.onsuccess = () => resolve(open.result); });
            const change = database.transaction("meta", "readwrite");
            change.objectStore("meta").delete(IDBKeyRange.bound("import:", "import:\\uffff"));
            await new Promise((resolve) => { change.oncomplete = resolve; });
            database.close();
        }"""
    )
    app.reload()
    expect(app.get_by_text("3 entries by Johnny")).to_be_visible()
    app.get_by_role("button", name="Undo this import").click()
    app.get_by_role("dialog").get_by_role("button", name="Delete 2 entries").click()
    expect(app.get_by_text("1 was changed since the import, and stays.")).to_be_visible()
    assert {one["event"]["id"] for one in all_of(johnny)} == {changed, mine["diaper"]["id"]}


def test_exported_tables_come_back_without_doubling(app, johnny):
    johnny.ok("POST", f"/children/{johnny.child}/feedings", {"type": "bottle", "amount_ml": 112.5, "started_at": minutes_ago(50), "notes": "=1+1"}, status=201)
    johnny.ok("POST", f"/children/{johnny.child}/notes", {"content": "- smiled\n+ laughed", "occurred_at": minutes_ago(40)}, status=201)
    arrived(app, johnny)
    before = all_of(johnny)
    app.goto(app.url.replace("#/import", "#/export"))
    files = []
    app.get_by_role("radio", name="Excel").check(force=True)
    for name in ("Save 1 feed", "Save 1 note"):
        with app.expect_download() as download:
            app.get_by_role("button", name=name).click()
        files.append({"name": download.value.suggested_filename, "mimeType": "text/csv", "buffer": pathlib.Path(download.value.path()).read_bytes()})
    assert all(file["buffer"].startswith(b"\xef\xbb\xbfid,") for file in files)
    assert b"'=1+1" in files[0]["buffer"]
    app.goto(app.url.replace("#/export", "#/import"))
    app.locator("input[type=file]").set_input_files(files)
    expect(app.get_by_role("heading", name="Nothing new to import")).to_be_visible()
    expect(app.get_by_text("2 are here already.")).to_be_visible()
    # In another family of the same person they are entries of their own, with all that they said.
    other = johnny.create_child(johnny.family, "Zoe")
    app.get_by_label("“Ada” (2)").select_option(label="Zoe")
    app.get_by_role("button", name="Import 2 entries").click()
    expect(app.get_by_text("2 entries are in.")).to_be_visible()
    copied = johnny.ok("GET", f"/children/{other}/timeline")["events"]
    told = [[(one["event"].get("notes"), one["event"].get("content"), one["event"].get("amount_ml")) for one in all] for all in (copied, before)]
    assert told[0] == told[1]


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


def huckleberry(count):
    start = datetime.datetime(2026, 2, 1)
    times = (start + datetime.timedelta(minutes=12 * place) for place in range(count))
    header = "Type,Start,End,Duration,Start Condition,Start Location,End Condition,Notes\n"
    return header + "".join(f"Feed,{time:%Y-%m-%d %H:%M},,,Formula,Bottle,{60 + time.minute}ml,\n" for time in times)


COUNT = """async () => {
    const [{ name }] = await indexedDB.databases();
    const ask = (request) => new Promise((resolve) => { request.onsuccess = () => resolve(request.result); });
    const database = await ask(indexedDB.open(name));
    const count = await ask(database.transaction("events").objectStore("events").count());
    database.close();
    return count;
}"""


def test_ten_thousand_rows_of_huckleberry_with_the_tab_closed_in_the_middle(app, johnny):
    """What had arrived by then is there, and is not made again; the rest comes."""
    text = huckleberry(10_000)
    choose(app, "huckleberry.csv", text)
    expect(app.get_by_text("Huckleberry: 10,000 rows")).to_be_visible()
    app.get_by_role("button", name="Import 10,000 entries").click()
    expect(app.locator(".import-sending").get_by_role("status")).to_contain_text(re.compile(r"[2-8],\d00 of"), timeout=30_000)
    address = app.url
    app.on("dialog", lambda dialog: dialog.accept())
    app.goto("about:blank")
    app.goto(address)
    # Chosen before all of it is on this device again: what isn't there yet is known by its id.
    choose(app, "huckleberry.csv", text)
    expect(app.get_by_text(re.compile("entries to import"))).to_be_visible(timeout=20_000)
    app.get_by_role("button", name=re.compile(r"^Import \d")).click()
    expect(app.get_by_text(re.compile("entries are in"))).to_be_visible(timeout=60_000)
    app.wait_for_function(f"async () => (await ({COUNT})()) >= 10_000", timeout=60_000)
    app.reload()
    choose(app, "huckleberry.csv", text)
    expect(app.get_by_text("10,000 are here already.")).to_be_visible(timeout=20_000)
    assert app.evaluate(COUNT) == 10_000


def test_ten_thousand_rows_within_twenty_seconds(app, johnny):
    text = huckleberry(10_000)
    began = time.monotonic()
    choose(app, "huckleberry.csv", text)
    app.get_by_role("button", name="Import 10,000 entries").click(timeout=20_000)
    expect(app.get_by_text("10,000 entries are in.")).to_be_visible(timeout=60_000)
    took = time.monotonic() - began
    print(f"10,000 entries in {took:.1f} s")
    assert took < 20


def test_what_only_a_person_can_say_is_asked_before_anything_is_sent(app, johnny):
    """Days or months first, and the side of feeds that don't say theirs."""
    choose(app, "huckleberry.csv", (
        "Type,Start,End,Duration,Start Condition,Start Location,End Condition,Notes\n"
        "Feed,03/04/2026 01:00 PM,03/04/2026 01:10 PM,0:10,,Breast,,\n"
        "Sleep,03/05/2026 01:00 PM,03/05/2026 02:00 PM,1:00,,,,\n"
    ))  # fmt: skip
    expect(app.get_by_text("Nothing new to import")).to_be_visible()
    app.get_by_role("radio", name="11/25/2026").check(force=True)
    expect(app.get_by_role("button", name="Import 1 entry")).to_be_visible()
    app.get_by_role("radio", name="Right", exact=True).check(force=True)
    app.get_by_role("button", name="Import 2 entries").click()
    expect(app.get_by_text("2 entries are in.")).to_be_visible()
    sleep, feed = all_of(johnny)
    assert (feed["at"], feed["event"]["side"]) == ("2026-03-04T18:00:00.000Z", "right")
    assert sleep["at"] == "2026-03-05T18:00:00.000Z"
