"""What happened in each case. Times carry an offset; `local(zone, …)` helps where clocks change."""

from datetime import datetime, timedelta
from uuid import NAMESPACE_URL, uuid5

from reference import milliseconds, wire

CHILD = "00000000-0000-7000-8000-00000000c41d"
AUTHOR = {"user_id": "00000000-0000-7000-8000-0000000a0701", "name": "Johnny Appleseed"}
TIMES = {"diaper": "occurred_at", "note": "occurred_at", "medication": "occurred_at", "temperature": "occurred_at"}
NULLS = {
    "feeding": ("type", "ended_at", "side", "amount_ml", "content", "food"),
    "diaper": ("type", "color"),
    "sleep": ("type", "ended_at"),
    "note": ("content",),
    "medication": ("name", "dose"),
    "temperature": ("celsius", "site"),
}
FILES = {}


def utc(text):
    return wire(milliseconds(text))


def event(kind, at, /, **fields):
    if fields.get("ended_at"):
        fields["ended_at"] = utc(fields["ended_at"])
    return {"type": kind, "at": utc(at), "event": fields}


def breast(at, end=None, side="left", **minutes):
    return event("feeding", at, type="breast", ended_at=end, side=side, **minutes)


def bottle(at, ml=None, end=None):
    return event("feeding", at, type="bottle", amount_ml=ml, ended_at=end)


def solid(at, food=None, end=None):
    return event("feeding", at, type="solid", food=food, ended_at=end)


def diaper(at, type):
    return event("diaper", at, type=type)


def sleep(at, end=None, type=None):
    return event("sleep", at, ended_at=end, type=type)


def note(at, content="Smiled"):
    return event("note", at, content=content)


def every(start, count, step, make):
    """`count` events, `step` minutes apart."""
    at = datetime.fromisoformat(start)
    return [make((at + timedelta(minutes=step * place)).isoformat()) for place in range(count)]


def case(file, name, zone, day_start, now, *events, date=None, deleted=(), about=None, more_kinds=(), ids=None):
    filled, gone = [], []
    for place, item in enumerate(events):
        kind, fields = item["type"], item["event"]
        identity = ids[place] if ids else str(uuid5(NAMESPACE_URL, f"{name}/{place}"))
        whole = {"id": identity, "child_id": CHILD, TIMES.get(kind, "started_at"): item["at"]}
        whole |= {field: fields.get(field) for field in NULLS[kind]} | {f: v for f, v in fields.items() if f.endswith("_minutes")}
        whole |= {"notes": None, "created_by": AUTHOR, "created_at": item["at"], "updated_at": item["at"]}
        filled.append({"type": kind, "at": item["at"], "event": whole | {"revision": place + 1}})
        if place in deleted:
            gone.append(identity)
    made = {"name": name}
    if about:
        made["about"] = about
    made |= {"timezone": zone, "day_start_time": day_start, "now": utc(now)}
    if date:
        made["date"] = date
    if gone:
        made["deleted"] = gone
    if more_kinds:
        made["more_kinds"] = more_kinds
    FILES.setdefault(file, []).append(made | {"events": filled})


NY, BERLIN, LORD_HOWE, KATHMANDU = "America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "Asia/Kathmandu"

# fmt: off
# --- Days: which one it is, where it begins and ends ---------------------------------------------------------

case("days", "nothing logged yet", NY, "07:00", "2026-06-10T12:00:00-04:00")
case("days", "at 03:00 it is still yesterday", NY, "07:00", "2026-06-10T03:00:00-04:00",
     bottle("2026-06-09T22:00:00-04:00", 90), bottle("2026-06-10T02:40:00-04:00", 60),
     diaper("2026-06-10T02:50:00-04:00", "wet"))
case("days", "a millisecond before the day begins", NY, "07:00", "2026-06-10T06:59:59.999-04:00",
     bottle("2026-06-10T06:30:00-04:00", 90), sleep("2026-06-10T06:50:00-04:00"))
case("days", "the very moment the day begins", NY, "07:00", "2026-06-10T07:00:00-04:00",
     bottle("2026-06-10T06:30:00-04:00", 90), sleep("2026-06-10T06:50:00-04:00"))
case("days", "events exactly on the border belong to the day that begins", NY, "07:00", "2026-06-10T12:00:00-04:00",
     bottle("2026-06-10T07:00:00-04:00", 100), bottle("2026-06-10T06:59:59.999-04:00", 50),
     diaper("2026-06-10T07:00:00-04:00", "dirty"), diaper("2026-06-10T06:59:59.999-04:00", "wet"),
     note("2026-06-10T07:00:00-04:00"), note("2026-06-10T06:59:59.999-04:00"))
case("days", "a date in the past", NY, "07:00", "2026-06-10T12:00:00-04:00",
     bottle("2026-06-07T08:00:00-04:00", 80), bottle("2026-06-08T06:00:00-04:00", 70),
     bottle("2026-06-08T08:00:00-04:00", 60),
     diaper("2026-06-07T09:00:00-04:00", "mixed"),
     sleep("2026-06-07T20:00:00-04:00", "2026-06-08T06:00:00-04:00", "night"),
     bottle("2026-06-10T09:00:00-04:00", 120), breast("2026-06-10T11:00:00-04:00"), sleep("2026-06-10T11:30:00-04:00"),
     date="2026-06-07", about="Last is the last before that day's end; nothing is ongoing in the past.")
case("days", "a date in the future", NY, "07:00", "2026-06-10T12:00:00-04:00",
     bottle("2026-06-10T09:00:00-04:00", 120), sleep("2026-06-10T11:30:00-04:00"), date="2026-06-12")
case("days", "today asked for by its date", NY, "07:00", "2026-06-10T12:00:00-04:00",
     breast("2026-06-10T11:00:00-04:00"), sleep("2026-06-10T11:30:00-04:00"), date="2026-06-10")
case("days", "yesterday asked for while a sleep that began then goes on", NY, "07:00", "2026-06-10T07:40:00-04:00",
     sleep("2026-06-10T01:10:00-04:00", type="night"), date="2026-06-09")
case("days", "a day that begins at midnight", NY, "00:00", "2026-06-10T23:59:59-04:00",
     bottle("2026-06-10T00:00:00-04:00", 90), bottle("2026-06-09T23:59:59-04:00", 30),
     bottle("2026-06-10T23:30:00-04:00", 45))
case("days", "a day that begins in the evening", BERLIN, "19:30", "2026-02-10T20:00:00+01:00",
     bottle("2026-02-10T19:29:00+01:00", 150), bottle("2026-02-10T19:31:00+01:00", 180),
     sleep("2026-02-10T18:30:00+01:00", "2026-02-10T19:50:00+01:00"))
case("days", "a minute before midnight", BERLIN, "23:59", "2026-02-10T23:58:59+01:00",
     diaper("2026-02-09T23:58:00+01:00", "wet"), diaper("2026-02-09T23:59:00+01:00", "dry"),
     diaper("2026-02-10T12:00:00+01:00", "mixed"))
case("days", "an offset of three quarters", KATHMANDU, "06:30", "2026-05-01T00:44:59Z",
     bottle("2026-05-01T00:30:00Z", 90), bottle("2026-04-30T00:45:00Z", 80), bottle("2026-04-30T00:44:59Z", 70))
case("days", "an offset of three quarters, a second later", KATHMANDU, "06:30", "2026-05-01T00:45:00Z",
     bottle("2026-05-01T00:30:00Z", 90), bottle("2026-04-30T00:45:00Z", 80))
case("days", "fourteen hours ahead", "Pacific/Kiritimati", "07:00", "2026-01-01T02:00:00Z",
     bottle("2025-12-31T17:00:00Z", 100), bottle("2025-12-31T16:59:00Z", 90))
case("days", "eleven hours behind", "Pacific/Pago_Pago", "07:00", "2026-01-01T02:00:00Z",
     bottle("2025-12-31T18:00:00Z", 100), bottle("2025-12-31T17:59:00Z", 90))
case("days", "a leap day", NY, "07:00", "2028-02-29T12:00:00-05:00",
     bottle("2028-02-29T08:00:00-05:00", 100), bottle("2028-02-28T08:00:00-05:00", 90),
     bottle("2028-02-23T08:00:00-05:00", 10))
case("days", "a week across the turn of the year", BERLIN, "07:00", "2026-01-03T12:00:00+01:00",
     *every("2025-12-27T08:00:00+01:00", 8, 1440, lambda at: bottle(at, 100)))

# --- Clock changes --------------------------------------------------------------------------------------------

case("clock-changes", "spring in New York: a day of 23 hours", NY, "07:00", "2026-03-08T06:30:00-04:00",
     sleep("2026-03-07T20:00:00-05:00", "2026-03-08T06:00:00-04:00", "night"), bottle("2026-03-08T03:15:00-04:00", 120))
case("clock-changes", "autumn in New York: a day of 25 hours", NY, "07:00", "2026-11-01T06:30:00-05:00",
     sleep("2026-10-31T20:00:00-04:00", "2026-11-01T06:00:00-05:00", "night"),
     bottle("2026-11-01T01:30:00-04:00", 60), bottle("2026-11-01T01:30:00-05:00", 70))
case("clock-changes", "spring in Berlin, asleep all day", BERLIN, "06:30", "2026-03-29T12:00:00+02:00",
     sleep("2026-03-28T06:30:00+01:00", "2026-03-29T06:30:00+02:00"), date="2026-03-28",
     about="A sleep from border to border lasts 23 hours and is in one day.")
case("clock-changes", "autumn in Berlin", BERLIN, "06:30", "2026-10-25T06:15:00+01:00",
     sleep("2026-10-24T19:00:00+02:00", "2026-10-25T05:00:00+01:00"), diaper("2026-10-25T02:30:00+02:00", "wet"),
     diaper("2026-10-25T02:30:00+01:00", "wet"))
case("clock-changes", "Lord Howe goes back by half an hour", LORD_HOWE, "07:00", "2026-04-04T18:00:00Z",
     sleep("2026-04-04T09:00:00Z", "2026-04-04T18:00:00Z"), bottle("2026-04-03T20:00:00Z", 100),
     bottle("2026-04-03T19:59:00Z", 90))
case("clock-changes", "Lord Howe goes forward by half an hour", LORD_HOWE, "07:00", "2026-10-03T19:59:00Z",
     sleep("2026-10-03T09:00:00Z"), bottle("2026-10-03T20:00:00Z", 5.5))
case("clock-changes", "Lord Howe: the day's beginning is skipped", LORD_HOWE, "02:15", "2026-10-03T15:40:00Z",
     bottle("2026-10-03T15:35:00Z", 90), bottle("2026-10-03T15:50:00Z", 10))
case("clock-changes", "Lord Howe: the day's beginning comes twice", LORD_HOWE, "01:45", "2026-04-04T15:00:00Z",
     bottle("2026-04-04T14:50:00Z", 90), bottle("2026-04-04T15:16:00Z", 10))
case("clock-changes", "the day's beginning is skipped: 03:10 is yesterday", NY, "02:30", "2026-03-08T07:15:00Z",
     bottle("2026-03-08T07:10:00Z", 80), sleep("2026-03-08T07:00:00Z"))
case("clock-changes", "the day's beginning is skipped: 03:30 is today", NY, "02:30", "2026-03-08T07:30:00Z",
     bottle("2026-03-08T07:10:00Z", 80), bottle("2026-03-08T07:30:00Z", 90), sleep("2026-03-08T07:00:00Z"))
case("clock-changes", "the day's beginning comes twice: after the first it is yesterday", NY, "01:30",
     "2026-11-01T05:45:00Z",
     bottle("2026-11-01T05:40:00Z", 80), breast("2026-11-01T05:41:00Z"))
case("clock-changes", "the day's beginning comes twice: between the two it is yesterday", NY, "01:30",
     "2026-11-01T06:15:00Z",
     bottle("2026-11-01T05:40:00Z", 80), sleep("2026-11-01T05:50:00Z", "2026-11-01T06:10:00Z"))
case("clock-changes", "the day's beginning comes twice: the second begins the day", NY, "01:30", "2026-11-01T06:30:00Z",
     bottle("2026-11-01T05:40:00Z", 80), bottle("2026-11-01T06:30:00Z", 90), sleep("2026-11-01T05:50:00Z"))
case("clock-changes", "midnight is skipped", "America/Santiago", "00:00", "2026-09-06T04:00:00Z",
     bottle("2026-09-06T03:59:59Z", 80), bottle("2026-09-06T04:00:00Z", 90))
case("clock-changes", "midnight comes twice", "America/Havana", "00:00", "2026-11-01T05:30:00Z",
     bottle("2026-11-01T04:10:00Z", 80), bottle("2026-11-01T05:10:00Z", 90))
case("clock-changes", "the day before clocks change has its own 24 hours", BERLIN, "00:00", "2026-03-29T12:00:00+02:00",
     sleep("2026-03-28T23:00:00+01:00", "2026-03-29T04:00:00+02:00"), sleep("2026-03-29T11:00:00+02:00"))
case("clock-changes", "a week that holds a change", BERLIN, "07:00", "2026-03-31T12:00:00+02:00",
     *(sleep(f"2026-03-{day}T20:00:00+01:00", f"2026-03-{day + 1}T06:00:00+01:00", "night") for day in range(25, 28)),
     sleep("2026-03-28T20:00:00+01:00", "2026-03-29T06:00:00+02:00", "night"),
     *(sleep(f"2026-03-{day}T20:00:00+02:00", f"2026-03-{day + 1}T06:00:00+02:00", "night") for day in (29, 30)))
case("clock-changes", "a date that never was", "Pacific/Apia", "07:00", "2012-01-01T12:00:00+14:00",
     bottle("2011-12-29T12:00:00-10:00", 80), bottle("2011-12-31T12:00:00+14:00", 90),
     date="2011-12-30", about="Samoa left out 30 December 2011: the day has no length.")

# --- Sleep ----------------------------------------------------------------------------------------------------

case("sleep", "a night is shared by two days", NY, "00:00", "2026-06-10T12:00:00-04:00",
     sleep("2026-06-09T21:30:00-04:00", "2026-06-10T05:45:00-04:00", "night"))
case("sleep", "a night within a day that begins at 07:00", NY, "07:00", "2026-06-10T06:00:00-04:00",
     sleep("2026-06-09T21:30:00-04:00", "2026-06-10T05:45:00-04:00", "night"),
     sleep("2026-06-09T13:00:00-04:00", "2026-06-09T14:20:30-04:00", "nap"))
case("sleep", "ends exactly where the day begins", NY, "07:00", "2026-06-10T12:00:00-04:00",
     sleep("2026-06-09T21:00:00-04:00", "2026-06-10T07:00:00-04:00"))
case("sleep", "begins exactly where the day ends", NY, "07:00", "2026-06-10T07:30:00-04:00",
     sleep("2026-06-10T07:00:00-04:00", "2026-06-10T07:20:00-04:00"), date="2026-06-09")
case("sleep", "24 hours from border to border", NY, "07:00", "2026-06-11T12:00:00-04:00",
     sleep("2026-06-10T07:00:00-04:00", "2026-06-11T07:00:00-04:00"), date="2026-06-10")
case("sleep", "24 hours across two days", NY, "07:00", "2026-06-10T12:00:00-04:00",
     sleep("2026-06-09T09:00:00-04:00", "2026-06-10T09:00:00-04:00"))
case("sleep", "seconds are added up before minutes are made", NY, "07:00", "2026-06-10T12:00:00-04:00",
     sleep("2026-06-10T08:00:00-04:00", "2026-06-10T08:01:40-04:00"),
     sleep("2026-06-10T09:00:00-04:00", "2026-06-10T09:01:40-04:00"),
     sleep("2026-06-10T10:00:00-04:00", "2026-06-10T10:00:59.999-04:00"))
case("sleep", "overlapping sleeps count once in minutes", NY, "07:00", "2026-06-10T14:00:00-04:00",
     sleep("2026-06-10T09:00:00-04:00", "2026-06-10T10:30:00-04:00", "nap"),
     sleep("2026-06-10T10:00:00-04:00", "2026-06-10T11:00:00-04:00", "nap"))
case("sleep", "a sleep within a sleep", NY, "07:00", "2026-06-10T14:00:00-04:00",
     sleep("2026-06-10T09:00:00-04:00", "2026-06-10T12:00:00-04:00"),
     sleep("2026-06-10T10:00:00-04:00", "2026-06-10T11:00:00-04:00"))
case("sleep", "the same sleep logged by both parents", NY, "07:00", "2026-06-10T14:00:00-04:00",
     sleep("2026-06-10T09:00:00-04:00", "2026-06-10T10:15:00-04:00"),
     sleep("2026-06-10T09:00:00-04:00", "2026-06-10T10:15:00-04:00"))
case("sleep", "sleeps that touch", NY, "07:00", "2026-06-10T14:00:00-04:00",
     sleep("2026-06-10T09:00:00-04:00", "2026-06-10T10:00:00-04:00"),
     sleep("2026-06-10T10:00:00-04:00", "2026-06-10T10:30:00-04:00"))
case("sleep", "overlapping sleeps across the border", NY, "07:00", "2026-06-10T14:00:00-04:00",
     sleep("2026-06-10T05:00:00-04:00", "2026-06-10T07:40:00-04:00"),
     sleep("2026-06-10T06:30:00-04:00", "2026-06-10T08:10:00-04:00"),
     sleep("2026-06-10T06:50:00-04:00", "2026-06-10T07:05:00-04:00"),
     about="The longest single one in the day is 70 minutes, all together too.")
case("sleep", "three that overlap in a chain, out of order", NY, "07:00", "2026-06-10T14:00:00-04:00",
     sleep("2026-06-10T10:50:00-04:00", "2026-06-10T11:30:00-04:00"),
     sleep("2026-06-10T09:00:00-04:00", "2026-06-10T10:10:00-04:00"),
     sleep("2026-06-10T10:00:00-04:00", "2026-06-10T11:00:00-04:00"),
     sleep("2026-06-10T13:00:00-04:00", "2026-06-10T13:20:00-04:00"))
case("sleep", "a sleep without length is counted", NY, "07:00", "2026-06-10T14:00:00-04:00",
     sleep("2026-06-10T09:00:00-04:00", "2026-06-10T09:00:00-04:00"),
     sleep("2026-06-10T07:00:00-04:00", "2026-06-10T07:00:00-04:00"))
case("sleep", "a week of nights and naps", BERLIN, "07:00", "2026-05-20T06:45:00+02:00",
     *(sleep(f"2026-05-{day}T19:45:00+02:00", f"2026-05-{day + 1}T06:20:30+02:00", "night") for day in range(12, 19)),
     *(sleep(f"2026-05-{day}T12:{day}:15+02:00", f"2026-05-{day}T13:50:40+02:00", "nap") for day in range(12, 20)))

# --- What goes on ---------------------------------------------------------------------------------------------

case("ongoing", "a running sleep counts up to now", NY, "07:00", "2026-06-10T10:17:30-04:00",
     sleep("2026-06-10T09:00:00-04:00", type="nap"))
case("ongoing", "a running sleep from before the day began", NY, "07:00", "2026-06-10T07:30:00-04:00",
     sleep("2026-06-09T22:00:00-04:00", type="night"))
case("ongoing", "a running sleep that overlaps one that has ended", NY, "07:00", "2026-06-10T11:00:00-04:00",
     sleep("2026-06-10T09:00:00-04:00"), sleep("2026-06-10T09:30:00-04:00", "2026-06-10T10:00:00-04:00"),
     sleep("2026-06-10T08:30:00-04:00", "2026-06-10T09:10:00-04:00"))
case("ongoing", "a running sleep of a millisecond less than 24 hours", NY, "07:00", "2026-06-10T12:00:00-04:00",
     sleep("2026-06-09T12:00:00.001-04:00"))
case("ongoing", "a running sleep of 24 hours counts nothing", NY, "07:00", "2026-06-10T12:00:00-04:00",
     sleep("2026-06-09T12:00:00-04:00"))
case("ongoing", "a sleep whose end was forgotten for days", NY, "07:00", "2026-06-10T12:00:00-04:00",
     sleep("2026-06-07T20:00:00-04:00"), sleep("2026-06-09T20:00:00-04:00", "2026-06-10T06:00:00-04:00"))
case("ongoing", "a sleep that a phone's clock put ahead", NY, "07:00", "2026-06-10T12:00:00-04:00",
     sleep("2026-06-10T12:03:00-04:00"), about="It is running and has no minutes yet.")
case("ongoing", "a running breast feeding", NY, "07:00", "2026-06-10T12:00:00-04:00",
     breast("2026-06-10T11:48:00-04:00", side="right"),
     breast("2026-06-10T08:00:00-04:00", "2026-06-10T08:21:00-04:00"))
case("ongoing", "a breast feeding without end, four hours ago to the moment", NY, "07:00", "2026-06-10T12:00:00-04:00",
     breast("2026-06-10T08:00:00-04:00"))
case("ongoing", "a breast feeding without end, more than four hours ago", NY, "07:00", "2026-06-10T12:00:00-04:00",
     breast("2026-06-10T07:59:59.999-04:00"))
case("ongoing", "of two breast feedings without end the latest goes on", NY, "07:00", "2026-06-10T12:00:00-04:00",
     breast("2026-06-10T11:30:00-04:00", side="right"), breast("2026-06-10T11:00:00-04:00", side="left"))
case("ongoing", "a later feeding with an end doesn't end the one that goes on", NY, "07:00",
     "2026-06-10T12:00:00-04:00",
     breast("2026-06-10T11:00:00-04:00"), bottle("2026-06-10T11:40:00-04:00", 60),
     breast("2026-06-10T11:45:00-04:00", "2026-06-10T11:50:00-04:00"))
case("ongoing", "bottles and solids never go on", NY, "07:00", "2026-06-10T12:00:00-04:00",
     bottle("2026-06-10T11:50:00-04:00", 60), solid("2026-06-10T11:55:00-04:00", "Pear"))
case("ongoing", "a feeding from before the day began goes on", NY, "07:00", "2026-06-10T07:05:00-04:00",
     breast("2026-06-10T06:50:00-04:00"), about="It goes on, and yesterday's count has it.")

# --- Totals and last ------------------------------------------------------------------------------------------

case("totals", "a full day", BERLIN, "07:00", "2026-05-20T21:00:00+02:00",
     breast("2026-05-20T07:10:00+02:00", "2026-05-20T07:32:00+02:00"), bottle("2026-05-20T10:00:00+02:00", 120.5),
     bottle("2026-05-20T13:05:00+02:00", 90, end="2026-05-20T13:20:00+02:00"),
     solid("2026-05-20T17:30:00+02:00", "Carrot"),
     breast("2026-05-20T20:10:00+02:00", "2026-05-20T20:40:30+02:00", "both"),
     diaper("2026-05-20T07:40:00+02:00", "wet"), diaper("2026-05-20T10:20:00+02:00", "mixed"),
     diaper("2026-05-20T13:30:00+02:00", "dirty"),
     diaper("2026-05-20T18:00:00+02:00", "wet"), diaper("2026-05-20T20:50:00+02:00", "dry"),
     sleep("2026-05-19T20:00:00+02:00", "2026-05-20T07:05:00+02:00", "night"),
     sleep("2026-05-20T11:00:00+02:00", "2026-05-20T12:31:00+02:00", "nap"),
     note("2026-05-20T09:00:00+02:00", "First tooth"), note("2026-05-19T09:00:00+02:00", "Cough"))
case("totals", "tenths of millilitres add up exactly", NY, "07:00", "2026-06-10T14:00:00-04:00",
     *every("2026-06-10T08:00:00-04:00", 10, 5, lambda at: bottle(at, 0.1)), bottle("2026-06-10T10:00:00-04:00", 0.2),
     bottle("2026-06-10T10:10:00-04:00", 29.5))
case("totals", "tenths that make whole millilitres", NY, "07:00", "2026-06-10T14:00:00-04:00",
     bottle("2026-06-10T08:00:00-04:00", 59.1), bottle("2026-06-10T09:00:00-04:00", 60.9))
case("totals", "a bottle without amount is a feeding of no millilitres", NY, "07:00", "2026-06-10T14:00:00-04:00",
     bottle("2026-06-10T08:00:00-04:00"), bottle("2026-06-10T09:00:00-04:00", 1000))
case("totals", "breast minutes: seconds are added up first, those without end give none", NY, "07:00",
     "2026-06-10T14:00:00-04:00",
     breast("2026-06-10T08:00:00-04:00", "2026-06-10T08:10:40-04:00"),
     breast("2026-06-10T10:00:00-04:00", "2026-06-10T10:05:30-04:00", "right"),
     breast("2026-06-10T13:50:00-04:00"), bottle("2026-06-10T12:00:00-04:00", 50, end="2026-06-10T12:30:00-04:00"))
case("totals", "breast minutes: those at the sides where they are given, else from start to end", NY, "07:00",
     "2026-06-10T14:00:00-04:00",
     breast("2026-06-10T08:00:00-04:00", "2026-06-10T08:40:00-04:00", side="both", left_minutes=12, right_minutes=9),
     breast("2026-06-10T09:00:00-04:00", "2026-06-10T09:20:30-04:00", right_minutes=15),
     breast("2026-06-10T10:00:00-04:00", left_minutes=7),
     breast("2026-06-10T11:00:00-04:00", "2026-06-10T11:30:00-04:00", left_minutes=0),
     breast("2026-06-10T12:00:00-04:00", "2026-06-10T12:10:45-04:00"),
     about="12 + 9, 15, 7, 0, and 10 min 45 s")
case("totals", "a breast feeding across the border is the day's in which it began", NY, "07:00",
     "2026-06-10T14:00:00-04:00",
     breast("2026-06-10T06:50:00-04:00", "2026-06-10T07:15:00-04:00"))
case("totals", "deleted events are not there", NY, "07:00", "2026-06-10T14:00:00-04:00",
     bottle("2026-06-10T08:00:00-04:00", 100), bottle("2026-06-10T12:00:00-04:00", 70),
     diaper("2026-06-10T13:00:00-04:00", "wet"),
     sleep("2026-06-10T09:00:00-04:00", "2026-06-10T10:00:00-04:00"), sleep("2026-06-10T13:30:00-04:00"),
     breast("2026-06-10T13:40:00-04:00"),
     deleted=(1, 2, 4, 5))
case("totals", "everything deleted", NY, "07:00", "2026-06-10T14:00:00-04:00",
     bottle("2026-06-10T08:00:00-04:00", 100), note("2026-06-10T08:00:00-04:00"), deleted=(0, 1))
case("totals", "of two at the same moment the last is the one with the higher id", NY, "07:00",
     "2026-06-10T14:00:00-04:00",
     diaper("2026-06-10T08:00:00-04:00", "wet"), diaper("2026-06-10T08:00:00-04:00", "dry"),
     diaper("2026-06-10T08:00:00-04:00", "dirty"),
     ids=[f"018f0000-0000-7000-8000-00000000000{last}" for last in "af9"])
case("totals", "last reaches back for months", NY, "07:00", "2026-06-10T14:00:00-04:00",
     bottle("2026-01-10T08:00:00-05:00", 100), diaper("2025-11-10T08:00:00-05:00", "wet"),
     sleep("2025-06-10T08:00:00-04:00", "2025-06-10T09:00:00-04:00"))
case("totals", "an event some minutes ahead is today's and the last", NY, "07:00", "2026-06-10T14:00:00-04:00",
     bottle("2026-06-10T14:04:00-04:00", 30), bottle("2026-06-10T13:00:00-04:00", 60))
case("totals", "the week has its seven days and no more", NY, "07:00", "2026-06-10T14:00:00-04:00",
     bottle("2026-06-04T06:59:59-04:00", 1), bottle("2026-06-04T07:00:00-04:00", 2),
     bottle("2026-06-05T12:00:00-04:00", 4.5),
     diaper("2026-06-06T12:00:00-04:00", "wet"), diaper("2026-06-06T13:00:00-04:00", "dry"),
     sleep("2026-06-03T23:00:00-04:00", "2026-06-04T08:00:00-04:00"),
     sleep("2026-06-08T06:00:00-04:00", "2026-06-08T08:30:00-04:00"))
case("totals", "order of arrival doesn't matter", NY, "07:00", "2026-06-10T14:00:00-04:00",
     sleep("2026-06-10T11:00:00-04:00", "2026-06-10T12:00:00-04:00"), bottle("2026-06-10T13:00:00-04:00", 60),
     bottle("2026-06-10T09:00:00-04:00", 50), sleep("2026-06-09T20:00:00-04:00", "2026-06-10T06:00:00-04:00"),
     bottle("2026-06-10T11:00:00-04:00", 55))

# --- Kinds beyond the first four ------------------------------------------------------------------------------

case("more-kinds", "last medication and temperature", NY, "07:00", "2026-06-10T14:00:00-04:00",
     event("medication", "2026-06-10T11:00:00-04:00", name="Paracetamol", dose="2.5 ml"),
     event("medication", "2026-06-10T05:00:00-04:00", name="Paracetamol"),
     event("temperature", "2026-06-09T23:00:00-04:00", celsius=38.4, site="ear"),
     event("temperature", "2026-06-10T10:50:00-04:00", celsius=38.9),
     bottle("2026-06-10T09:00:00-04:00", 50), more_kinds=("medication", "temperature"))
case("more-kinds", "last medication of a day in the past", NY, "07:00", "2026-06-10T14:00:00-04:00",
     event("medication", "2026-06-10T11:00:00-04:00", name="Vitamin D", dose="1 drop"),
     event("medication", "2026-06-09T09:00:00-04:00", name="Vitamin D"),
     date="2026-06-09", more_kinds=("medication", "temperature"))
