"""A family of years on a new device: what is needed first comes first, and nothing is asked for twice."""

import json
import re
import time
from datetime import datetime, timedelta, timezone

CHANGES = re.compile(r"/changes\?since=(\d+)&limit=(\d+)$")


def ago(minutes: float) -> str:
    return (datetime.now(timezone.utc) - timedelta(minutes=minutes)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def fill(parent, count: int) -> None:
    """Bottles, the newest first: the feed brings that one first, and what is asked for is at its end."""
    for first in range(0, count, 500):
        events = [
            {"type": "feeding", "event": {"type": "bottle", "amount_ml": 50, "started_at": ago(30 * (count - number) + 60)}}
            for number in range(first, min(count, first + 500))
        ]
        parent.ok("POST", f"/children/{parent.child}/events", {"events": events}, 201)


class Feed:
    """The feed as a server gives it that has a thousand changes a page; a page may be held back."""

    def __init__(self, one, parent, size: int, held_from: int = 10**9):
        self.changes, self.size, self.held_from, self.asked = [], size, held_from, []
        self.held = []
        since, more = 0, True
        while more:
            answer = parent.ok("GET", f"/families/{parent.family}/changes?since={since}&limit=200")
            self.changes += answer["changes"]
            since, more = answer["next_since"], answer["has_more"]
        self.end = since
        one.context.route(CHANGES, self.serve)

    def serve(self, route) -> None:
        since = int(CHANGES.search(route.request.url)[1])
        self.asked.append(since)
        if len(self.asked) > self.held_from:
            self.held.append((route, since))
        else:
            self.answer(route, since)

    def release(self) -> None:
        self.held_from = 10**9
        for route, since in self.held:
            self.answer(route, since)
        self.held = []

    def answer(self, route, since) -> None:
        rest = [change for change in self.changes if change["revision"] > since]
        page = rest[: self.size]
        more = len(rest) > self.size
        body = {"changes": page, "next_since": page[-1]["revision"] if more else max(self.end, since), "has_more": more}
        route.fulfill(status=200, headers={"Content-Type": "application/json"}, body=json.dumps(body))


def test_the_latest_is_there_before_the_rest(phone, household):
    """Today is right while the years before are still on their way."""
    parent = household()
    fill(parent, 450)
    parent.ok("POST", f"/children/{parent.child}/feedings", {"type": "bottle", "amount_ml": 145, "started_at": ago(5)}, 201)
    one = phone()
    feed = Feed(one, parent, 200, held_from=1)
    one.sign_in(parent)
    one.sees(re.compile("Bottle, 145 ml"))
    expect_held(one, feed)
    assert 0 < len(one.kept("events")) < 451
    feed.release()
    arrived(one, 451)
    assert {event["event"]["revision"] for event in one.kept("events")} == {
        change["revision"] for change in feed.changes if change["entity"] == "feeding"
    }


COUNT = """async () => {
    const { id } = JSON.parse(localStorage.getItem('account'));
    const names = (await indexedDB.databases()).map(({ name }) => name);
    if (!names.includes(`baby-basics-${id}`)) return 0; // asked for now, it would be made without stores
    const opening = indexedDB.open(`baby-basics-${id}`);
    const database = await new Promise((resolve) => { opening.onsuccess = () => resolve(opening.result); });
    const counting = database.transaction('events').objectStore('events').count();
    const count = await new Promise((resolve) => { counting.onsuccess = () => resolve(counting.result); });
    database.close();
    return count;
}"""


def arrived(one, wanted: int) -> None:
    deadline = time.monotonic() + 60
    while (count := one.page.evaluate(COUNT)) != wanted:
        assert time.monotonic() < deadline, count
        one.page.wait_for_timeout(50)


def expect_held(one, feed) -> None:
    for _ in range(100):
        if feed.held:
            return
        one.page.wait_for_timeout(50)
    raise AssertionError("no second page was asked for")


def test_each_page_is_asked_for_once_and_screens_are_not_drawn_for_each(phone, household):
    parent = household()
    fill(parent, 1_000)
    one = phone()
    feed = Feed(one, parent, 50)
    one.context.add_init_script("""
        window.drawn = 0;
        const post = BroadcastChannel.prototype.postMessage;
        BroadcastChannel.prototype.postMessage = function (message) {
            if (message.name === 'changed') window.drawn += 1;
            return post.call(this, message);
        };
    """)
    began = time.monotonic()
    one.sign_in(parent)
    arrived(one, 1_000)
    pages = -(-len(feed.changes) // 50)
    while len(feed.asked) < pages and time.monotonic() - began < 60:  # the latest events have come before their page
        one.page.wait_for_timeout(50)
    one.page.wait_for_timeout(200)
    took = time.monotonic() - began
    assert len(feed.asked) == len(set(feed.asked)) == pages
    assert one.page.evaluate("window.drawn") < 10 + took, "once a second, not once a page"


def test_a_page_that_is_refused_is_gone_on_from(phone, household):
    """What came before the refusal stays, and only the rest is asked for again."""
    parent = household()
    fill(parent, 400)
    one = phone()
    feed = Feed(one, parent, 100)
    refused = []

    def refuse(route) -> None:
        if not refused and int(CHANGES.search(route.request.url)[1]) > 0:
            refused.append(route)
            body = {"error": {"code": "RATE_LIMITED", "message": "Too many", "details": []}}
            route.fulfill(status=429, headers={"Content-Type": "application/json", "Retry-After": "1"}, body=json.dumps(body))
        else:
            route.fallback()

    one.context.route(CHANGES, refuse)
    one.sign_in(parent)
    arrived(one, 400)
    assert refused and feed.asked.count(0) == 1
