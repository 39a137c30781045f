"""The main job, step by step: register, make a family, add a child, invite, join, see the same, leave."""

import re

from stack import assert_common_headers, assert_error, headers_of

IDENTIFIER = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


def test_the_main_job(stack, person):
    johnny, maria = person("Johnny"), person("Maria")
    assert IDENTIFIER.fullmatch(johnny.id) and re.fullmatch("[0-9a-f]{64}", johnny.token)
    assert johnny.user["timezone"] == "America/New_York" and johnny.user["day_start_time"] == "07:00"

    family = johnny.create_family("Johnny's Family")
    child = johnny.create_child(family)
    answer = johnny.call("POST", f"/families/{family}/invites", {"role": "caregiver"})
    assert answer.status_code == 201
    assert_common_headers(headers_of(answer))
    invite = answer.json()["invite"]
    assert re.fullmatch(re.escape(stack.base_url) + "/join/[A-Za-z0-9_-]{22}", invite["join_url"])
    assert TIME.fullmatch(invite["expires_at"])
    token = invite["join_url"].rpartition("/")[2]
    again = johnny.ok("POST", f"/families/{family}/invites", {"role": "caregiver"}, 201)["invite"]
    assert (again["id"], again["join_url"], again["expires_at"]) == (
        invite["id"], invite["join_url"], invite["expires_at"],
    )

    # Anyone may look, and looking changes nothing.
    with stack.client() as stranger:
        for _ in range(2):
            preview = stranger.post("/api/v1/invites/preview", json={"token": token})
            assert preview.status_code == 200
            assert preview.json() == {
                "invite": {
                    "family": {"name": "Johnny's Family"},
                    "invited_by": {"name": "Johnny"},
                    "role": "caregiver",
                    "access_until": None,
                    "expires_at": invite["expires_at"],
                }
            }
    assert maria.call("GET", f"/children/{child}").status_code == 404
    assert maria.call("GET", f"/families/{family}").status_code == 403

    own = johnny.accept(token)
    assert_error(own.status_code, headers_of(own), own.content, 400, "VALIDATION_ERROR")
    accepted = maria.accept(token)
    assert accepted.status_code == 201
    assert accepted.json()["family"]["id"] == family and accepted.json()["family"]["role"] == "caregiver"
    assert accepted.json()["invited_by"]["name"] == "Johnny"
    # A lost answer or a double tap: the same again. To anybody else the link is used.
    again = maria.accept(token)
    assert (again.status_code, again.json()) == (200, accepted.json())
    used = person("Tom").accept(token)
    assert_error(used.status_code, headers_of(used), used.content, 404, "NOT_FOUND")

    members = maria.ok("GET", f"/families/{family}/members")
    assert [(one["name"], one["role"]) for one in members["members"]] == [("Johnny", "parent"), ("Maria", "caregiver")]
    assert members["count"] == 2
    (listed,) = maria.ok("GET", "/children")["children"]
    assert (listed["id"], listed["family_name"], listed["role"]) == (child, "Johnny's Family", "caregiver")
    seen = maria.call("GET", f"/children/{child}")
    assert seen.status_code == 200 and re.fullmatch('"[0-9]+"', seen.headers["etag"])
    assert maria.call("DELETE", f"/families/{family}/members/{johnny.id}").status_code == 403

    assert johnny.call("DELETE", f"/families/{family}/members/{maria.id}").status_code == 204
    gone = maria.call("GET", f"/children/{child}")
    assert_error(gone.status_code, headers_of(gone), gone.content, 404, "NOT_FOUND")
    assert maria.call("GET", f"/families/{family}").status_code == 403
    assert maria.ok("GET", "/children")["count"] == 0

    johnny.ok("POST", "/auth/logout", status=204)
    out = johnny.call("GET", "/families")
    assert_error(out.status_code, headers_of(out), out.content, 401, "UNAUTHORIZED")
    assert headers_of(out)["www-authenticate"] == ["Bearer"]


def test_moving_on(person):
    """Two parents part: one owns the family from now on, the other only looks for a while, and goes."""
    johnny, sarah = person("Johnny"), person("Sarah")
    family = johnny.create_family()
    child = johnny.create_child(family)
    sarah.join(johnny.invite(family, "parent"))
    moved = johnny.ok("POST", f"/families/{family}/transfer", {"user_id": sarah.id})["family"]
    assert moved["owner_id"] == sarah.id
    path = f"/families/{family}/members/{johnny.id}"
    until = "2027-06-30T12:00:00.000Z"
    member = sarah.ok("PATCH", path, {"role": "viewer", "access_until": until})["member"]
    assert (member["role"], member["is_owner"], member["access_until"]) == ("viewer", False, until)
    assert johnny.ok("GET", f"/children/{child}")["child"]["role"] == "viewer"
    note = {"content": "Hello", "occurred_at": "2026-01-01T12:00:00Z"}
    refused = johnny.call("POST", f"/children/{child}/notes", note)
    assert_error(refused.status_code, headers_of(refused), refused.content, 403, "FORBIDDEN")
    assert refused.json()["error"]["message"] == "Viewers can only look"
    last = sarah.call("POST", f"/families/{family}/leave")
    assert_error(last.status_code, headers_of(last), last.content, 409, "CONFLICT")
    johnny.ok("POST", f"/families/{family}/leave", status=204)
    assert johnny.call("GET", f"/children/{child}").status_code == 404
    alone = sarah.call("POST", f"/families/{family}/leave")
    assert alone.json()["error"]["message"] == "You are the only member. Delete the family instead."


def test_the_worker_s_headers_pass_once(person):
    johnny = person("Johnny")
    family = johnny.create_family()
    answer = johnny.call("GET", f"/families/{family}")
    headers = headers_of(answer)
    assert_common_headers(headers)
    for name in ("etag", "ratelimit-limit", "ratelimit-remaining", "ratelimit-reset", "content-type"):
        assert len(headers[name]) == 1, name
    refused = johnny.call("PUT", "/families")
    assert refused.status_code == 405 and len(headers_of(refused)["allow"]) == 1
    stale = johnny.call("PATCH", f"/families/{family}", {"name": "B"}, headers={"If-Match": '"999999"'})
    assert_error(stale.status_code, headers_of(stale), stale.content, 412, "PRECONDITION_FAILED")
    fresh = johnny.call("PATCH", f"/families/{family}", {"name": "B"}, headers={"If-Match": answer.headers["etag"]})
    assert fresh.status_code == 200
    head = johnny.call("HEAD", f"/families/{family}")
    assert head.status_code == 200 and head.content == b""


def test_over_http2_too(stack, person):
    johnny = person("Johnny")
    with stack.client(http2=True) as client:
        client.headers["Authorization"] = f"Bearer {johnny.token}"
        answer = client.post("/api/v1/families", json={"name": "Ours"})
        assert answer.status_code == 201 and answer.http_version == "HTTP/2"


def test_the_admin_s_reset(stack, person):
    johnny = person("Johnny")
    body = {"email": johnny.email, "new_password": "another fine password"}
    with stack.client() as admin:
        wrong = admin.post("/api/v1/auth/reset-password", json=body, headers={"X-Admin-Token": "wrong"})
        assert wrong.status_code == 401
        secret = stack.values["ADMIN_TOKEN"]
        right = admin.post("/api/v1/auth/reset-password", json=body, headers={"X-Admin-Token": secret})
        assert right.status_code == 200 and right.json() == {"success": True}
        login = admin.post(
            "/api/v1/auth/login", json={"email": johnny.email, "password": "another fine password"}
        )
        assert login.status_code == 200
