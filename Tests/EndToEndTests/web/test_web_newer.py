"""What is newer than the app or than this device: fields and kinds that it doesn't know, and stores of an older version."""

import json
import re
from datetime import datetime, timedelta, timezone

import pytest
from people import in_the_middle_of_the_day
from playwright.sync_api import expect


def ago(minutes: float) -> str:
    return (datetime.now(timezone.utc) - timedelta(minutes=minutes)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def entry(one, text: str):
    """The sheet of the entry that says this, in the timeline."""
    one.go("timeline")
    one.page.get_by_role("link", name=re.compile(text)).click()
    return one.page.get_by_role("dialog")


def test_minutes_at_the_sides_are_shown_added_up_and_survive_an_edit(phone, household, saved):
    parent = household()
    parent.ok("PATCH", "/users/me", in_the_middle_of_the_day())
    fields = {
        "type": "breast", "side": "both", "left_minutes": 12, "right_minutes": 9, "last_side": "left", "started_at": ago(60), "ended_at": ago(20),
    }
    parent.ok("POST", f"/children/{parent.child}/feedings", fields, 201)
    one = phone(parent)
    one.sees("21 min breast")
    sheet = entry(one, "12 min left, 9 min right, left last")
    sheet.get_by_role("button", name="Add a remark").click()
    sheet.get_by_label("Remark").fill("calm")
    one.tap("Save")
    one.settled()
    event = saved(parent)[0]["event"]
    assert {name: event[name] for name in fields} == {**fields, "started_at": event["started_at"], "ended_at": event["ended_at"]}
    assert event["notes"] == "calm"
    one.go("today")
    one.tap("Breast")
    one.sees("Last time: left")
    expect(one.page.get_by_role("radio", name="Right")).to_be_checked()


def test_who_changed_an_entry_last_is_said(phone, household, person):
    parent = household()
    rosa = person("Rosa")
    rosa.join(parent.invite(parent.family, "caregiver"))
    note = parent.ok("POST", f"/children/{parent.child}/notes", {"content": "Smiled", "occurred_at": ago(60)}, 201)["note"]
    rosa.ok("PATCH", f"/children/{parent.child}/notes/{note['id']}", {"content": "Smiled twice"})
    one = phone(parent)
    expect(entry(one, "Smiled twice")).to_contain_text("changed by Rosa")


def test_a_note_is_marked_for_the_doctor_and_stays_so(phone, household, saved):
    parent = household()
    one = phone(parent)
    one.tap("More")
    one.page.get_by_role("dialog").get_by_role("button", name="Note").click()
    one.page.get_by_role("textbox", name="Note", exact=True).fill("A rash at the neck")
    one.page.get_by_label("For the doctor").check()
    one.tap("Log note")
    one.settled()
    assert saved(parent)[0]["event"]["for_doctor"] is True
    sheet = entry(one, "A rash at the neck.*For the doctor")
    sheet.get_by_role("textbox", name="Note", exact=True).fill("A rash at the neck, gone on Friday")
    one.tap("Save")
    one.settled()
    assert saved(parent)[0]["event"]["for_doctor"] is True
    entry(one, "gone on Friday").get_by_label("For the doctor").uncheck()
    one.tap("Save")
    one.settled()
    assert saved(parent)[0]["event"]["for_doctor"] is False


def test_a_kind_of_a_newer_server_is_shown_as_such_and_kept(phone, household):
    parent = household()
    bath = {"id": "01a1fce8-411e-7001-9aef-970b5ec3f001", "child_id": parent.child, "occurred_at": ago(30), "water": "warm", "revision": 999}
    one = phone(parent)
    one.heading("Ada")
    change = {"revision": 999, "entity": "bath", "id": bath["id"], "op": "upsert", "data": bath}
    one.page.goto("about:blank")  # what the page asks as it goes would get the answer, and forget it
    one.answer("**/changes?**", 200, {"changes": [change], "next_since": 1, "has_more": False}, times=1)
    one.open()
    sheet = entry(one, "Something newer")
    expect(sheet).to_contain_text("logged with a newer version of Baby Basics")
    expect(sheet.get_by_role("button", name="Save")).to_have_count(0)
    expect(sheet.get_by_role("button", name="Delete")).to_have_count(0)
    assert [kept["event"] for kept in one.kept("events")] == [bath]
    assert one.kept("outbox") == []
    one.go("today")
    one.heading("Ada")


FIRST_VERSION = """async ({ account, family, child, events, outbox }) => {
    const opening = indexedDB.open(`baby-basics-${account}`, 1);
    opening.onupgradeneeded = () => {
        const database = opening.result;
        database.createObjectStore('meta');
        database.createObjectStore('families', { keyPath: 'id' });
        database.createObjectStore('members', { keyPath: ['family_id', 'user_id'] });
        database.createObjectStore('children', { keyPath: 'id' }).createIndex('family', 'family_id');
        const events = database.createObjectStore('events', { keyPath: 'id' });
        events.createIndex('time', ['child_id', 'time']);
        events.createIndex('kind', ['child_id', 'type', 'time']);
        events.createIndex('open', ['child_id', 'open']);
        events.createIndex('family', 'family_id');
        const outbox = database.createObjectStore('outbox', { keyPath: 'seq', autoIncrement: true });
        outbox.createIndex('id', 'id');
        outbox.createIndex('family', 'family_id');
        database.createObjectStore('notices', { keyPath: 'key', autoIncrement: true });
    };
    const database = await new Promise((resolve) => { opening.onsuccess = () => resolve(opening.result); });
    const writing = database.transaction(['families', 'children', 'meta', 'events', 'outbox'], 'readwrite');
    writing.objectStore('families').put(family);
    writing.objectStore('children').put(child);
    writing.objectStore('meta').put(true, 'familiesKnown');
    writing.objectStore('meta').put(1000000, `since:${family.id}`);
    for (const one of events) writing.objectStore('events').put(one);
    for (const one of outbox) writing.objectStore('outbox').add(one);
    await new Promise((resolve) => { writing.oncomplete = resolve; });
    database.close();
}"""


def test_a_store_of_the_first_version_is_taken_over(phone, household, saved):
    """Everything in it is there, offline; what waits is sent; what that version passed over is read."""
    parent = household()
    discarded = parent.ok("POST", f"/children/{parent.child}/discards", {"amount_ml": 40, "occurred_at": ago(20)}, 201)["discard"]
    known = parent.ok("POST", f"/children/{parent.child}/notes", {"content": "Kept from before", "occurred_at": ago(60)}, 201)["note"]
    new = {"id": "01a1fce8-411e-7001-9aef-970b5ec3f002", "content": "Waiting since before", "occurred_at": ago(40)}
    bad = {"id": "01a1fce8-411e-7001-9aef-970b5ec3f003", "content": "Refused before", "occurred_at": ago(50)}
    place = {"child_id": parent.child, "family_id": parent.family, "type": "note"}

    def record(event):
        time = datetime.fromisoformat(event["occurred_at"]).timestamp() * 1000
        made = {"created_at": event["occurred_at"], "updated_at": event["occurred_at"], "created_by": {"user_id": parent.user["id"], "name": "Johnny"}}
        return {"id": event["id"], **place, "time": time, "event": {"revision": 0, "child_id": parent.child, **made, **event}}

    def creation(event, **more):
        return {"op": "create", "id": event["id"], **place, "tries": 0, "offset": 0, "event": event, **more}

    one = phone()
    one.context.add_cookies([{
        "name": "__Host-session", "value": parent.token, "url": one.stack.base_url, "secure": True, "httpOnly": True, "sameSite": "Strict",
    }])
    one.page.goto(one.stack.base_url + "/not-a-page")
    one.page.evaluate("account => localStorage.setItem('account', account)", json.dumps(parent.user))
    families, children = parent.ok("GET", "/families")["families"], parent.ok("GET", "/children")["children"]
    one.page.evaluate(FIRST_VERSION, {
        "account": parent.user["id"], "family": families[0], "child": children[0],
        "events": [record(known), record(new), record(bad)], "outbox": [creation(bad, aside="No such thing."), creation(new)],
    })
    one.open("timeline")
    for text in ("Kept from before", "Waiting since before", "Refused before", "Thrown away, 40 ml"):
        one.sees(text)
    one.settled()
    assert {event["event"]["id"] for event in saved(parent)} == {known["id"], new["id"], discarded["id"]}
    one.go("waiting")
    one.sees("No such thing.")


BEFORE_PLANS = """async ({ account, family, child }) => {
    const opening = indexedDB.open(`baby-basics-${account}`, 3);
    opening.onupgradeneeded = () => {
        const database = opening.result;
        database.createObjectStore('meta');
        database.createObjectStore('families', { keyPath: 'id' });
        database.createObjectStore('members', { keyPath: ['family_id', 'user_id'] });
        database.createObjectStore('children', { keyPath: 'id' }).createIndex('family', 'family_id');
        const events = database.createObjectStore('events', { keyPath: ['family_id', 'id'] });
        events.createIndex('time', ['child_id', 'time']);
        events.createIndex('kind', ['child_id', 'type', 'time']);
        events.createIndex('open', ['child_id', 'open']);
        events.createIndex('family', 'family_id');
        const outbox = database.createObjectStore('outbox', { keyPath: 'seq', autoIncrement: true });
        outbox.createIndex('event', ['family_id', 'id']);
        outbox.createIndex('family', 'family_id');
        database.createObjectStore('notices', { keyPath: 'key', autoIncrement: true });
        const deleted = database.createObjectStore('deleted', { keyPath: ['family_id', 'id'] });
        deleted.createIndex('child', ['child_id', 'deleted']);
        deleted.createIndex('when', 'deleted');
    };
    const database = await new Promise((resolve) => { opening.onsuccess = () => resolve(opening.result); });
    const writing = database.transaction(['families', 'children', 'meta'], 'readwrite');
    writing.objectStore('families').put(family);
    writing.objectStore('children').put(child);
    writing.objectStore('meta').put(true, 'familiesKnown');
    writing.objectStore('meta').put(1000000, `since:${family.id}`);
    await new Promise((resolve) => { writing.oncomplete = resolve; });
    database.close();
}"""


def test_a_store_from_before_plans_reads_them(phone, household, paths):
    """The version before passed over them, and the feed would not bring them again."""
    if "/api/v1/children/{childId}/plans" not in paths:
        pytest.skip("the server has no plans yet")
    parent = household()
    body = {"name": "Vitamin D", "every_hours": 24, "starts_on": "2026-01-01"}
    parent.ok("POST", f"/children/{parent.child}/plans", body, 201)
    one = phone()
    one.context.add_cookies([{
        "name": "__Host-session", "value": parent.token, "url": one.stack.base_url, "secure": True, "httpOnly": True, "sameSite": "Strict",
    }])
    one.page.goto(one.stack.base_url + "/not-a-page")
    one.page.evaluate("account => localStorage.setItem('account', account)", json.dumps(parent.user))
    families, children = parent.ok("GET", "/families")["families"], parent.ok("GET", "/children")["children"]
    one.page.evaluate(BEFORE_PLANS, {"account": parent.user["id"], "family": families[0], "child": children[0]})
    one.open()
    expect(one.page.get_by_role("button", name="Give Vitamin D")).to_be_visible()


@pytest.mark.complains
def test_a_store_that_cannot_be_read_is_said(phone, household):
    one = phone(household())
    one.heading("Ada")
    one.page.evaluate("() => { IDBObjectStore.prototype.index = () => { throw new DOMException('broken', 'UnknownError'); }; }")
    one.go("timeline")
    one.heading("This can’t be shown")
    one.page.reload()
    one.heading("Timeline")


@pytest.mark.complains
def test_a_tab_whose_store_a_newer_version_takes_over_is_opened_anew(phone, household):
    parent = household()
    one = phone(parent)
    one.heading("Ada")
    other = one.new_page()
    other.goto(one.stack.base_url + "/not-a-page")
    with one.page.expect_event("framenavigated"):
        other.evaluate("id => { indexedDB.open(`baby-basics-${id}`, 99); }", parent.user["id"])
    one.heading("There’s a newer version")
