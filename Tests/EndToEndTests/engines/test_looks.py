"""Every screen at the smallest width and under axe. `PICTURES=all` makes the whole matrix of pictures."""

import pytest
from device import Device, until
from webapp import IS_PICTURED, LOOKS, SCREENS, WIDTHS

DOORS = ("Create Account", "I Have an Invite", "Log In")
FIRST = ("Bottle", "Breast", "Sleep", "Diaper")
# What is there once a screen is more than its heading.
SIGNS = {
    "today": "Tummy time", "timeline": "Tummy time", "devices": "This device", "changes": "Maria", "trends": "average",
    "growth": "Born early", "export": "Save everything",
}  # fmt: skip
REST = ("Solids", "Note", "Pumping", "Medicine", "Temperature", "Growth", "Activity", "Milk thrown away")


def each_sheet(one):
    """Opens each sheet that logs, and closes it after what is done with it."""
    one.go("today")
    for sheet in FIRST + REST:
        if sheet in REST:
            one.tap("^More")
        one.tap(f"^{sheet} for Ada")
        one.until_found("button", "^(Log|Start) ")
        yield sheet
        one.tap("Close")
        one.until_gone("dialog")


def each_screen(one):
    for screen in SCREENS:
        one.go(screen)
        one.sees(SIGNS.get(screen, ""))
        one.drawn()
        yield screen


def test_every_screen_on_the_smallest_phone(device, full_house, engine, artifacts):
    """Nothing is wider than it, and axe finds nothing. In one look: Chromium sees the colours of all."""
    one = device(full_house)
    one.page.resize(320, 640)
    one.heading("Ada")
    found, wide = {}, {}
    for screen in each_screen(one):
        found[screen], wide[screen] = one.violations(), one.overflow()
        one.picture(artifacts / f"{engine.name}-{screen}-320-light.png")
    for sheet in each_sheet(one):
        found[sheet], wide[sheet] = one.violations(), one.overflow()
    assert {name: all for name, all in found.items() if all} == {}
    assert {name: width for name, width in wide.items() if width} == {}


@pytest.mark.parametrize(("tag", "direction"), [("ar", "rtl"), ("de", "ltr")])
def test_every_screen_in_another_language(device, full_house, engine, artifacts, tag, direction):
    """From right to left, and with the longest words."""
    one = device(full_house)
    one.page.resize(320, 640)
    one.heading("Ada")
    one.page.run("language => localStorage.setItem('device', JSON.stringify({ language }))", tag)
    one.reopen()
    one.heading("Ada")
    assert one.page.run("() => [document.documentElement.lang, document.documentElement.dir]") == [tag, direction]
    wide = {}
    for screen in SCREENS:
        one.go(screen)
        one.drawn()
        wide[screen] = one.overflow()
        one.picture(artifacts / f"{engine.name}-{tag}-{screen}-320.png")
    assert {name: width for name, width in wide.items() if width} == {}


def test_doors_and_invitation_under_axe(device, household):
    parent = household()
    one = device()
    one.open()
    found = {}
    for door in DOORS:
        one.tap(door)
        one.until_found("button", "Back")
        found[door] = one.violations()
        one.tap("Back")
    one.until_found("button", DOORS[0])
    found["doors"] = one.violations()
    one.open(f"/join/{parent.invite(parent.family, 'parent')}")
    one.tap("Show invitation")
    one.sees("invites you to join")
    found["join"] = one.violations()
    assert {name: all for name, all in found.items() if all} == {}


def test_nothing_is_painted_white_in_the_night(device, household):
    """What browsers draw by themselves looks like a field of text beside it."""
    one = device(household())
    one.heading("Ada")
    one.dress("night")
    look = "field => [getComputedStyle(field).backgroundColor, getComputedStyle(field).borderTopColor]"
    one.tap("^More")
    one.tap("^Note")
    box, note = one.until_found("field", "For the doctor"), one.until_found("field", "^Note")
    assert one.page.run(look, box) == one.page.run(look, note)
    assert one.page.run("box => [getComputedStyle(box).appearance, box.offsetWidth]", box) == ["none", 24]
    one.tap("Close")
    one.go("account")
    zone, name = one.until_found("field", "Time zone"), one.until_found("field", "Your name")
    assert one.page.run(look, zone) == one.page.run(look, name)
    assert one.page.run("zone => getComputedStyle(zone).appearance", zone) == "none"


def test_what_goes_wrong_is_found(engine):
    """Or the tests above would say that all is well."""
    device = Device(engine.page(), None)
    device.page.open("about:blank")
    device.page.run("""() => {
        document.body.append(document.createElement("button"));
        console.error("written");
        setTimeout(() => { throw new Error("thrown"); });
    }""")
    assert [rule for rule, _ in device.violations() if rule == "button-name"]
    heard = device.page.complaints
    # WebKit keeps the words of what was thrown to itself here.
    until(lambda: "written" in str(heard()) and len(heard()) > 1, lambda: f"heard is only {heard()}")
    device.page.close()


@pytest.mark.skipif(not IS_PICTURED, reason="by hand: PICTURES=all")
@pytest.mark.parametrize("width", WIDTHS)
def test_every_screen_as_a_picture(device, full_house, engine, artifacts, width):
    def shoot(one, name: str) -> None:
        one.picture(artifacts / f"{engine.name}-{name}-{width}-{look}.png")

    stranger, one = device(), device(full_house)
    for each in (stranger, one):
        each.page.resize(width, WIDTHS[width])
    stranger.open()
    stranger.until_found("button", DOORS[0])
    one.sees("Johnny|Ada")
    for look in LOOKS:
        stranger.dress(look)
        shoot(stranger, "doors")
        one.dress(look)
        for screen in each_screen(one):
            shoot(one, screen)
        one.go("growth")
        one.choose("Girls")
        until(lambda: one.page.run("() => document.querySelector('svg.growth') !== null"), "no curves")
        shoot(one, "curves")
        for sheet in each_sheet(one):
            shoot(one, f"log-{sheet.split()[0].lower()}")
