"""The invitation page in a real browser."""

import json
import re

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from languages import FROM_RIGHT, LANGUAGES, direction, words
from webapp import launch, picture

TOKEN = "xK9mLp2qR5tN8vW3yBcd4A"
PHONE = {"width": 390, "height": 844}
INVITE = {
    "invite": {
        "family": {"name": "Johnny's Family"},
        "invited_by": {"name": "Johnny"},
        "role": "caregiver",
        "expires_at": "2026-03-04T12:00:00.000Z",
    }
}


@pytest.fixture(scope="module")
def chromium():
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium, stack):
    """Opens an invitation; whatever the page complains about fails the test."""
    contexts, complaints = [], []

    def open_page(path: str = f"/join/{TOKEN}", answer=None, **options) -> Page:
        settings = {"viewport": PHONE, "locale": "en-US", "timezone_id": "America/New_York", "ignore_https_errors": True}
        context = chromium.new_context(**{**settings, **options})
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console",
            lambda message: complaints.append(message.text)
            if message.type in ("error", "warning") and "Failed to load resource" not in message.text
            else None,
        )
        page.asked = []
        page.on("request", lambda request: page.asked.append(request) if "/api/" in request.url else None)
        if answer:
            from_now_on(page, answer)
        page.goto(stack.address + path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def answers(status: int, body: dict | None = None, headers: dict | None = None):
    return lambda route: route.fulfill(
        status=status, headers={"Content-Type": "application/json", **(headers or {})}, body=json.dumps(body or {})
    )


def from_now_on(page: Page, answer) -> None:
    """The newest route wins. The one before stays: with none left Chromium lets requests by until well after the next is there."""
    page.route("**/api/v1/invites/preview", answer)


def show(page: Page, language: str = "en") -> None:
    page.get_by_role("button", name=words(language)["join.show"]).click()


def contrast(page: Page, selector: str) -> float:
    """The lowest WCAG contrast between an element's text and the nearest background behind it."""
    return page.locator(selector).first.evaluate(
        """element => {
            const numbers = colour => colour.match(/[\\d.]+/g).map(Number);
            const luminance = colour => numbers(colour).slice(0, 3)
                .map(part => part / 255)
                .map(part => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
                .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
            let behind = element, colour;
            do {
                colour = getComputedStyle(behind).backgroundColor;
                behind = behind.parentElement;
            } while (behind && numbers(colour)[3] === 0);
            const [dark, light] = [luminance(getComputedStyle(element).color), luminance(colour)].sort((a, b) => a - b);
            return (light + 0.05) / (dark + 0.05);
        }"""
    )


def test_says_what_a_viewer_may_and_until_when(open_page):
    invite = {**INVITE["invite"], "role": "viewer", "access_until": "2026-06-02T03:59:00.000Z"}
    page = open_page(answer=answers(200, {"invite": invite}))
    show(page)
    expect(page.locator("#invitation")).to_contain_text("a viewer. You can look at everything and change nothing.")
    expect(page.locator("#invitation")).to_contain_text(re.compile("Until Monday, June 1 at 11:59.PM"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_shows_the_invitation_on_a_phone(open_page, artifacts, scheme):
    page = open_page(answer=answers(200, INVITE), color_scheme=scheme, device_scale_factor=2, has_touch=True)
    expect(page).to_have_title("You’re invited · Baby Basics")
    picture(page, artifacts / f"join-{scheme}-before.png")
    for selector in ("h1", "#lead", "#show", "#open", "#store", "#notes p"):
        assert contrast(page, selector) >= 4.5, selector
    for selector in ("#show", "#open", "#store"):
        assert page.locator(selector).bounding_box()["height"] >= 44
    show(page)
    invitation = page.locator("#invitation")
    expect(invitation).to_contain_text("Johnny invites you to join")
    expect(invitation).to_contain_text("Johnny's Family")
    expect(invitation).to_contain_text("a caregiver")
    expect(invitation).to_contain_text(re.compile("Wednesday, March 4 at 7:00.AM"))
    expect(page.locator("#inviter")).to_be_focused()
    expect(page.get_by_role("button", name="Show invitation")).to_be_hidden()
    for selector in ("#inviter", "#family", "dt", "dd"):
        assert contrast(page, selector) >= 4.5, selector
    picture(page, artifacts / f"join-{scheme}-after.png", full_page=True)
    (asked,) = page.asked
    assert asked.post_data_json == {"token": TOKEN}
    assert "referer" not in asked.all_headers()


# What does not lie within the screen, or is wider than the place that it has.
CUT = """() => [...document.querySelectorAll('main *')].filter((element) => {
    const { left, right, width } = element.getBoundingClientRect();
    return width > 0 && (left < 0 || right > innerWidth || (element.clientWidth > 0 && element.scrollWidth > element.clientWidth));
}).map((element) => element.outerHTML.slice(0, 80))"""


# Words of titles and buttons that are on two lines.
BROKEN = """() => [...document.querySelectorAll('h1, .button')].map((element) => element.firstChild).flatMap((node) =>
    [...node.data.matchAll(/[^\\s\\u05be-]+/g)].filter(({ 0: word, index }) => {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        return range.getClientRects().length > 1;
    }).map(String))"""


def whole(page: Page) -> bool:
    assert page.evaluate(CUT) == []
    assert page.evaluate(BROKEN) == []
    return page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]


@pytest.mark.parametrize("size", ["100%", "200%"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_on_the_smallest_phone(open_page, artifacts, stack, language, size):
    """In each state nothing is cut off and nothing is to scroll sideways, with text of twice the size, too."""
    said = words(language)

    def opened(answer) -> Page:
        page = open_page(answer=answer, viewport={"width": 320, "height": 568}, locale=language)
        page.evaluate("size => { document.documentElement.style.fontSize = size }", size)
        return page

    page = opened(answers(503))
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile(re.escape(said["join.title"])))
    assert whole(page)
    picture(page, artifacts / f"join-{language}-{size[:-1]}-before.png", full_page=True)
    show(page, language)
    expect(page.locator("#message-title")).to_have_text(said["join.unavailable_title"])
    assert whole(page)
    again = page.get_by_role("button", name=said["join.try_again"])
    from_now_on(page, answers(429, headers={"Retry-After": "86400"}))
    again.click()
    expect(page.locator("#message")).to_contain_text(said["page.too_many_title"])
    expect(page.locator("#message")).to_contain_text("86400")
    assert whole(page)
    from_now_on(page, lambda route: route.abort("internetdisconnected"))
    again.click()
    expect(page.locator("#message")).to_contain_text(said["join.offline_text"])
    assert whole(page)
    invite = {**INVITE["invite"], "access_until": "2026-06-02T03:59:00.000Z"}
    from_now_on(page, answers(200, {"invite": invite}))
    again.click()
    expect(page.locator("#inviter")).to_be_visible()
    assert whole(page)
    picture(page, artifacts / f"join-{language}-{size[:-1]}-after.png", full_page=True)
    page = opened(answers(404))
    show(page, language)
    expect(page.get_by_role("heading", level=1)).to_have_text(said["join.gone_title"])
    assert whole(page)
    page.goto(f"{stack.address}/join/cut-off")
    page.evaluate("size => { document.documentElement.style.fontSize = size }", size)
    expect(page.get_by_role("heading", level=1)).to_have_text(said["error.404.title"])
    for id in said:
        if id.startswith("error.") and id.endswith(".title"):  # one template makes them all
            page.evaluate("said => document.querySelectorAll('h1, .soft').forEach((element, at) => { element.textContent = said[at] })", [said[id], said[id[:-5] + "text"]])
            assert whole(page), id


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_invitation_in_every_language(open_page, language):
    said = words(language)
    page = open_page(locale=language)
    assert page.evaluate("[document.documentElement.lang, document.documentElement.dir]") == [language, direction(language)]
    expect(page).to_have_title(f"{said['join.name']} · Baby Basics")
    before, after = map(re.escape, said["join.access_until"].split("{date}"))
    for role in ("parent", "caregiver", "viewer"):
        page.reload()
        invite = {**INVITE["invite"], "role": role, "access_until": "2026-06-02T03:59:00.000Z"}
        from_now_on(page, answers(200, {"invite": invite}))
        show(page, language)
        sentence = said["join.invites_you"].format(name="Johnny", family="Johnny's Family")
        expect(page.locator("#inviter")).to_have_text(re.compile(re.escape(sentence)))
        assert page.locator("#inviter bdi").all_inner_texts() == ["Johnny", "Johnny's Family"]
        expect(page.locator("#role")).to_have_text(said[f"join.role.{role}"])
        meaning = re.escape(said[f"join.role_means.{role}"])
        expect(page.locator("#role-meaning")).to_have_text(re.compile(f"^{meaning} {before}.*59.*{after}$"))
    text = page.locator("main").inner_text()
    if language != "en":
        assert not re.search("March|Wednesday|June|Monday", text)
        assert [message for message in words("en").values() if isinstance(message, str) and message in text] == []


def test_digits_are_0_to_9_where_others_are_usual(open_page):
    page = open_page(answer=answers(200, INVITE), locale="ar-EG")
    assert page.evaluate("new Intl.NumberFormat().format(4)") == "٤"
    show(page, "ar")
    expect(page.locator("#expires")).to_have_text(re.compile("4.*7:00"))


@pytest.mark.parametrize(
    ("language", "seconds", "said"),
    [
        ("en", 1, "a few seconds"), ("en", 2, "2 seconds"), ("pl", 2, "2 sekundy"), ("pl", 5, "5 sekund "), ("pl", 22, "22 sekundy"), ("pl", 12, "12 sekund "),
        ("ar", 2, "ثانيتين"), ("ar", 3, "3 ثوانٍ"), ("ar", 11, "11 ثانية"), ("ar", 100, "100 ثانية"), ("he", 2, "שתי שניות"), ("he", 3, "3 שניות"),
    ],
)  # fmt: skip
def test_seconds_are_counted_as_the_language_counts(open_page, language, seconds, said):
    page = open_page(answer=answers(429, headers={"Retry-After": str(seconds)}), locale=language)
    show(page, language)
    expect(page.locator("#message-text")).to_contain_text(said)


@pytest.mark.parametrize("language", ["en", *FROM_RIGHT])
def test_from_the_right_it_is_a_mirror(open_page, language):
    page = open_page(answer=answers(503), locale=language)
    show(page, language)
    expect(page.locator("#message")).to_be_visible()
    border = page.locator("#message").evaluate("element => [getComputedStyle(element).borderLeftWidth, getComputedStyle(element).borderRightWidth]")
    assert border == (["0px", "3px"] if language in FROM_RIGHT else ["3px", "0px"])
    moon, line = page.locator(".brand img").bounding_box(), page.locator(".brand").bounding_box()
    assert (moon["x"] > line["x"] + line["width"] / 2) == (language in FROM_RIGHT)
    spacing = page.locator("h1").evaluate("element => parseFloat(getComputedStyle(element).letterSpacing) || 0")
    assert (spacing == 0) == (language == "ar"), "letters that join stand as they are"


@pytest.mark.parametrize("language", ["en", "ar"])
def test_a_name_of_the_other_direction_keeps_its_own_and_stands_where_the_others_do(open_page, language):
    invite = {**INVITE["invite"], "invited_by": {"name": "(Jo)"}, "family": {"name": "משפחת לוי (2)"}}
    page = open_page(answer=answers(200, {"invite": invite}), locale=language)
    show(page, language)
    told = page.locator("#inviter bdi").evaluate_all("all => all.map((one) => [one.matches(':dir(ltr)'), getComputedStyle(one).unicodeBidi])")
    assert told == [[True, "isolate"], [False, "isolate"]]
    assert page.locator("#family").evaluate("element => getComputedStyle(element).textAlign") == ("right" if language == "ar" else "left")


def test_what_a_person_chose_in_the_app_is_what_the_page_speaks(open_page, stack):
    page = open_page(locale="de")
    page.context.add_cookies([{"name": "language", "value": "pt-BR", "url": stack.address}])
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile(re.escape(words("pt-BR")["join.title"])))


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_javascript_in_every_language(open_page, language):
    said = words(language)
    page = open_page(java_script_enabled=False, locale=language)
    assert page.locator("noscript .message p").all_inner_texts() == [said["page.no_script_title"], said["join.no_script"]]
    expect(page.get_by_role("link", name=said["join.get_app"])).to_be_visible()
    expect(page.get_by_role("button")).to_have_count(0)


def test_asks_nothing_before_a_person_does(open_page):
    page = open_page(answer=answers(200, INVITE))
    page.wait_for_timeout(500)
    assert page.asked == []
    expect(page.locator("#invitation")).to_be_hidden()


def test_a_parent_s_invitation(open_page):
    body = {"invite": {**INVITE["invite"], "role": "parent"}}
    page = open_page(answer=answers(200, body))
    show(page)
    expect(page.locator("#role")).to_have_text("a parent.")


def test_opens_the_app(open_page, stack):
    scheme = stack.values["DEEP_LINK_SCHEME"]
    identifier = "550e8400-e29b-41d4-a716-446655440000"
    link = open_page().get_by_role("link", name="Open in Baby Basics")
    expect(link).to_have_attribute("href", f"{scheme}://join/{TOKEN}")
    link = open_page(f"/join/{identifier}").get_by_role("link", name="Open in Baby Basics")
    expect(link).to_have_attribute("href", f"{scheme}://invite/{identifier}")
    store = open_page().get_by_role("link", name="Get the app")
    expect(store).to_have_attribute("href", re.compile(r"^https://apps\.apple\.com/app/id[0-9]+$"))


@pytest.mark.parametrize("status", [400, 404])
def test_an_invitation_that_is_no_longer_valid(open_page, artifacts, status):
    page = open_page(answer=answers(status))
    show(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("This invitation is no longer valid")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    expect(page.get_by_role("button")).to_have_count(0)
    expect(page.get_by_role("link", name="Open in Baby Basics")).to_be_hidden()
    picture(page, artifacts / "join-gone.png")


def test_too_many_tries(open_page):
    page = open_page(answer=answers(429, headers={"Retry-After": "37"}))
    show(page)
    expect(page.locator("#message")).to_contain_text("Please wait 37 seconds")
    expect(page.get_by_role("button", name="Try again")).to_be_focused()


@pytest.mark.parametrize("status", [500, 502, 503])
def test_the_server_is_away_and_comes_back(open_page, status):
    page = open_page(answer=answers(status))
    show(page)
    expect(page.locator("#message")).to_contain_text("We can’t look it up right now")
    from_now_on(page, answers(200, INVITE))
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("#invitation")).to_be_visible()
    expect(page.locator("#message")).to_be_hidden()


def test_no_connection(open_page):
    page = open_page(answer=lambda route: route.abort("internetdisconnected"))
    show(page)
    expect(page.locator("#message")).to_contain_text("No connection")


def test_with_the_keyboard_alone(open_page):
    page = open_page(answer=answers(200, INVITE))
    page.keyboard.press("Tab")
    button = page.get_by_role("button", name="Show invitation")
    expect(button).to_be_focused()
    assert button.evaluate("element => getComputedStyle(element).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    expect(page.locator("#inviter")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Open in Baby Basics")).to_be_focused()


def test_says_what_happens_to_those_who_cannot_see(open_page):
    page = open_page()
    assert page.locator("html").get_attribute("lang") == "en"
    for selector in ("#invitation", "#message"):
        live = page.locator(selector).evaluate("element => element.closest('[aria-live]')?.getAttribute('aria-live')")
        assert live == "polite"


def test_without_javascript(open_page, artifacts):
    page = open_page(java_script_enabled=False)
    hint = page.locator("noscript .message")  # Playwright never looks for text in <noscript>
    expect(hint).to_be_visible()
    assert "Your browser has JavaScript turned off" in hint.inner_text()
    expect(page.get_by_role("link", name="Get the app")).to_be_visible()
    expect(page.get_by_role("button")).to_have_count(0)
    picture(page, artifacts / "join-without-javascript.png")


@pytest.mark.parametrize("width", [320, 390, 844, 1440])
def test_fits_every_width(open_page, width):
    body = {
        "invite": {
            **INVITE["invite"],
            "family": {"name": "W" * 100},
            "invited_by": {"name": "<b>Jo</b> " + "anna" * 20},
        }
    }
    page = open_page(answer=answers(200, body), viewport={"width": width, "height": 700})
    show(page)
    expect(page.locator("#invited-by")).to_have_text(body["invite"]["invited_by"]["name"])
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_cut_off_link(open_page, artifacts):
    page = open_page("/join/cut-off", color_scheme="dark")
    expect(page.get_by_role("heading", level=1)).to_have_text("There’s nothing here")
    assert contrast(page, "h1") >= 4.5
    picture(page, artifacts / "not-found.png")


def test_a_real_invitation_from_the_real_server(open_page, stack, person):
    johnny = person("Johnny")
    token = johnny.invite(johnny.create_family("The Bretz Family"), "parent")

    def from_an_address_of_its_own(route):
        with stack.client() as client:
            answer = client.post("/api/v1/invites/preview", json=route.request.post_data_json)
        route.fulfill(status=answer.status_code, headers=dict(answer.headers), body=answer.content)

    page = open_page(f"/join/{token}", answer=from_an_address_of_its_own)
    show(page)
    expect(page.locator("#invited-by")).to_have_text("Johnny")
    expect(page.locator("#family")).to_have_text("The Bretz Family")
    expect(page.locator("#role")).to_have_text("a parent.")


def test_a_real_token_that_never_was(open_page):
    """Straight to the server, through its headers and its policy."""
    page = open_page(f"/join/{'A' * 22}")
    show(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("This invitation is no longer valid")
