"""The flows of the specification, step by step, as people take them."""

import json
import re
import secrets

import pytest
from phone import error
from playwright.sync_api import expect


def address() -> str:
    return f"web-{secrets.token_hex(6)}@example.com"


def start(phone):
    one = phone()
    one.open()
    return one


def set_up(one, baby="Ada") -> None:
    one.page.get_by_label("Baby’s name").fill(baby)
    one.page.get_by_label("Date of birth").fill("2026-03-15")


# --- Three doors ---------------------------------------------------------------------------------------------


def test_a_stranger_sees_three_doors(phone):
    one = start(phone)
    for door in ("Create Account", "I Have an Invite", "Log In"):
        expect(one.page.get_by_role("button", name=door)).to_be_visible()
    assert {url.rpartition("/api/v1")[2] for _, url, _ in one.asked} == {"/server"}, "what the server can, and nothing else"


def test_registration_says_what_is_wrong_beside_the_field(phone):
    one = start(phone)
    one.tap("Create Account")
    one.tap("Create Account")
    for label, said in (("Your name", "Enter your name."), ("Email", "Enter your email."), ("Password", "Enter a password.")):
        expect(one.page.get_by_label(label)).to_have_accessible_description(re.compile(said))
    expect(one.page.get_by_label("Your name")).to_be_focused()
    assert [asked for asked in one.asked if "/auth/" in asked[1]] == [], "what is empty costs no try"
    one.register("Johnny", "nowhere", "short")
    expect(one.page.get_by_label("Email")).to_have_attribute("aria-invalid", "true")
    expect(one.page.get_by_label("Email")).to_be_focused()
    one.sees(re.compile("must be an email address"))
    one.sees(re.compile("must have at least 8 characters"))


def test_a_zone_that_the_server_does_not_know_keeps_nobody_out(phone):
    one = phone()
    one.context.add_init_script("Intl.DateTimeFormat.prototype.resolvedOptions = () => ({ timeZone: 'Mars/Olympus_Mons' })")
    one.open()
    one.tap("Create Account")
    one.register("Johnny", address())
    one.heading("Welcome, Johnny!")
    first, second = [json.loads(body) for _, url, body in one.asked if url.endswith("/auth/register")]
    assert first["timezone"] == "Mars/Olympus_Mons" and "timezone" not in second


def test_what_is_wrong_with_no_field_that_shows_is_said(phone):
    one = start(phone)
    one.tap("Create Account")
    one.answer("**/auth/register", 400, error("VALIDATION_ERROR", "Invalid", [{"field": "session", "message": "must be a token"}]))
    one.register("Johnny", address())
    one.sees("Session must be a token.")


def test_a_wrong_password_is_said_and_changes_nothing(phone, person):
    johnny = person("Johnny")
    one = start(phone)
    one.tap("Log In")
    one.log_in(johnny.email, "not the password")
    one.sees("Invalid email or password.")
    one.log_in(johnny.email)
    one.heading("Welcome, Johnny!")


# --- 1: organic ------------------------------------------------------------------------------------------------


def test_from_nothing_to_the_first_day(phone, stack):
    one = start(phone)
    one.tap("Create Account")
    email = address()
    one.register("Johnny Bretz", email)
    one.heading("Welcome, Johnny!")
    expect(one.page.get_by_label("Family")).to_have_value("Johnny’s Family")
    one.tap("Get Started")
    one.sees("What is your baby called?")
    expect(one.page.get_by_label("Baby’s name")).to_be_focused()
    one.page.get_by_label("Family").fill("The Bretz Family")
    set_up(one)
    one.page.get_by_role("button", name="Get Started").dblclick()
    one.heading("Ada")
    with stack.client() as client:
        client.post("/api/v1/auth/login", json={"email": email, "password": "correct horse battery"})
        token = client.post("/api/v1/auth/login", json={"email": email, "password": "correct horse battery"}).json()["session"]["token"]
        families = client.get("/api/v1/families", headers={"Authorization": f"Bearer {token}"}).json()["families"]
    assert [(family["name"], family["children_count"]) for family in families] == [("The Bretz Family", 1)]
    one.page.reload()
    one.heading("Ada")


@pytest.mark.parametrize("lost", ["**/api/v1/families", "**/api/v1/families/*/children"])
def test_an_answer_lost_in_the_set_up_makes_nothing_twice(phone, person, lost):
    johnny = person("Johnny")
    one = phone(johnny)
    one.heading("Welcome, Johnny!")
    one.lose_answers(lost)
    set_up(one)
    one.tap("Get Started")
    one.sees(re.compile("We can’t reach Baby Basics"))
    one.tap("Get Started")
    one.heading("Ada")
    (family,) = johnny.ok("GET", "/families")["families"]
    assert family["children_count"] == 1


def test_what_is_corrected_after_a_lost_answer_is_what_is_made(phone, person):
    johnny = person("Johnny")
    one = phone(johnny)
    one.heading("Welcome, Johnny!")
    one.lose_answers("**/api/v1/families/*/children")
    set_up(one, "Anna")
    one.tap("Get Started")
    one.sees(re.compile("We can’t reach Baby Basics"))
    one.page.get_by_label("Family").fill("The Bretz Family")
    one.page.get_by_label("Baby’s name").fill("Hannah")
    one.page.get_by_label("Date of birth").fill("2026-03-16")
    one.tap("Get Started")
    one.heading("Hannah")
    (child,) = johnny.ok("GET", "/children")["children"]
    assert (child["name"], child["date_of_birth"], child["family_name"]) == ("Hannah", "2026-03-16", "The Bretz Family")


def test_a_list_of_families_from_before_the_set_up_takes_nothing_away(phone, person):
    one = phone(person("Johnny"))
    one.heading("Welcome, Johnny!")
    held = []
    one.context.route("**/api/v1/families", lambda route: held.append((route, one.carry_out(route))) if route.request.method == "GET" and not held else route.fallback())
    one.page.reload()
    one.heading("Welcome, Johnny!")
    while not held:
        one.page.wait_for_timeout(50)
    set_up(one)
    one.tap("Get Started")
    one.heading("Ada")
    (route, answer), = held
    route.fulfill(status=200, headers={"Content-Type": "application/json"}, body=answer.content)
    one.page.wait_for_timeout(1_000)
    one.heading("Ada")
    assert one.kept("notices") == []


def add_child(one, name: str) -> None:
    one.go("child")
    one.page.get_by_label("Name", exact=True).fill(name)
    one.page.get_by_label("Date of birth").fill("2026-03-15")
    one.tap("Add Child")


def names(parent) -> list[str]:
    return [child["name"] for child in parent.ok("GET", "/children")["children"]]


def lost_child(phone, parent):
    """A phone that asked for Anna, got no answer, and then sees that she is there."""
    one = phone(parent)
    one.heading("Ada")
    one.lose_answers("**/api/v1/families/*/children")
    add_child(one, "Anna")
    one.sees(re.compile("We can’t reach Baby Basics"))
    while "Anna" not in [child["name"] for child in one.kept("children")]:
        one.page.wait_for_timeout(50)
    return one


def test_a_child_whose_answer_was_lost_is_added_once(phone, household):
    parent = household()
    one = lost_child(phone, parent)
    one.tap("Add Child")
    one.heading("Anna")
    assert names(parent) == ["Ada", "Anna"]


def test_after_a_lost_answer_the_next_child_is_another(phone, household):
    parent = household()
    one = lost_child(phone, parent)
    one.go("today")
    one.heading("Ada")
    add_child(one, "Ben")
    one.heading("Ben")
    assert names(parent) == ["Ada", "Anna", "Ben"]


def test_after_a_lost_answer_and_a_deletion_a_child_can_be_added(phone, household):
    parent = household()
    one = lost_child(phone, parent)
    anna = parent.ok("GET", "/children")["children"][1]["id"]
    parent.ok("DELETE", f"/children/{anna}", status=204)
    while len(one.kept("children")) > 1:
        one.page.wait_for_timeout(50)
    one.go("today")
    one.heading("Ada")
    add_child(one, "Ben")
    one.heading("Ben")
    assert names(parent) == ["Ada", "Ben"]


def create_family(one, name: str) -> None:
    one.go("new-family")
    one.page.get_by_label("Name", exact=True).fill(name)
    one.tap("Create Family")


def test_after_a_lost_answer_the_next_family_is_another(phone, household):
    parent = household()
    one = phone(parent)
    one.heading("Ada")
    one.lose_answers("**/api/v1/families")
    create_family(one, "Smith")
    one.sees(re.compile("We can’t reach Baby Basics"))
    one.page.reload()
    while len(one.kept("families")) < 2:
        one.page.wait_for_timeout(50)
    create_family(one, "Grandma’s")
    one.heading("Grandma’s")
    families = [family["name"] for family in parent.ok("GET", "/families")["families"]]
    assert sorted(families) == ["Grandma’s", "Johnny's Family", "Smith"]


# --- 2 and 3: invited ----------------------------------------------------------------------------------------------


def test_invited_and_new(phone, household, stack):
    parent = household("Johnny", "Ada")
    token = parent.invite(parent.family, "caregiver")
    one = phone()
    one.page.goto(f"{stack.base_url}/join/{token}")
    one.tap("Continue in the browser")
    one.sees("You’ve been invited to a family!")
    assert token not in one.page.url
    one.register("Maria", address())
    one.heading("Ada")
    one.sees("You joined Johnny's Family!")
    assert "pendingInviteToken" not in one.page.evaluate("Object.keys(localStorage)")
    assert [member["name"] for member in parent.ok("GET", f"/families/{parent.family}/members")["members"]] == ["Johnny", "Maria"]


def test_invited_and_signed_in(phone, household, person, stack):
    parent = household("Johnny", "Ada")
    maria = household("Maria", "Otto")
    one = phone(maria, own_address=True)
    one.heading("Otto")
    one.page.goto(f"{stack.base_url}/join/{parent.invite(parent.family, 'parent')}")
    one.tap("Continue in the browser")
    one.sees("You joined Johnny's Family!")
    one.heading("Ada")


@pytest.mark.parametrize("around", ["{}", "Join us! {} See you", "{}."])
def test_a_pasted_link(phone, household, around):
    parent = household("Johnny", "Ada")
    link = parent.ok("POST", f"/families/{parent.family}/invites", {"role": "caregiver"}, 201)["invite"]["join_url"]
    one = start(phone)
    one.tap("I Have an Invite")
    one.page.get_by_label("Invite link").fill("hello")
    one.tap("Continue")
    one.sees(re.compile("doesn’t look like an invite link"))
    expect(one.page.get_by_label("Invite link")).to_be_focused()
    one.page.get_by_label("Invite link").fill(around.format(link))
    one.tap("Continue")
    one.sees("You’ve been invited to a family!")
    one.register("Maria", address())
    one.sees("You joined Johnny's Family!")


def remember(one, token: str, days: float = 0) -> None:
    one.page.evaluate(
        "([token, days]) => localStorage.setItem('pendingInviteToken', JSON.stringify({ token, at: Date.now() - days * 86400000 }))",
        [token, days],
    )


def test_an_invite_that_is_no_longer_valid_leads_to_the_set_up(phone, person):
    one = phone(person("Maria"), own_address=True)
    one.heading("Welcome, Maria!")
    remember(one, "A" * 22)
    one.page.reload()
    one.sees("This invite link is no longer valid.")
    one.heading("Welcome, Maria!")
    assert one.page.evaluate("localStorage.getItem('pendingInviteToken')") is None


def test_one_s_own_invite(phone, household):
    parent = household()
    one = phone(parent, own_address=True)
    one.heading("Ada")
    remember(one, parent.invite(parent.family, "caregiver"))
    one.page.reload()
    one.sees(re.compile("an invite you made yourself"))
    one.heading("Ada")
    assert one.page.evaluate("localStorage.getItem('pendingInviteToken')") is None


def test_already_a_member(phone, household, person):
    parent, maria = household(), person("Maria")
    maria.join(parent.invite(parent.family, "parent"))
    one = phone(maria, own_address=True)
    one.heading("Ada")
    remember(one, parent.invite(parent.family, "caregiver"))
    one.page.reload()
    one.sees(re.compile("already (in|a member of) this family"))
    one.heading("Ada")


def test_without_a_network_the_invite_stays(phone, household, person):
    parent, maria = household(), person("Maria")
    one = phone(maria, own_address=True)
    one.heading("Welcome, Maria!")
    token = parent.invite(parent.family, "caregiver")
    remember(one, token)
    down = re.compile("/invites/accept$")
    one.context.route(down, lambda route: route.abort())
    one.page.reload()
    one.heading("Joining your family…")
    one.sees(re.compile("It goes on by itself"))
    assert token in one.page.evaluate("localStorage.getItem('pendingInviteToken')")
    one.context.unroute(down)
    one.context.route(down, one._from_own_address)
    one.page.evaluate("dispatchEvent(new Event('online'))")
    one.sees("You joined Johnny's Family!")


def test_an_invite_is_forgotten_after_thirty_days(phone):
    one = start(phone)
    remember(one, "A" * 22, days=30.5)
    one.page.reload()
    expect(one.page.get_by_role("button", name="I Have an Invite")).to_be_visible()
    one.lacks("You’ve been invited to a family!")
    assert one.page.evaluate("localStorage.getItem('pendingInviteToken')") is None


# --- 5: family settings ----------------------------------------------------------------------------------------------


def test_who_may_not_do_a_thing_does_not_see_its_button(phone, household, person):
    parent, maria = household(), person("Maria")
    maria.join(parent.invite(parent.family, "caregiver"))
    buttons = ["Edit", "Invite Family Member", "Add Child", "Create New Family"]
    one = phone(parent)
    one.go("family")
    one.heading("Johnny's Family")
    for button in buttons:
        expect(one.page.get_by_role("button", name=button)).to_be_visible()
    expect(one.page.get_by_role("link", name="History of changes")).to_be_visible()
    two = phone(maria)
    two.go("family")
    two.heading("Johnny's Family")
    two.sees("Caregiver")
    for button in buttons:
        expect(two.page.get_by_role("button", name=button)).to_have_count(0)
    expect(two.page.get_by_role("link", name="History of changes")).to_have_count(0)
    expect(two.page.get_by_role("link", name=re.compile("^Johnny"))).to_have_count(0)


def test_rename_add_and_remove(phone, household, person):
    parent, maria = household(), person("Maria")
    maria.join(parent.invite(parent.family, "caregiver"))
    one = phone(parent)
    one.go("family")
    one.tap("Edit")
    one.page.get_by_label("Name", exact=True).fill("The Bretz Family")
    one.tap("Save")
    one.heading("The Bretz Family")
    one.tap("Add Child")
    one.page.get_by_label("Name", exact=True).fill("Otto")
    one.page.get_by_label("Date of birth").fill("2026-03-15")
    one.tap("Add Child")
    one.heading("Otto")
    one.go("family")
    one.tap("Maria", role="link")
    one.tap("Remove")
    one.page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    one.heading("The Bretz Family")
    one.lacks("Maria")
    family = parent.ok("GET", f"/families/{parent.family}")["family"]
    assert family["name"] == "The Bretz Family"
    assert [child["name"] for child in family["children"]] == ["Ada", "Otto"]
    assert [member["name"] for member in family["members"]] == ["Johnny"]


def test_a_child_is_edited_and_deleted(phone, household):
    parent = household("Johnny", "Ada", "Otto")
    one = phone(parent)
    one.go("family")
    one.tap("Ada", role="link")
    one.page.get_by_label("Name", exact=True).fill("Ada Maria")
    one.tap("Save")
    one.sees("Ada Maria")
    one.tap("Otto", role="link")
    one.tap("Delete")
    one.tap("Delete for everyone")
    one.heading("Johnny's Family")
    one.lacks("Otto")
    assert [child["name"] for child in parent.ok("GET", "/children")["children"]] == ["Ada Maria"]


def test_a_child_is_edited_over_what_another_parent_changes(phone, household):
    parent = household("Johnny", "Ada")
    one = phone(parent)
    one.go(f"child/{parent.child}")
    one.page.get_by_label("Date of birth").fill("2026-03-20")
    parent.ok("PATCH", f"/children/{parent.child}", {"name": "Ada Maria"})
    one.heading("Ada Maria")
    one.tap("Save")
    one.heading("Johnny's Family")
    (child,) = parent.ok("GET", "/children")["children"]
    assert (child["name"], child["date_of_birth"]) == ("Ada Maria", "2026-03-20")


def test_an_edit_of_a_child_whose_answer_was_lost_is_made_again(phone, household):
    parent = household("Johnny", "Ada")
    one = phone(parent)
    one.go(f"child/{parent.child}")
    one.lose_answers("**/api/v1/children/*", method="PATCH")
    one.page.get_by_label("Name", exact=True).fill("Ada Maria")
    one.tap("Save")
    one.sees(re.compile("We can’t reach Baby Basics"))
    one.heading("Ada Maria")
    one.page.get_by_label("Name", exact=True).fill("Ada Marie")
    one.tap("Save")
    one.heading("Johnny's Family")
    one.sees("Ada Marie")


def test_a_new_name_of_what_is_read_moves_nobody(phone, household):
    parent = household("Johnny", "Ada")
    one = phone(parent)
    one.go("family")
    button = one.page.get_by_role("button", name="Create New Family")
    button.focus()
    button.scroll_into_view_if_needed()
    before = one.page.evaluate("scrollY")
    parent.ok("PATCH", f"/families/{parent.family}", {"name": "The Bretz Family"})
    one.heading("The Bretz Family")
    expect(one.page).to_have_title("The Bretz Family · Baby Basics")
    expect(button).to_be_focused()
    assert one.page.evaluate("scrollY") == before


def test_leaving_a_family(phone, household, person, paths):
    if "/api/v1/families/{familyId}/leave" not in paths:
        pytest.skip("the server has no leave yet")
    parent, maria = household(), person("Maria")
    maria.join(parent.invite(parent.family, "caregiver"))
    one = phone(maria)
    one.heading("Ada")
    one.go("family")
    one.tap("Leave this family")
    one.page.get_by_role("dialog").get_by_role("button", name="Leave").click()
    one.heading("Welcome, Maria!")
    assert parent.ok("GET", f"/families/{parent.family}/members")["count"] == 1


def test_leaving_a_family_says_what_would_be_lost(phone, household, person, saved):
    parent, maria = household(), person("Maria")
    maria.join(parent.invite(parent.family, "caregiver"))
    own = maria.create_child(maria.create_family(), "Zoe")
    one = phone(maria)
    one.heading("Ada")
    one.answer("**/events", 503, error("SERVICE_UNAVAILABLE", "Away"), method="POST")
    one.log_bottle()
    one.log_bottle()
    one.go("family")
    one.tap("Leave this family")
    one.sees(re.compile("2 entries waiting to be sent: you can save what isn’t sent as a file"))
    one.tap("Cancel")
    one.context.unroute("**/events")
    one.page.reload()
    one.settled()
    one.tap("Leave this family")
    one.lacks(re.compile("waiting to be sent"))
    one.page.get_by_role("dialog").get_by_role("button", name="Leave").click()
    one.heading("Zoe")
    assert len(saved(parent)) == 2 and saved(maria, own) == []


def test_roles_and_the_owner_change(phone, household, person, paths):
    if "/api/v1/families/{familyId}/transfer" not in paths:
        pytest.skip("the server has no transfer yet")
    parent, maria = household(), person("Maria")
    maria.join(parent.invite(parent.family, "caregiver"))
    one = phone(parent)
    one.go("family")
    one.tap("Maria", role="link")
    one.choose("Parent")
    expect(one.page.get_by_role("button", name="Make owner")).to_be_visible()
    one.tap("Make owner")
    one.page.get_by_role("dialog").get_by_role("button", name="Make owner").click()
    one.heading("Johnny's Family")
    one.sees("Parent · Owner")
    assert parent.ok("GET", f"/families/{parent.family}")["family"]["owner_id"] == maria.id


def test_a_viewer_looks_and_changes_nothing(phone, household, person, paths):
    if "/api/v1/families/{familyId}/transfer" not in paths:
        pytest.skip("the server has no viewers yet")
    parent, maria = household(), person("Maria")
    maria.join(parent.invite(parent.family, "viewer"))
    one = phone(maria)
    one.heading("Ada")
    one.sees(re.compile("You’re a viewer"))
    expect(one.page.get_by_role("button", name="Bottle")).to_have_count(0)


# --- 6: invites ---------------------------------------------------------------------------------------------------------


def test_an_invite_is_made_copied_shown_and_revoked(phone, household, stack):
    parent = household()
    one = phone(parent, permissions=["clipboard-read", "clipboard-write"])
    one.go("family")
    one.tap("Invite Family Member")
    one.choose("Parent")
    one.sees(re.compile("Parents can invite and manage family settings"))
    one.choose("Caregiver")
    one.tap("Create Invite Link")
    one.heading("Invite Created")
    link = one.page.locator(".link-text").inner_text()
    assert re.fullmatch(re.escape(stack.base_url) + "/join/[A-Za-z0-9_-]{22}", link)
    one.sees("Expires")
    one.tap("Copy")
    one.sees("Link copied")
    assert one.page.evaluate("navigator.clipboard.readText()") == link
    one.page.evaluate("navigator.share = (what) => { window.shared = what; return Promise.resolve(); }")
    if one.page.get_by_role("button", name="Share…").count():
        one.tap("Share…")
        assert one.page.evaluate("window.shared") == {"text": f"Join Johnny's Family on Baby Basics! {link}"}
    one.heading("Open invites")
    one.tap("Revoke")
    expect(one.page.get_by_role("heading", name="Open invites")).to_have_count(0)
    assert parent.ok("GET", f"/families/{parent.family}/invites")["count"] == 0


def test_open_invites_that_cannot_be_read_are_not_none(phone, household):
    one = phone(household())
    one.heading("Ada")
    one.context.route("**/invites", lambda route: route.abort())
    one.go("invite")
    one.heading("Open invites")
    one.sees(re.compile("We can’t reach Baby Basics"))


# --- 7: switching ----------------------------------------------------------------------------------------------------------


def test_switching_families(phone, household):
    parent = household("Johnny", "Ada")
    other = parent.create_family("Grandma’s house")
    parent.create_child(other, "Otto")
    one = phone(parent)
    one.heading("Ada")
    one.go("family")
    one.tap("Grandma’s house")
    one.heading("Otto")
    one.page.reload()
    one.heading("Otto")
    parent.call("DELETE", f"/families/{other}")
    one.page.reload()
    one.sees(re.compile("You’re no longer in Grandma’s house"))
    one.heading("Ada")
    parent.call("DELETE", f"/families/{parent.family}")
    one.page.reload()
    one.heading("Welcome, Johnny!")


# --- The account -----------------------------------------------------------------------------------------------------------


def test_name_zone_and_day_are_kept_and_shown(phone, household):
    parent = household()
    parent.ok("POST", f"/children/{parent.child}/notes", {"content": "Noon in Berlin", "occurred_at": "2026-06-01T10:00:00Z"}, 201)
    one = phone(parent)
    one.go("account")
    one.page.get_by_label("Your name").fill("John")
    one.page.get_by_label("Time zone").select_option("Europe/Berlin")
    one.page.get_by_label("Your day begins at").fill("06:00")
    one.page.get_by_role("button", name="Save").click()
    one.sees("Saved")
    user = parent.ok("GET", "/users/me")["user"]
    assert (user["name"], user["timezone"], user["day_start_time"]) == ("John", "Europe/Berlin", "06:00")
    one.go("timeline")
    one.sees(re.compile("12:00.PM"))


def test_a_zone_newer_than_the_browser_is_the_device_s(phone, household):
    parent = household()
    parent.ok("PATCH", "/users/me", {"timezone": "Europe/Berlin"})
    parent.user["timezone"] = "Europe/Berlin"
    parent.ok("POST", f"/children/{parent.child}/notes", {"content": "Six in New York", "occurred_at": "2026-06-01T10:00:00Z"}, 201)
    one = phone()
    one.context.add_init_script("""
        const Known = Intl.DateTimeFormat;
        Intl.DateTimeFormat = function (language, options) {
            if (options?.timeZone === 'Europe/Berlin') throw new RangeError('Invalid time zone specified');
            return new Known(language, options);
        };
    """)
    one.sign_in(parent)
    one.heading("Ada")
    one.go("timeline")
    one.sees("Six in New York")
    one.sees(re.compile("6:00.AM"))


def test_other_devices_are_signed_out(phone, household, stack):
    parent = household()
    with stack.client() as client:
        client.post("/api/v1/auth/login", json={"email": parent.email, "password": parent.password})
    one = phone(parent)
    one.go("devices")
    one.sees("This device")
    one.tap("Sign out")
    expect(one.page.get_by_role("button", name="Sign out")).to_have_count(0)
    (left,) = parent.ok("GET", "/auth/sessions")["sessions"]
    assert left["current"]


def test_the_password_changes(phone, household):
    parent = household()
    one = phone(parent)
    one.go("account")
    one.tap("Change password")
    sheet = one.page.get_by_role("dialog")
    sheet.get_by_label("Current password").fill("wrong")
    sheet.get_by_label("New password").fill("another horse battery")
    sheet.get_by_role("button", name="Save").click()
    one.sees("That’s not your current password.")
    sheet.get_by_label("Current password").fill(parent.password)
    sheet.get_by_role("button", name="Save").click()
    one.sees(re.compile("Password changed"))
    parent.move()
    answer = parent.http.post("/api/v1/auth/login", json={"email": parent.email, "password": "another horse battery"})
    assert answer.status_code == 200


def test_signing_out_leaves_nothing_behind(phone, household):
    parent = household()
    one = phone(parent)
    one.log_bottle()
    one.settled()
    one.go("account")
    one.tap("Sign Out")
    expect(one.page.get_by_role("button", name="I Have an Invite")).to_be_visible()
    assert one.page.evaluate("indexedDB.databases().then((all) => all.map(({ name }) => name))") == []
    assert one.page.evaluate("localStorage.getItem('account')") is None
    assert one.context.cookies() == []


def test_signing_out_asks_first_when_something_waits(phone, household, saved):
    parent = household()
    one = phone(parent)
    one.heading("Ada")
    one.answer("**/events", 503, error("SERVICE_UNAVAILABLE", "Away"), method="POST")
    one.log_bottle()
    one.go("account")
    one.tap("Sign Out")
    one.sees(re.compile("1 entry waiting to be sent"))
    one.tap("Cancel")
    one.go("timeline")
    one.sees("Bottle, 120 ml, formula")
    assert saved(parent) == []


def test_deleting_the_account_says_what_would_be_lost(phone, household):
    parent = household()
    one = phone(parent)
    one.heading("Ada")
    one.answer("**/events", 503, error("SERVICE_UNAVAILABLE", "Away"), method="POST")
    one.log_bottle()
    one.go("account")
    one.tap("Delete Account")
    one.sees(re.compile("1 entry waiting to be sent: what waits is lost"))


def test_deleting_the_account(phone, household):
    parent = household()
    one = phone(parent)
    one.go("account")
    one.tap("Delete Account")
    one.page.get_by_label("Your password").fill("wrong")
    one.tap("Delete for good")
    one.sees("That’s not your password.")
    one.page.get_by_label("Your password").fill(parent.password)
    one.tap("Delete for good")
    expect(one.page.get_by_role("button", name="I Have an Invite")).to_be_visible()
    assert parent.call("GET", "/users/me").status_code == 401


def test_an_account_whose_deletion_the_feed_hears_of_first_leaves_nothing(phone, household):
    parent = household()
    one = phone(parent)
    held = []
    one.page.route("**/api/v1/users/me", lambda route: held.append(route) if route.request.method == "DELETE" else route.fallback())
    one.go("account")
    one.tap("Delete Account")
    one.page.get_by_label("Your password").fill(parent.password)
    one.tap("Delete for good")
    parent.ok("DELETE", "/users/me", {"password": parent.password}, 204)
    one.heading("Please log in again")
    held[0].fulfill(status=204)
    expect(one.page.get_by_role("button", name="I Have an Invite")).to_be_visible()
    assert one.page.evaluate("indexedDB.databases()") == []


def test_history_of_changes(phone, household):
    parent = household()
    feed = parent.ok("POST", f"/children/{parent.child}/feedings", {"type": "bottle", "amount_ml": 90, "started_at": "2026-11-24T12:00:00Z"}, 201)["feeding"]
    parent.ok("PATCH", f"/children/{parent.child}/feedings/{feed['id']}", {"amount_ml": 110})
    one = phone(parent)
    one.go("changes")
    one.sees("90 ml")
    one.sees("110 ml")
    one.go(f"timeline/{feed['id']}")
    one.tap("History of this entry")
    expect(one.page.get_by_role("dialog").get_by_text("90 ml")).to_be_visible()


def test_a_history_that_goes_back_further_says_so(phone, household):
    parent = household()
    feed = parent.ok("POST", f"/children/{parent.child}/feedings", {"type": "bottle", "amount_ml": 90, "started_at": "2026-11-24T12:00:00Z"}, 201)["feeding"]
    one = phone(parent)
    one.go(f"timeline/{feed['id']}")
    one.tap("History of this entry")
    one.sees("It was never changed.")
    one.page.reload()
    one.answer("**/audit?*", 200, {"entries": [], "next_cursor": "older"})
    one.tap("History of this entry")
    one.sees("It was not changed lately.")
    one.tap("history of changes", role="link")
    one.heading("History of changes")


def test_a_time_that_moved_by_a_day_shows_its_day(phone, household):
    parent = household()
    feed = parent.ok("POST", f"/children/{parent.child}/feedings", {"type": "bottle", "amount_ml": 90, "started_at": "2026-06-01T13:00:00Z"}, 201)["feeding"]
    parent.ok("PATCH", f"/children/{parent.child}/feedings/{feed['id']}", {"started_at": "2026-06-02T13:00:00Z"})
    one = phone(parent)
    one.go("changes")
    one.sees(re.compile("Mon, Jun 1, 9:00.AM"))
    one.sees(re.compile("Tue, Jun 2, 9:00.AM"))


def test_a_sign_out_under_way_keeps_nobody_waiting_but_the_next_session(phone, person):
    johnny = person("Johnny")
    one = phone()
    one.open()
    one.heading("The nights are short. Keep what matters.")
    one.page.evaluate("localStorage.setItem('leaving', 'true')")
    held = []
    one.context.route("**/auth/logout", lambda route: held.append(route))
    one.context.add_init_script("const later = setTimeout; setTimeout = (work, time) => (time === 5000 ? 0 : later(work, time))")
    one.page.reload()
    one.tap("Log In")
    one.log_in(johnny.email)
    expect(one.page.get_by_role("button", name="Log In")).to_have_attribute("aria-disabled", "true")
    assert len(held) == 1
    assert [url for _, url, _ in one.asked if url.endswith("/auth/login")] == []
    held[0].fulfill(status=204)
    one.heading("Welcome, Johnny!")
