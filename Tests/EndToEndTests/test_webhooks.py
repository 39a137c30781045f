"""Other programs are called when something is logged: signed, in order, and whatever becomes of them nobody else waits."""

import os
import signal
import socket
import statistics
import threading
import time

import pytest
from standardwebhooks import Webhook

from own_stack import until
from people import Person
from receivers import Break, Flood, Garbage, Hang, Receivers, tls, webhook_stack


@pytest.fixture(scope="module")
def own(stack):
    with webhook_stack(stack.place / "bin/babybasics") as own:
        yield own


@pytest.fixture
def parent(own):
    parent = Person(own, "Johnny")
    parent.family = parent.create_family()
    parent.child = parent.create_child(parent.family)
    yield parent
    parent.http.close()


def hook(parent: Person, url: str, **more) -> dict:
    return parent.ok("POST", f"/families/{parent.family}/webhooks", {"url": url, **more}, 201)["webhook"]


def log(parent: Person, count: int = 1) -> None:
    for _ in range(count):
        parent.ok("POST", f"/children/{parent.child}/diapers", {"type": "wet"}, 201)


def last(parent: Person, webhook: dict) -> dict:
    """As often as a person may ask."""
    time.sleep(0.5)
    return parent.ok("GET", f"/families/{parent.family}/webhooks/{webhook['id']}/deliveries")["deliveries"][0]


def test_calls_are_standard_webhooks(own, parent):
    webhook = hook(parent, own.receivers.url("standard"))
    made = parent.ok("POST", f"/children/{parent.child}/feedings", {"type": "bottle", "amount_ml": 90.5, "notes": "ü"}, 201)
    (call,) = own.receivers.wait("standard", seconds=10)
    message = Webhook(webhook["secret"]).verify(call.body, call.headers)
    assert message["type"] == "event.created" and message["data"]["event"] == made["feeding"]
    assert message["data"]["kind"] == "feeding" and message["data"]["child"]["id"] == parent.child
    with pytest.raises(Exception):
        Webhook(webhook["secret"]).verify(call.body + b" ", call.headers)
    until(lambda: last(parent, webhook)["state"] == "delivered", 5)
    assert last(parent, webhook)["id"] == call.id and last(parent, webhook)["status"] == 200
    for secret in (webhook["secret"], own.receivers.url("standard")):
        assert secret not in (own.place / "log/workers.log").read_text()


@pytest.mark.parametrize(
    "name, misbehaviour, status, failure",
    [("redirect", 302, 302, False), ("refusal", 500, 500, False), ("garbage", Garbage, None, True), ("breaks", Break, None, True)],
)
def test_what_is_not_taken_comes_again_under_its_id(own, parent, name, misbehaviour, status, failure):
    def answer(call):
        if isinstance(misbehaviour, int):
            return misbehaviour
        raise misbehaviour

    own.receivers.answers[f"/{name}"] = answer
    webhook = hook(parent, own.receivers.url(name))
    log(parent, 2)
    until(lambda: last(parent, webhook) and own.receivers.tried(name), 10)
    (delivery,) = [d for d in parent.ok("GET", f"/families/{parent.family}/webhooks/{webhook['id']}/deliveries")["deliveries"] if d["attempts"]] or [None]
    assert delivery["status"] == status and bool(delivery["failure"]) == failure
    own.receivers.answers[f"/{name}"] = lambda call: 204
    first, second = own.receivers.wait(name, 2, 15)
    assert first.id == delivery["id"] == own.receivers.tried(name)[0].id != second.id and first.revision < second.revision
    assert not own.receivers.tried("elsewhere")


def test_a_body_without_an_end_is_not_listened_to(own, parent):
    def flood(call):
        raise Flood

    own.receivers.answers["/flood"] = flood
    webhook = hook(parent, own.receivers.url("flood"))
    began = time.monotonic()
    log(parent)
    until(lambda: last(parent, webhook)["state"] == "delivered", 8)
    assert time.monotonic() - began < 8


def test_silence_ends_after_ten_seconds_and_holds_up_nobody(own, parent):
    def hang(call):
        raise Hang

    own.receivers.answers["/silent"] = hang
    silent = hook(parent, own.receivers.url("silent"))
    hook(parent, own.receivers.url("beside"))
    began = time.monotonic()
    log(parent, 3)
    own.receivers.wait("beside", 3, 5)
    failed = f"select count(*) from webhook_deliveries where webhook_id = '{silent['id']}' and failure is not null"
    until(lambda: own.sql(failed) == "1", 15)
    assert 8 < time.monotonic() - began < 16 and len(own.receivers.tried("silent")) == 1


def test_a_receiver_that_cannot_say_who_it_is_hears_nothing(own, parent, tmp_path):
    """A certificate of another name, and one that nobody knows."""
    stranger = Receivers(tls(tmp_path))
    urls = (own.receivers.url("misnamed", "localhost"), stranger.url("unknown"))
    webhooks = [hook(parent, url) for url in urls]
    log(parent)
    for webhook in webhooks:
        until(lambda: last(parent, webhook)["attempts"] > 0, 20)
        assert last(parent, webhook)["status"] is None and last(parent, webhook)["failure"]
    stranger.stop()
    assert not own.receivers.tried("misnamed") and not stranger.calls


def test_without_its_network_this_machine_is_not_called(stack, household):
    """The ordinary server: an address is refused when it is written, and a name when it has been resolved."""
    parent = household("Careful", "Ada")
    answer = parent.call("POST", f"/families/{parent.family}/webhooks", {"url": "https://127.0.0.1:8123/api"})
    assert answer.status_code == 400 and answer.json()["error"]["details"][0]["reason"] == "not_allowed"


def test_a_name_is_checked_by_what_it_stands_for(stack):
    """This machine's own name stands for an address of this machine, which the server cannot know before it asks."""
    name = socket.gethostname()
    with webhook_stack(stack.place / "bin/babybasics", networks="192.0.2.0/24") as own:
        parent = Person(own, "Johnny")
        parent.family = parent.create_family()
        parent.child = parent.create_child(parent.family)
        answer = parent.call("POST", f"/families/{parent.family}/webhooks", {"url": f"https://localhost:{own.receivers.port}/x"})
        assert answer.status_code == 400
        webhook = hook(parent, own.receivers.url("x", name))
        log(parent)
        until(lambda: last(parent, webhook)["attempts"] > 0, 20)
        assert last(parent, webhook)["failure"] and own.receivers.connections == 0


def drill(own, deliveries: int, kills: int = 0, calls: bool = True) -> dict:
    """Over 20 receivers of which half misbehave, while people log and look; workers are killed in between. Or without any webhook."""
    families, hooks = 4, 5
    events = deliveries // (families * hooks)
    healthy, people = [], []
    misbehaviours = [Hang, Break, Garbage, 500, (2.0, 200)]

    def misbehave(kind):
        def answer(call):
            if isinstance(kind, type):
                raise kind
            return kind
        return answer

    for f in range(families):
        parent = Person(own, f"Drill {f}")
        parent.family = parent.create_family()
        parent.child = parent.create_child(parent.family)
        people.append(parent)
        for h in range(hooks):
            if not calls:
                break
            name = f"drill-{time.time_ns()}-{f}-{h}"
            if (f * hooks + h) % 2:
                own.receivers.answers[f"/{name}"] = misbehave(misbehaviours[(f * hooks + h) // 2 % len(misbehaviours)])
            else:
                healthy.append((parent, name))
            hook(parent, own.receivers.url(name))
    own.sql("truncate address_rates")
    times: dict[str, list[float]] = {"log": [], "look": []}

    def timed(kind: str, parent: Person, *request) -> None:
        began = time.monotonic()
        parent.ok(*request)
        times[kind].append((time.monotonic() - began) * 1000)

    def live(parent: Person) -> None:
        # In batches as a phone sends them, so that nobody meets the limit of requests.
        for number in range(0, events, 10):
            batch = [{"type": "diaper", "event": {"type": "wet", "occurred_at": "2026-03-15T12:00:00Z"}} for _ in range(min(10, events - number))]
            timed("log", parent, "POST", f"/children/{parent.child}/events", {"events": batch}, 201)
            timed("look", parent, "GET", f"/children/{parent.child}/dashboard")
            time.sleep(1.2)

    threads = [threading.Thread(target=live, args=(parent,)) for parent in people]
    began = time.monotonic()
    for thread in threads:
        thread.start()
    for _ in range(kills):
        time.sleep(1.5)
        workers = [int(pid) for pid in (own.place / "workers.pid").read_text().split()]
        os.kill(workers[0], signal.SIGKILL)
    for thread in threads:
        thread.join()
    for parent, name in healthy:
        until(lambda: len({call.id for call in own.receivers.to(name)}) >= events, 300)
    seconds = time.monotonic() - began
    again = 0
    for parent, name in healthy:
        # Each at least once; and seen for the first time in the order of what was logged.
        seen: list[int] = []
        for call in own.receivers.to(name):
            if call.revision in seen:
                again += 1
            else:
                seen.append(call.revision)
        assert len(seen) == events and seen == sorted(seen), name
    return {
        "deliveries": deliveries, "healthy": events * len(healthy), "seconds": round(seconds, 1), "again": again,
        **{f"{kind}_p50_ms": round(statistics.median(all_), 1) for kind, all_ in times.items()},
        **{f"{kind}_p95_ms": round(sorted(all_)[int(len(all_) * 0.95) - 1], 1) for kind, all_ in times.items()},
    }


def test_receivers_that_misbehave_and_workers_that_are_killed_cost_nobody_a_call(stack, artifacts):
    """600 deliveries; WEBHOOK_DELIVERIES=10000 for more, in turn with the same requests of families without a webhook."""
    many = os.environ.get("WEBHOOK_DELIVERIES")
    figures = []
    with webhook_stack(stack.place / "bin/babybasics") as own:
        for calls in (False, True, False, True) if many else ():
            figures.append(drill(own, int(many), calls=calls) | {"webhooks": calls})
        figures.append(drill(own, int(many or 600), kills=2) | {"webhooks": True, "kills": 2})
    (artifacts / "webhooks.txt").write_text("".join(f"{line}\n" for line in figures))
