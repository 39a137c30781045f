"""A phone on the desk: the program babybasics-phone with a directory of its own."""

import json
import os
import pathlib
import signal
import subprocess
import time

PROJECT = pathlib.Path(__file__).resolve().parents[3]


def program() -> str:
    """PHONE, or what stands beside the demo, which is built in the same place."""
    beside = pathlib.Path(os.environ.get("DEMO", PROJECT / ".build/debug/demo")).with_name("babybasics-phone")
    path = pathlib.Path(os.environ.get("PHONE", beside))
    assert path.exists(), f"{path} is not built: swift build --product babybasics-phone, and PHONE=its path"
    return str(path)


class Phone:
    def __init__(self, stack, directory: pathlib.Path, address: str | None = None):
        self.directory = directory
        self.server = address or stack.base_url.replace("//[", "//localhost[").replace("127.0.0.1", "localhost")
        self.environment = os.environ | {
            "BABY_BASICS_HOME": str(directory),
            "BABY_BASICS_CA": stack.values["CA_FILE"],
            "BABY_BASICS_PASSWORD": "correct horse battery",
        }

    def __call__(self, *words: str, fails: bool = False) -> str:
        done = subprocess.run(
            [program(), *words], env=self.environment, capture_output=True, text=True, timeout=120, check=False
        )
        assert (done.returncode != 0) == fails, f"{words}: {done.returncode} {done.stdout} {done.stderr}"
        return done.stdout

    def patiently(self, *words: str) -> str:
        """Again while the limit of the machine's one address says so: other tests come from it too."""
        for _ in range(30):
            done = subprocess.run([program(), *words], env=self.environment, capture_output=True, text=True, timeout=120)
            if done.returncode == 0:
                return done.stdout
            assert "Wait a minute" in done.stdout or "no connection" in done.stdout.lower(), done.stdout + done.stderr
            time.sleep(5)
        raise AssertionError(f"{words}: the limit never ends")

    def sign_in(self, person) -> "Phone":
        """As if this person had signed in here: the secret goes where the program keeps it."""
        profile = {
            "id": person.id,
            "email": person.email,
            "name": person.name,
            "timezone": "America/New_York",
            "dayStartTime": "07:00",
        }
        self.directory.mkdir(parents=True, exist_ok=True)
        session = self.directory / "session"
        session.write_text(json.dumps({"server": self.server, "token": person.token, "profile": profile}))
        session.chmod(0o600)
        (self.directory / "installed").write_text("yes")
        (self.directory / "preferences.json").write_text(json.dumps({"serverAddress": self.server}))
        self("sync")
        return self

    @property
    def token(self) -> str:
        return json.loads((self.directory / "session").read_text())["token"]

    def entries(self, *options: str) -> list[dict]:
        """What the phone shows, newest first."""
        return [read(line) for line in self("list", "--limit", "1000", *options).splitlines()]

    def watch(self, *options: str) -> "Watching":
        return Watching([program(), "watch", *options], self.environment)


def read(line: str) -> dict:
    identifier, state, kind, author, *fields = line.split("\t")
    return {"id": identifier, "waiting": state == "waiting", "kind": kind, "author": author} | dict(
        field.split("=", 1) for field in fields
    )


class Watching:
    """A phone that is on screen."""

    def __init__(self, command: list[str], environment: dict):
        self.process = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0
        )
        os.set_blocking(self.process.stdout.fileno(), False)
        self.text = ""

    def __enter__(self) -> "Watching":
        return self

    def __exit__(self, *_) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(timeout=20)
        self.process.stdout.close()

    def sees(self, words: str, within: float = 30) -> float:
        """How long it takes until the words are on screen."""
        start = time.monotonic()
        while time.monotonic() - start < within:
            self.text += (self.process.stdout.read(65536) or b"").decode()
            if words in self.text:
                return time.monotonic() - start
            time.sleep(0.02)
        raise AssertionError(f"{words!r} does not come up: {self.text}")
