"""A night with a baby, as two phones see it: events, the dashboard, the timeline, batches and the feed of changes."""

import datetime
import uuid

import pytest

from stack import assert_error, headers_of


def time(minutes_ago: float) -> str:
    moment = datetime.datetime.now(datetime.UTC) - datetime.timedelta(minutes=minutes_ago)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


@pytest.fixture
def home(person):
    """Johnny, Maria the caregiver, their family and its child."""
    johnny, maria = person("Johnny"), person("Maria")
    family = johnny.create_family()
    child = johnny.create_child(family)
    maria.join(johnny.invite(family, "caregiver"))
    return johnny, maria, family, child


def night(now: float = 1) -> list[dict]:
    return [
        {"type": "sleep", "event": {"started_at": time(now + 240), "ended_at": time(now + 60), "type": "night"}},
        {"type": "feeding", "event": {"type": "bottle", "started_at": time(now + 50), "amount_ml": 90.5}},
        {"type": "diaper", "event": {"type": "wet", "occurred_at": time(now + 40), "color": "yellow"}},
        {"type": "note", "event": {"content": "Smiled in her sleep 😴", "occurred_at": time(now + 30)}},
    ]


def sick_day(now: float = 1) -> list[dict]:
    return [
        {"type": "pumping", "event": {"started_at": time(now + 25), "ended_at": time(now + 5), "side": "both", "amount_ml": 90.5}},
        {"type": "measurement", "event": {"occurred_at": time(now + 20), "weight_g": 6420, "length_cm": 62.5}},
        {"type": "temperature", "event": {"occurred_at": time(now + 15), "celsius": 38.9, "site": "ear"}},
        {"type": "medication", "event": {"occurred_at": time(now + 10), "name": "Paracetamol", "dose": "2.5 ml"}},
        {"type": "activity", "event": {"started_at": time(now + 8), "name": "Bath"}},
    ]


KINDS = {
    "feeding": "feedings", "diaper": "diapers", "sleep": "sleeps", "note": "notes", "pumping": "pumpings",
    "measurement": "measurements", "temperature": "temperatures", "medication": "medications", "activity": "activities",
}


def one(kind: str, now: float = 1) -> dict:
    return next(item["event"] for item in night(now) + sick_day(now) if item["type"] == kind)


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_is_logged_read_changed_deleted_and_restored(home, kind):
    johnny, maria, family, child = home
    path = f"/children/{child}/{KINDS[kind]}"
    made = maria.call("POST", path, one(kind))
    assert made.status_code == 201, made.text
    event = made.json()[kind]
    assert event["created_by"] == {"user_id": maria.id, "name": "Maria"} and event["child_id"] == child
    tag = made.headers["etag"]
    assert tag == f'"{event["revision"]}"'
    assert johnny.ok("GET", f"{path}/{event['id']}") == {kind: event}

    changed = johnny.call("PATCH", f"{path}/{event['id']}", {"notes": "calm"}, headers={"If-Match": tag})
    assert changed.status_code == 200 and changed.json()[kind]["notes"] == "calm"
    assert changed.json()[kind]["created_by"] == event["created_by"]
    stale = maria.call("PATCH", f"{path}/{event['id']}", {"notes": "wild"}, headers={"If-Match": tag})
    assert_error(stale.status_code, headers_of(stale), stale.content, 412, "PRECONDITION_FAILED")
    whole = johnny.call("PUT", f"{path}/{event['id']}", one(kind, 2))
    assert whole.status_code == 200 and whole.json()[kind].get("notes") is None

    assert johnny.call("DELETE", f"{path}/{event['id']}").status_code == 204
    assert johnny.call("GET", f"{path}/{event['id']}").status_code == 404
    assert johnny.ok("GET", path)["count"] == 0
    assert maria.call("POST", f"{path}/{event['id']}/restore").status_code == 200
    assert [found["id"] for found in johnny.ok("GET", path)[KINDS[kind]]] == [event["id"]]
    entries = johnny.ok("GET", f"/families/{family}/audit")["entries"]
    actions = [entry["action"] for entry in entries if entry["entity_type"] == kind]
    assert actions == ["update", "delete", "update", "update"]  # restored, deleted, put, patched


def test_a_night_on_the_dashboard_and_the_timeline(home):
    johnny, maria, _, child = home
    for one in night():
        johnny.ok("POST", f"/children/{child}/{KINDS[one['type']]}", one["event"], 201)
    maria.ok("PATCH", "/users/me", {"timezone": "UTC", "day_start_time": "00:00"})
    # Whatever the time is now: the day of the bottle, as Maria's clock has it.
    bottle = maria.ok("GET", f"/children/{child}/feedings")["feedings"][0]
    board = maria.ok("GET", f"/children/{child}/dashboard?date={bottle['started_at'][:10]}")["dashboard"]
    assert board["totals"]["feedings"] == {"count": 1, "bottle_ml": 90.5, "breast_minutes": 0}
    assert board["last"]["feeding"] == bottle and board["day"]["timezone"] == "UTC"
    assert len(board["week"]) == 7 and board["week"][-1]["bottle_ml"] == 90.5

    line = maria.ok("GET", f"/children/{child}/timeline")
    assert [one["type"] for one in line["events"]] == ["note", "diaper", "feeding", "sleep"]
    assert line["next_cursor"] is None
    first = maria.ok("GET", f"/children/{child}/timeline?limit=3")
    rest = maria.ok("GET", f"/children/{child}/timeline?limit=3&cursor={first['next_cursor']}")
    assert first["events"] + rest["events"] == line["events"]
    assert maria.ok("GET", f"/children/{child}/timeline?types=sleep")["count"] == 1


def test_a_sick_day_in_one_batch_on_the_dashboard_the_timeline_and_the_other_phone(home):
    johnny, maria, family, child = home
    since = johnny.ok("GET", f"/families/{family}/changes")["next_since"]
    made = maria.ok("POST", f"/children/{child}/events", {"events": sick_day()}, 201)["events"]
    by_type = {item["type"]: item["event"] for item in made}
    johnny.ok("POST", f"/children/{child}/diapers", {"type": "wet", "occurred_at": time(1)}, 201)

    last = johnny.ok("GET", f"/children/{child}/dashboard")["dashboard"]["last"]
    assert last["medication"] == by_type["medication"] and last["temperature"] == by_type["temperature"]
    assert set(last) == {"feeding", "diaper", "sleep", "medication", "temperature"}
    asked = "pumping,measurement,temperature,medication,activity"
    line = johnny.ok("GET", f"/children/{child}/timeline?types={asked}")["events"]
    assert [(item["type"], item["event"]) for item in line] == [
        (item["type"], item["event"]) for item in sorted(made, key=lambda item: item["at"], reverse=True)
    ]
    changes = johnny.ok("GET", f"/families/{family}/changes?since={since}")["changes"]
    assert [(one["entity"], one["data"]) for one in changes[:5]] == [(item["type"], item["event"]) for item in made]

    three = ["weight_g", "length_cm", "head_cm"]
    path = f"/children/{child}/measurements/{by_type['measurement']['id']}"
    nothing_left = maria.call("PATCH", path, {"weight_g": None, "length_cm": None})
    error = assert_error(nothing_left.status_code, headers_of(nothing_left), nothing_left.content, 400, "VALIDATION_ERROR")
    assert [detail["field"] for detail in error["details"]] == three
    assert maria.ok("PATCH", path, {"weight_g": None})["measurement"]["length_cm"] == 62.5


def test_a_phone_that_was_offline_sends_a_megabyte_at_once(home):
    johnny, maria, family, child = home
    notes = [
        {"type": "note", "event": {"id": str(uuid.uuid4()), "occurred_at": time(i), "content": "z" * 1900}}
        for i in range(500)
    ]
    path = f"/children/{child}/events"
    made = maria.call("POST", path, {"events": notes})
    assert made.status_code == 201 and len(made.request.content) > 1_000_000
    assert [one["event"]["id"] for one in made.json()["events"]] == [one["event"]["id"] for one in notes]
    again = maria.ok("POST", path, {"events": notes}, 201)
    assert again == made.json()
    wrong = [*notes[:3], {"type": "feeding", "event": {"type": "bottle", "started_at": time(1), "amount_ml": -1}}]
    refused = maria.call("POST", path, {"events": wrong})
    error = assert_error(refused.status_code, headers_of(refused), refused.content, 400, "VALIDATION_ERROR")
    assert [one["field"] for one in error["details"]] == ["events[3].event.amount_ml"]
    large = maria.call("POST", path, {"events": [{"type": "note", "event": {"content": "z" * (1 << 20)}}]})
    assert_error(large.status_code, headers_of(large), large.content, 413, "PAYLOAD_TOO_LARGE")

    # Another phone follows.
    seen, since, pages = {}, 0, 0
    while True:
        page = johnny.ok("GET", f"/families/{family}/changes?since={since}&limit=200")
        assert [one["revision"] for one in page["changes"]] == sorted(one["revision"] for one in page["changes"])
        seen |= {(one["entity"], one["id"]): one for one in page["changes"]}
        since, pages = page["next_since"], pages + 1
        if not page["has_more"]:
            break
    assert pages == 3 and len(seen) == 504  # the family, two members, the child
    mine = johnny.ok("GET", f"/children/{child}/notes/{notes[7]['event']['id']}")["note"]
    assert seen["note", mine["id"]]["data"] == mine


def test_a_queue_that_met_the_other_parents_entries_gets_through(home):
    johnny, maria, _, child = home
    running = maria.ok("POST", f"/children/{child}/sleeps", {"started_at": time(90)}, 201)["sleep"]
    gone = str(uuid.uuid4())
    johnny.ok("POST", f"/children/{child}/diapers", {"id": gone, "type": "wet", "occurred_at": time(80)}, 201)
    assert maria.call("DELETE", f"/children/{child}/diapers/{gone}").status_code == 204
    queue = [
        {"type": "diaper", "event": {"id": gone, "type": "wet", "occurred_at": time(80)}},
        {"type": "sleep", "event": {"id": str(uuid.uuid4()), "started_at": time(89)}},
        {"type": "diaper", "event": {"id": str(uuid.uuid4()), "type": "dirty", "occurred_at": time(70)}},
    ]
    path = f"/children/{child}/events"
    refused = johnny.call("POST", path, {"events": queue})
    error = assert_error(refused.status_code, headers_of(refused), refused.content, 409, "CONFLICT")
    assert error["details"] == [
        {"field": "events[1].event.started_at", "message": f"A sleep is running: {running['id']}", "reason": "running"}
    ]
    sent = johnny.ok("POST", path, {"events": [queue[0], queue[2]]}, 201)["events"]
    assert sent[0] == {"type": "diaper", "id": gone, "event": None, "deleted": True}
    assert sent[1]["event"]["type"] == "dirty"
    single = johnny.call("POST", f"/children/{child}/diapers", queue[0]["event"])
    assert_error(single.status_code, headers_of(single), single.content, 410, "GONE")


def test_an_entry_of_the_wrong_twin_is_moved(home):
    johnny, maria, family, child = home
    twin = johnny.create_child(family)
    diaper = maria.ok("POST", f"/children/{child}/diapers", {"type": "wet", "occurred_at": time(5)}, 201)["diaper"]
    moved = maria.ok("PATCH", f"/children/{child}/diapers/{diaper['id']}", {"child_id": twin})["diaper"]
    assert moved["child_id"] == twin and moved["created_by"] == diaper["created_by"]
    assert johnny.call("GET", f"/children/{child}/diapers/{diaper['id']}").status_code == 404
    assert johnny.ok("GET", f"/children/{twin}/diapers/{diaper['id']}")["diaper"] == moved
    changes = johnny.ok("GET", f"/families/{family}/changes?since={moved['revision'] - 1}")["changes"]
    assert [(one["op"], one["data"]["child_id"]) for one in changes] == [("upsert", twin)]


def test_who_is_removed_sees_nothing_and_what_they_logged_stays(home):
    johnny, maria, family, child = home
    maria.ok("POST", f"/children/{child}/notes", night()[3]["event"], 201)
    assert johnny.call("DELETE", f"/families/{family}/members/{maria.id}").status_code == 204
    for path in ["", "/timeline", "/dashboard", "/notes"]:
        gone = maria.call("GET", f"/children/{child}{path}")
        assert_error(gone.status_code, headers_of(gone), gone.content, 404, "NOT_FOUND")
    feed = maria.call("GET", f"/families/{family}/changes?since=0")
    assert_error(feed.status_code, headers_of(feed), feed.content, 403, "FORBIDDEN")
    (note,) = johnny.ok("GET", f"/children/{child}/notes")["notes"]
    assert note["created_by"] == {"user_id": maria.id, "name": "Maria"}


@pytest.mark.parametrize(
    ("path", "body", "fields"),
    [
        ("feedings", b'{"type":"bottle","started_at":"2026-01-01T00:00:00Z","amount_ml":1e400}', {"amount_ml"}),
        ("feedings", b'{"type":"breast","started_at":"0000-01-01T00:00:00Z"}', {"side", "started_at"}),
        ("feedings", b'{"type":"bottle","started_at":"9999-12-31T23:59:59Z"}', {"started_at"}),
        ("notes", b'{"content":"a\\u0000b","occurred_at":"2026-01-01T00:00:00Z"}', {"content"}),
        ("notes", b'{"content":"\\ud800","occurred_at":"2026-01-01T00:00:00Z"}', None),
        ("sleeps", b"[" * 10_000, None),
        ("diapers", b'{"type":7,"occurred_at":"x","color":7}', {"type", "occurred_at", "color"}),
    ],
)
def test_bad_input_is_named(home, path, body, fields):
    johnny, _, _, child = home
    answer = johnny.http.post(
        f"/api/v1/children/{child}/{path}", content=body, headers={"Content-Type": "application/json"}
    )
    error = assert_error(answer.status_code, headers_of(answer), answer.content, 400, "VALIDATION_ERROR")
    if fields:
        assert {one["field"] for one in error["details"]} == fields


def test_an_offset_of_fourteen_hours_is_a_time(home):
    johnny, _, _, child = home
    body = {"type": "dry", "occurred_at": "2026-01-01T00:30:00+14:00"}
    diaper = johnny.ok("POST", f"/children/{child}/diapers", body, 201)["diaper"]
    assert diaper["occurred_at"] == "2025-12-31T10:30:00.000Z"
