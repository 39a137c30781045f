"""What becomes of an edit, a deletion or a restoration when others are at the same entry, or the server refuses it."""

import re
import time

from phone import error
from playwright.sync_api import expect
from test_web_faults import ONE, edit_amount, now_text

NOT_NOW = error("SERVICE_UNAVAILABLE", "Away")
REFUSED = error("VALIDATION_ERROR", "No", [{"field": "amount_ml", "message": "must be smaller"}])


def bottle(parent, amount=90) -> str:
    fields = {"type": "bottle", "amount_ml": amount, "started_at": now_text()}
    return parent.ok("POST", f"/children/{parent.child}/feedings", fields, 201)["feeding"]["id"]


def with_bottle(phone, parent):
    """A phone that shows a bottle which the server has."""
    id = bottle(parent)
    one = phone(parent)
    one.go("timeline")
    one.sees("Bottle, 90 ml")
    return one, id


def has(one, fits) -> None:
    """What the phone keeps of its only event comes to be like that."""
    deadline = time.monotonic() + 20
    while not fits(one.kept("events")):
        assert time.monotonic() < deadline, one.kept("events")
        one.page.wait_for_timeout(50)


def has_revision(one, revision: int) -> None:
    has(one, lambda events: [kept["event"]["revision"] for kept in events] == [revision])


def move(one, entry: str, child: str) -> None:
    one.tap(entry, role="link")
    one.page.get_by_label("Child").select_option(label=child)
    one.tap("Save")
    expect(one.page.get_by_role("dialog")).to_have_count(0)


def kept_aside(one) -> None:
    deadline = time.monotonic() + 20
    while not any("rejected" in entry for entry in one.kept("outbox")):
        assert time.monotonic() < deadline, one.kept("outbox")
        one.page.wait_for_timeout(50)


def give_up(one) -> None:
    one.go("waiting")
    one.tap("Give up")
    one.sees("Everything is fine")
    one.go("timeline")


# --- Another child has it now ------------------------------------------------------------------------------------


def test_a_move_whose_answer_is_lost_has_happened(phone, household, saved):
    parent = household("Johnny", "Ada", "Otto")
    one, id = with_bottle(phone, parent)
    one.lose_answers(ONE, method="PATCH")
    move(one, "Bottle, 90 ml", "Otto")
    one.settled()
    assert [kept["event"]["child_id"] for kept in one.kept("events")] == [parent.children[1]]
    assert one.kept("notices") == []
    assert len(saved(parent, parent.children[1])) == 1


def test_an_edit_follows_an_entry_that_somebody_moved(phone, household, saved):
    parent = household("Johnny", "Ada", "Otto")
    one, id = with_bottle(phone, parent)
    one.offline()
    edit_amount(one, 90, 95)
    parent.ok("PATCH", f"/children/{parent.child}/feedings/{id}", {"child_id": parent.children[1]})
    one.offline(False)
    one.settled()
    assert [event["event"]["amount_ml"] for event in saved(parent, parent.children[1])] == [95]
    assert [kept["event"]["amount_ml"] for kept in one.kept("events")] == [95]
    assert one.kept("notices") == []


def test_a_deletion_follows_an_entry_that_somebody_moved(phone, household, saved):
    parent = household("Johnny", "Ada", "Otto")
    one, id = with_bottle(phone, parent)
    one.offline()
    one.tap("Bottle, 90 ml", role="link")
    one.tap("Delete")
    parent.ok("PATCH", f"/children/{parent.child}/feedings/{id}", {"child_id": parent.children[1]})
    one.offline(False)
    one.settled()
    assert saved(parent, parent.children[1]) == [] and one.kept("events") == []


# --- The server refuses -------------------------------------------------------------------------------------------


def test_what_others_changed_stays_when_a_refused_edit_is_given_up(phone, household):
    parent = household()
    one, id = with_bottle(phone, parent)
    one.answer(ONE, 503, NOT_NOW, method="PATCH")
    edit_amount(one, 90, 95)
    changed = parent.ok("PATCH", f"/children/{parent.child}/feedings/{id}", {"amount_ml": 70})["feeding"]
    has_revision(one, changed["revision"])
    one.answer(ONE, 400, REFUSED, method="PATCH")
    kept_aside(one)
    one.sees("Bottle, 70 ml")
    changed = parent.ok("PATCH", f"/children/{parent.child}/feedings/{id}", {"amount_ml": 60})["feeding"]
    has_revision(one, changed["revision"])
    give_up(one)
    one.sees("Bottle, 60 ml")


def test_what_others_deleted_stays_deleted_when_a_refused_edit_is_given_up(phone, household):
    parent = household()
    one, id = with_bottle(phone, parent)
    one.answer(ONE, 400, REFUSED, method="PATCH")
    edit_amount(one, 90, 95)
    kept_aside(one)
    one.sees("Bottle, 90 ml")
    parent.ok("DELETE", f"/children/{parent.child}/feedings/{id}", status=204)
    has(one, lambda events: events == [])
    give_up(one)
    one.lacks("Bottle, 90 ml")
    assert one.kept("events") == []


def test_what_others_changed_is_shown_after_a_refused_deletion(phone, household):
    parent = household()
    one, id = with_bottle(phone, parent)
    one.answer(ONE, 403, error("FORBIDDEN", "No"), method="DELETE")
    one.tap("Bottle, 90 ml", role="link")
    one.tap("Delete")
    kept_aside(one)
    one.sees("Bottle, 90 ml")
    parent.ok("PATCH", f"/children/{parent.child}/feedings/{id}", {"amount_ml": 70})
    one.sees("Bottle, 70 ml")
    give_up(one)
    one.sees("Bottle, 70 ml")


def test_a_refused_restoration_leaves_it_deleted(phone, household):
    parent = household()
    one, id = with_bottle(phone, parent)
    one.answer(re.compile("/restore$"), 409, error("CONFLICT", "No"), method="POST")
    one.tap("Bottle, 90 ml", role="link")
    one.tap("Delete")
    one.settled()
    one.tap("Undo")
    kept_aside(one)
    one.lacks("Bottle, 90 ml")
    give_up(one)
    one.lacks("Bottle, 90 ml")
    assert one.kept("events") == []


# --- Two edits become one -------------------------------------------------------------------------------------------


def test_a_correction_and_then_a_change_of_kind_are_saved_together(phone, household, saved):
    parent = household()
    bottle(parent, 60)
    one, id = with_bottle(phone, parent)
    one.offline()
    edit_amount(one, 60, 65)  # the others have to wait for this one
    edit_amount(one, 90, 95)
    one.tap("Bottle, 95 ml", role="link")
    one.choose("Breast")
    one.tap("Save")
    one.sees("Breast, left")
    one.offline(False)
    one.settled()
    (event,) = [event["event"] for event in saved(parent) if event["event"]["id"] == id]
    assert (event["type"], event["side"]) == ("breast", "left")
    assert one.kept("outbox") == []


# --- Answers that come late -------------------------------------------------------------------------------------------


def test_an_answer_that_is_older_than_the_news_changes_nothing(phone, household):
    parent = household()
    one, id = with_bottle(phone, parent)
    held = []

    def hold(route) -> None:
        if route.request.method != "PATCH" or held:
            return route.fallback()
        held.append((route, one.carry_out(route)))

    one.context.route(ONE, hold)
    edit_amount(one, 90, 95)
    while not held:
        one.page.wait_for_timeout(50)
    changed = parent.ok("PATCH", f"/children/{parent.child}/feedings/{id}", {"amount_ml": 70})["feeding"]
    has_revision(one, changed["revision"])
    (route, answer), = held
    route.fulfill(status=answer.status_code, headers={"Content-Type": "application/json"}, body=answer.content)
    one.settled()
    one.sees("Bottle, 70 ml")
    assert [kept["event"]["revision"] for kept in one.kept("events")] == [changed["revision"]]
