"""The web app in WebKit and in Firefox: the same walk in both. All else about it is tested in Chromium, in `web`."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from device import Device  # noqa: E402
from firefox import Firefox  # noqa: E402
from line import Line  # noqa: E402
from webkit import WebKit  # noqa: E402

# What a browser writes about a line that is cut, or a page that is left while it loads: Firefox takes that for the worker's fault.
CUT = (
    "Failed to load resource", "NetworkError", "Could not connect", "connection was lost", "establish a connection",
    "A ServiceWorker intercepted the request",
)  # fmt: skip


@pytest.fixture(scope="session", params=[WebKit, Firefox], ids=lambda engine: engine.name)
def engine(request, tmp_path_factory):
    engine = request.param(tmp_path_factory.mktemp(request.param.name))
    yield engine
    engine.close()


@pytest.fixture
def device(stack, engine):
    """Makes devices: device(person) has logged in, device() is a stranger's. What a page complains of fails it."""
    made = []

    def device(person=None) -> Device:
        made.append(Device(engine.page(), Line(stack)))
        if person:
            made[-1].log_in(person)
        return made[-1]

    yield device
    complaints = [line for one in made for line in one.page.complaints() if not any(text in line for text in CUT)]
    for one in made:
        one.page.close()
        one.line.cut()
    assert complaints == []
