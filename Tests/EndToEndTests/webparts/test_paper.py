"""What is printed: two sheets for the doctor, on A4 and on Letter, whatever the screen looked like."""

import datetime
import random
import re
import subprocess

import pytest
from playwright.sync_api import expect
from test_screens import LOOKS, MEASURED, NOW, browser, event, fits, open_screen, violations, wire  # noqa: F401
from webapp import picture

HOUR = datetime.timedelta(hours=1)
CONTENTS = [
    "Rash on the left arm, gone after the bath. It came back the next morning and was red.", "Ask about spitting up after each bottle.",
    "How much vitamin D?",
]  # fmt: skip
MEDICINES = [
    "Paracetamol", "Vitamin D", "Ibuprofen", "Zinc ointment, the thin one from the pharmacy", "Saline", "Gripe water", "Iron", "Probiotic drops",
    "Cough syrup", "Antibiotic",
]  # fmt: skip


def busy(days=31, seed=4):
    """More than any family logs, with something of everything a sheet shows."""
    dice, found = random.Random(seed), []
    for back in range(days):
        day = NOW - back * 24 * HOUR
        for hours in (1, 4, 7, 10, 13, 16, 20):
            at = day - hours * HOUR
            found.append(event(
                "feeding", at, type=dice.choice(["bottle", "bottle", "breast", "solid"]), amount_ml=dice.choice([90, 120, 150]), side="left",
                ended_at=wire(at + HOUR / 3),
            ))  # fmt: skip
        found += [event("diaper", day - hours * HOUR, type=dice.choice(["wet", "dirty", "mixed"])) for hours in (2, 6, 11, 15)]
        found.append(event("sleep", day - 14 * HOUR, type="night", ended_at=wire(day - (6 + dice.random()) * HOUR)))
        found.append(event("sleep", day - 3 * HOUR, type="nap", ended_at=wire(day - (1 + dice.random()) * HOUR)))
        found.append({**event("pumping", day - 5 * HOUR, amount_ml=80)})
        found.append(event("temperature", day - 5 * HOUR, celsius=round(36.5 + dice.random() * 2, 1), site="ear"))
        found.append(event("medication", day - 4 * HOUR, name=MEDICINES[back % len(MEDICINES)], dose="2.5 ml"))
        found.append(event("note", day - 6 * HOUR, content=dice.choice(CONTENTS), for_doctor=True))
    for month in range(1, 7):
        at = datetime.datetime(2026, month, 9, 15, tzinfo=datetime.timezone.utc)
        found.append(event("measurement", at, weight_g=3000 + month * 700, length_cm=50 + month * 2.4, head_cm=35 + month * 1.1))
    return found


def paper(page, path, size):
    page.pdf(path=path, format=size, prefer_css_page_size=False)
    about = subprocess.run(["pdfinfo", path], capture_output=True, text=True, check=True).stdout
    return int(re.search(r"Pages: +(\d+)", about)[1])


@pytest.mark.parametrize("size", ["A4", "Letter"])
@pytest.mark.parametrize("width", [320, 1280])
def test_two_sheets_for_the_doctor(open_screen, artifacts, size, width):  # noqa: F811
    page = open_screen("doctor", busy(), look="night", width=width)
    page.get_by_role("radio", name="Girls").check(force=True)
    page.get_by_role("radio", name="A month").check(force=True)
    expect(page.locator("svg.growth .curve")).to_have_count(15)
    expect(page.get_by_role("heading", name="A day on average, of 29 full days")).to_be_visible()
    path = artifacts / f"doctor-{size}-{width}.pdf"
    assert paper(page, path, size) == 2
    text = subprocess.run(["pdftotext", "-layout", path, "-"], capture_output=True, text=True, check=True).stdout
    for wanted in ("Emma", "Weight", "P85", "Sleep pattern", "Rash on the left arm", "Paracetamol, 2.5 ml", "the highest", "in the app"):
        assert wanted in text, wanted
    for gone in ("Print", "As a table", "Since the last visit", "Which is"):
        assert gone not in text, gone


def test_what_the_sheets_say_and_since_when(open_screen):  # noqa: F811
    page = open_screen("doctor", [*busy(20), *MEASURED], width=320)
    expect(page.get_by_text("May 28, 2026 to Jun 10, 2026")).to_be_visible()
    expect(page.get_by_text("of 13 full days")).to_be_visible()
    page.get_by_role("radio", name="Since the last visit").check(force=True)
    page.get_by_label("The last visit was on").fill("2026-06-08")
    expect(page.get_by_text("Jun 8, 2026 to Jun 10, 2026")).to_be_visible()
    expect(page.get_by_text("of 2 full days")).to_be_visible()
    page.reload()
    expect(page.get_by_text("Jun 8, 2026 to Jun 10, 2026")).to_be_visible()
    marked = {**event("note", NOW, content="Swollen gum", for_doctor=True)}
    page.evaluate("events => window.add(events)", [marked])
    expect(page.get_by_role("listitem").filter(has_text="Swollen gum")).to_be_visible()
    # The sheets say what the charts beside them say.
    expect(page.locator(".paper-means")).to_contain_text(re.compile("Feeds7"))
    page.get_by_label("The last visit was on").fill("2025-06-08")
    expect(page.get_by_text("The charts go back 92 days.")).to_be_visible()


def test_the_sheets_of_a_child_without_entries(open_screen):  # noqa: F811
    page = open_screen("doctor")
    for words in ("No full day in this range yet.", "Nothing measured yet.", "No note was marked.", "None given.", "None measured."):
        expect(page.get_by_text(words)).to_be_visible()


@LOOKS
@pytest.mark.parametrize("width", [320, 390, 1280])
def test_the_sheets_on_a_screen(open_screen, artifacts, look, width):  # noqa: F811
    page = open_screen("doctor", busy(20), look=look, width=width)
    page.get_by_role("radio", name="Girls").check(force=True)
    expect(page.locator("svg.growth .curve")).to_have_count(15)
    assert fits(page)
    assert violations(page) == []
    assert page.locator("[style]").count() == 0
    picture(page, artifacts / f"doctor-{width}-{look}.png", full_page=True)
