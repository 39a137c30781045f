"""The kit at the real server, through nginx, as people use it: by a program that is nothing but the kit."""

import os
import subprocess
import time

import pytest
from lossy import LossyLine
from terminal import Phone, program


def events_of(person, child: str) -> list[dict]:
    return person.ok("GET", f"/children/{child}/timeline?limit=200")["events"]


def test_from_nothing_to_a_family_and_an_invited_person(stack, tmp_path):
    maria, sam = Phone(stack, tmp_path / "maria"), Phone(stack, tmp_path / "sam")
    name = os.urandom(6).hex()
    assert "doesn’t look like" in maria("server", "ftp://nowhere", fails=True)
    assert "can’t reach it" in maria("server", "https://localhost:1", fails=True)
    maria("server", maria.server)
    sam("server", sam.server)
    assert "setUp" in maria.patiently("register", "Maria Bretz", f"maria-{name}@example.com")
    assert "home" in maria("set-up", "Wren", "2026-03-15")
    share = maria("invite", "caregiver").strip()
    assert share.startswith("Join Maria’s Family on Baby Basics! https://")
    sam.patiently("register", "Sam", f"sam-{name}@example.com")
    assert "You joined Maria’s Family!" in sam.patiently("join", f"Hi Sam! {share}. Love, Maria")
    assert "child\tWren" in sam("families") and "member\tMaria Bretz\tparent" in sam("families")
    assert (tmp_path / "sam/session").stat().st_mode & 0o777 == 0o600
    # Another host's link goes nowhere.
    assert "evil.example" in sam("join", "https://evil.example/join/xK9mLp2qR5tN8vW3yBcd4A", fails=True)


def test_what_one_logs_the_other_shows(phones, family):
    maria, sam = phones
    maria("log", "bottle", "120")
    sam("log", "diaper", "wet", "--ago", "10")
    assert [entry["kind"] for entry in maria.entries("--fetch")] == ["feeding", "diaper"]
    assert sam.entries("--fetch") == maria.entries()
    bottle = sam.entries()[0]
    sam("edit", bottle["id"], "amount_ml=90", "notes=sleepy")
    maria("sync")
    assert maria.entries()[0]["amount_ml"] == "90" and maria.entries()[0]["notes"] == "sleepy"
    maria("delete", bottle["id"])
    assert [entry["kind"] for entry in sam.entries("--fetch")] == ["diaper"]
    assert len(events_of(family["maria"], family["child"])) == 1


def test_offline_is_no_obstacle(phones, family):
    maria, sam = phones
    sam("offline", "on")
    sam("log", "bottle", "60")
    sam("log", "note", "slept through")
    assert all(entry["waiting"] for entry in sam.entries())
    assert "No connection" in sam("sync", fails=True)
    assert maria.entries("--fetch") == []
    sam("offline", "off")
    sam("sync")
    assert {entry["kind"] for entry in maria.entries("--fetch")} == {"feeding", "note"}
    assert not any(entry["waiting"] for entry in sam.entries())


def test_on_screen_it_comes_by_itself(phones, family):
    maria, sam = phones
    with maria.watch() as screen:
        screen.sees("watching\tWren")
        time.sleep(2)
        sam("log", "bottle", "75")
        screen.sees("amount_ml=75")
        # Somebody with another client.
        note = {"content": "from the web", "occurred_at": "2026-06-01T10:00:00Z"}
        family["sam"].ok("POST", f"/children/{family['child']}/notes", note, 201)
        screen.sees("from the web")
        # The person on screen logs in another window: the store is one.
        maria("log", "diaper", "dirty")
        screen.sees("type=dirty")


def test_what_others_log_is_on_screen_within_a_second(phones, family):
    """By the feed that waits: asking again and again would take five seconds."""
    maria, _ = phones
    with maria.watch() as screen:
        screen.sees("watching\tWren")
        time.sleep(2)
        took = []
        for number in range(5):
            note = {"content": f"news {number}", "occurred_at": f"2026-06-01T10:0{number}:00Z"}
            family["sam"].ok("POST", f"/children/{family['child']}/notes", note, 201)
            took.append(screen.sees(f"news {number}"))
            time.sleep(0.3)
    assert sorted(took)[2] < 1, took
    assert max(took) < 4, took


def test_the_day_is_the_servers(phones, family):
    maria, _ = phones
    for words in (["bottle", "120"], ["bottle", "33.3"], ["diaper", "mixed"], ["breast", "left", "--minutes", "9"]):
        maria("log", *words, "--ago", "12")
    maria("log", "sleep", "--ago", "90", "--minutes", "45")
    board = family["maria"].ok("GET", f"/children/{family['child']}/dashboard")["dashboard"]
    totals = board["totals"]
    lines = dict(line.split("\t", 1) for line in maria("summary").splitlines() if not line.startswith("last"))
    assert lines["day"] == "\t".join(board["day"][name] for name in ("date", "starts_at", "ends_at"))
    bottle = totals["feedings"]["bottle_ml"]
    assert lines["feedings"] == f"{totals['feedings']['count']}\t{bottle:g}"
    assert lines["diapers"] == str(totals["diapers"]["count"])
    assert lines["sleep"] == f"{totals['sleep']['count']}\t{totals['sleep']['minutes']}"


def test_the_newer_kinds(phones, family):
    maria, sam = phones
    maria("log", "pumping", "90", "left", "--ago", "60")
    maria("log", "measurement", "5.2", "57.5", "--ago", "50")
    maria("log", "temperature", "38.4", "ear", "--ago", "40")
    maria("log", "medication", "Paracetamol,", "2.5", "ml", "--ago", "180")
    maria("log", "activity", "Baby yoga", "--ago", "5")
    assert "at least one of the three" in maria("log", "measurement", fails=True)
    assert sam.entries("--fetch") == maria.entries()
    by_kind = {entry["kind"]: entry for entry in sam.entries()}
    assert (by_kind["measurement"]["weight_g"], by_kind["measurement"]["length_cm"]) == ("5200", "57.5")
    assert (by_kind["medication"]["name"], by_kind["medication"]["dose"]) == ("Paracetamol", "2.5 ml")
    lines = sam("summary").splitlines()
    assert "last\tmedication\tParacetamol, 3 h ago" in lines
    assert "last\ttemperature\t38.4 °C, 40 min ago" in lines
    assert "running\tactivity\tBaby yoga" in lines
    assert lines[-1].split("\t")[1] == "Baby yoga"
    assert "ended_at" in sam("log", "stop")
    assert "running" not in sam("summary")
    board = family["maria"].ok("GET", f"/children/{family['child']}/dashboard")["dashboard"]
    assert board["last"]["medication"]["id"] == by_kind["medication"]["id"]
    assert board["last"]["temperature"]["id"] == by_kind["temperature"]["id"]


def test_growth_asks_once_and_tells_nobody(phones, family):
    maria, sam = phones
    maria("log", "measurement", "5.2", "57.5")
    assert maria("growth", "--sex", "girl").split("\t")[1:2] == ["5.2"]
    assert ", z " in maria("growth")
    sam("sync")
    trouble = subprocess.run([program(), "growth"], env=sam.environment, capture_output=True, text=True, timeout=60).stderr
    assert "Boy or girl?" in trouble


def test_two_parents_change_one_entry(phones):
    maria, sam = phones
    maria("log", "bottle", "120")
    sam("sync")
    bottle = sam.entries()[0]["id"]
    sam("offline", "on")
    sam("edit", bottle, "amount_ml=80")
    time.sleep(0.05)
    maria("edit", bottle, "amount_ml=90")
    sam("offline", "off")
    told = sam("sync")
    assert "you entered 80, Maria 90" in told and "We kept 90" in told
    assert sam.entries()[0]["amount_ml"] == "90"


def test_the_session_ends_and_the_outbox_stays(phones, family):
    _, sam = phones
    sam("offline", "on")
    sam("log", "bottle", "60")
    sam("offline", "off")
    family["sam"].ok("POST", "/auth/logout", status=204)
    assert "Log in again" in sam("sync", fails=True)
    assert "home" in sam.patiently("log-in", family["sam"].email)
    sam("sync")
    assert len(events_of(family["maria"], family["child"])) == 1


def test_who_is_removed_is_told(phones, family):
    _, sam = phones
    sam("offline", "on")
    sam("log", "bottle", "60")
    sam("offline", "off")
    family["maria"].ok("DELETE", f"/families/{family['id']}/members/{family['sam'].id}", status=204)
    assert "You are no longer part of Maria's Family" in sam("sync")
    assert "no family yet" in subprocess.run(
        [program(), "list"], env=sam.environment, capture_output=True, text=True, timeout=60
    ).stderr


@pytest.mark.parametrize("lost", ["request", "answer"])
def test_a_line_that_breaks_after_the_handshake(stack, family, tmp_path, lost):
    line = LossyLine(stack.port)
    try:
        phone = Phone(stack, tmp_path / "phone", f"https://localhost:{line.port}").sign_in(family["maria"])
        line.loses = lost
        for number, amount in enumerate((10, 20, 30), 1):
            line.done = lambda number=number: len(events_of(family["maria"], family["child"])) == number
            phone("log", "bottle", str(amount))
            assert line.lost == number
        arrived = len(events_of(family["maria"], family["child"]))
        assert arrived == (0 if lost == "request" else 3)
        assert [entry["waiting"] for entry in phone.entries()] == [True] * 3
        phone("edit", phone.entries()[0]["id"], "amount_ml=35")
        line.loses = None
        phone("sync")
        amounts = sorted(item["event"]["amount_ml"] for item in events_of(family["maria"], family["child"]))
        assert amounts == [10, 20, 35]
        assert not any(entry["waiting"] for entry in phone.entries())
    finally:
        line.close()


def test_a_phone_speaks_what_its_person_chooses(phones, family):
    maria, _ = phones
    maria("speak", "de")
    assert family["maria"].ok("GET", "/users/me")["user"]["language"] == "de", "mails are in it, too"
    maria("offline", "on")
    assert "Keine Verbindung." in maria("sync", fails=True)
    maria("log", "bottle", "120")
    assert "Flasche 120 ml, gerade eben" in maria("summary")
    maria("offline", "off")
