#!/usr/bin/python3
"""Cases of when the next feed and sleep may come: ./make.py writes cases.json, ./make.py --check compares.

What happened is said here; what is expected is worked out by a few slow, obvious lines, without code in common with what
they judge.
"""

import json
import pathlib
import statistics
import sys
from datetime import datetime, timedelta, timezone

NOW = datetime(2026, 6, 10, 12, tzinfo=timezone.utc)
HERE = pathlib.Path(__file__).parent


def wire(moment):
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Log:
    def __init__(self):
        self.events = []

    def add(self, kind, type, start, end=None, **fields):
        """Minutes before now."""
        at = wire(NOW - timedelta(minutes=start))
        event = {"id": f"{kind}-{len(self.events)}", "type": type, "started_at": at, **fields}
        event["ended_at"] = None if end is None else wire(NOW - timedelta(minutes=end))
        self.events.append({"type": kind, "at": at, "event": event})
        return self

    def bottles(self, *minutes):
        for one in minutes:
            self.add("feeding", "bottle", one)
        return self

    def naps(self, *ends, length=60):
        for one in ends:
            self.add("sleep", "nap", one + length, one)
        return self


def every(gap, count, first=60):
    return [first + gap * number for number in range(count)]


def cases():
    yield "every three hours", "", Log().bottles(*every(180, 20))
    yield "eight gaps are enough", "", Log().bottles(*every(180, 9))
    yield "seven gaps are not", "", Log().bottles(*every(180, 8))
    yield "the median of what varies a little", "", Log().bottles(60, 220, 410, 590, 760, 960, 1110, 1310, 1480, 1670, 1830)
    yield "what varies as it likes says nothing", "Gaps of half an hour to eight hours.", Log().bottles(
        60, 95, 500, 540, 900, 1260, 1300, 1700, 1740, 2200, 2240, 2700
    )
    yield "two hours and four, in turn", "Nobody would say three.", Log().bottles(
        *(60 + 360 * number + more for number in range(8) for more in (0, 120))
    )
    yield "its time has come", "", Log().bottles(*every(120, 20, first=120))
    yield "a minute before its time", "", Log().bottles(*every(120, 20, first=119))
    yield "older than seven days counts for nothing", "", Log().bottles(60, 240, *every(180, 20, first=7 * 1440 + 60))
    yield "a gap that ends within the seven days counts", "", Log().bottles(*every(1300, 9))
    yield "a day without an entry is a hole in the log", "", Log().bottles(*every(180, 5), *every(180, 5, first=3000))
    yield "solids are no feed", "", (
        lambda log: [log.add("feeding", "solid", one) for one in every(90, 40, first=10)] and log
    )(Log().bottles(*every(180, 20)))
    both = Log()
    for one in every(180, 12):
        both.add("feeding", "breast", one, one - 20, side="left").bottles(one - 45)
    yield "a bottle after the breast is one feed with it", "", both
    far = Log()
    for one in every(180, 12):
        far.add("feeding", "breast", one, one - 20, side="left").bottles(one - 51)
    yield "a bottle 31 minutes after the breast is another", "Gaps of 51 and 129 minutes: too far apart.", far
    yield "naps every three hours", "Awake for two hours between them.", Log().naps(*every(180, 12))
    yield "asleep: nothing is said of sleep", "", Log().naps(*every(180, 12, first=100)).add("sleep", "nap", 20)
    yield "a waking of nine minutes is none", "", Log().naps(*every(180, 12), length=51).naps(*(one + 60 for one in every(180, 12)), length=20)
    yield "nobody is awake for twelve hours", "A day without an entry in between.", Log().naps(*every(180, 6), *every(180, 6, first=3000))
    yield "a nap within the night is no waking", "Two people logged the same night.", Log().naps(*every(180, 12)).naps(*(one + 10 for one in every(180, 12)), length=30)
    yield "sleepy long ago", "", Log().naps(*every(180, 12, first=150))
    yield "a sleep whose end was forgotten", "", Log().naps(*every(180, 12)).add("sleep", "night", 25 * 60)
    deleted = Log().bottles(*every(180, 20)).bottles(20)
    deleted.events[-1]["event"]["deleted_at"] = wire(NOW)
    yield "what was deleted is not there", "", deleted
    yield "nothing at all", "", Log()


def moment(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def usual(gaps):
    if len(gaps) < 8:
        return None
    low, middle, high = statistics.quantiles(gaps, n=4, method="inclusive")
    return middle if high - low <= middle / 2 else None


def expected(events):
    there = [one for one in events if not one["event"].get("deleted_at")]
    week = NOW - timedelta(days=7)

    feeds = []
    for one in sorted((one for one in there if one["type"] == "feeding" and one["event"]["type"] != "solid"), key=lambda one: one["at"]):
        start, end = moment(one["at"]), moment(one["event"]["ended_at"] or one["at"])
        if feeds and start - feeds[-1][1] <= timedelta(minutes=30):
            feeds[-1][1] = max(feeds[-1][1], end)
        else:
            feeds.append([start, end])
    gaps = [(b - a).total_seconds() for (a, _), (b, _) in zip(feeds, feeds[1:]) if b >= week and b - a < timedelta(days=1)]
    gap, feed = usual(gaps), None
    if gap and feeds[-1][0] + timedelta(seconds=gap) > NOW:
        feed = {"gap_minutes": gap / 60, "at": wire(feeds[-1][0] + timedelta(seconds=gap))}

    sleeps, running = [], False
    for one in sorted((one for one in there if one["type"] == "sleep"), key=lambda one: one["at"]):
        start, end = moment(one["at"]), one["event"]["ended_at"]
        if end is None and NOW - start >= timedelta(days=1):
            continue
        running = running or end is None
        sleeps.append((start, moment(end) if end else NOW))
    gaps, reached = [], None
    for start, end in sleeps:
        if reached and timedelta(minutes=10) <= start - reached < timedelta(hours=12) and start >= week:
            gaps.append((start - reached).total_seconds())
        reached = max(reached, end) if reached else end
    gap, sleep = usual(gaps), None
    if gap and not running and reached + timedelta(seconds=gap) > NOW:
        sleep = {"since": wire(reached), "gap_minutes": gap / 60, "at": wire(reached + timedelta(seconds=gap))}
    return {"feed": feed, "sleep": sleep}


made = json.dumps(
    [
        {"name": name, **({"about": about} if about else {}), "now": wire(NOW), "events": log.events, "expected": expected(log.events)}
        for name, about, log in cases()
    ],
    ensure_ascii=False, indent=0,
) + "\n"  # fmt: skip
if sys.argv[1:] == ["--check"]:
    sys.exit(None if (HERE / "cases.json").read_text() == made else "cases.json is not what make.py says")
(HERE / "cases.json").write_text(made)
