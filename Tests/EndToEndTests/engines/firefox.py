"""Firefox ESR over WebDriver BiDi: one browser, a container for each device."""

import base64
import json
import os
import pathlib
import re
import subprocess
import time

from websockets.sync.client import connect

from device import PHONE, WITH_US, ZONE, NotNow

COMING_AND_GOING = ("no such element", "stale element reference", "move target out of bounds", "no such node")

# It asks nobody but the page's server anything.
PREFERENCES = {
    "remote.prefs.recommended": True,
    "app.normandy.enabled": False,
    "browser.safebrowsing.update.enabled": False,
    "browser.download.alwaysOpenPanel": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.getAddons.cache.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,",
}


class Firefox:
    name = "firefox"

    def __init__(self, place: pathlib.Path):
        self.log = place / "firefox.log"
        (place / "profile").mkdir(parents=True)
        self.downloads = place / "downloads"
        self.downloads.mkdir()
        preferences = {**PREFERENCES, "browser.download.folderList": 2, "browser.download.dir": str(self.downloads)}
        lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in preferences.items())
        (place / "profile/user.js").write_text("".join(lines))
        command = [*WITH_US, "firefox-esr", "--headless", "--no-remote", "--profile", place / "profile"]
        command += ["--remote-debugging-port", "0"]
        environment = {**os.environ, "HOME": str(place), "LC_ALL": "C.UTF-8", "TZ": ZONE}
        quiet = dict.fromkeys(("stdin", "stdout"), subprocess.DEVNULL)
        self.process = subprocess.Popen(command, env=environment, stderr=self.log.open("wb"), **quiet)
        self.socket = connect(self._address() + "/session", max_size=None, ping_interval=None, open_timeout=30)
        self.asked = 0
        self.complaints: dict[str, list[str]] = {}
        self.send("session.new", capabilities={"alwaysMatch": {"acceptInsecureCerts": True}})
        self.send("session.subscribe", events=["log.entryAdded"])

    def _address(self) -> str:
        deadline = time.monotonic() + 60
        while not (found := re.search(r"BiDi listening on (ws://\S+)", self.log.read_text(errors="replace"))):
            assert time.monotonic() < deadline and self.process.poll() is None, "Firefox does not start"
            time.sleep(0.05)
        return found[1]

    def send(self, method: str, **parameters) -> dict:
        self.asked += 1
        self.socket.send(json.dumps({"id": self.asked, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.recv(timeout=60))
            if message["type"] == "event":
                self._heard(message["params"])
            elif message["id"] == self.asked:
                break
        if message["type"] == "error":
            kind = NotNow if message["error"] in COMING_AND_GOING else RuntimeError
            raise kind(f"{method}: {message['error']}: {message['message']}")
        return message["result"]

    def _heard(self, entry: dict) -> None:
        context = entry.get("source", {}).get("context")
        if entry.get("level") in ("error", "warn"):
            self.complaints.setdefault(context, []).append(f"{entry['type']}: {entry['text']}")

    def page(self) -> "Page":
        return Page(self)

    def close(self) -> None:
        try:
            self.send("browser.close")
        finally:
            self.socket.close()
            self.process.terminate()
            self.process.wait()


class Page:
    def __init__(self, firefox: Firefox):
        self.firefox = firefox
        self.container = firefox.send("browser.createUserContext")["userContext"]
        self.size = PHONE
        self.contexts: list[str] = []
        self.reopen()

    @property
    def context(self) -> str:
        return self.contexts[-1]

    def send(self, method: str, **parameters) -> dict:
        return self.firefox.send(method, context=self.context, **parameters)

    def reopen(self) -> None:
        """Another page of the same device; the one before it is closed."""
        # A window, as what is in a tab behind another is not looked at.
        made = self.firefox.send("browsingContext.create", type="window", userContext=self.container)["context"]
        if self.contexts:
            self.send("browsingContext.close")
        self.contexts.append(made)
        self.resize(*self.size)

    def open(self, address: str) -> None:
        self.send("browsingContext.navigate", url=address, wait="interactive")

    def run(self, function: str, *arguments):
        answer = self.firefox.send(
            "script.callFunction", functionDeclaration=function, awaitPromise=True, target={"context": self.context},
            arguments=[local(one) for one in arguments], userActivation=True,
        )  # fmt: skip
        if answer["type"] == "exception":
            raise RuntimeError(answer["exceptionDetails"]["text"])
        return value(answer["result"])

    def click(self, element: dict) -> None:
        where = {"type": "pointerMove", "x": 0, "y": 0, "origin": {"type": "element", "element": element}}
        press = [where, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        self.send("input.performActions", actions=[{"type": "pointer", "id": "mouse", "actions": press}])

    def type(self, element: dict, text: str) -> None:
        """Into what has the focus; `element` has it."""
        keys = [{"type": kind, "value": key} for key in text for kind in ("keyDown", "keyUp")]
        self.send("input.performActions", actions=[{"type": "key", "id": "keyboard", "actions": keys}])

    def attach(self, element: dict, paths: list[pathlib.Path]) -> None:
        self.send("input.setFiles", element=element, files=[str(path) for path in paths])

    def resize(self, width: int, height: int) -> None:
        self.size = (width, height)
        self.send("browsingContext.setViewport", viewport={"width": width, "height": height})

    def screenshot(self, path: pathlib.Path) -> None:
        path.write_bytes(base64.b64decode(self.send("browsingContext.captureScreenshot")["data"]))

    @property
    def downloads(self) -> pathlib.Path:
        return self.firefox.downloads

    def complaints(self) -> list[str]:
        return [line for context in self.contexts for line in self.firefox.complaints.get(context, [])]

    def close(self) -> None:
        self.firefox.send("browser.removeUserContext", userContext=self.container)


def local(one) -> dict:
    """A value as BiDi writes it; an element is one already."""
    if one is None:
        return {"type": "null"}
    if isinstance(one, bool):
        return {"type": "boolean", "value": one}
    if isinstance(one, (int, float)):
        return {"type": "number", "value": one}
    if isinstance(one, str):
        return {"type": "string", "value": one}
    if isinstance(one, list):
        return {"type": "array", "value": [local(each) for each in one]}
    if "sharedId" in one:
        return one
    return {"type": "object", "value": [[name, local(each)] for name, each in one.items()]}


def value(found: dict):
    match found["type"]:
        case "undefined" | "null":
            return None
        case "array":
            return [value(each) for each in found["value"]]
        case "object":
            return {name: value(each) for name, each in found["value"]}
        case "node":
            return {"sharedId": found["sharedId"]}
        case _:
            return found["value"]
