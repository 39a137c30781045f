"""A made-up language on every screen: what is English there is in no catalog."""

import json
import pathlib
import re

import pytest
from playwright.sync_api import expect
from webapp import SCREENS, picture

APP = pathlib.Path(__file__).parents[3] / "deploy/www/app"
ENGLISH = json.loads((APP / "words/en.json").read_text())
ACCENTS = str.maketrans("aeiouyAEIOUYcnsz", "àéîõûýÀÉÎÕÛÝçñšž")
PLACE = re.compile(r"(\{\w+\})")


def made_up(message):
    """Accents on all that is said, and 40 % more of it, in brackets that show where it was cut."""
    if isinstance(message, dict):
        return {form: made_up(text) for form, text in message.items()}
    longer = "~" * max(1, len(PLACE.sub("", message)) * 2 // 5)
    accented = "".join(piece if PLACE.fullmatch(piece) else piece.translate(ACCENTS) for piece in PLACE.split(message))
    return f"[!!{accented}{longer}]"


# Texts of the page with what is read out or shown on the side, each with the element that has it.
TEXTS = """() => {
    const found = [[document.title, 'title']];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        const element = node.nodeType === 1 ? node : node.parentElement;
        if (element.closest('script, template, noscript, option')) continue;
        const where = element.outerHTML.slice(0, 160);
        if (node.nodeType === 3) found.push([node.data, where]);
        else for (const name of ['aria-label', 'aria-description', 'title', 'placeholder', 'alt', 'summary']) {
            if (node.hasAttribute(name)) found.push([node.getAttribute(name), where]);
        }
    }
    for (const option of document.querySelectorAll('option')) if (!option.value.includes('/')) found.push([option.text, option.outerHTML]);
    return found;
}"""

# What people wrote, the names of things that are the same everywhere, and what Intl writes.
NAMES = set(
    """
    Johnny Ada Otto Maria Family Rosa Paracetamol Vitamin drop Tummy time Smiled at the moon example com
    Mon Tue Wed Thu Fri Sat Sun Monday Tuesday Wednesday Thursday Friday Saturday Sunday
    Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec
    January February March April June July August September October November December
    English Deutsch italiano Brasil Nederlands polski
    Linux Chrome Chromium HeadlessChrome python httpx CSV JSON WHO Excel and America New York
    """.split()
)


def english_in(page) -> list[tuple[str, str]]:
    found = []
    for text, where in page.evaluate(TEXTS):
        plain = re.sub(r"\S+@\S+|https?:\S+", "", text)
        words = {word for word in re.findall(r"[^\W\d_]+", plain) if len(word) > 2 and word.isascii()}
        if words - NAMES:
            found.append((" ".join(text.split()), where))
    return found


@pytest.fixture
def speaker(phone):
    """A phone that speaks the made-up language."""

    def make(person=None, **options):
        one = phone(**options)
        catalog = {**ENGLISH, "app": {key: made_up(message) for key, message in ENGLISH["app"].items()}}
        one.context.route("**/words/en.json", lambda route: route.fulfill(json=catalog))
        if person:
            one.sign_in(person)
        return one

    return make


def test_the_doors_speak_by_the_catalog(speaker):
    one = speaker()
    one.open()
    expect(one.page.get_by_role("heading", level=1)).to_be_visible()
    found = english_in(one.page)
    for door in range(3):
        one.page.locator(".actions .button").nth(door).click()
        one.page.get_by_role("textbox").first.wait_for()
        found += english_in(one.page)
        one.page.locator("form .button.primary").click()
        one.page.locator(".error").first.wait_for()
        found += english_in(one.page)
        one.open()
        one.page.reload()
        one.page.locator(".actions .button").nth(2).wait_for()
    assert found == []


def walk(one, person, look) -> None:
    """`look(name)` on every screen and every sheet that logs. Buttons are found by their place: what they say differs."""
    for screen in (*SCREENS, f"child/{person.child}", "programs", "webhooks"):
        one.go(screen)
        expect(one.page.get_by_role("heading", level=1)).to_be_visible()
        expect(one.page.get_by_text("…", exact=True)).to_have_count(0)
        one.page.wait_for_timeout(60)
        look(screen.partition("/")[0])
    one.go("family")
    one.page.locator('a[href^="#/member/"]').first.click()
    one.page.locator('input[type="date"]').wait_for()
    look("member")
    one.go("today")
    for place in range(4):
        one.page.locator(".dock .logs .log").nth(place).click()
        one.page.locator("dialog .actions .button").first.wait_for()
        look(f"log-{place}")
        one.page.keyboard.press("Escape")
    one.page.locator(".dock .logs .log").nth(4).click()
    look("more")
    count = one.page.locator("dialog .logs .log").count()
    assert count > 4
    one.page.keyboard.press("Escape")
    for place in range(count):
        one.page.locator(".dock .logs .log").nth(4).click()
        one.page.locator("dialog .logs .log").nth(place).click()
        one.page.locator("dialog .actions .button").first.wait_for()
        look(f"log-more-{place}")
        one.page.keyboard.press("Escape")
    one.go("timeline")
    one.page.locator(".entry").first.click()
    one.page.locator("dialog .actions .button").first.wait_for()
    look("entry")
    one.page.locator("dialog .button.primary").click()
    one.page.locator(".toast").wait_for()
    look("saved")


def is_wide(page) -> bool:
    return page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")


def test_every_screen_speaks_by_the_catalog(speaker, full_house, artifacts):
    """And has room for a language that says more."""
    one = speaker(full_house, viewport={"width": 320, "height": 640}, reduced_motion="reduce", own_address=False)
    one.page.locator(".totals strong").first.wait_for()
    found, wide = {}, []

    def look(name: str) -> None:
        found.update({text: f"{name}: {where}" for text, where in english_in(one.page)})
        if is_wide(one.page):
            wide.append(name)
        picture(one.page, artifacts / f"web-words-{name}.png")

    walk(one, full_house, look)
    (artifacts / "web-words.json").write_text(json.dumps(found, indent=1, ensure_ascii=False))
    assert list(found) == [] and wide == []


# What stands out of the element that it is written in, or is cut by it.
CUT = """() => [...document.querySelectorAll('button, a, label, legend, h1, h2, h3, th, td, dt, dd, summary, p, li, text')].filter((one) => {
    const box = one.getBoundingClientRect();
    if (box.width < 2 || box.height < 2 || getComputedStyle(one).visibility === 'hidden') return false;
    const text = document.createRange();
    text.selectNodeContents(one);
    return [...text.getClientRects()].some(({ left, right, width }) => width > 1 && (left < box.left - 1.5 || right > box.right + 1.5));
}).map((one) => one.textContent.trim().slice(0, 80))"""

# Words that a line's end goes through. What people typed may be as long as it likes.
BROKEN = """() => [...document.querySelectorAll('.bar a, .log, .button, button, legend, label, h1, h2, h3, th')].flatMap((one) => {
    const found = [];
    const walk = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        if (node.parentElement.closest('bdi, small, option, .paper-sheet')) continue;
        for (const { 0: word, index } of node.data.replace(/\\S+@\\S+/g, (typed) => ' '.repeat(typed.length)).matchAll(/(?<![@.])[\\p{L}\\p{M}'’]{2,}(?![@.\\p{L}])/gu)) {
            const range = document.createRange();
            range.setStart(node, index);
            range.setEnd(node, index + word.length);
            const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top / 8)));
            if (lines.size > 1) found.push(word);
        }
    }
    return found;
})"""

# Letters of this machine's font are an eighth wider than those of phones.
NARROWER = "document.styleSheets[0].insertRule('html, button { letter-spacing: -0.07em; }', document.styleSheets[0].cssRules.length)"

SPEAK = "language => localStorage.setItem('device', JSON.stringify({ ...JSON.parse(localStorage.getItem('device') ?? '{}'), language }))"
OTHERS = sorted(path.stem for path in (APP / "words").glob("*.json") if path.stem != "en")


@pytest.mark.parametrize("tag", OTHERS)
def test_every_screen_has_room_for_each_language(phone, full_house, artifacts, tag):
    """On the smallest phone, and with text at twice its size on a usual one."""
    said = json.loads((APP / f"words/{tag}.json").read_text())["app"]
    english = {text: key for key, text in ENGLISH["app"].items() if isinstance(text, str)}
    # Italian has "Note" and "Temperature" as well; an activity's name is somebody's own.
    same = {text for text in said.values() if isinstance(text, str)} | {"Tummy time"}
    one = phone(full_house, viewport={"width": 320, "height": 640}, reduced_motion="reduce")
    one.page.evaluate(SPEAK, tag)
    one.page.reload()
    one.page.locator(".totals strong").first.wait_for()
    one.page.evaluate(NARROWER)
    direction = "rtl" if tag in ("ar", "he") else "ltr"
    assert one.page.evaluate("[document.documentElement.lang, document.documentElement.dir]") == [tag, direction]
    left, cut = {}, {}

    def look(name: str) -> None:
        if is_wide(one.page):
            cut[name] = "wide"
        if out := one.page.evaluate(CUT) + one.page.evaluate(BROKEN):
            cut[name] = out
        for text, where in one.page.evaluate(TEXTS):
            if text in english and text not in same:
                left[text] = f"{name}: {english[text]} {where}"
        picture(one.page, artifacts / f"web-{tag}-{name}.png")

    walk(one, full_house, look)
    one.page.set_viewport_size({"width": 390, "height": 844})
    one.page.evaluate("document.styleSheets[0].insertRule('html { font-size: 200% !important; }', document.styleSheets[0].cssRules.length)")
    for screen in SCREENS:
        one.go(screen)
        expect(one.page.get_by_role("heading", level=1)).to_be_visible()
        if is_wide(one.page):
            cut[f"{screen}-200-percent"] = "wide"
        picture(one.page, artifacts / f"web-{tag}-{screen}-200-percent.png")
    (artifacts / f"web-{tag}.json").write_text(json.dumps([left, cut], indent=1, ensure_ascii=False))
    assert left == {} and cut == {}


def test_without_its_words_the_page_says_so(phone):
    """In English: there are no others then."""
    one = phone()
    one.context.route("**/words/en.json", lambda route: route.abort("connectionfailed"))
    one.open()
    one.heading("No connection")
    one.context.unroute("**/words/en.json")
    one.tap("Try again", role="link")
    one.sees("Create Account")


SPOKEN = "[document.documentElement.lang, document.documentElement.dir]"


def words_of(tag: str) -> dict:
    return json.loads((APP / f"words/{tag}.json").read_text())["app"]


@pytest.mark.parametrize(("locale", "tag", "direction"), [("de-AT", "de", "ltr"), ("ar-EG", "ar", "rtl"), ("ja-JP", "en", "ltr")])
def test_a_stranger_is_spoken_to_in_the_browser_s_language(phone, locale, tag, direction):
    one = phone(locale=locale)
    fetched = []
    one.page.on("request", lambda request: fetched.append(request.url.rpartition("/")[2]) if "/words/" in request.url else None)
    one.open()
    one.sees(words_of(tag)["doors.create_account"])
    assert one.page.evaluate(SPOKEN) == [tag, direction]
    assert set(fetched) == {f"{tag}.json"}, "no other language travels"


def test_a_chosen_language_is_spoken_from_then_on(phone, household):
    person = household()
    one = phone(person)
    one.heading("Ada")
    one.go("account")
    one.page.get_by_label("Language").select_option(label="Deutsch")
    one.heading(words_of("de")["account.title"])
    assert one.page.evaluate(SPOKEN) == ["de", "ltr"]
    assert [each["value"] for each in one.context.cookies() if each["name"] == "language"] == ["de"]
    assert person.ok("GET", "/users/me")["user"]["language"] == "de", "mails are in it, too"
    one.open()
    one.page.reload()
    one.heading("Ada")
    assert one.page.evaluate(SPOKEN) == ["de", "ltr"]


def test_the_account_s_language_is_spoken_on_a_new_device(phone, household):
    person = household()
    person.user = person.ok("PATCH", "/users/me", {"language": "he"})["user"]
    one = phone(person, locale="de-DE")
    one.heading("Ada")
    assert one.page.evaluate(SPOKEN) == ["he", "rtl"]


def test_without_an_answer_the_language_stays(phone, household):
    person = household()
    one = phone(person)
    one.heading("Ada")
    one.go("account")
    one.context.route("**/words/de.json", lambda route: route.abort("connectionfailed"))
    one.page.get_by_label("Language").select_option(label="Deutsch")
    one.sees("That has to be fetched once.")
    one.page.reload()
    one.heading("Your account")
    assert one.page.evaluate(SPOKEN) == ["en", "ltr"]
    assert person.ok("GET", "/users/me")["user"]["language"] == "en"


def test_what_a_made_up_language_is():
    assert made_up("Saved") == "[!!Sàvéd~~]"
    assert made_up({"one": "{count} entry", "other": "{count} entries"}) == {"one": "[!!{count} éñtrý~~]", "other": "[!!{count} éñtrîéš~~~]"}
