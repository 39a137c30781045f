"""What a person does with the app, in whichever browser: a page of an engine, at the end of a line of its own."""

import contextlib
import pathlib
import re
import time
from collections.abc import Callable

from axe_playwright_python.base import AXE_SCRIPT
from people import PASSWORD
from webapp import DRESS, IS_PICTURED, KEPT

FIND = (pathlib.Path(__file__).parent / "find.js").read_text()
PATIENCE = 30
PHONE = (390, 844)
ZONE = "America/New_York"
WITH_US = ("setpriv", "--pdeathsig", "KILL", "--")  # what is started ends when the tests do
# A picked date has no keys; what is typed anew replaces what is there.
PREPARE = """(field, text) => {
    if (!["date", "time", "datetime-local"].includes(field.type)) return field.select();
    field.value = text;
    field.dispatchEvent(new Event("input", { bubbles: true }));
}"""
AXE = """async () => {
    const { violations } = await axe.run({ resultTypes: ["violations"], preload: false });
    return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 160))]);
}"""
# What changed is on screen two frames later.
PAINTED = """async () => {
    await Promise.all(document.getAnimations().map((one) => one.finished.catch(() => {})));
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
}"""
IS_KEPT = """async () => {
    const { controller } = navigator.serviceWorker;
    controller?.postMessage("rest");
    const [name] = await caches.keys();
    const kept = name ? await (await caches.open(name)).keys() : [];
    return controller !== null && kept.some(({ url }) => url.endsWith("/screens/export.js"));
}"""


class NotNow(Exception):
    """It is not there, or moved away: a person would look again."""


def until(condition: Callable, what: Callable[[], str] | str):
    """What the condition gives, once that is something."""
    deadline = time.monotonic() + PATIENCE
    while True:
        with contextlib.suppress(NotNow):
            if found := condition():
                return found
        assert time.monotonic() < deadline, what() if callable(what) else what
        time.sleep(0.03)


class Device:
    def __init__(self, page, line):
        self.page, self.line = page, line

    def open(self, path: str = "/") -> None:
        self.page.open(self.line.base_url + path)

    def go(self, screen: str) -> None:
        self.page.run("screen => { location.hash = `#/${screen}`; }", screen)
        self.page.run(PAINTED)

    def reopen(self) -> None:
        """The app is closed, and opened again."""
        self.page.reopen()
        self.open()

    # --- Who ------------------------------------------------------------------------------------------

    def fill_in(self, name: str, email: str, password: str = PASSWORD) -> None:
        for label, text in (("Your name", name), ("Email", email), ("Password", password)):
            self.fill(label, text)

    def log_in(self, person) -> None:
        self.open()
        self.tap("Log In")
        self.fill("Email", person.email)
        self.fill("Password", person.password)
        self.tap("Log In")

    # --- What a person does -----------------------------------------------------------------------------

    def find(self, role: str, name: str, exact: bool = False):
        return self.page.run(FIND, role, name, exact)

    def until_found(self, role: str, name: str, exact: bool = False):
        return until(lambda: self.find(role, name, exact), lambda: f"no {role} {name} in:\n{self.text()}")

    def until_gone(self, role: str, name: str = "") -> None:
        until(lambda: self.find(role, name) is None, lambda: f"{role} {name} stays:\n{self.text()}")

    def tap(self, name: str, role: str = "button", exact: bool = False) -> None:
        def is_tapped() -> bool:
            if element := self.find(role, name, exact):
                self.page.run("element => element.scrollIntoView({ block: 'center' })", element)
                self.page.click(element)
            return element is not None

        until(is_tapped, lambda: f"no {role} {name} to tap in:\n{self.text()}")

    def choose(self, name: str) -> None:
        self.tap(name, "radio", exact=True)

    def fill(self, label: str, text: str) -> None:
        """Again, where something took the focus meanwhile: a new screen gives it to its heading."""

        def is_filled() -> bool:
            self.tap(label, "field")
            field = self.until_found("field", label)
            self.page.run(PREPARE, field, text)
            if self.value(label) != text:
                self.page.type(field, text)
            return self.value(label) == text

        until(is_filled, lambda: f"{label} is “{self.value(label)}”, not “{text}”")

    def value(self, label: str) -> str:
        return self.page.run("field => field.value", self.until_found("field", label))

    def attach(self, *paths: pathlib.Path) -> None:
        self.page.attach(self.until_found("file", ""), list(paths))

    def text(self) -> str:
        """With plain spaces where numbers keep their units beside them."""
        return self.page.run("() => (document.body?.innerText ?? '').replaceAll('\\u00a0', ' ')")

    def sees(self, pattern: str) -> None:
        until(lambda: re.search(pattern, self.text()), lambda: f"“{pattern}” is not in:\n{self.text()}")

    def lacks(self, pattern: str) -> None:
        until(lambda: not re.search(pattern, self.text()), lambda: f"“{pattern}” stays in:\n{self.text()}")

    def heading(self, name: str) -> None:
        self.until_found("heading", name, exact=True)

    # --- What is in the browser ---------------------------------------------------------------------------

    def kept(self, store: str) -> list:
        return self.page.run(KEPT, store)

    def settled(self) -> None:
        """Nothing waits to be sent any more, and no sheet is about to add something."""
        self.until_gone("dialog")
        until(lambda: all("rejected" in entry for entry in self.kept("outbox")), lambda: f"{self.kept('outbox')} waits")

    def until_on_the_device(self) -> None:
        """All of the app, so that it opens without a network."""
        until(lambda: self.page.run(IS_KEPT), "the worker does not keep the app")

    # --- How it looks -------------------------------------------------------------------------------------

    def dress(self, look: str) -> None:
        self.page.run(DRESS, look)

    def drawn(self) -> None:
        """The screen that was gone to is there, and nothing of it is still on its way."""
        self.until_found("heading", "")
        self.lacks("(?m)^…$")

    def picture(self, path: pathlib.Path) -> None:
        if IS_PICTURED:
            self.page.run(PAINTED)
            self.page.screenshot(path)

    def violations(self) -> list:
        self.page.run(PAINTED)
        if not self.page.run("() => 'axe' in window"):
            self.page.run(f"() => {{ {AXE_SCRIPT}; }}")
        return self.page.run(AXE)

    def overflow(self) -> int:
        return self.page.run("() => document.documentElement.scrollWidth - document.documentElement.clientWidth")
