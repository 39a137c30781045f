"""How schemathesis lives with this service; loaded by it, not by pytest.

The limits stay on, so it sends in the name of many people, each with a family and a child of their own, and from many addresses.
What the document cannot say it is told here: which of two times is the earlier, which field belongs to the type a thing has, what exists.
No answer is let off a check.
"""

import base64
import datetime
import itertools
import json
import os
import random
import secrets
import threading
import uuid

import requests
import schemathesis
import urllib3.connection
from hypothesis import strategies as st
from schemathesis.core import NOT_SET
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation import GenerationMode

BASE_URL = os.environ["SCHEMATHESIS_BASE_URL"]
CA_FILE = os.environ["CA_FILE"]
ADMIN_TOKEN = os.environ["ADMIN_TOKEN"]
PASSWORD = "correct horse battery"
REQUESTS_A_PERSON = 85  # of 100 a minute; checks send some of their own

# --- Addresses: a new one for each connection, and a new connection for each request that is counted by address ------

start = random.randrange(1, 200)
addresses = (f"127.{a}.{b}.{c}" for a, b, c in itertools.product(range(start, 255), range(255), range(1, 255)))
lock = threading.RLock()
plain_connect = urllib3.connection.HTTPSConnection.connect


def connect_from_elsewhere(self):
    with lock:
        self.source_address = (next(addresses), 0)
    plain_connect(self)


urllib3.connection.HTTPSConnection.connect = connect_from_elsewhere
LIMITED_BY_ADDRESS = {
    f"/api/v1/{path}"
    for path in ("auth/register", "auth/login", "auth/reset-password", "invites/accept", "invites/preview")
}

# --- People ---------------------------------------------------------------------------------------------------


class Person:
    def __init__(self, token: str, user: str):
        self.token, self.user = token, user
        self.requests, self.gone = 0, False
        self.session = requests.Session()
        self.session.headers = {"Authorization": f"Bearer {token}"}
        self.session.verify = CA_FILE
        family = self.make("/families", {"name": "Family"}, "family")
        child = self.make(f"/families/{family}/children", {"name": "Baby", "date_of_birth": "2026-03-15"}, "child")
        now = datetime.datetime.now(datetime.UTC).isoformat()
        self.things = {"familyId": family, "childId": child}
        for kind, body in {
            "feeding": {"type": "breast", "side": "left", "started_at": now, "ended_at": now},
            "diaper": {"type": "wet", "occurred_at": now},
            "sleep": {"started_at": now, "ended_at": now},
            "note": {"content": "First smile", "occurred_at": now},
        }.items():
            self.things[kind] = self.make(f"/children/{child}/{kind}s", body, kind)

    def make(self, path: str, body: dict, name: str) -> str:
        answer = self.session.post(f"{BASE_URL}/api/v1{path}", json=body, timeout=30)
        assert answer.status_code == 201, answer.text
        self.requests += 1
        return answer.json()[name]["id"]

    def can_go_on(self) -> bool:
        return not self.gone and self.requests < REQUESTS_A_PERSON


people: dict[str, Person] = {}
current: Person | None = None
owners: dict[str, Person] = {}  # of every id that an answer has shown
policies: dict[str, str] = {}
open_tokens: list[tuple[str, str]] = []  # with the user who made each
turn = itertools.count()


def somebody() -> Person:
    global current
    with lock:
        if current is None or not current.can_go_on():
            answer = requests.post(
                f"{BASE_URL}/api/v1/auth/register", verify=CA_FILE, timeout=30, headers={"Connection": "close"},
                json={"name": "Johnny", "email": f"{secrets.token_hex(8)}@example.com", "password": PASSWORD},
            )
            assert answer.status_code == 201, answer.text
            current = Person(answer.json()["session"]["token"], answer.json()["user"]["id"])
            people[current.token] = current
        return current


@schemathesis.auth(refresh_interval=None)
class SessionToken:
    def get(self, case, context):
        return somebody().token

    def set(self, case, data, context):
        if "session" in json.dumps(case.operation.definition.raw.get("security", [])):
            case.headers["Authorization"] = f"Bearer {data}"
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
    "time-zone", st.sampled_from(["America/New_York", "Europe/Berlin", "Asia/Kolkata", "Pacific/Apia", "UTC", "Etc/GMT+12"])
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


@schemathesis.hook
def before_call(context, case, kwargs):
    path = case.operation.path
    if path in LIMITED_BY_ADDRESS:
        case.headers["Connection"] = "close"
    person = people.get((case.headers.get("Authorization") or "").removeprefix("Bearer "))
    if person:
        person = send_as(case, person)
        person.requests += 1
        case.headers["Authorization"] = f"Bearer {person.token}"
        if is_positive(case, ParameterLocation.HEADER) and next(turn) % 4 and "If-Match" in case.headers:
            del case.headers["If-Match"]  # or else few changes would be made
    if isinstance(case.body, dict):
        if is_positive(case, ParameterLocation.BODY):
            make_sense(case, person, path)
        else:
            make_new(case.body)


def send_as(case, person: Person) -> Person:
    """In the name of whoever knows the things that the path names; what nobody knows becomes something that somebody has."""
    parameters = case.path_parameters or {}
    known = [owners[str(value)] for value in parameters.values() if str(value) in owners]
    if known and known[-1].can_go_on():
        return known[-1]
    person = somebody()
    kind = case.operation.path.removeprefix("/api/v1/children/{childId}/").split("/")[0].removesuffix("s")
    if is_positive(case, ParameterLocation.PATH) and next(turn) % 8:
        for name, value in parameters.items():
            own = person.things.get(kind if name == "eventId" else name)
            if own and is_uuid(str(value)):
                parameters[name] = own
    return person


def make_new(body: dict) -> None:
    """Whatever is sent under an id that exists is answered with what exists."""
    for thing in [body, *(item.get("event") for item in body.get("events") or [] if isinstance(item, dict))]:
        if isinstance(thing, dict) and str(thing.get("id")) in owners:
            thing["id"] = str(uuid.uuid4())


def make_sense(case, person: Person | None, path: str) -> None:
    body = case.body
    if "/children/{childId}/" in path:
        for event in [body, *(item.get("event") for item in body.get("events") or [] if isinstance(item, dict))]:
            if isinstance(event, dict):
                make_event(event, is_patch=case.operation.method.upper() == "PATCH")
    elif path.endswith("/invites") and policies.get(case.path_parameters["familyId"]) == "co_parent":
        body["role"] = "parent"
    elif path.startswith("/api/v1/invites/") and next(turn) % 2:
        for token, maker in open_tokens[-20:]:
            if person is None or maker != person.user:
                body["token"] = token


def make_event(event: dict, is_patch: bool) -> None:
    if event.get("amount_ml") is not None and isinstance(event["amount_ml"], (int, float)):
        event["amount_ml"] = min(1000, max(0.1, round(event["amount_ml"], 1)))
    if is_patch:
        for name, kind in {"side": "breast", "amount_ml": "bottle", "content": "bottle", "food": "solid"}.items():
            if name in event and "occurred_at" not in event and event.get("type") != kind:
                del event[name]
        if event.get("type") == "breast":
            event["side"] = event.get("side") or "both"
        if "ended_at" in event and "started_at" not in event:
            del event["ended_at"]
    if event.get("started_at") and (event.get("ended_at") or is_patch):
        started = datetime.datetime.fromisoformat(event["started_at"].upper())
        event["ended_at"] = (started + datetime.timedelta(minutes=next(turn) % 1441)).isoformat()


@schemathesis.hook
def after_call(context, case, response):
    operation = case.operation.definition.raw.get("operationId")
    token = (response.request.headers.get("Authorization") or "").removeprefix("Bearer ")
    person = people.get(token)
    if response.status_code == 204 and operation in ("logOut", "deleteMe", "endSession") and person:
        person.gone = True
    if response.status_code not in (200, 201) or not response.content:
        return
    answer = response.json()
    if operation == "register":
        with lock:
            global current
            newcomer = Person(answer["session"]["token"], answer["user"]["id"])
            people[newcomer.token] = current = newcomer
    if not person:
        return
    for thing in answer.values():
        if isinstance(thing, dict) and is_uuid(thing.get("id")):
            owners[thing["id"]] = person
            if "sharing_policy" in thing:
                policies[thing["id"]] = thing["sharing_policy"]
            if "join_url" in thing:
                open_tokens.append((thing["join_url"].rpartition("/")[2], person.user))
