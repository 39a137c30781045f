"""A forgotten password: at the door, in the app, and on the page of the mailed link."""

import re

import pytest
from accounts import FAMILY, JO, MAIL, NO_MAIL, OFFLINE, Server, fits, heading, kept, refusal, tap, violations
from languages import LANGUAGES, direction, words
from playwright.sync_api import expect

TOKEN = "mT9kX2vQ7bL4nR8wY1cZ5dF3gH6jK0pS2uA4eI7oM9s"
LOOKS = pytest.mark.parametrize("look", ["light", "dark", "night"])
WIDTHS = (320, 390, 1280)
CALM = "If there is an account for that address, a mail is on its way. It works for an hour."
FORGOT = "/auth/forgot-password"
RESET = "/auth/reset-password"


def at_the_door(open_at, server: Server, **options):
    page = open_at("/", server, **options)
    tap(page, "Log In")
    page.get_by_label("Email").fill("jo@example.com")
    tap(page, "Forgot your password?")
    return page


# --- The door -------------------------------------------------------------------------------------------------


@LOOKS
def test_whoever_it_is_the_answer_is_calm(open_at, look):
    server = Server(MAIL)
    server.on("POST", FORGOT, 202, {})
    for width in WIDTHS if look == "light" else (320,):
        page = at_the_door(open_at, server, look=look, width=width)
        expect(page.get_by_label("Email")).to_have_value("jo@example.com")
        heading(page, "Forgot your password?")
        assert fits(page) and violations(page) == []
        tap(page, "Mail me a link")
        expect(page.get_by_role("heading", name="Look at your mail")).to_be_focused()
        expect(page.get_by_text(CALM)).to_be_visible()
        assert fits(page) and violations(page) == []
    assert server.posts(FORGOT) == [{"email": "jo@example.com"}] * (len(WIDTHS) if look == "light" else 1)


def test_what_was_typed_goes_along_and_comes_back(open_at):
    page = at_the_door(open_at, Server(MAIL))
    page.get_by_label("Email").fill("jo@exmaple.com")
    tap(page, "Back to log in")
    expect(page.get_by_label("Email")).to_have_value("jo@exmaple.com")


def test_without_a_connection_it_says_so_and_keeps_what_was_typed(open_at):
    server = Server(MAIL)
    server.on("POST", FORGOT, OFFLINE)
    page = at_the_door(open_at, server)
    tap(page, "Mail me a link")
    expect(page.get_by_role("alert")).to_contain_text("We can’t reach Baby Basics")
    expect(page.get_by_label("Email")).to_have_value("jo@example.com")
    server.on("POST", FORGOT, 202, {})
    tap(page, "Mail me a link")
    expect(page.get_by_text(CALM)).to_be_visible()
    tap(page, "Try again")
    expect(page.get_by_label("Email")).to_have_value("jo@example.com")


def test_what_is_wrong_is_said_beside_the_field_and_an_empty_one_costs_no_try(open_at):
    server = Server(MAIL)
    server.on("POST", FORGOT, 400, refusal("VALIDATION_ERROR", "Invalid", [{"field": "email", "message": "must be an email address"}]))
    page = at_the_door(open_at, server)
    page.get_by_label("Email").fill(" ")
    tap(page, "Mail me a link")
    expect(page.get_by_label("Email")).to_have_accessible_description("Enter your email.")
    assert server.posts(FORGOT) == []
    page.get_by_label("Email").fill("jo")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Email")).to_have_accessible_description("This must be an email address.")
    expect(page.get_by_label("Email")).to_be_focused()


def test_too_many_tries(open_at):
    server = Server(MAIL)
    server.on("POST", FORGOT, 429, refusal("RATE_LIMITED"), {"Retry-After": "37"})
    page = at_the_door(open_at, server)
    tap(page, "Mail me a link")
    expect(page.get_by_role("alert")).to_contain_text("Please wait 37 seconds, then try again.")


@LOOKS
@pytest.mark.parametrize(
    ("facts", "said"),
    [({**NO_MAIL, "support": "Write to <b>mum</b>@example.com"}, "Write to <b>mum</b>@example.com"), (NO_MAIL, "Ask whoever runs this server."), (None, "Ask whoever runs this server.")],
    ids=["in their words", "without words", "an older server"],
)
def test_without_mail_it_says_who_can_help(open_at, look, facts, said):
    page = at_the_door(open_at, Server(facts), look=look, width=320)
    expect(page.get_by_text(said, exact=True)).to_be_visible()
    expect(page.get_by_label("Email")).to_have_count(0)
    assert fits(page) and violations(page) == []


def test_a_server_that_has_stopped_sending_mail(open_at):
    server = Server(MAIL)
    page = at_the_door(open_at, server)
    while server.asked.count(("GET", "/server", None)) < 2:
        page.wait_for_timeout(20)
    heading(page, "Forgot your password?")
    server.on("POST", FORGOT, 409, refusal("CONFLICT", "This server sends no mail. Ask whoever runs it."))
    server.facts = NO_MAIL
    tap(page, "Mail me a link")
    expect(page.get_by_text("Ask whoever runs this server.")).to_be_visible()


def test_what_a_server_can_that_never_answered_is_asked_again(open_at):
    server = Server(MAIL)
    known = server.answers["GET", "/server"]
    server.on("GET", "/server", OFFLINE)
    page = at_the_door(open_at, server)
    expect(page.get_by_text(re.compile("We can’t reach Baby Basics"))).to_be_visible()
    server.on("GET", "/server", known)
    tap(page, "Try again")
    expect(page.get_by_label("Email")).to_have_value("jo@example.com")


def test_who_is_signed_in_may_have_forgotten_it_too(open_at):
    server = Server(MAIL, JO, (FAMILY,))
    server.on("POST", FORGOT, 202, {})
    page = open_at("/#/account", server)
    tap(page, "Change password")
    tap(page, "Forgot your current password?", "link")
    expect(page.get_by_label("Email")).to_have_value("jo@example.com")
    tap(page, "Mail me a link")
    expect(page.get_by_text(CALM)).to_be_visible()
    tap(page, "Back", "link")
    heading(page, "Your account")


# --- The page -------------------------------------------------------------------------------------------------


def at_the_page(open_at, server: Server | None = None, **options):
    return open_at(f"/reset/{TOKEN}", server or Server(MAIL), **options)


def choose(page, password: str) -> None:
    page.get_by_label("New password").fill(password)
    tap(page, "Save the new password")


@LOOKS
def test_a_new_password(open_at, look):
    server = Server(MAIL)
    server.on("POST", RESET, 204, None)
    for width in WIDTHS if look == "light" else (320,):
        page = at_the_page(open_at, server, look=look, width=width)
        heading(page, "Choose a new password")
        assert fits(page) and violations(page) == []
        choose(page, "quite another password")
        expect(page.get_by_role("heading", name="You can sign in now")).to_be_focused()
        expect(page.get_by_label("New password")).to_be_hidden()
        assert fits(page) and violations(page) == []
        assert server.posts(RESET)[-1] == {"token": TOKEN, "new_password": "quite another password"}
        assert page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--paper')").strip() == {
            "light": "#faf6ef", "dark": "#13151c", "night": "#0b0705",
        }[look]  # fmt: skip
    tap(page, "Log In", "link")
    expect(page.get_by_role("button", name="Log In")).to_be_visible()


def test_nothing_happens_before_a_person_acts(open_at):
    for path in (f"/reset/{TOKEN}", f"/verify/{TOKEN}", f"/reset/{TOKEN}.", f"/verify/{TOKEN})"):
        page = open_at(path, Server(MAIL))
        page.wait_for_timeout(300)
        assert page.server.asked == []
        expect(page.get_by_role("button")).to_have_count(1)


def test_the_token_is_in_no_storage_and_no_referrer(open_at):
    server = Server(MAIL)
    server.on("POST", RESET, 204, None)
    server.on("POST", "/auth/verify-email", 204, None)
    for kind, button in (("reset", "Save the new password"), ("verify", "Yes, this is my address")):
        page = open_at(f"/{kind}/{TOKEN}", server)
        seen = []
        page.on("request", lambda request: seen.append(request))
        if kind == "reset":
            page.get_by_label("New password").fill("quite another password")
        tap(page, button)
        expect(page.locator("#on")).to_be_visible()
        page.locator("#on").click()
        expect(page.locator("#app h1")).to_be_visible()
        assert seen and all("referer" not in request.all_headers() and TOKEN not in request.url for request in seen)
        assert TOKEN not in kept(page) and "quite another" not in kept(page)
    assert page.evaluate("document.referrer") == ""


def test_what_is_wrong_with_a_password_is_said_beside_it(open_at):
    server = Server(MAIL)
    detail = {"field": "new_password", "message": "is one of the most common passwords; choose another", "reason": "common"}
    server.on("POST", RESET, 400, refusal("VALIDATION_ERROR", "Invalid", [detail]))
    page = at_the_page(open_at, server)
    field = page.get_by_label("New password")
    for typed, said in (("", "Enter a password."), ("short", "A password needs at least 8 characters.")):
        choose(page, typed)
        expect(field).to_have_accessible_description(re.compile(re.escape(said)))
        expect(field).to_be_focused()
    assert server.posts(RESET) == [], "what cannot be right costs no try"
    choose(page, "password1")
    expect(field).to_have_accessible_description(re.compile("Many people use that one"))
    expect(field).to_have_value("password1")
    assert violations(page) == []


def test_what_is_typed_can_be_looked_at(open_at):
    page = at_the_page(open_at)
    page.get_by_label("New password").fill("quite another password")
    page.get_by_label("Show what I type").check()
    expect(page.get_by_label("New password")).to_have_attribute("type", "text")
    page.get_by_label("Show what I type").uncheck()
    expect(page.get_by_label("New password")).to_have_attribute("type", "password")


def test_an_old_link_leads_to_a_new_one(open_at):
    server = Server(MAIL)
    server.on("POST", RESET, 404, refusal("NOT_FOUND", "This link is no longer valid"))
    page = at_the_page(open_at, server)
    choose(page, "quite another password")
    expect(page.get_by_role("heading", name="This link is no longer valid")).to_be_focused()
    assert violations(page) == []
    tap(page, "Mail me a new link", "link")
    heading(page, "Forgot your password?")
    expect(page.get_by_role("button", name="Mail me a link")).to_be_visible()
    page.reload()
    expect(page.get_by_role("button", name="Log In")).to_be_visible()


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (OFFLINE, "What you typed is still here."), ((503, refusal()), "That’s on our side"), ((429, refusal(), {"Retry-After": "37"}), "Please wait 37 seconds"),
        ((409, refusal("CONFLICT", "This server sends no mail. Ask whoever runs it.")), "Ask whoever runs it."),
    ],
    ids=["offline", "away", "too many", "no mail"],
)  # fmt: skip
def test_what_comes_between_loses_nothing(open_at, answer, said):
    server = Server(MAIL)
    server.on("POST", RESET, answer)
    page = at_the_page(open_at, server)
    choose(page, "quite another password")
    expect(page.locator("#message")).to_contain_text(said)
    expect(page.get_by_label("New password")).to_have_value("quite another password")
    assert page.locator("#message").evaluate("element => element.parentElement.getAttribute('aria-live')") == "polite"
    assert violations(page) == []
    server.on("POST", RESET, 204, None)
    tap(page, "Save the new password")
    heading(page, "You can sign in now")


def test_two_taps_are_one_request(open_at):
    server = Server(MAIL)
    server.on("POST", RESET, 204, None)
    page = at_the_page(open_at, server)
    page.get_by_label("New password").fill("quite another password")
    page.get_by_role("button", name="Save the new password").dblclick()
    heading(page, "You can sign in now")
    assert len(server.posts(RESET)) == 1


def test_with_the_keyboard_alone(open_at):
    server = Server(MAIL)
    server.on("POST", RESET, 204, None)
    page = at_the_page(open_at, server)
    page.keyboard.press("Tab")
    expect(page.get_by_label("New password")).to_be_focused()
    page.keyboard.type("quite another password")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    page.keyboard.press("Tab")
    link = page.get_by_role("link", name="Log In")
    expect(link).to_be_focused()
    assert link.evaluate("element => getComputedStyle(element).outlineStyle") == "solid"


@pytest.mark.parametrize("kind", ["reset", "verify"])
def test_without_javascript(open_at, kind):
    page = open_at(f"/{kind}/{TOKEN}", Server(MAIL), java_script_enabled=False)
    assert "JavaScript turned off" in page.locator("noscript .message").inner_text()
    expect(page.get_by_role("button")).to_have_count(0)
    expect(page.get_by_role("textbox")).to_have_count(0)


@pytest.mark.parametrize("size", ["100%", "200%"])
@pytest.mark.parametrize("kind", ["reset", "verify"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_on_the_smallest_phone(open_at, language, kind, size):
    said = words(language)
    path, button = (RESET, "reset.save") if kind == "reset" else ("/auth/verify-email", "verify.yes")
    server = Server(MAIL)
    server.language = language

    def opened():
        page = open_at(f"/{kind}/{TOKEN}", server, width=320, locale=language)
        page.evaluate("size => { document.documentElement.style.fontSize = size }", size)
        return page

    def press(page, *answer):
        server.on("POST", path, *answer)
        if kind == "reset":
            page.get_by_label(said["reset.password"]).fill("quite another password")
        tap(page, said[button])

    page = opened()
    assert page.evaluate("[document.documentElement.lang, document.documentElement.dir]") == [language, direction(language)]
    heading(page, said[f"{kind}.title"])
    assert fits(page)
    conflict = refusal("CONFLICT", "This server sends no mail. Ask whoever runs it.")
    for answer, title, text in (
        ([OFFLINE], "page.offline_title", "link.offline_text"), ([503, refusal()], "link.unavailable_title", "link.unavailable_text"),
        ([429, refusal()], "page.too_many_title", "link.too_many_soon"), ([409, conflict], "link.refused_title", "link.no_mail"),
        ([403, refusal("FORBIDDEN", "English")], "link.refused_title", "link.refused_text"),
    ):  # fmt: skip
        press(page, *answer)
        expect(page.locator("#message-text")).to_have_text(said[text])
        expect(page.locator("#message-title")).to_have_text(said[title])
        assert fits(page)
    press(page, 429, refusal(), {"Retry-After": "86400"})
    waits = [form.format(count=86400) for form in said["link.too_many"].values()]
    expect(page.locator("#message-text")).to_have_text(re.compile("|".join(map(re.escape, waits))))
    assert fits(page)
    if size == "100%":
        assert violations(page) == []
    press(page, 404, refusal("NOT_FOUND"))
    heading(page, said["link.gone_title"])
    expect(page.locator("#lead")).to_have_text(said[f"{kind}.gone_text"])
    expect(page.get_by_role("link", name=said["reset.new_link" if kind == "reset" else "verify.open_account"])).to_be_visible()
    assert fits(page)
    page = opened()
    press(page, 204, None)
    heading(page, said[f"{kind}.done_title"])
    expect(page.locator("#lead")).to_have_text(said[f"{kind}.done_text"])
    expect(page.get_by_role("link", name=said["reset.log_in" if kind == "reset" else "verify.open_app"])).to_be_visible()
    assert fits(page)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_wrong_is_said_in_every_language(open_at, language):
    said = words(language)
    server = Server(MAIL)
    server.language = language
    page = open_at(f"/reset/{TOKEN}", server, width=320, locale=language)
    field = page.get_by_label(said["reset.password"])
    for typed, reason, wrong in (
        ("", None, "required"), ("short", None, "too_short"), ("long", "too_long", "too_long"), ("password1", "common", "common"), ("newer", "of a newer server", "other"),
    ):  # fmt: skip
        detail = {"field": "new_password", "message": "is English", "reason": reason}
        server.on("POST", RESET, 400, refusal("VALIDATION_ERROR", "Invalid", [detail]))
        field.fill(typed if reason is None else f"{typed} password")
        tap(page, said["reset.save"])
        expect(page.locator("#wrong")).to_have_text(said[f"reset.wrong.{wrong}"])
        assert fits(page)
    page.get_by_label(said["reset.reveal"]).check()
    expect(field).to_have_attribute("type", "text")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", ["reset", "verify"])
def test_without_javascript_in_every_language(open_at, kind, language):
    server = Server(MAIL)
    server.language = language
    page = open_at(f"/{kind}/{TOKEN}", server, java_script_enabled=False, locale=language)
    said = words(language)
    assert page.locator("noscript .message p").all_inner_texts() == [said["page.no_script_title"], said[f"{kind}.no_script"]]
    expect(page.get_by_role("button")).to_have_count(0)


def test_text_of_twice_the_size_stays_on_the_screen(open_at):
    for page in (at_the_page(open_at, width=320), at_the_door(open_at, Server(MAIL), width=320)):
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert fits(page)
