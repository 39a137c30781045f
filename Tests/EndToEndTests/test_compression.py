"""Lists, feeds, timelines and dashboards are compressed by nginx; what has an ETag or holds a secret never is."""

import gzip
import json
import uuid

import pytest

from stack import headers_of

GZIP = {"Accept-Encoding": "gzip"}
NOTE = {"content": "slept badly, teeth " * 100, "occurred_at": "2026-01-15T12:00:00Z"}


@pytest.fixture(scope="module")
def household(stack):
    """Lists of more than 1 KB each."""
    from people import Person

    johnny = Person(stack, "Johnny")
    family = johnny.create_family("F" * 100)
    child = [johnny.create_child(family, f"Baby {number} " + "B" * 80) for number in range(5)][0]
    for number in range(4):
        johnny.ok("POST", f"/children/{child}/notes", NOTE, 201)
    johnny.ok("PATCH", f"/families/{family}", {"name": "G" * 100})
    yield johnny, family, child
    johnny.http.close()


def paths(family: str, child: str) -> dict[str, str]:
    return {
        "children": "/children", "timeline": f"/children/{child}/timeline", "notes": f"/children/{child}/notes",
        "dashboard": f"/children/{child}/dashboard", "changes": f"/families/{family}/changes?since=0",
    }


def raw(person, method: str, path: str, body: dict | None = None, **headers) -> tuple[dict, bytes]:
    """Headers, and the body as it came over the wire."""
    request = person.http.build_request(method, f"/api/v1{path}", json=body, headers=headers)
    answer = person.http.send(request, stream=True)
    content = b"".join(answer.iter_raw())
    answer.close()
    return headers_of(answer), content


@pytest.mark.parametrize("which", paths("", ""))
def test_lists_are_compressed_for_who_accepts_it(household, which):
    johnny, *ids = household
    path = paths(*ids)[which]
    headers, small = raw(johnny, "GET", path, **GZIP)
    assert headers["content-encoding"] == ["gzip"] and "Accept-Encoding" in headers["vary"][0]
    assert "etag" not in headers and headers["cache-control"] == ["no-store"]
    headers, plain = raw(johnny, "GET", path, **{"Accept-Encoding": "identity"})
    assert "content-encoding" not in headers and len(plain) > 1024
    assert json.loads(gzip.decompress(small)).keys() == json.loads(plain).keys()
    assert len(small) < len(plain) / 2


def test_small_lists_are_not(household):
    headers, content = raw(household[0], "GET", "/children/" + household[2] + "/feedings", **GZIP)
    assert "content-encoding" not in headers and len(content) < 1024


def test_what_has_an_etag_keeps_it(household):
    """Also a POST that is sent again, to a path whose GET is compressed."""
    johnny, family, child = household
    body = NOTE | {"id": str(uuid.uuid4())}
    for status in (201, 200):
        answer = johnny.call("POST", f"/children/{child}/notes", body)
        assert answer.status_code == status
    for method, path, sent in (
        ("GET", f"/families/{family}", None),
        ("GET", f"/children/{child}", None),
        ("POST", f"/children/{child}/notes", body),
        ("GET", f"/children/{child}/notes/{body['id']}", None),
    ):
        headers, content = raw(johnny, method, path, sent, **GZIP)
        assert headers["etag"][0].startswith('"') and "content-encoding" not in headers, path
        assert len(content) > 1024 or "notes" not in path


def test_what_holds_a_secret_is_never_compressed(household):
    johnny, family, _ = household
    for label in range(12):
        email = f"guest{label}-{'x' * 40}@example.com"
        headers, _ = raw(
            johnny, "POST", f"/families/{family}/invites", {"role": "caregiver", "invitee_email": email}, **GZIP
        )
        assert "content-encoding" not in headers
    headers, content = raw(johnny, "GET", f"/families/{family}/invites", **GZIP)
    assert len(content) > 1024 and "content-encoding" not in headers
    for _ in range(4):
        johnny.move()
        johnny.ok("POST", "/auth/login", {"email": johnny.email, "password": johnny.password})
    headers, content = raw(johnny, "GET", "/auth/sessions", **GZIP)
    assert len(content) > 1024 and "content-encoding" not in headers
