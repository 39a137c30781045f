"""How it looks, and to whom: every screen in three looks and three widths, for eyes, keyboards and screen readers."""

import re

import pytest
from playwright.sync_api import expect
from webapp import DRESS, LOOKS, SCREENS, WIDTHS, axe, picture


def dress(one, look: str) -> None:
    one.page.evaluate(DRESS, look)


def check(one, name: str) -> None:
    found = [(rule["id"], [node["html"][:160] for node in rule["nodes"]]) for rule in axe(one.page)["violations"]]
    assert found == [], name


def drawn(one) -> None:
    """The screen that was gone to is there, and nothing of it is still on its way."""
    expect(one.page.get_by_role("heading", level=1)).to_be_visible()
    expect(one.page.get_by_text("…", exact=True)).to_have_count(0)
    one.page.wait_for_timeout(60)


def no_sideways(one, name: str) -> None:
    width, shown = one.page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert width <= shown, f"{name} is {width} wide on {shown}"


@pytest.mark.parametrize("look", LOOKS)
def test_the_doors_under_axe(phone, look):
    one = phone(reduced_motion="reduce")
    one.open()
    dress(one, look)
    check(one, "doors")
    for door in ("Create Account", "I Have an Invite", "Log In"):
        one.tap(door)
        check(one, door)
        one.tap("Back")


@pytest.mark.parametrize("width", WIDTHS)
def test_every_screen_in_every_look(phone, full_house, artifacts, width):
    """A picture of each, none wider than the window; and at the width of most phones nothing that axe finds."""
    stranger = phone(viewport={"width": width, "height": WIDTHS[width]}, reduced_motion="reduce")
    stranger.open()
    one = phone(full_house, viewport={"width": width, "height": WIDTHS[width]}, reduced_motion="reduce")
    one.heading("Ada")
    one.page.locator(".totals strong").first.wait_for()
    for look in LOOKS:
        def seen(name: str) -> None:
            no_sideways(one, f"{name} at {width}")
            picture(one.page, artifacts / f"web-{name}-{width}-{look}.png")
            if width == 390:
                check(one, f"{name} {look}")

        dress(stranger, look)
        picture(stranger.page, artifacts / f"web-doors-{width}-{look}.png")
        dress(one, look)
        for screen in SCREENS:
            one.go(screen)
            drawn(one)
            seen(screen)
        one.go("growth")
        one.choose("Girls")
        expect(one.page.locator("svg.growth .point")).to_have_count(2)
        seen("curves")
        one.go("today")
        for button in ("Bottle", "Breast", "Sleep", "Diaper"):
            one.tap(f"{button} for Ada")
            seen(f"log-{button.lower()}")
            one.tap("Close")
        one.tap("More")
        seen("more")
        one.tap("Close")
        for button in ("Pumping", "Medicine", "Temperature", "Growth", "Activity"):
            one.tap("More")
            one.tap(f"{button} for Ada")
            seen(f"log-{button.lower()}")
            one.tap("Close")


def test_text_at_twice_its_size(phone, full_house, artifacts):
    one = phone(full_house, reduced_motion="reduce")
    one.heading("Ada")
    one.page.evaluate("document.styleSheets[0].insertRule('html { font-size: 200% !important; }', document.styleSheets[0].cssRules.length)")
    for screen in ("today", "timeline", "family", "invite", "account"):
        one.go(screen)
        drawn(one)
        no_sideways(one, screen)
        picture(one.page, artifacts / f"web-{screen}-200-percent.png")
    one.go("today")
    one.tap("Bottle for Ada")
    expect(one.page.get_by_role("button", name=re.compile("^Log "))).to_be_in_viewport()


def test_thumbs_reach_what_logs(phone, full_house):
    one = phone(full_house)
    one.heading("Ada")
    for name in ("Bottle for Ada", "Breast for Ada", "Sleep for Ada", "Diaper for Ada", "More"):
        box = one.page.get_by_role("button", name=name).bounding_box()
        assert box["height"] >= 44 and box["width"] >= 44
        assert box["y"] > 844 / 2, "in the lower half"
    one.tap("Bottle for Ada")
    box = one.page.get_by_role("button", name=re.compile("^Log ")).bounding_box()
    assert box["height"] >= 44 and box["y"] > 844 / 2


def test_a_keyboard_does_everything(phone, household, saved):
    parent = household()
    one = phone(parent, has_touch=False)
    one.heading("Ada")
    one.page.get_by_role("button", name="Diaper").focus()
    one.page.keyboard.press("Enter")
    expect(one.page.get_by_role("dialog")).to_be_visible()
    expect(one.page.get_by_role("dialog").get_by_role("heading")).to_be_focused()
    one.page.keyboard.press("Tab")
    one.page.keyboard.press("Tab")
    expect(one.page.get_by_role("radio", name="Wet", exact=True)).to_be_focused()
    one.page.keyboard.press("ArrowRight")
    expect(one.page.get_by_role("radio", name="Dirty", exact=True)).to_be_checked()
    one.page.keyboard.press("Escape")
    expect(one.page.get_by_role("dialog")).to_have_count(0)
    expect(one.page.get_by_role("button", name="Diaper")).to_be_focused()
    one.page.keyboard.press("Enter")
    one.page.get_by_role("button", name="Log wet diaper").focus()
    one.page.keyboard.press("Enter")
    one.settled()
    assert len(saved(parent)) == 1
    one.page.get_by_role("link", name="Timeline").focus()
    one.page.keyboard.press("Enter")
    expect(one.page.get_by_role("heading", name="Timeline")).to_be_focused()


def test_reduced_motion_is_honoured(phone, household):
    one = phone(household(), reduced_motion="reduce")
    one.tap("Bottle")
    assert one.page.get_by_role("dialog").evaluate("sheet => getComputedStyle(sheet).animationName") == "none"


def test_the_night_look_is_there_before_anything_is_painted(phone, household):
    """Dim and warm, with one tap, and at the next opening from the first paint on."""
    one = phone(household(), color_scheme="light")
    one.tap("Night look")
    expect(one.page.get_by_role("button", name="Night look")).to_have_attribute("aria-pressed", "true")
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    red, green, blue = map(int, re.findall(r"\d+", one.page.evaluate(ground))[:3])
    assert blue <= green <= red <= 24
    one.context.route("**/main.js", lambda route: None)
    one.page.reload(wait_until="commit")
    one.page.wait_for_selector("#app", state="attached")
    one.page.wait_for_function("() => document.styleSheets.length > 0")
    assert [int(part) for part in re.findall(r"\d+", one.page.evaluate(ground))[:3]] == [red, green, blue]
