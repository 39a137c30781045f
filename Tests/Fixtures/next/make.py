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
        event = {"type": type, "started_at": at, **fields}
        if end is not None:
            event["ended_at"] = wire(NOW - timedelta(minutes=end))
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


WEEK = 7 * 8  # every three hours


def after(*gaps, first=60):
    """These gaps again and again, for a week."""
    ends = [first]
    while ends[-1] < 7 * 1440:
        ends += [ends[-1] + sum(gaps[: number + 1]) for number in range(len(gaps))]
    return ends


def cases():
    yield "every three hours", "", Log().bottles(*every(180, WEEK))
    yield "eight gaps at about this time of day are enough", "Within three hours of it, those included.", Log().bottles(*every(180, 24))
    yield "seven gaps are not", "", Log().bottles(*every(180, 23))
    yield "three hours and a minute away is another time of day", "", Log().bottles(*every(181, 24))
    yield "the median of what varies a little, and how far it reaches", "", Log().bottles(
        *after(160, 190, 180, 170, 200, 150, 200, 170, 190, 160)
    )
    yield "what varies as it likes says nothing", "Gaps of half an hour to eight hours.", Log().bottles(
        *after(35, 405, 40, 360, 360, 40, 400, 40, 460, 40, 460)
    )
    yield "two hours and four, in turn", "Nobody would say three.", Log().bottles(*after(120, 240))
    yield "by day it is not as by night", "Every two hours by day; by night two feeds, five hours apart.", Log().bottles(
        *(1440 * day + minute for day in range(7) for minute in (60, 180, 300, 600, 900, 1020, 1140, 1260, 1380))
    )
    yield "its time has come", "", Log().bottles(*every(120, 84, first=120))
    yield "a minute before its time", "", Log().bottles(*every(120, 84, first=119))
    yield "older than seven days counts for nothing", "", Log().bottles(60, 240, *every(180, WEEK, first=7 * 1440 + 60))
    yield "a gap that ends within the seven days counts", "", Log().bottles(*every(1430, 9))
    yield "a day without an entry is a hole in the log", "", Log().bottles(*every(180, 12), *every(180, 36, first=3900))
    yield "solids are no feed", "", (
        lambda log: [log.add("feeding", "solid", one) for one in every(90, 2 * WEEK, first=10)] and log
    )(Log().bottles(*every(180, WEEK)))
    both = Log()
    for one in every(180, WEEK):
        both.add("feeding", "breast", one, one - 20, side="left").bottles(one - 45)
    yield "a bottle after the breast is one feed with it", "", both
    far = Log()
    for one in every(180, WEEK):
        far.add("feeding", "breast", one, one - 20, side="left").bottles(one - 51)
    yield "a bottle 31 minutes after the breast is another", "Gaps of 51 and 129 minutes: too far apart.", far
    yield "naps every three hours", "Awake for two hours between them.", Log().naps(*every(180, WEEK))
    yield "asleep: nothing is said of sleep", "", Log().naps(*every(180, WEEK, first=100)).add("sleep", "nap", 20)
    yield "a waking of nine minutes is none", "", Log().naps(*every(180, WEEK), length=51).naps(*(one + 60 for one in every(180, WEEK)), length=20)
    yield "nobody is awake for twelve hours", "A day without an entry in between.", Log().naps(*every(180, 12), *every(180, 36, first=3900))
    yield "a nap within the night is no waking", "Two people logged the same night.", Log().naps(*every(180, WEEK)).naps(*(one + 10 for one in every(180, WEEK)), length=30)
    yield "sleepy long ago", "", Log().naps(*every(180, WEEK, first=150))
    yield "a sleep whose end was forgotten", "", Log().naps(*every(180, WEEK)).add("sleep", "night", 25 * 60)
    deleted = Log().bottles(*every(180, WEEK)).bottles(20)
    deleted.events[-1]["event"]["deleted_at"] = wire(NOW)
    yield "what was deleted is not there", "", deleted
    yield "nothing at all", "", Log()


def moment(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def usual(gaps, since):
    """Of gaps, each with the moment in which it begins."""
    minutes = [gap for begin, gap in gaps if min((begin - since).total_seconds() % 86400, (since - begin).total_seconds() % 86400) <= 3 * 3600]
    if len(minutes) < 8:
        return None
    low, middle, high = statistics.quantiles(minutes, n=4, method="inclusive")
    twentieths = statistics.quantiles(minutes, n=20, method="inclusive")
    if high - low > middle / 2 or since + timedelta(minutes=middle) <= NOW:
        return None
    at, begin, end = (wire(since + timedelta(minutes=one)) for one in (middle, twentieths[0], twentieths[-1]))
    return {"gap_minutes": middle, "at": at, "from": begin, "to": end}


def expected(events):
    there = [one for one in events if not one["event"].get("deleted_at")]
    week = NOW - timedelta(days=7)

    feeds = []
    for one in sorted((one for one in there if one["type"] == "feeding" and one["event"]["type"] != "solid"), key=lambda one: one["at"]):
        start, end = moment(one["at"]), moment(one["event"].get("ended_at", one["at"]))
        if feeds and start - feeds[-1][1] <= timedelta(minutes=30):
            feeds[-1][1] = max(feeds[-1][1], end)
        else:
            feeds.append([start, end])
    gaps = [(a, (b - a).total_seconds() / 60) for (a, _), (b, _) in zip(feeds, feeds[1:]) if b >= week and b - a < timedelta(days=1)]
    feed = usual(gaps, feeds[-1][0]) if feeds else None

    sleeps, running = [], False
    for one in sorted((one for one in there if one["type"] == "sleep"), key=lambda one: one["at"]):
        start, end = moment(one["at"]), one["event"].get("ended_at")
        if end is None and NOW - start >= timedelta(days=1):
            continue
        running = running or end is None
        sleeps.append((start, moment(end) if end else NOW))
    gaps, reached = [], None
    for start, end in sleeps:
        if reached and timedelta(minutes=10) <= start - reached < timedelta(hours=12) and start >= week:
            gaps.append((reached, (start - reached).total_seconds() / 60))
        reached = max(reached, end) if reached else end
    sleep = usual(gaps, reached) if reached and not running else None
    if sleep:
        sleep = {"since": wire(reached), **sleep}
    return {"feed": feed, "sleep": sleep}


made = ",\n".join(
    json.dumps({"name": name, **({"about": about} if about else {}), "now": wire(NOW), "expected": expected(log.events), "events": log.events}, ensure_ascii=False)
    for name, about, log in cases()
)
made = f"[\n{made}\n]\n"
if sys.argv[1:] == ["--check"]:
    sys.exit(None if (HERE / "cases.json").read_text() == made else "cases.json is not what make.py says")
(HERE / "cases.json").write_text(made)
