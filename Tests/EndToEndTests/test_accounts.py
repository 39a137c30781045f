"""Co-parents and whole accounts, through nginx, and what whoever runs the server does to one."""

import json
import threading
import time
import uuid

from people import PASSWORD
from stack import assert_error, headers_of


def test_two_co_parents_and_no_third(person):
    anna, ben, third = person("Anna"), person("Ben"), person("Third")
    body = {"name": "Anna and Ben", "sharing_policy": "co_parent"}
    family = anna.ok("POST", "/families", body, 201)["family"]
    assert (family["sharing_policy"], family["owner_id"]) == ("co_parent", anna.id)
    invites = f"/families/{family['id']}/invites"
    refused = anna.call("POST", invites, {"role": "caregiver"})
    assert_error(refused.status_code, headers_of(refused), refused.content, 400, "VALIDATION_ERROR")
    bound = {"role": "parent", "invitee_email": ben.email.upper()}
    invite = anna.ok("POST", invites, bound, 201)["invite"]
    scheme, _, form = invite["deep_link"].partition("://invite/")
    assert scheme == anna.stack.values["DEEP_LINK_SCHEME"] and str(uuid.UUID(form)) == form
    assert third.accept(form).status_code == 404
    assert ben.accept(form).status_code == 201
    members = ben.ok("GET", f"/families/{family['id']}/members")["members"]
    assert [(one["name"], one["role"], one["is_owner"]) for one in members] == [
        ("Anna", "parent", True), ("Ben", "parent", False),
    ]
    full = anna.call("POST", invites, {"role": "parent"})
    assert_error(full.status_code, headers_of(full), full.content, 409, "CONFLICT")
    assert ben.call("POST", invites, {"role": "parent"}).status_code == 403


def test_an_open_invite_is_listed_and_revoked(person):
    johnny, maria = person("Johnny"), person("Maria")
    family = johnny.create_family()
    token = johnny.invite(family, "caregiver")
    (invite,) = johnny.ok("GET", f"/families/{family}/invites")["invites"]
    assert token not in str(invite)
    assert johnny.call("DELETE", f"/families/{family}/invites/{invite['id']}").status_code == 204
    assert johnny.call("DELETE", f"/families/{family}/invites/{invite['id']}").status_code == 404
    assert maria.accept(token).status_code == 404


def test_a_new_password_signs_the_other_devices_out(stack, person):
    johnny = person("Johnny")
    with stack.client() as phone:
        login = phone.post("/api/v1/auth/login", json={"email": johnny.email, "password": PASSWORD})
        phone.headers["Authorization"] = f"Bearer {login.json()['session']['token']}"
        sessions = johnny.ok("GET", "/auth/sessions")["sessions"]
        assert len(sessions) == 2 and [one["current"] for one in sessions].count(True) == 1
        change = {"current_password": PASSWORD, "new_password": "a new battery for the horse"}
        wrong = johnny.call("POST", "/auth/change-password", change | {"current_password": "wrong horse"})
        assert_error(wrong.status_code, headers_of(wrong), wrong.content, 403, "FORBIDDEN")
        common = johnny.call("POST", "/auth/change-password", change | {"new_password": "password1"})
        assert_error(common.status_code, headers_of(common), common.content, 400, "VALIDATION_ERROR")
        assert johnny.call("POST", "/auth/change-password", change).status_code == 204
        assert phone.get("/api/v1/users/me").status_code == 401
        assert johnny.call("GET", "/users/me").status_code == 200


def test_a_deleted_account_leaves_what_the_family_needs(person):
    johnny, maria = person("Johnny"), person("Maria")
    family = johnny.create_family()
    child = johnny.create_child(family)
    maria.join(johnny.invite(family, "caregiver"))
    refused = johnny.call("DELETE", "/users/me", {"password": PASSWORD})
    error = assert_error(refused.status_code, headers_of(refused), refused.content, 409, "CONFLICT")
    assert error["details"] == [{"field": family, "message": "Johnny's Family", "reason": "not_allowed"}]
    body = {"type": "wet", "occurred_at": "2026-01-01T00:00:00Z"}
    diaper = maria.ok("POST", f"/children/{child}/diapers", body, 201)["diaper"]
    assert maria.call("DELETE", "/users/me", {"password": "wrong horse"}).status_code == 403
    assert maria.call("DELETE", "/users/me", {"password": PASSWORD}).status_code == 204
    assert maria.call("GET", "/users/me").status_code == 401
    seen = johnny.ok("GET", f"/children/{child}/diapers/{diaper['id']}")["diaper"]
    assert seen["created_by"] == {"user_id": None, "name": "Maria"}
    maria.move()
    anew = {"name": "Maria", "email": maria.email, "password": PASSWORD}
    assert maria.http.post("/api/v1/auth/register", json=anew).status_code == 201


def test_a_browser_s_session_is_a_cookie(stack, person):
    johnny = person("Johnny")
    login = {"email": johnny.email, "password": PASSWORD, "session": "cookie"}
    with stack.client() as browser:
        assert browser.post("/api/v1/auth/login", json=login).status_code == 403, "nothing says that the page is ours"
        browser.headers["Origin"] = stack.base_url
        answer = browser.post("/api/v1/auth/login", json=login)
        assert answer.status_code == 200 and answer.json()["session"]["token"] is None
        cookie = answer.headers["set-cookie"]
        assert cookie.startswith("__Host-session=")
        assert cookie.endswith("; Secure; HttpOnly; SameSite=Strict; Path=/; Max-Age=15552000")
        assert browser.patch("/api/v1/users/me", json={"name": "John"}).json()["user"]["name"] == "John"
        foreign = browser.patch("/api/v1/users/me", json={"name": "X"}, headers={"Sec-Fetch-Site": "cross-site"})
        assert_error(foreign.status_code, headers_of(foreign), foreign.content, 403, "FORBIDDEN")
        assert browser.get("/api/v1/users/me", headers={"Authorization": "Bearer x"}).status_code == 401
        assert browser.get("/api/v1/users/me").json()["user"]["name"] == "John"
        logout = browser.post("/api/v1/auth/logout")
        assert logout.status_code == 204 and logout.headers["set-cookie"].endswith("Max-Age=0")
        assert "__Host-session" not in browser.cookies
        assert browser.get("/api/v1/users/me").status_code == 401


def test_an_account_speaks_what_its_browser_asks_for(stack, person):
    for accepted, language in (("de-CH, fr;q=0.9", "de"), ("fi, he;q=0.1", "he"), ("de;q=high", "en"), ("fi", "en")):
        with stack.client() as client:
            body = {"name": "Rosa", "email": f"{uuid.uuid4()}@example.com", "password": PASSWORD}
            ask = lambda: client.post("/api/v1/auth/register", json=body, headers={"Accept-Language": accepted})
            while (answer := ask()).status_code == 503:
                time.sleep(2)
            made = answer.json()
            client.headers["Authorization"] = f"Bearer {made['session']['token']}"
            assert client.get("/api/v1/users/me").json()["user"]["language"] == language
    refused = person("Johnny").call("PATCH", "/users/me", {"language": "fi"})
    assert_error(refused.status_code, headers_of(refused), refused.content, 400, "VALIDATION_ERROR")


def test_an_email_is_changed(stack, person):
    johnny, maria = person("Johnny"), person("Maria")
    new = f"eltern-{uuid.uuid4().hex}@müller.de"
    change = {"current_password": PASSWORD, "new_email": f" {new} "}
    taken = johnny.call("POST", "/auth/change-email", change | {"new_email": maria.email.upper()})
    assert_error(taken.status_code, headers_of(taken), taken.content, 409, "CONFLICT")
    assert johnny.call("POST", "/auth/change-email", change | {"current_password": "wrong horse"}).status_code == 403
    user = johnny.ok("POST", "/auth/change-email", change)["user"]
    assert user["email"] == new.replace("müller.de", "xn--mller-kva.de")
    with stack.client() as client:
        for email, status in ((johnny.email, 401), (f"{new.upper()} ", 200), (user["email"], 200)):
            answer = client.post("/api/v1/auth/login", json={"email": email, "password": PASSWORD})
            assert answer.status_code == status, email


def test_a_password_is_one_in_either_form(stack, person):
    johnny = person("Johnny", password="M\u00e4uschen im Haus")
    with stack.client() as client:
        login = {"email": johnny.email, "password": "Ma\u0308uschen im Haus"}
        assert client.post("/api/v1/auth/login", json=login).status_code == 200


def listed(stack, email: str) -> dict:
    printed = stack.command("user", "list")
    assert printed.returncode == 0, printed.stderr
    head, *lines = (line.split("\t") for line in printed.stdout.splitlines())
    (line,) = (line for line in lines if line[0] == email)
    return dict(zip(head, line, strict=True))


def test_an_operator_disables_an_account_and_lets_it_in_again(stack, person):
    johnny = person("Johnny")
    family = johnny.create_family()
    account = listed(stack, johnny.email)
    assert account["name"] == "Johnny" and account["state"] == "active"
    assert (account["devices"], account["families"], account["confirmed"]) == ("1", "1", "no")
    # A phone waits for changes: it is told at once.
    since = johnny.ok("GET", f"/families/{family}/changes?since=0")["next_since"]
    statuses = []
    path = f"/families/{family}/changes?since={since}&wait=25"
    waiting = threading.Thread(target=lambda: statuses.append(johnny.call("GET", path).status_code))
    waiting.start()
    done = stack.command("user", "disable", johnny.email.upper())
    assert (done.returncode, done.stdout) == (0, "The account is disabled.\n"), done.stderr
    waiting.join(15)
    assert statuses == [401]
    credentials = {"email": johnny.email, "password": PASSWORD}
    assert johnny.call("POST", "/auth/login", credentials).status_code == 401
    assert stack.command("user", "disable", johnny.email).stdout == "The account was disabled already.\n"
    assert (listed(stack, johnny.email)["state"], listed(stack, johnny.email)["devices"]) == ("disabled", "0")
    refused = stack.command("user", "reset-link", johnny.email)
    assert refused.returncode != 0 and refused.stdout == "" and "enable it first" in refused.stderr
    assert stack.command("user", "enable", johnny.email).returncode == 0
    assert johnny.call("POST", "/auth/login", credentials).status_code == 200


def test_an_operators_link_opens_an_account_where_no_mail_is_sent(stack, person, client):
    johnny = person("Johnny")
    made = stack.command("user", "reset-link", johnny.email)
    assert made.returncode == 0, made.stderr
    url, = made.stdout.splitlines()
    assert url.startswith(f"{stack.base_url}/reset/")
    token = url.rpartition("/")[2]
    assert client.get(f"/reset/{token}").status_code == 200
    body = {"token": token, "new_password": "quite another password"}
    assert client.post("/api/v1/auth/reset-password", json=body).status_code == 204
    assert johnny.call("GET", "/users/me").status_code == 401
    login = {"email": johnny.email, "password": "quite another password"}
    assert client.post("/api/v1/auth/login", json=login).status_code == 200
    assert client.post("/api/v1/auth/reset-password", json=body).status_code == 409
    unknown = stack.command("user", "reset-link", "nobody@example.com")
    assert unknown.returncode != 0 and "no account has this email" in unknown.stderr
    for log in (stack.place / "log").iterdir():
        assert token.encode() not in log.read_bytes(), log
