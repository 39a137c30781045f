"""The phone and the web app beside each other: what one logs the other shows."""

import re
import time

from playwright.sync_api import expect


def test_what_the_phone_logs_the_web_app_shows(phones, family, browser):
    _, sam = phones
    page = browser(family["maria"])
    page.heading("Wren")
    page.go("timeline")
    page.heading("Timeline")
    said = sam("log", "bottle", "120")
    identifier = said.split("\t")[0]
    page.sees(re.compile("Bottle, 120 ml"))
    sam("edit", identifier, "amount_ml=90")
    page.sees(re.compile("Bottle, 90 ml"))
    page.lacks(re.compile("Bottle, 120 ml"))
    sam("delete", identifier)
    page.lacks(re.compile("Bottle, 90 ml"))


def test_what_the_web_app_logs_the_phone_shows(phones, family, browser):
    _, sam = phones
    page = browser(family["maria"])
    page.heading("Wren")
    with sam.watch() as screen:
        screen.sees("watching\tWren")
        page.log_bottle(75)
        screen.sees("amount_ml=75")
        page.go("timeline")
        page.tap("Bottle, 75 ml", role="link")
        page.page.get_by_label("Amount").fill("80")
        page.page.get_by_label("Amount").press("Tab")
        page.tap("Save")
        screen.sees("amount_ml=80")
        page.tap("Bottle, 80 ml", role="link")
        page.tap("Delete")
        screen.sees("gone")


def test_both_change_one_entry_while_the_phone_is_offline(phones, family, browser):
    maria, sam = phones
    page = browser(family["maria"])
    page.heading("Wren")
    page.log_bottle(75)
    page.settled()
    sam("sync")
    bottle = sam.entries()[0]["id"]
    sam("offline", "on")
    sam("edit", bottle, "amount_ml=60", "notes=fell asleep")
    time.sleep(0.05)
    page.go("timeline")
    page.tap("Bottle, 75 ml", role="link")
    page.page.get_by_label("Amount").fill("80")
    page.page.get_by_label("Amount").press("Tab")
    page.tap("Save")
    page.settled()
    sam("offline", "off")
    assert "you entered 60, Maria 80" in sam("sync")
    # The amount that was entered later, and the note that only the phone wrote, are with both.
    assert [(one["amount_ml"], one["notes"]) for one in sam.entries()] == [("80", "fell asleep")]
    page.sees("fell asleep")
    page.sees(re.compile("Bottle, 80 ml"))


def test_a_sleep_that_one_starts_the_other_stops(phones, family, browser):
    maria, _ = phones
    page = browser(family["sam"])
    page.heading("Wren")
    maria("log", "sleep", "--ago", "20")
    stop = page.page.get_by_role("button", name=re.compile("^Stop"))
    expect(stop).to_be_visible()
    stop.click()
    page.settled()
    (sleep,) = maria.entries("--fetch")
    assert sleep["kind"] == "sleep" and "ended_at" in sleep


def test_the_newer_kinds_stand_beside_each_other(phones, family, browser):
    maria, _ = phones
    page = browser(family["sam"])
    page.heading("Wren")
    maria("log", "medication", "Paracetamol", "--ago", "180")
    maria("log", "activity", "Baby yoga", "--ago", "5")
    page.sees(re.compile("Paracetamol"))
    stop = page.page.get_by_role("button", name=re.compile("^Stop"))
    expect(stop).to_be_visible()
    stop.click()
    page.settled()
    activity = next(entry for entry in maria.entries("--fetch") if entry["kind"] == "activity")
    assert "ended_at" in activity
