"""Pumping, growth, temperature, medicine and activities: logged, seen, timed, changed."""

import re
from datetime import datetime, timedelta, timezone

import pytest
from playwright.sync_api import expect


def ago(minutes: float) -> str:
    return (datetime.now(timezone.utc) - timedelta(minutes=minutes)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def sheet(one, name: str):
    """The sheet that logs what is behind More."""
    one.tap("More")
    one.page.get_by_role("dialog").get_by_role("button", name=re.compile(f"^{name}")).click()
    return one.page.get_by_role("dialog")


def fill(one, label: str, value: str) -> None:
    one.page.get_by_role("dialog").get_by_label(re.compile(f"^{label}")).first.fill(value)


def keep(one) -> None:
    one.page.get_by_role("dialog").get_by_role("button", name=re.compile("^(Log|Start) ")).click()
    expect(one.page.get_by_role("dialog")).to_have_count(0)


def test_each_is_logged_and_arrives(phone, household, saved):
    parent = household()
    one = phone(parent)
    for name, fields in {
        "Pumping": {}, "Medicine": {"Medicine": "Vitamin D", "Dose": "1 drop"}, "Temperature": {"Temperature": "37.4"},
        "Growth": {"Weight": "5.25", "Head": "40.5"}, "Activity": {"What": "Tummy time"},
        "Milk thrown away": {"Amount": "45"},
    }.items():
        sheet(one, name)
        for label, value in fields.items():
            fill(one, label, value)
        keep(one)
    one.settled()
    found = {event["type"]: event["event"] for event in saved(parent)}
    assert (found["pumping"]["amount_ml"], found["pumping"]["side"]) == (100, "both")
    assert (found["medication"]["name"], found["medication"]["dose"]) == ("Vitamin D", "1 drop")
    assert found["temperature"]["celsius"] == 37.4
    assert (found["measurement"]["weight_g"], found["measurement"]["head_cm"]) == (5250, 40.5)
    assert found["activity"]["name"] == "Tummy time"
    assert found["discard"]["amount_ml"] == 45
    assert one.kept("notices") == []


def test_a_bottle_is_still_two_taps_and_the_rest_is_behind_one_more(phone, household):
    one = phone(household())
    expect(one.page.locator(".dock .log")).to_have_count(5)
    names = one.page.locator(".dock .log").all_inner_texts()
    assert names == ["Bottle", "Breast", "Sleep", "Diaper", "More"]
    one.tap("More")
    expect(one.page.get_by_role("dialog").locator(".log")).to_have_count(8)
    assert one.page.get_by_role("dialog").locator(".log").all_inner_texts() == [
        "Solids", "Note", "Pumping", "Medicine", "Temperature", "Growth", "Activity", "Milk thrown away"
    ]


def test_the_last_medicine_and_temperature_stand_on_today(phone, household):
    parent = household()
    parent.ok("POST", f"/children/{parent.child}/medications", {"name": "Paracetamol", "dose": "2.5 ml", "occurred_at": ago(181)}, 201)
    parent.ok("POST", f"/children/{parent.child}/temperatures", {"celsius": 38.4, "site": "ear", "occurred_at": ago(62)}, 201)
    one = phone(parent)
    medicine = one.page.locator(".last .medication")
    expect(medicine).to_contain_text("Paracetamol")
    expect(medicine).to_contain_text("2.5 ml · ")
    expect(medicine).to_contain_text("3 h 1 min ago")
    expect(one.page.locator(".last .temperature")).to_contain_text("38.4 °C, ear")
    expect(one.page.locator(".last .temperature")).to_contain_text("1 h 2 min ago")


def test_pumping_runs_stops_and_asks_how_much(phone, household, saved):
    parent = household()
    one = phone(parent)
    sheet(one, "Pumping")
    one.choose("Start the clock")
    expect(one.page.get_by_role("dialog").get_by_label(re.compile("^Amount"))).to_have_count(0)
    one.choose("15 min ago")
    keep(one)
    row = one.page.get_by_role("region", name="Pumping")
    expect(row.get_by_role("timer")).to_have_text(re.compile(r"^1[5-9]:\d\d$"))
    row.get_by_role("button", name=re.compile("^Stop")).click()
    expect(row).to_have_count(0)
    one.heading("How much was it?")
    fill(one, "Amount", "85")
    one.tap("Save 85 ml")
    one.settled()
    (event,) = saved(parent)
    assert event["event"]["amount_ml"] == 85
    assert event["event"]["ended_at"] > event["event"]["started_at"]


def test_an_activity_runs_and_stops_and_one_without_a_length_is_over(phone, household, saved):
    parent = household()
    one = phone(parent)
    sheet(one, "Activity")
    one.choose("Walk")
    one.tap("Start Walk")
    row = one.page.get_by_role("region", name="Walk")
    expect(row.get_by_role("timer")).to_be_visible()
    row.get_by_role("button", name=re.compile("^Stop")).click()
    one.sees(re.compile("Walk ended after"))
    expect(row).to_have_count(0)
    one.tap("Undo")
    expect(row).to_be_visible()
    row.get_by_role("button", name=re.compile("^Stop")).click()
    sheet(one, "Activity")
    one.choose("Bath")
    one.choose("Not timed")
    one.tap("Log Bath")
    one.settled()
    expect(one.page.locator(".running")).to_have_count(0)
    assert {event["event"]["name"]: bool(event["event"]["ended_at"]) for event in saved(parent)} == {"Walk": True, "Bath": True}


def test_what_this_family_used_lately_is_offered(phone, household, saved):
    parent = household("Johnny", "Ada", "Otto")
    for name, minutes in (("Baby swimming", 90_000), ("Massage", 60)):
        event = {"name": name, "started_at": ago(minutes), "ended_at": ago(minutes)}
        parent.ok("POST", f"/children/{parent.children[1]}/activities", event, 201)
    for name, dose, minutes in (("Vitamin D", "1 drop", 3000), ("Paracetamol", "2.5 ml", 200), ("Vitamin D", "2 drops", 1500)):
        parent.ok("POST", f"/children/{parent.child}/medications", {"name": name, "dose": dose, "occurred_at": ago(minutes)}, 201)
    one = phone(parent)
    one.sees(re.compile("Paracetamol"))
    dialog = sheet(one, "Activity")
    expect(dialog.get_by_role("radio", name="Massage")).to_be_visible()
    assert dialog.get_by_role("group", name="Often").locator("span").all_inner_texts()[:3] == ["Massage", "Baby swimming", "Tummy time"]
    one.tap("Close")
    dialog = sheet(one, "Medicine")
    expect(dialog.get_by_role("radio", name="Paracetamol")).to_be_visible()
    assert dialog.get_by_role("group", name="Given lately").locator("span").all_inner_texts() == ["Paracetamol", "Vitamin D"]
    one.choose("Vitamin D")
    expect(dialog.get_by_label("Dose")).to_have_value("2 drops")
    one.tap("Log Vitamin D")
    one.settled()
    assert saved(parent)[0]["event"]["dose"] == "2 drops"


def test_other_units_are_kept_metric(phone, household, saved):
    parent = household()
    one = phone(parent)
    one.go("account")
    for unit in ("fl oz", "lb, oz", "in", "°F"):
        one.choose(unit)
    one.go("today")
    sheet(one, "Growth")
    fill(one, r"Weight \(lb\)", "12")
    fill(one, r"and \(oz\)", "8")
    fill(one, r"Length \(in\)", "24.25")
    keep(one)
    sheet(one, "Temperature")
    fill(one, "Temperature", "100.4")
    keep(one)
    one.sees("100.4 °F")
    sheet(one, "Pumping")
    fill(one, "Amount", "3.5")
    one.tap("Log 3.5 fl oz")
    one.settled()
    found = {event["type"]: event["event"] for event in saved(parent)}
    assert (found["measurement"]["weight_g"], found["measurement"]["length_cm"]) == (5670, 61.6)
    assert found["temperature"]["celsius"] == 38
    assert found["pumping"]["amount_ml"] == 103.5
    one.go("timeline")
    one.sees("12 lb 8 oz, 24.3 in")


def test_each_quantity_has_its_own_unit(phone, household):
    one = phone(household())
    one.go("account")
    one.choose("lb, oz")
    one.go("today")
    sheet(one, "Growth")
    expect(one.page.get_by_label("Weight (lb)")).to_be_visible()
    expect(one.page.get_by_label("Length (cm)")).to_be_visible()


def test_what_cannot_be_is_said_at_once(phone, household):
    one = phone(household())
    for name, fields, said in (
        ("Temperature", {}, "Enter the temperature."), ("Temperature", {"Temperature": "374"}, "between 30 °C and 45 °C"),
        ("Growth", {}, "Enter at least one of the three."), ("Growth", {"Weight": "5250"}, "between 0.2 kg and 60 kg"),
        ("Medicine", {}, "Say which medicine it was."), ("Activity", {}, "Say what it was."),
    ):
        dialog = sheet(one, name)
        for label, value in fields.items():
            fill(one, label, value)
        dialog.get_by_role("button", name=re.compile("^(Log|Start) ")).click()
        expect(dialog.get_by_role("alert")).to_contain_text(said)
        one.tap("Close")
    assert one.kept("outbox") == [] and one.kept("events") == []


def test_what_is_typed_stays_while_others_log(phone, household):
    """The form is drawn anew with each change of the store; the digits under the thumb are not."""
    parent = household()
    one = phone(parent)
    one.heading("Ada")
    one.tap("Bottle")
    field = one.page.get_by_label("Amount")
    field.fill("")
    field.press_sequentially("13")
    parent.ok("POST", f"/children/{parent.child}/diapers", {"type": "wet", "occurred_at": ago(1)}, 201)
    expect(one.page.locator(".last .diaper")).to_contain_text("Wet diaper")
    field.press_sequentially("5")
    expect(field).to_have_value("135")
    expect(one.page.get_by_role("button", name="Log 135 ml")).to_be_visible()
    one.tap("Close")
    one.page.evaluate("localStorage.setItem('device', JSON.stringify({ us: ['volume'] }))")
    one.tap("Bottle")
    field.fill("")
    field.press_sequentially("4.25")
    expect(field).to_have_value("4.25")
    field.press("Tab")
    expect(field).to_have_value("4.3")
    expect(one.page.get_by_role("button", name="Log 4.3 fl oz")).to_be_visible()


EVENTS = {
    "pumpings": ("Pumping", "Pumped, 120 ml, left", {"started_at": 60, "ended_at": 45, "side": "left", "amount_ml": 120}, "Amount", "125", "Pumped, 125 ml, left"),
    "measurements": ("Growth", "5.2 kg, 58 cm", {"occurred_at": 60, "weight_g": 5200, "length_cm": 58}, "Length", "59.5", "5.2 kg, 59.5 cm"),
    "temperatures": ("Temperature", "37.2 °C, armpit", {"occurred_at": 60, "celsius": 37.2, "site": "armpit"}, "Temperature", "37.9", "37.9 °C, armpit"),
    "medications": ("Medicine", "Ibuprofen, 2 ml", {"occurred_at": 60, "name": "Ibuprofen", "dose": "2 ml"}, "Dose", "3 ml", "Ibuprofen, 3 ml"),
    "activities": ("Activities", "Walk", {"started_at": 60, "ended_at": 30, "name": "Walk"}, "What", "Long walk", "Long walk"),
}


@pytest.mark.parametrize("path", EVENTS)
def test_the_timeline_shows_filters_edits_moves_and_undoes_it(phone, household, saved, path):
    chip, line, fields, label, value, after = EVENTS[path]
    parent = household("Johnny", "Ada", "Otto")
    event = {name: ago(value) if name.endswith("_at") else value for name, value in fields.items()}
    parent.ok("POST", f"/children/{parent.child}/{path}", event, 201)
    parent.ok("POST", f"/children/{parent.child}/diapers", {"type": "wet", "occurred_at": ago(5)}, 201)
    one = phone(parent)
    one.go("timeline")
    one.sees("Wet diaper")
    one.choose(chip)
    expect(one.page.get_by_role("link", name="Wet diaper")).to_have_count(0)
    one.tap(line, role="link")
    fill(one, label, value)
    one.tap("Save")
    one.sees(after)
    one.tap(after, role="link")
    one.page.get_by_label("Child").select_option(label="Otto")
    one.tap("Save")
    expect(one.page.get_by_role("link", name=after)).to_have_count(0)
    one.choose("Otto")
    one.tap(after, role="link")
    one.tap("Delete")
    expect(one.page.get_by_role("link", name=after)).to_have_count(0)
    one.tap("Undo")
    one.sees(after)
    one.settled()
    assert len(saved(parent)) == 1
    (moved,) = saved(parent, parent.children[1])
    assert {name: moved["event"][name] for name in event if name.endswith("_at")} == {name: event[name] for name in event if name.endswith("_at")}
    assert one.kept("notices") == []


def test_a_measurement_is_on_the_curves_and_its_answers_go_with_the_child(phone, household):
    parent = household("Johnny", "Ada", "Otto")
    one = phone(parent)
    one.go("growth")
    one.choose("Girls")
    one.tap("Add a measurement")
    fill(one, "Weight", "5.2")
    keep(one)
    expect(one.page.locator("svg.growth .point")).to_have_count(1)
    expect(one.page.get_by_role("list", name="Weight, latest first")).to_contain_text("5.2 kg")
    answers = "JSON.parse(localStorage.getItem('baby-basics-growth'))"
    assert one.page.evaluate(answers) == {parent.child: {"sex": "girl"}}
    one.settled()
    assert not any("girl" in (body or "") for _, _, body in one.asked)
    parent.ok("DELETE", f"/children/{parent.child}", status=204)
    one.page.wait_for_function("() => localStorage.getItem('baby-basics-growth') === null")


def test_viewers_see_and_never_log(phone, household, person):
    parent, viewer = household(), person("Vera")
    viewer.join(parent.invite(parent.family, "viewer"))
    parent.ok("POST", f"/children/{parent.child}/medications", {"name": "Paracetamol", "occurred_at": ago(30)}, 201)
    parent.ok("POST", f"/children/{parent.child}/activities", {"name": "Walk", "started_at": ago(20)}, 201)
    one = phone(viewer)
    expect(one.page.locator(".last .medication")).to_contain_text("Paracetamol")
    row = one.page.get_by_role("region", name="Walk")
    expect(row.get_by_role("timer")).to_be_visible()
    expect(row.get_by_role("button")).to_have_count(0)
    expect(one.page.locator(".dock")).to_have_count(0)
    one.go("growth")
    one.heading("Growth")
    expect(one.page.get_by_role("radio", name="Girls")).to_be_visible()
    expect(one.page.get_by_role("button", name="Add a measurement")).to_have_count(0)


@pytest.mark.parametrize("locale", ["de-DE", "fr-FR", "pt-BR", "en-US"])
def test_a_decimal_comma_is_one(phone, household, saved, locale):
    """Typed key by key: a browser may drop what its own language doesn't write in fields of numbers. It is shown as the
    language writes it, and what was typed otherwise is said."""
    parent = household()
    one = phone(parent, locale=locale)
    # English words with the numbers of another language.
    one.page.evaluate("localStorage.setItem('device', JSON.stringify({ language: 'en' }))")
    one.page.reload()
    one.heading("Ada")

    def types(label: str, text: str) -> None:
        field = one.page.get_by_role("dialog").get_by_label(re.compile(f"^{label}")).first
        field.fill("")
        field.press_sequentially(text)
        expect(field).to_have_value(text)

    def own(number: str) -> str:
        return number if locale == "en-US" else number.replace(".", ",")

    def understood(text: str, number: str) -> None:
        if text == own(number).split()[0]:
            one.lacks(f"“{text}” is")
        else:
            one.sees(f"“{text}” is {own(number)}.")

    sheet(one, "Growth")
    types("Weight", "3,5")
    understood("3,5", "3.5 kg")
    types("Length", "52,5")
    types("Head", "35.5")
    understood("52,5", "52.5 cm")
    understood("35.5", "35.5 cm")
    keep(one)
    one.tap("Bottle")
    types("Amount", "112,5")
    understood("112,5", "112.5 ml")
    one.tap(f"Log {own('112.5')} ml")
    expect(one.page.get_by_role("dialog")).to_have_count(0)
    sheet(one, "Temperature")
    types("Temperature", "37,25")
    understood("37,25", "37.3 °C")
    keep(one)
    one.settled()
    found = {event["type"]: event["event"] for event in saved(parent)}
    assert (found["measurement"]["weight_g"], found["measurement"]["length_cm"], found["measurement"]["head_cm"]) == (3500, 52.5, 35.5)
    assert (found["feeding"]["amount_ml"], found["temperature"]["celsius"]) == (112.5, 37.3)

    # In the editor, and in pounds and ounces.
    one.page.evaluate("localStorage.setItem('device', JSON.stringify({ us: ['weight', 'volume'] }))")
    one.go("timeline")
    one.page.get_by_text(own("7 lb 11.5 oz")).click()
    types(r"and \(oz\)", "9,5")
    if locale == "en-US":
        one.sees("“9,5” is 7 lb 9.5 oz.")
    one.tap("Save")
    one.page.get_by_text(own("3.8 fl oz")).click()
    types("Amount", "3,5")
    understood("3,5", "3.5 fl oz")
    one.tap("Save")
    one.settled()
    found = {event["type"]: event["event"] for event in saved(parent)}
    assert (found["measurement"]["weight_g"], found["feeding"]["amount_ml"]) == (3444, 103.5)


def test_what_can_be_read_two_ways_is_asked(phone, household, saved):
    parent = household()
    one = phone(parent)
    one.heading("Ada")
    one.tap("Bottle")
    dialog = one.page.get_by_role("dialog")
    field = one.page.get_by_label("Amount")
    for text, said in (("1,000", "isn’t clear"), ("much", "isn’t clear"), ("1125", "between 0.1 ml and 1000 ml"), ("-5", "between 0.1 ml and 1000 ml")):
        field.fill(text)
        one.page.get_by_role("button", name=re.compile("^Log ")).last.click()
        expect(dialog.get_by_role("alert")).to_contain_text(said)
        expect(field).to_have_value(text)
    assert one.kept("outbox") == [] and saved(parent) == []
    field.fill("much")
    expect(field).to_have_attribute("aria-invalid", "true")
    one.sees("“much” is no number.")
    field.fill("1.000")
    one.sees("“1.000” can be read two ways. Which is it?")
    one.page.get_by_role("radio", name="1 ml", exact=True).click()
    expect(field).to_have_value("1")
    field.fill("1.000")
    one.page.get_by_role("radio", name="1000 ml", exact=True).click()
    expect(field).to_have_value("1000")
    one.tap("Log 1000 ml")
    one.settled()
    assert [one["event"]["amount_ml"] for one in saved(parent)] == [1000]


def test_how_much_was_pumped_is_never_guessed(phone, household, saved):
    parent = household()
    parent.ok("POST", f"/children/{parent.child}/pumpings", {"started_at": ago(20)}, 201)
    one = phone(parent)
    one.tap("Stop")
    field = one.page.get_by_label("Amount")
    field.fill("1,500")
    one.tap("Save")
    expect(one.page.get_by_role("alert").filter(has_text="isn’t clear")).to_be_visible()
    field.fill("85,5")
    one.tap("Save 85.5 ml")
    one.settled()
    assert saved(parent)[0]["event"]["amount_ml"] == 85.5
