import os
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from people import Person, ago  # noqa: E402
from stack import Stack  # noqa: E402


@pytest.fixture(scope="session")
def stack() -> Stack:
    """The deploy/run whose STATE_DIR we were given; never any other."""
    return Stack(os.environ["STATE_DIR"])


@pytest.fixture
def client(stack):
    with stack.client() as client:
        yield client


@pytest.fixture(scope="session")
def original(stack) -> Person:
    """Whose account is copied."""
    return Person(stack, "Original")


@pytest.fixture
def person(stack, original):
    """Makes people with an account and a session: person("Johnny"). With a password of their own they register."""
    made = []

    def person(name: str, password: str | None = None) -> Person:
        made.append(Person(stack, name, password) if password else Person(stack, name, original=original))
        return made[-1]

    yield person
    for one in made:
        one.http.close()


@pytest.fixture
def household(person):
    """Makes a parent with a family and children: household("Johnny", "Ada")."""

    def household(name="Johnny", *children):
        parent = person(name)
        parent.family = parent.create_family()
        parent.children = [parent.create_child(parent.family, child) for child in children or ("Ada",)]
        parent.child = parent.children[0]
        return parent

    return household


@pytest.fixture
def full_house(household, person):
    """A family with people in it and a day and a half of a child."""
    parent = household("Johnny", "Ada", "Otto")
    maria = person("Maria")
    maria.join(parent.invite(parent.family, "caregiver"))
    events = []
    for hour in range(2, 40, 3):
        events.append({"type": "feeding", "event": {"type": "bottle", "amount_ml": 90 + hour, "content": "formula", "started_at": ago(hour * 60)}})
        events.append({"type": "diaper", "event": {"type": ["wet", "dirty", "mixed"][hour % 3], "occurred_at": ago(hour * 60 - 20)}})
        events.append({"type": "sleep", "event": {"type": "nap", "started_at": ago(hour * 60 - 30), "ended_at": ago(hour * 60 - 100)}})
    events.append({"type": "sleep", "event": {"type": "nap", "started_at": ago(12)}})
    events += [
        {"type": "note", "event": {"content": "Smiled at the moon", "occurred_at": ago(50)}},
        {"type": "medication", "event": {"name": "Paracetamol", "dose": "2.5 ml", "occurred_at": ago(185)}},
        {"type": "medication", "event": {"name": "Vitamin D", "dose": "1 drop", "occurred_at": ago(1217)}},
        {
            "type": "feeding",
            "event": {"type": "breast", "side": "both", "left_minutes": 7, "last_side": "right", "started_at": ago(11)},
        },
        {"type": "sleep", "event": {"type": "nap", "started_at": ago(75), "ended_at": ago(30)}},
        {"type": "temperature", "event": {"celsius": 38.4, "site": "ear", "occurred_at": ago(70)}},
        {"type": "pumping", "event": {"side": "both", "amount_ml": 140, "started_at": ago(200), "ended_at": ago(180)}},
        {"type": "activity", "event": {"name": "Tummy time", "started_at": ago(4)}},
        *({"type": "measurement", "event": {"weight_g": grams, "occurred_at": ago(days * 1440)}} for days, grams in ((60, 5600), (9, 6700))),
    ]
    parent.ok("POST", f"/children/{parent.child}/events", {"events": events}, 201)
    return parent


def events_of(person, child=None) -> list[dict]:
    return person.ok("GET", f"/children/{child or person.child}/timeline?limit=200")["events"]


@pytest.fixture
def saved():
    """What the server has of a child, newest first."""
    return events_of


@pytest.fixture(scope="session")
def artifacts() -> pathlib.Path:
    path = pathlib.Path(os.environ.get("ARTIFACTS", ".artifacts"))
    path.mkdir(parents=True, exist_ok=True)
    return path
