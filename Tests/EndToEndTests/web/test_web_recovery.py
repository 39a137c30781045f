"""From the tap to the mailbox and back: a forgotten password, an address that is confirmed, an invite by mail."""

import re

import pytest
from people import Person
from phone import Phone
from playwright.sync_api import expect

mail_server = pytest.importorskip("mail_server")


@pytest.fixture(scope="module")
def mailing(stack):
    with mail_server.mail_stack(stack.place / "bin/babybasics") as running:
        yield running


@pytest.fixture(scope="module")
def by_invitation(stack):
    with mail_server.mail_stack(stack.place / "bin/babybasics", REGISTRATION="invite") as running:
        yield running


@pytest.fixture
def handset(chromium):
    """Makes phones for servers that are not the usual one."""
    made = []

    def handset(stack, person=None) -> Phone:
        made.append(Phone(stack, chromium, ignore_https_errors=True))
        if person:
            made[-1].sign_in(person)
        return made[-1]

    yield handset
    for one in made:
        one.context.close()
    assert [line for one in made for line in one.complaints] == []


def mailed(stack, address: str, page: str) -> str:
    """The address of the newest link of a kind."""
    def found():
        return [message for message in stack.mail.to(address) if f"/{page}/" in mail_server.text(message)]

    mail_server.until(found)
    return f"{stack.base_url}/{page}/{mail_server.token(found()[-1], page)}"


def choose(one, password: str) -> None:
    one.page.get_by_label("New password").fill(password)
    one.tap("Save the new password")


def test_a_forgotten_password(handset, mailing):
    johnny = Person(mailing, "Johnny")
    one = handset(mailing)
    one.open()
    one.tap("Log In")
    one.page.get_by_label("Email").fill(johnny.email)
    one.tap("Forgot your password?")
    one.tap("Mail me a link")
    one.sees("If there is an account for that address, a mail is on its way.")
    link = mailed(mailing, johnny.email, "reset")
    one.page.goto(link)
    choose(one, "password1")
    one.sees(re.compile("Many people use that one"))
    choose(one, "quite another password")
    one.heading("You can sign in now")
    one.tap("Log In", "link")
    one.tap("Log In")
    one.log_in(johnny.email, "quite another password")
    one.heading("Welcome, Johnny!")
    one.page.goto(link)
    choose(one, "still another password")
    one.heading("This link is no longer valid")


def test_an_address_is_verified(handset, mailing):
    johnny = Person(mailing, "Johnny")
    johnny.create_child(johnny.create_family())
    one = handset(mailing, johnny)
    one.go("account")
    row = one.page.get_by_role("button", name=re.compile("Not confirmed yet: send the mail again"))
    row.click()
    one.sees(f"A mail is on its way to {johnny.email}.")
    mailing.mail.wait(johnny.email, 2)
    one.page.goto(mailed(mailing, johnny.email, "verify"))
    one.tap("Yes, this is my address")
    one.heading("Thank you")
    one.tap("Open Baby Basics", "link")
    one.heading("Baby Bretz")
    one.go("account")
    one.heading("Your account")
    expect(row).to_have_count(0)
    assert johnny.ok("GET", "/users/me")["user"]["email_verified"] is True


def test_a_change_of_email_is_mailed_to_both(handset, mailing):
    johnny = Person(mailing, "Johnny")
    johnny.create_child(johnny.create_family())
    one = handset(mailing, johnny)
    one.go("account")
    one.page.get_by_role("button", name=re.compile("^Email")).click()
    one.sees(re.compile("We’ll mail both addresses"))
    new = f"new-{johnny.email}"
    one.page.get_by_label("New email").fill(new)
    one.page.get_by_label("Current password").fill(johnny.password)
    one.page.get_by_role("dialog").get_by_role("button", name="Save").click()
    one.sees(re.compile("Now open the link that we mailed to the new address"))
    assert mailed(mailing, new, "verify")
    mail_server.until(lambda: any("was changed" in message["Subject"] for message in mailing.mail.to(johnny.email)))


def test_by_invitation_alone_and_by_mail(handset, by_invitation):
    parent = Person(by_invitation, "Johnny")  # the first of an empty server is free
    parent.create_child(parent.create_family())
    stranger = handset(by_invitation)
    stranger.open()
    expect(stranger.page.get_by_role("button", name="I Have an Invite")).to_be_visible()
    stranger.lacks("Create Account")
    one = handset(by_invitation, parent)
    one.go("invite")
    maria = f"maria-{parent.email}"
    one.page.get_by_label("Their email").fill(maria)
    one.tap("Create Invite Link")
    one.tap("Send it by mail")
    one.sees(f"A mail is on its way to {maria}.")
    stranger.page.goto(mailed(by_invitation, maria, "join"))
    stranger.tap("Continue in the browser")
    stranger.register("Maria", f"other-{maria}")
    stranger.sees(re.compile("Use the address that it was sent to"))
    stranger.page.get_by_label("Email").fill(maria)
    stranger.tap("Create Account")
    stranger.sees("You joined Johnny's Family!")
    stranger.go("account")
    stranger.heading("Your account")
    stranger.lacks(re.compile("Not confirmed yet"))
