"""Phones at a terminal, and beside them the web app in Chromium, as its own tests drive it."""

import importlib.util
import pathlib
import sys

import pytest

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))

from terminal import Phone  # noqa: E402

spec = importlib.util.spec_from_file_location("web_conftest", HERE.parent / "web/conftest.py")
web = importlib.util.module_from_spec(spec)
spec.loader.exec_module(web)
playwright, trust, chromium = web.playwright, web.trust, web.chromium
Browser = web.Phone


@pytest.fixture
def family(person):
    """Maria's family with Wren, and Sam who cares for her."""
    maria, sam = person("Maria"), person("Sam")
    identifier = maria.create_family()
    child = maria.create_child(identifier, "Wren")
    sam.join(maria.invite(identifier, "caregiver"))
    return {"maria": maria, "sam": sam, "id": identifier, "child": child}


@pytest.fixture
def phones(stack, family, tmp_path):
    return Phone(stack, tmp_path / "maria").sign_in(family["maria"]), Phone(stack, tmp_path / "sam").sign_in(family["sam"])


@pytest.fixture
def browser(stack, chromium):
    """The web app on a phone of its own, with this person signed in: browser(person)."""
    made = []

    def open_for(person) -> Browser:
        made.append(Browser(stack, chromium))
        made[-1].sign_in(person)
        return made[-1]

    yield open_for
    for one in made:
        one.context.close()
    assert [line for one in made for line in one.complaints] == []
