"""What a server can decides what the app shows: registration by invitation, confirmed addresses, invites by mail."""

import re

import pytest
from accounts import BY_INVITATION, FAMILY, JO, MAIL, NO_MAIL, OFFLINE, Server, fits, heading, kept, refusal, tap, violations
from playwright.sync_api import expect

INVITE = "xK9mLp2qR5tN8vW3yBcd4A"
TOKEN = "mT9kX2vQ7bL4nR8wY1cZ5dF3gH6jK0pS2uA4eI7oM9s"
LOOKS = pytest.mark.parametrize("look", ["light", "dark", "night"])
WIDTHS = (320, 390, 1280)
UNVERIFIED = {**JO, "email_verified": False}
ROW = "Not confirmed yet: send the mail again"
PENDING = {"pendingInviteToken": {"token": INVITE, "at": 4_000_000_000_000}}
REGISTER, ACCEPT, SEND, VERIFY = "/auth/register", "/invites/accept", "/auth/send-verification", "/auth/verify-email"
INVITES = f"/families/{FAMILY['id']}/invites"


def doors(page) -> list[str]:
    expect(page.get_by_role("button", name="Log In")).to_be_visible()
    return page.locator(".actions button").all_inner_texts()


def fill_in(page, name="Maria", email="maria@example.com", password="correct horse battery") -> None:
    for label, value in (("Your name", name), ("Email", email), ("Password", password)):
        page.get_by_label(label).fill(value)


# --- What the server can --------------------------------------------------------------------------------------


def test_the_server_is_asked_first_and_what_it_said_is_kept(open_at):
    page = open_at("/", Server(BY_INVITATION))
    assert doors(page) == ["I Have an Invite", "Log In"]
    assert page.server.asked == [("GET", "/server", None)]
    page.server.on("GET", "/server", OFFLINE)
    page.reload()
    assert doors(page) == ["I Have an Invite", "Log In"]


@pytest.mark.parametrize("answer", [(404, refusal("NOT_FOUND")), OFFLINE, (503, refusal()), (200, {})], ids=["older", "offline", "busy", "strange"])
def test_a_server_that_does_not_say_takes_everybody(open_at, answer):
    server = Server(MAIL)
    server.on("GET", "/server", answer)
    assert doors(open_at("/", server)) == ["Create Account", "I Have an Invite", "Log In"]


def test_what_changed_meanwhile_shows_without_opening_it_again(open_at):
    page = open_at("/", Server(BY_INVITATION))
    assert doors(page) == ["I Have an Invite", "Log In"]
    page.server.facts = MAIL
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.get_by_role("button", name="Create Account")).to_be_visible()


# --- By invitation --------------------------------------------------------------------------------------------


@LOOKS
def test_the_doors_of_a_server_by_invitation(open_at, look):
    for width in WIDTHS if look == "light" else (320,):
        page = open_at("/", Server(BY_INVITATION), look=look, width=width)
        expect(page.get_by_text("This server takes new people by invitation.")).to_be_visible()
        assert fits(page) and violations(page) == []
    tap(page, "Log In")
    expect(page.get_by_role("button", name=re.compile("create an account"))).to_have_count(0)
    tap(page, "I’m new: I have an invite")
    heading(page, "I have an invite")


def test_an_invite_leads_through_to_an_account(open_at):
    server = Server(BY_INVITATION)
    server.on("POST", REGISTER, 201, {"session": {"token": None, "expires_at": "2026-12-01T00:00:00.000Z"}, "user": {**JO, "name": "Maria"}})
    page = open_at("/", server)
    tap(page, "I Have an Invite")
    page.get_by_label("Invite link").fill(f"Join us! https://app.test/join/{INVITE}.")
    tap(page, "Continue")
    fill_in(page)
    tap(page, "Create Account")
    expect(page.get_by_label("Your name")).to_have_count(0)
    (sent,) = server.posts(REGISTER)
    assert sent["invite"] == INVITE and sent["email"] == "maria@example.com"


def test_the_page_of_an_invite_leads_through_to_an_account(open_at):
    page = open_at(f"/join/{INVITE}", Server(BY_INVITATION))
    tap(page, "Continue in the browser")
    heading(page, "Create your account")
    tap(page, "Back")
    assert doors(page) == ["Create Account", "I Have an Invite", "Log In"], "with an invite there is a way in"


@pytest.mark.parametrize(("given", "said"), [({}, "Ask someone in the family for an invite"), (PENDING, "ask for a new link")], ids=["none", "one"])
def test_who_is_not_taken_is_told_kindly_and_loses_nothing(open_at, given, said):
    server = Server(MAIL)  # it takes everybody, for all that this page knows
    server.on("POST", REGISTER, 403, refusal("FORBIDDEN", "This server takes new people by invitation"))
    page = open_at("/", server, kept=given)
    if not given:
        tap(page, "Create Account")
    fill_in(page)
    tap(page, "Create Account")
    expect(page.get_by_role("alert")).to_contain_text("This server takes new people by invitation.")
    expect(page.get_by_role("alert")).to_contain_text(said)
    expect(page.get_by_label("Password")).to_have_value("correct horse battery")
    assert violations(page) == []


# --- An invite for an address that is not confirmed -------------------------------------------------------------


def test_an_invite_for_an_unverified_address_is_tried_again_once_it_is_verified(open_at):
    server = Server(MAIL, UNVERIFIED, (FAMILY,))
    server.on("POST", ACCEPT, 404, refusal("NOT_FOUND", "Invalid or expired invite link"))
    page = open_at("/", server, kept=PENDING)
    expect(page.locator(".notice")).to_contain_text("open the link in our mail to you, and we’ll try the invite again")
    assert page.evaluate("localStorage.getItem('pendingInviteToken')") is None
    count = len(server.posts(ACCEPT))
    page.reload()
    heading(page, "Emma")
    page.wait_for_timeout(300)
    assert len(server.posts(ACCEPT)) == count, "not before it is verified"
    server.user = JO
    server.on("POST", ACCEPT, 201, {"family": {"id": FAMILY["id"], "name": FAMILY["name"], "role": "parent"}, "invited_by": {"name": "Ann"}})
    page.reload()
    expect(page.get_by_text("You joined Miller’s Family!")).to_be_visible()
    assert server.posts(ACCEPT)[-1] == {"token": INVITE} and INVITE not in kept(page)


@pytest.mark.parametrize(("facts", "user"), [(MAIL, JO), (NO_MAIL, UNVERIFIED), (None, {**JO, "email_verified": None})], ids=["verified", "no mail", "older"])
def test_elsewhere_an_invite_that_is_refused_is_no_longer_valid(open_at, facts, user):
    server = Server(facts, {key: value for key, value in user.items() if value is not None}, (FAMILY,))
    server.on("POST", ACCEPT, 404, refusal("NOT_FOUND", "Invalid or expired invite link"))
    page = open_at("/", server, kept=PENDING)
    expect(page.locator(".notice p")).to_have_text("This invite link is no longer valid.")
    assert INVITE not in kept(page)


# --- The account ----------------------------------------------------------------------------------------------


@LOOKS
def test_a_mail_can_be_sent_again(open_at, look):
    for width in WIDTHS if look == "light" else (320,):
        server = Server(MAIL, UNVERIFIED, (FAMILY,))
        server.on("POST", SEND, 202, {})
        page = open_at("/#/account", server, look=look, width=width)
        page.get_by_role("button", name=re.compile(ROW)).click()
        expect(page.get_by_text("A mail is on its way to jo@example.com. Its link works for 24 hours.")).to_be_visible()
        assert len(server.posts(SEND)) == 1
        assert fits(page) and violations(page) == []


def test_enough_mails_are_enough(open_at):
    server = Server(MAIL, UNVERIFIED, (FAMILY,))
    server.on("POST", SEND, 429, refusal("RATE_LIMITED"), {"Retry-After": "2340"})
    page = open_at("/#/account", server)
    page.get_by_role("button", name=re.compile(ROW)).click()
    expect(page.get_by_role("alert").filter(has_text="mailed")).to_have_text("We’ve mailed that a few times already. Look among the spam, or try again in 39 minutes.")


def test_an_address_that_was_verified_elsewhere(open_at):
    server = Server(MAIL, UNVERIFIED, (FAMILY,))
    server.on("POST", SEND, 409, refusal("CONFLICT", "Your email address is confirmed already"))
    page = open_at("/#/account", server)
    button = page.get_by_role("button", name=re.compile(ROW))
    button.wait_for()
    server.user = JO
    button.click()
    expect(page.get_by_text("Your email address is confirmed.")).to_be_visible()
    expect(button).to_have_count(0)


def test_without_a_connection_the_mail_is_not_said_to_be_sent(open_at):
    server = Server(MAIL, UNVERIFIED, (FAMILY,))
    server.on("POST", SEND, OFFLINE)
    page = open_at("/#/account", server)
    page.get_by_role("button", name=re.compile(ROW)).click()
    expect(page.get_by_role("alert").filter(has_text="reach")).to_contain_text("We can’t reach Baby Basics")
    expect(page.get_by_text("on its way")).to_have_count(0)


@pytest.mark.parametrize(("facts", "user"), [(MAIL, JO), (NO_MAIL, UNVERIFIED), (None, UNVERIFIED)], ids=["verified", "no mail", "older"])
def test_where_there_is_nothing_to_do_nothing_is_said(open_at, facts, user):
    page = open_at("/#/account", Server(facts, user, (FAMILY,)))
    heading(page, "Your account")
    page.wait_for_function("() => localStorage.getItem('server') !== null")
    expect(page.get_by_text("Change password")).to_be_visible()
    expect(page.get_by_text(re.compile("onfirmed"))).to_have_count(0)
    page.get_by_role("button", name=re.compile("^Email")).click()
    expect(page.get_by_label("New email")).to_be_visible()
    assert page.get_by_text("both addresses").count() == (1 if facts == MAIL else 0)


def test_a_change_of_email_goes_to_both_addresses(open_at):
    server = Server(MAIL, JO, (FAMILY,))
    changed = {**UNVERIFIED, "email": "new@example.com"}
    server.on("POST", "/auth/change-email", 200, {"user": changed})
    server.on("POST", SEND, 202, {})
    page = open_at("/#/account", server)
    page.get_by_role("button", name=re.compile("^Email")).click()
    expect(page.get_by_label("New email")).to_have_accessible_description(re.compile("We’ll mail both addresses"))
    assert violations(page) == []
    page.get_by_label("New email").fill("new@example.com")
    page.get_by_label("Current password").fill("correct horse battery")
    server.user = changed
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(page.get_by_text("Now open the link that we mailed to the new address.")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile(ROW))).to_be_visible()


# --- The page of the mailed link --------------------------------------------------------------------------------


@LOOKS
def test_an_address_is_verified_by_its_person(open_at, look):
    for width in WIDTHS if look == "light" else (320,):
        server = Server(MAIL)
        server.on("POST", VERIFY, 204, None)
        page = open_at(f"/verify/{TOKEN}", server, look=look, width=width)
        heading(page, "Is this your email address?")
        assert fits(page) and violations(page) == [] and server.asked == []
        page.keyboard.press("Tab")
        expect(page.get_by_role("button", name="Yes, this is my address")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="Thank you")).to_be_focused()
        expect(page.get_by_text("Your email address is confirmed.")).to_be_visible()
        assert server.asked == [("POST", VERIFY, {"token": TOKEN})]
        assert fits(page) and violations(page) == []
    tap(page, "Open Baby Basics", "link")
    expect(page.get_by_role("button", name="Log In")).to_be_visible()


def test_an_old_link_leads_to_where_another_is_sent(open_at):
    server = Server(MAIL, UNVERIFIED, (FAMILY,))
    server.on("POST", VERIFY, 404, refusal("NOT_FOUND", "This link is no longer valid"))
    page = open_at(f"/verify/{TOKEN}", server)
    tap(page, "Yes, this is my address")
    expect(page.get_by_role("heading", name="This link is no longer valid")).to_be_focused()
    assert violations(page) == []
    tap(page, "Open your account", "link")
    expect(page.get_by_role("button", name=re.compile(ROW))).to_be_visible()


# --- Invites by mail ------------------------------------------------------------------------------------------


def made(body: dict) -> tuple:
    invite = {
        "id": "00000000-0000-7000-8000-00000000000d", "join_url": f"https://app.test/join/{INVITE}", "role": body["role"],
        "invitee_email": body.get("invitee_email"), "label": body.get("label"), "access_until": body.get("access_until"),
        "expires_at": "2026-12-03T12:00:00.000Z", "created_at": "2026-11-26T12:00:00.000Z",
    }  # fmt: skip
    return 201, {"invite": invite}


def invite(page, email: str = "") -> None:
    heading(page, "Invite Family Member")
    page.get_by_label("Who it’s for").fill("Grandma Ruth")
    if email:
        page.get_by_label("Their email").fill(email)
    tap(page, "Create Invite Link")


@LOOKS
def test_an_invite_goes_by_mail(open_at, look):
    for width in WIDTHS if look == "light" else (320,):
        server = Server(MAIL, JO, (FAMILY,))
        server.on("POST", INVITES, made)
        page = open_at("/#/invite", server, look=look, width=width)
        expect(page.get_by_label("Their email")).to_be_visible()
        assert fits(page) and violations(page) == []
        invite(page, "ruth@example.com")
        heading(page, "Invite Created")
        expect(page.get_by_text("for an account with that email alone")).to_be_visible()
        assert fits(page) and violations(page) == []
        tap(page, "Send it by mail")
        expect(page.get_by_text("A mail is on its way to ruth@example.com.")).to_be_visible()
        expect(page.get_by_role("button", name="Copy")).to_be_visible()
        terms = {"role": "caregiver", "label": "Grandma Ruth", "invitee_email": "ruth@example.com"}
        assert server.posts(INVITES) == [terms, {**terms, "send": True}]
        assert fits(page) and violations(page) == []


def test_what_cannot_be_mailed_is_said_and_the_link_stays(open_at):
    server = Server(MAIL, JO, (FAMILY,))
    server.on("POST", INVITES, lambda body: (429, refusal("RATE_LIMITED"), {"Retry-After": "600"}) if body.get("send") else made(body))
    page = open_at("/#/invite", server)
    invite(page, "ruth@example.com")
    tap(page, "Send it by mail")
    expect(page.get_by_role("alert").filter(has_text="mailed")).to_contain_text("try again in 10 minutes")
    expect(page.get_by_text(f"https://app.test/join/{INVITE}")).to_be_visible()


def test_an_address_that_is_none_is_said_beside_the_field(open_at):
    server = Server(MAIL, JO, (FAMILY,))
    server.on("POST", INVITES, 400, refusal("VALIDATION_ERROR", "Invalid", [{"field": "invitee_email", "message": "must be an email address"}]))
    page = open_at("/#/invite", server)
    invite(page, "ruth")
    expect(page.get_by_label("Their email")).to_have_accessible_description(re.compile("This must be an email address."))
    expect(page.get_by_label("Their email")).to_be_focused()


@pytest.mark.parametrize(("facts", "email"), [(MAIL, ""), (NO_MAIL, None), (None, None)], ids=["no address", "no mail", "older"])
def test_an_invite_that_nobody_can_mail_is_shared_as_ever(open_at, facts, email):
    server = Server(facts, JO, (FAMILY,))
    server.on("POST", INVITES, made)
    page = open_at("/#/invite", server)
    page.wait_for_function("() => localStorage.getItem('server') !== null")
    heading(page, "Invite Family Member")
    expect(page.get_by_label("Their email")).to_have_count(1 if facts == MAIL else 0)
    invite(page)
    heading(page, "Invite Created")
    expect(page.get_by_role("button", name="Send it by mail")).to_have_count(0)
    assert server.posts(INVITES) == [{"role": "caregiver", "label": "Grandma Ruth"}]
