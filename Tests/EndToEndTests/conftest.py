import os
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from people import Person  # noqa: E402
from stack import Stack  # noqa: E402


@pytest.fixture(scope="session")
def stack() -> Stack:
    """The deploy/run whose STATE_DIR we were given; never any other."""
    return Stack(os.environ["STATE_DIR"])


@pytest.fixture
def client(stack):
    with stack.client() as client:
        yield client


@pytest.fixture
def person(stack):
    """Makes registered people: person("Johnny")."""
    made = []

    def register(name: str, **options) -> Person:
        made.append(Person(stack, name, **options))
        return made[-1]

    yield register
    for one in made:
        one.http.close()


@pytest.fixture(scope="session")
def artifacts() -> pathlib.Path:
    path = pathlib.Path(os.environ.get("ARTIFACTS", ".artifacts"))
    path.mkdir(parents=True, exist_ok=True)
    return path
