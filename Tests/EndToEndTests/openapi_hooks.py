"""How schemathesis lives with this service; loaded by it, not by pytest.

The limits stay on, so it sends in the name of many people, each with a family and a child of their own, and from many addresses.
Every other person has the session in a cookie, as browsers do.
What the document cannot say it is told here: which of two times is the earlier, which field belongs to the type a thing has, what exists.
No answer is let off a check.
"""

import atexit
import base64
import collections
import datetime
import itertools
import json
import os
import pathlib
import uuid

import schemathesis
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from hypothesis import strategies as st
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation import GenerationMode
from schemathesis.generation.meta import TestPhase

from openapi_people import COOKIE, PASSWORD, REQUESTS_OF_ITS_OWNER, People, Person, plural

ADMIN_TOKEN = os.environ["ADMIN_TOKEN"]
LIMITED_BY_ADDRESS = {
    f"/api/v1/{path}"
    for path in (
        "auth/register", "auth/login", "auth/reset-password", "auth/forgot-password", "auth/verify-email", "invites/accept",
        "invites/preview",
    )
}

people = People()
owners: dict[str, Person] = {}  # of every id that an answer has shown
policies: dict[str, str] = {}
open_tokens: list[tuple[str, str]] = []  # with the user who made each
turn = itertools.count()
refused_elsewhere: set[str] = set()  # operations that a page of another site has asked for
answers: dict[str, collections.Counter] = collections.defaultdict(collections.Counter)  # by operation, then status


@atexit.register
def write_answers() -> None:
    if path := os.environ.get("SCHEMATHESIS_ANSWERS"):
        pathlib.Path(path).write_text(json.dumps(answers, indent=1))


@schemathesis.auth(refresh_interval=None)
class SessionToken:
    def get(self, case, context):
        return people.somebody().token

    def set(self, case, data, context):
        if "session" in json.dumps(case.operation.definition.raw.get("security", [])):
            authorize(case, people.by_token[data])
        elif case.operation.path == "/api/v1/auth/reset-password":
            case.headers["X-Admin-Token"] = ADMIN_TOKEN


# --- Values whose form alone is not enough ----------------------------------------------------------------------

zone = st.sampled_from([datetime.UTC, *(datetime.timezone(datetime.timedelta(hours=hours)) for hours in (-11, 5.5, 14))])
times = st.builds(
    lambda seconds, zone: (datetime.datetime(2024, 1, 1, tzinfo=datetime.UTC) + datetime.timedelta(seconds=seconds))
    .astimezone(zone).isoformat(),
    st.integers(0, 60_000_000), zone,
)
schemathesis.openapi.format("date-time", times)
schemathesis.openapi.format("date", st.dates(datetime.date(1900, 1, 1), datetime.date(2026, 6, 1)).map(str))
schemathesis.openapi.format(
    "password", st.sampled_from([PASSWORD]) | st.text(st.characters(codec="utf-8"), min_size=4).map(lambda text: f"q7!{text}Z")
)
schemathesis.openapi.format(
    "mailbox",
    st.builds(
        lambda space, local, domain: f"{space}{local}@{domain}{space}",
        st.sampled_from(["", "", " ", "\t\u3000"]),
        st.from_regex(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}", fullmatch=True),
        st.from_regex(r"([A-Za-z0-9]([A-Za-z0-9]{0,20}[A-Za-z0-9])?\.){1,3}[A-Za-z]{2,6}", fullmatch=True)
        | st.sampled_from(["müller.example", "MÜLLER。example", "例え.テスト"]),
    ),
)
schemathesis.openapi.format(
    "time-zone", st.sampled_from(["America/New_York", "Europe/Berlin", "Asia/Kolkata", "Pacific/Apia", "UTC", "Etc/GMT+12"])
)
schemathesis.openapi.format(
    "push-endpoint",
    st.builds(
        lambda host, path: f"https://{host}/{path}",
        st.sampled_from(["fcm.googleapis.com", "updates.push.services.mozilla.com", "web.push.apple.com", "wns2-bl2p.notify.windows.com"]),
        st.from_regex(r"[A-Za-z0-9_:/?=-]{0,300}", fullmatch=True),
    ),
)
schemathesis.openapi.format(
    "webhook-url",
    st.builds(
        lambda host, path: f"https://{host}{path}",
        st.sampled_from(["receiver.example", "receiver.example:8443", "1.1.1.1", "[2606:4700::1111]"]),
        st.from_regex(r"(/[A-Za-z0-9_:/?=-]{0,300})?", fullmatch=True),
    ),
)
schemathesis.openapi.format(
    "p256-point",
    st.integers(1, 2**255).map(
        lambda number: base64.urlsafe_b64encode(
            ec.derive_private_key(number, ec.SECP256R1()).public_key()
            .public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
        ).decode()
    ),
)
schemathesis.openapi.format(
    "cursor",
    st.builds(
        lambda time, tail: base64.urlsafe_b64encode(time.to_bytes(8, "big", signed=True) + tail).decode(),
        st.integers(0, 2**56), st.binary(min_size=16, max_size=16),
    ),
)

# --- Requests ---------------------------------------------------------------------------------------------------


def is_uuid(text) -> bool:
    try:
        return str(uuid.UUID(text)) == text.lower()
    except (ValueError, AttributeError, TypeError):
        return False


def is_positive(case, location: ParameterLocation) -> bool:
    component = case.meta and case.meta.components.get(location)
    return component is None or component.mode == GenerationMode.POSITIVE


def authorize(case, person: Person) -> None:
    """By cookie from a page of this site; each change at first from another's, which is refused."""
    operation = case.operation.definition.raw["operationId"]
    is_change = case.operation.method.upper() != "GET"
    from_elsewhere = is_rule_by_rule(case) and is_change and operation not in refused_elsewhere
    case.headers.pop("Authorization", None)
    case.cookies = {name: value for name, value in case.cookies.items() if name != COOKIE}
    if person.has_cookie or from_elsewhere:
        case.cookies[COOKIE] = person.token
        case.headers["Sec-Fetch-Site"] = "cross-site" if from_elsewhere else "same-origin"
    else:
        case.headers["Authorization"] = f"Bearer {person.token}"


def sender(headers, cookies: dict) -> Person | None:
    return people.by_token.get((headers.get("Authorization") or "").removeprefix("Bearer ") or cookies.get(COOKIE))


def is_rule_by_rule(case) -> bool:
    return bool(case.meta and case.meta.phase.name == TestPhase.COVERAGE)


@schemathesis.hook
def before_call(context, case, kwargs):
    path = case.operation.path
    if path in LIMITED_BY_ADDRESS:
        case.headers["Connection"] = "close"
    if case.query and isinstance(case.query.get("wait"), int) and is_positive(case, ParameterLocation.QUERY):
        case.query["wait"] %= 2  # nothing new will come
    person = sender(case.headers, case.cookies)
    if person:
        person = send_as(case, person)
        if (case.path_parameters or {}).get("userId") == person.user:  # nobody removes themselves
            case.path_parameters["userId"] = str(uuid.uuid4())
        person.requests += 1
        authorize(case, person)
        if is_positive(case, ParameterLocation.HEADER) and next(turn) % 4 and "If-Match" in case.headers:
            del case.headers["If-Match"]  # or else few changes would be made
    if isinstance(case.body, dict):
        if is_positive(case, ParameterLocation.BODY):
            make_sense(case, person, path)
            if next(turn) % 4:
                make_new(case.body)
        else:
            make_new(case.body)


def send_as(case, person: Person) -> Person:
    """In the name of whoever knows the things that the path names; what nobody knows becomes something that somebody has."""
    parameters = case.path_parameters or {}
    known = [owners[str(value)] for value in parameters.values() if str(value) in owners]
    if known and known[-1].can_go_on(REQUESTS_OF_ITS_OWNER):
        return known[-1]
    person = people.somebody()
    collection = case.operation.path.removeprefix("/api/v1/children/{childId}/").split("/")[0]
    kind = next((kind for kind in person.things if plural(kind) == collection), None)
    if is_positive(case, ParameterLocation.PATH) and (is_rule_by_rule(case) or next(turn) % 8):
        for name, value in parameters.items():
            own = person.things.get(kind if name == "eventId" else name)
            if own and is_uuid(str(value)):
                parameters[name] = own
    return person


def make_new(body: dict) -> None:
    """Under an id of its own: whatever is sent under one that exists is answered with what exists."""
    for thing in [body, *(item.get("event") for item in body.get("events") or [] if isinstance(item, dict))]:
        if isinstance(thing, dict) and is_uuid(thing.get("id")):
            thing["id"] = str(uuid.uuid4())


def make_sense(case, person: Person | None, path: str) -> None:
    body = case.body
    if "/plans" in path:
        make_plan(body, is_patch=case.operation.method.upper() == "PATCH")
    elif path.endswith("/reminders") and person:
        body["child_id"] = person.things["childId"]
        body.pop("plan_id", None)  # which it has not beside the others
        body["on"], body["after_minutes"] = body.get("on") or "diaper", body.get("after_minutes") or 60
    elif path.endswith("/tokens") and person:
        body["family_id"] = person.things["familyId"]
        if body.get("expires_at"):
            body["expires_at"] = "2099-01-01T00:00:00Z"
    elif isinstance(quiet := body.get("quiet"), dict) and quiet.get("from") == quiet.get("to"):
        quiet["from"], quiet["to"] = "22:00", "06:00"
    elif "/children/{childId}/" in path:
        for event in [body, *(item.get("event") for item in body.get("events") or [] if isinstance(item, dict))]:
            if isinstance(event, dict):
                make_event(event, is_patch=case.operation.method.upper() == "PATCH")
        if "child_id" in body:  # to another one it could be moved once
            body["child_id"] = case.path_parameters["childId"]
    elif path.endswith(("/invites", "/members/{userId}")):
        if body.get("send") and not body.get("invitee_email"):  # which no schema says as shortly as the remark does
            body["send"] = False
        if "role" in body and policies.get(case.path_parameters["familyId"]) == "co_parent":
            body["role"] = "parent"
        if body.get("access_until"):
            end = datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=1 + next(turn) % 300)
            body["access_until"] = end.isoformat()
        if body.get("role", "parent") == "parent":  # whose membership has no end
            body.pop("access_until", None)
    elif path.startswith("/api/v1/invites/") and next(turn) % 2:
        for token, maker in open_tokens[-20:]:
            if person is None or maker != person.user:
                body["token"] = token


def make_plan(plan: dict, is_patch: bool) -> None:
    """By hours or by times, and no end before its beginning."""
    if plan.get("times"):
        plan["every_hours"] = None
    elif is_patch and plan.get("every_hours"):
        plan["times"] = None
    if plan.get("ends_on"):
        plan["starts_on"] = min(plan.get("starts_on") or "1900-01-01", plan["ends_on"])
    elif is_patch and plan.get("starts_on"):
        plan["ends_on"] = None


MEASURED = ("weight_g", "length_cm", "head_cm")


def make_event(event: dict, is_patch: bool) -> None:
    if is_patch:
        for name in MEASURED:  # one of them has to stay, and which are there nobody knows
            if name in event and event[name] is None:
                del event[name]
        for name, kind in {
            "side": "breast", "left_minutes": "breast", "right_minutes": "breast", "last_side": "breast",
            "amount_ml": "bottle", "content": "bottle", "food": "solid",
        }.items():
            if name in event and "occurred_at" not in event and event.get("type") != kind:
                del event[name]
        if event.get("type") == "breast":
            event["side"] = event.get("side") or "both"
    # Without a start it is the start of what is there, or now.
    if event.get("ended_at") and not event.get("started_at"):
        del event["ended_at"]
    for name in ("started_at", "occurred_at"):
        if isinstance(event.get(name), str):
            event[name] = in_the_past(event[name])
    # A sleep without an end has begun in the last 24 hours.
    is_sleep = "occurred_at" not in event and event.get("type") not in ("breast", "bottle", "solid")
    if isinstance(event.get("started_at"), str) and (event.get("ended_at") or is_patch or is_sleep):
        started = datetime.datetime.fromisoformat(event["started_at"].upper())
        event["ended_at"] = (started + datetime.timedelta(minutes=next(turn) % 1441)).isoformat()


def in_the_past(text: str) -> str:
    """schemathesis takes times from answers too, and sessions, invites and tokens end in the future."""
    time = datetime.datetime.fromisoformat(text.upper())
    yesterday = datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=1)
    years = max(0, (time - yesterday) // datetime.timedelta(days=365) + 1)
    return text if not years else (time - years * datetime.timedelta(days=365)).isoformat()


@schemathesis.hook
def after_call(context, case, response):
    operation = case.operation.definition.raw.get("operationId")
    answers[operation][response.status_code] += 1
    headers = response.request.headers
    if headers.get("Sec-Fetch-Site") == "cross-site" and response.status_code == 403:
        refused_elsewhere.add(operation)
    person = sender(headers, dict(pair.partition("=")[::2] for pair in (headers.get("Cookie") or "").split("; ")))
    if response.status_code == 204 and operation in ("logOut", "deleteMe", "endSession") and person:
        person.gone = True
    if response.status_code not in (200, 201) or not response.content:
        return
    answer = response.json()
    if operation == "register" and answer["session"]["token"]:  # a cookie has it otherwise
        people.add(answer["user"]["id"], answer["session"]["token"])
    if not person:
        return
    for thing in answer.values():
        if isinstance(thing, dict) and is_uuid(thing.get("id")):
            owners[thing["id"]] = person
            if "sharing_policy" in thing:
                policies[thing["id"]] = thing["sharing_policy"]
            if "join_url" in thing:
                open_tokens.append((thing["join_url"].rpartition("/")[2], person.user))
