"""The dashboard of contract section 5, computed the slow and obvious way: the yardstick for the implementations.

Whole milliseconds throughout; zones through zoneinfo. Shares no code with the server, the kit or the web app.
"""

from datetime import date, datetime, time, timedelta, timezone
from zoneinfo import ZoneInfo

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
HOUR = 3_600_000


def milliseconds(text):
    return (datetime.fromisoformat(text) - EPOCH) // timedelta(milliseconds=1)


def wire(moment):
    at = EPOCH + timedelta(milliseconds=moment)
    return at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond // 1000:03}Z"


def begin(day, day_start, zone):
    """When a day begins, as PostgreSQL's AT TIME ZONE resolves it.

    A time that comes twice is the second one; one that is skipped is read with the offset before the gap.
    Both are the later of the two readings that zoneinfo offers.
    """
    local = datetime.combine(day, time.fromisoformat(day_start))
    readings = [local.replace(tzinfo=zone, fold=fold) for fold in (0, 1)]
    return max((reading - EPOCH) // timedelta(milliseconds=1) for reading in readings)


def today(now, day_start, zone):
    """The last day that has begun."""
    day = (EPOCH + timedelta(milliseconds=now)).date() + timedelta(days=2)
    while begin(day, day_start, zone) > now:
        day -= timedelta(days=1)
    return day


def union(intervals):
    """The length of what the intervals cover together."""
    total, reached = 0, None
    for start, end in sorted(intervals):
        if reached is not None and start < reached:
            start = reached
        if end > start:
            total += end - start
        reached = end if reached is None else max(reached, end)
    return total


class Item:
    def __init__(self, wired):
        self.type, self.fields = wired["type"], wired["event"]
        self.id, self.at = self.fields["id"], milliseconds(wired["at"])
        end = self.fields.get("ended_at")
        self.end = milliseconds(end) if end else None


class Day:
    def __init__(self, items, start, end, now):
        self.start, self.end, self.now = start, end, now
        self.items = [item for item in items if start <= item.at < end]
        self.sleeps = [part for part in (self.clipped(item) for item in items if item.type == "sleep") if part]

    def of(self, kind):
        return [item for item in self.items if item.type == kind]

    def clipped(self, sleep):
        """What of a sleep lies in the day. One without length lies where its moment is."""
        start, end = sleep.at, sleep.end
        if end is None:
            if self.now - start >= 24 * HOUR:
                return None
            end = max(start, self.now)
        if start == end:
            return (start, end) if self.start <= start < self.end else None
        part = (max(start, self.start), min(end, self.end))
        return part if part[0] < part[1] else None

    @property
    def bottle(self):
        tenths = sum(round(item.fields.get("amount_ml") or 0, 1) * 10 for item in self.of("feeding"))
        whole, tenth = divmod(round(tenths), 10)
        return whole if tenth == 0 else float(f"{whole}.{tenth}")

    @property
    def sleep_minutes(self):
        return union(self.sleeps) // 60_000

    @property
    def breast(self):
        """Of each feed the minutes at the sides, where they are given; else from its start to its end."""
        total = 0
        for feed in self.of("feeding"):
            given = [feed.fields[side] for side in ("left_minutes", "right_minutes") if feed.fields.get(side) is not None]
            if feed.fields["type"] != "breast":
                continue
            if given:
                total += sum(given) * 60_000
            elif feed.end is not None:
                total += feed.end - feed.at
        return total

    def totals(self):
        found = [item.fields["type"] for item in self.of("diaper")]
        return {
            "feedings": {
                "count": len(self.of("feeding")),
                "bottle_ml": self.bottle,
                "breast_minutes": self.breast // 60_000,
            },
            "diapers": {"count": len(found)} | {type: found.count(type) for type in ("wet", "dirty", "mixed", "dry")},
            "sleep": {
                "count": len(self.sleeps),
                "minutes": self.sleep_minutes,
                "longest_minutes": max((end - start for start, end in self.sleeps), default=0) // 60_000,
            },
            "notes": {"count": len(self.of("note"))},
        }

    def line(self, day):
        return {
            "date": day.isoformat(),
            "feedings": len(self.of("feeding")),
            "bottle_ml": self.bottle,
            "diapers": len(self.of("diaper")),
            "sleep_minutes": self.sleep_minutes,
        }


def latest(items):
    found = max(items, key=lambda item: (item.at, item.id), default=None)
    return found and found.id


def dashboard(case, last_kinds):
    zone, day_start = ZoneInfo(case["timezone"]), case["day_start_time"]
    now = milliseconds(case["now"])
    deleted = set(case.get("deleted", []))
    items = [Item(wired) for wired in case["events"] if wired["event"]["id"] not in deleted]
    day = date.fromisoformat(case["date"]) if case.get("date") else today(now, day_start, zone)

    week = []
    for back in range(6, -1, -1):
        one = day - timedelta(days=back)
        edges = begin(one, day_start, zone), begin(one + timedelta(days=1), day_start, zone)
        week.append((one, Day(items, *edges, now)))
    shown = week[-1][1]

    ongoing = {"feeding": None, "sleep": None}
    if shown.start <= now < shown.end:
        open_ended = [item for item in items if item.end is None]
        ongoing["sleep"] = latest(i for i in open_ended if i.type == "sleep" and now - i.at < 24 * HOUR)
        ongoing["feeding"] = latest(
            i for i in open_ended if i.type == "feeding" and i.fields["type"] == "breast" and i.at >= now - 4 * HOUR
        )
    return {
        "day": {
            "date": day.isoformat(),
            "timezone": case["timezone"],
            "starts_at": wire(shown.start),
            "ends_at": wire(shown.end),
        },
        "totals": shown.totals(),
        "last": {kind: latest(i for i in items if i.type == kind and i.at < shown.end) for kind in last_kinds},
        "ongoing": ongoing,
        "week": [part.line(one) for one, part in week],
    }
