"""The flows of the specification, and what a parent does at 3 a.m., in the engines that have no tests of their own."""

import json
import re
import secrets

from device import until
from people import PASSWORD


def address() -> str:
    return f"engine-{secrets.token_hex(6)}@example.com"


def fill_in_baby(one) -> None:
    one.fill("Baby’s name", "Ada")
    one.fill("Date of birth", "2026-03-15")


def join_path(parent, role: str = "caregiver") -> str:
    return f"/join/{parent.invite(parent.family, role)}"


# --- The flows -------------------------------------------------------------------------------------------------


def test_from_nothing_to_the_first_bottle(device, stack):
    one = device()
    one.open()
    for door in ("Create Account", "I Have an Invite", "Log In"):
        one.until_found("button", door)
    one.tap("Create Account")
    one.tap("Create Account")
    one.sees("Enter your name.")
    email = address()
    one.fill_in("Johnny Bretz", email)
    one.tap("Create Account")
    one.heading("Welcome, Johnny!")
    assert one.value("Family") == "Johnny’s Family"
    one.fill("Family", "The Bretz Family")
    fill_in_baby(one)
    one.tap("Get Started")
    one.heading("Ada")
    one.tap("Bottle")
    one.tap("Log 120 ml")
    one.sees("Bottle, 120 ml, formula logged")
    one.settled()
    with stack.client() as client:
        answer = client.post("/api/v1/auth/login", json={"email": email, "password": PASSWORD}).json()
        client.headers["Authorization"] = f"Bearer {answer['session']['token']}"
        (family,) = client.get("/api/v1/families").json()["families"]
    assert (family["name"], family["children_count"]) == ("The Bretz Family", 1)
    one.reopen()
    one.sees("Bottle, 120 ml")


def test_the_invitation_page_and_a_new_account(device, household):
    parent = household()
    one = device()
    one.open(join_path(parent))
    one.tap("Show invitation")
    one.sees("Johnny invites you to join\\s+Johnny's Family")
    one.sees("a caregiver")
    one.tap("Continue in the browser")
    one.sees("You’ve been invited to a family!")
    one.fill_in("Maria", address())
    one.tap("Create Account")
    one.sees("You joined Johnny's Family!")
    one.heading("Ada")
    assert "pendingInviteToken" not in one.page.run("() => Object.keys(localStorage)")
    members = parent.ok("GET", f"/families/{parent.family}/members")["members"]
    assert [member["name"] for member in members] == ["Johnny", "Maria"]


def test_an_invitation_for_who_is_signed_in(device, household):
    parent, maria = household("Johnny", "Ada"), household("Maria", "Otto")
    one = device(maria)
    one.heading("Otto")
    one.open(join_path(parent, "parent"))
    one.tap("Continue in the browser")
    one.sees("You joined Johnny's Family!")
    one.heading("Ada")
    one.go("family")
    one.tap("Maria's Family")
    one.heading("Otto")


def test_a_pasted_link(device, household):
    parent = household()
    one = device()
    one.open()
    one.tap("I Have an Invite")
    one.fill("Invite link", f"Join us! {one.line.base_url}{join_path(parent)} See you")
    one.tap("Continue")
    one.sees("You’ve been invited to a family!")
    one.fill_in("Maria", address())
    one.tap("Create Account")
    one.sees("You joined Johnny's Family!")


def test_the_family_s_settings_and_an_invite(device, household, stack):
    parent = household()
    one = device(parent)
    one.heading("Ada")
    one.go("family")
    one.tap("Edit")
    one.fill("^Name$", "The Bretz Family")
    one.tap("Save")
    one.heading("The Bretz Family")
    one.tap("Add Child")
    one.fill("^Name$", "Otto")
    one.fill("Date of birth", "2026-03-15")
    one.tap("Add Child")
    one.heading("Otto")
    one.go("family")
    one.tap("Invite Family Member")
    one.choose("Caregiver")
    one.tap("Create Invite Link")
    one.heading("Invite Created")
    one.sees(re.escape(stack.base_url) + "/join/[A-Za-z0-9_-]{22}\\s")
    one.tap("Copy")
    one.sees("Link copied")
    one.tap("Revoke")
    one.lacks("Open invites")
    family = parent.ok("GET", f"/families/{parent.family}")["family"]
    assert (family["name"], [child["name"] for child in family["children"]]) == ("The Bretz Family", ["Ada", "Otto"])


# --- Logging ---------------------------------------------------------------------------------------------------


def test_each_log_is_two_taps_or_three(device, household, saved):
    parent = household()
    one = device(parent)
    one.tap("Diaper")
    one.choose("Dirty")
    one.tap("Log dirty diaper")
    one.sees("Dirty diaper logged")
    one.tap("^Breast")
    one.tap("^Start left")
    one.until_found("region", "Feeding")
    one.tap("Stop: feed ended")
    one.sees("Feed ended after")
    one.tap("^Sleep")
    one.tap("^Start ")
    one.until_found("region", "Asleep")
    one.tap("Stop: Ada is awake")
    one.sees("Awake after")
    one.settled()
    found = {event["type"]: event["event"] for event in saved(parent)}
    assert found["diaper"]["type"] == "dirty"
    assert (found["feeding"]["type"], found["feeding"]["side"]) == ("breast", "left") and found["feeding"]["ended_at"]
    assert found["sleep"]["ended_at"]


def test_half_a_millilitre_in_either_way_of_writing(device, household, saved):
    parent = household()
    one = device(parent)
    for typed in ("112,5", "112.5"):
        one.tap("Bottle")
        one.fill("Amount", typed)
        one.tap("Log 112.5 ml")
        one.sees("Bottle, 112.5 ml, formula logged")
        one.settled()
    assert [event["event"]["amount_ml"] for event in saved(parent)] == [112.5, 112.5]


def test_an_edit_a_deletion_and_undo(device, household, saved):
    parent = household()
    one = device(parent)
    one.tap("Bottle")
    one.tap("Log 120 ml")
    one.tap("Undo")
    one.sees("Nothing yet")
    one.settled()
    assert saved(parent) == []
    one.tap("Bottle")
    one.tap("Log 120 ml")
    one.settled()
    one.go("timeline")
    one.tap("Bottle, 120 ml", "link")
    one.choose("Solids")
    one.fill("Food", "Pear")
    one.tap("Save")
    one.sees("Solids, Pear")
    one.settled()
    one.tap("Solids, Pear", "link")
    one.tap("Delete")
    one.sees("Nothing logged yet.")
    one.settled()
    assert saved(parent) == []
    one.tap("Undo")
    one.sees("Solids, Pear")
    one.settled()
    (event,) = saved(parent)
    assert (event["event"]["type"], event["event"]["food"]) == ("solid", "Pear")


# --- Without a network, and with others ----------------------------------------------------------------------------


def test_offline_closed_opened_and_back(device, household, saved):
    parent = household()
    one = device(parent)
    one.heading("Ada")
    one.until_on_the_device()
    one.line.cut()
    one.tap("Bottle")
    one.tap("Log 120 ml")
    one.sees("1 entry waiting")
    one.go("family")
    one.heading("Johnny's Family")
    one.reopen()
    one.sees("Bottle, 120 ml")
    one.sees("1 entry waiting")
    one.tap("Diaper")
    one.tap("Log wet diaper")
    one.sees("2 entries waiting · no connection")
    note = {"content": "Meanwhile", "occurred_at": "2026-06-01T10:00:00Z"}
    parent.ok("POST", f"/children/{parent.child}/notes", note, 201)
    one.line.mend()
    one.page.run("() => dispatchEvent(new Event('online'))")
    one.settled()
    assert sorted(event["type"] for event in saved(parent)) == ["diaper", "feeding", "note"]
    one.lacks("waiting|no connection")
    one.go("timeline")
    for entry in ("Wet diaper", "Bottle, 120 ml", "Meanwhile"):
        one.sees(entry)


def test_two_devices_live(device, household, person):
    parent, maria = household(), person("Maria")
    maria.join(parent.invite(parent.family, "caregiver"))
    one, two = device(parent), device(maria)
    two.heading("Ada")
    two.page.run("() => { window.neverReloaded = true; }")
    one.tap("Bottle")
    one.tap("Log 120 ml")
    two.sees("Bottle, 120 ml")
    two.go("timeline")
    two.sees("Johnny")
    two.tap("Bottle, 120 ml", "link")
    two.choose("Breast milk")
    two.tap("Save")
    one.sees("Bottle, 120 ml, breast milk")
    assert two.page.run("() => window.neverReloaded")


def test_import_and_export(device, household, saved, tmp_path):
    parent = household()
    one = device(parent)
    one.heading("Ada")
    one.go("import")
    table = tmp_path / "sleep.csv"
    rows = (f"1,2026-06-{day:02} 12:00:00,2026-06-{day:02} 12:40:00,1,Zoë\n" for day in range(1, 4))
    table.write_text("child_id,start,end,nap,notes\n" + "".join(rows))
    one.attach(table)
    one.tap("Import 3 entries")
    one.sees("3 entries are in.")
    assert [(event["event"]["type"], event["event"]["notes"]) for event in saved(parent)] == [("nap", "Zoë")] * 3
    until(lambda: len(one.kept("events")) == 3, "what was imported does not come back")
    one.go("export")
    one.tap("Save everything")
    everything = until(lambda: [path for path in one.page.downloads.glob("*.json") if path.stat().st_size], "no file")
    exported = json.loads(everything[0].read_text())["children"][0]["events"]
    assert {one["event"]["id"] for one in exported} == {event["event"]["id"] for event in saved(parent)}
