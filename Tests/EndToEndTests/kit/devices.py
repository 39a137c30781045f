"""The three devices of the torture: two phones at a terminal and the web app's store in Chromium."""

import contextlib
import json
import random
import signal
import sqlite3
import subprocess
import time
from datetime import datetime

from playwright.sync_api import Error as BrowserError
from terminal import Phone, program, read

# Every fifth request of the page is lost on the way, and every fifth answer.
LOSSES = """
(() => {
  const { fetch } = window;
  const lose = (way) => {
    if (Math.random() >= Number(localStorage.getItem("drill-loss") ?? 0)) return;
    localStorage.setItem(`drill-${way}`, Number(localStorage.getItem(`drill-${way}`) ?? 0) + 1);
    throw new TypeError("lost on the way");
  };
  window.fetch = async (...request) => {
    if (!String(request[0].url ?? request[0]).includes("/api/")) return fetch(...request); // the app's own files are another test
    lose("requests");
    const answer = await fetch(...request);
    lose("answers");
    return answer;
  };
})();
"""
# A store beside the app's own, as a second tab has one: what is put into it the app's engine sends.
STORE = """
  const base = new URL(".", document.querySelector("script[type=module]").src).href;
  const [{ Store }, acts] = await Promise.all([import(`${base}store/store.js`), import(`${base}store/log.js`)]);
  window.drill ??= await Store.open(JSON.parse(localStorage.getItem("account")));
  const store = window.drill;
"""


def moment(value):
    """Times compare as times, however they are written."""
    if isinstance(value, str) and len(value) > 18 and value[10] == "T":
        return datetime.fromisoformat(value).timestamp()
    return value


def comparable(kind: str, event: dict) -> dict:
    flat = {key: moment(value) for key, value in event.items() if value is not None and key not in ("id", "created_by", "updated_by")}
    author = event["created_by"]
    return flat | {"kind": kind, "author": author["name"], "author_id": author["user_id"]}


class Terminal:
    """A phone whose commands are processes, and may be killed. On screen, it syncs by itself."""

    def __init__(self, stack, directory, person, chance: random.Random):
        self.phone = Phone(stack, directory).sign_in(person)
        self.person, self.chance = person, chance
        self.screen: subprocess.Popen | None = None
        self.offline(False)

    def run(self, *words: str, killed: bool = False) -> str:
        process = subprocess.Popen(
            [program(), *words], env=self.phone.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        if killed:
            time.sleep(self.chance.uniform(0.02, 0.3))
            process.kill()
        out, trouble = process.communicate(timeout=120)
        assert process.returncode in (0, 1, 64, -signal.SIGKILL), f"{words}: {process.returncode} {trouble}"
        assert killed or process.returncode == 0 or "{" not in trouble, f"{words}: {out} {trouble}"
        return out

    def log(self, child: str, kind: str, mark: str, minutes: int, killed: bool) -> str | None:
        words = {
            "feeding": ("bottle", str(self.chance.randint(1, 250))),
            "diaper": ("diaper", self.chance.choice(("wet", "dirty", "mixed", "dry"))),
            "sleep": ("sleep", "--minutes", str(self.chance.randint(1, minutes))),
            "running": ("sleep",),
            "note": ("note", "words"),
            "pumping": ("pumping", str(self.chance.randint(1, 250)), "left"),
            "measurement": ("measurement", str(self.chance.randint(30, 90) / 10)),
            "temperature": ("temperature", str(self.chance.randint(360, 400) / 10), "ear"),
            "medication": ("medication", "Paracetamol, 2.5 ml"),
            "activity": ("activity", "Tummy time"),
        }[kind]
        said = self.run("log", *words, "--child", child, "--ago", str(minutes), "--notes", mark, killed=killed)
        return read(said.splitlines()[0])["id"] if said.count("\t") > 3 else None

    def visible(self, child: str) -> list[dict]:
        return [read(line) for line in self.run("list", "--limit", "40", "--child", child).splitlines()]

    def edit(self, entry: dict, changes: dict, killed: bool) -> None:
        self.run("edit", entry["id"], *(f"{name}={value}" for name, value in changes.items()), killed=killed)

    def delete(self, entry: dict, killed: bool) -> None:
        self.run("delete", entry["id"], killed=killed)

    def restore(self) -> bool:
        return False  # ten seconds are over when the next command comes

    def sync(self) -> None:
        self.run("sync")

    def offline(self, is_off: bool) -> None:
        self.run("offline", "on" if is_off else "lossy")

    def turn_off(self) -> None:
        """The app dies on screen, or is opened."""
        if self.screen:
            self.screen.kill()
            self.screen.wait()
            self.screen = None
        else:
            self.screen = subprocess.Popen(
                [program(), "watch"], env=self.phone.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )

    def settle(self) -> None:
        if self.screen:
            self.turn_off()
        self.run("offline", "off")

    def rest(self) -> int:
        """Sends and reads; how much still waits."""
        self.sync()
        return len(self.rows("select 1 from outbox"))

    def rows(self, query: str) -> list[tuple]:
        (file,) = self.phone.directory.glob("*.sqlite")
        with contextlib.closing(sqlite3.connect(file)) as database:
            return database.execute(query).fetchall()

    def contents(self) -> dict:
        query = """select id, kind, fields, author_name, author_id, created_at, updated_at, revision
            from entry where is_deleted = 0"""
        return {
            row[0]: {key: moment(value) for key, value in json.loads(row[2]).items()}
            | {"kind": row[1], "author": row[3], "author_id": row[4]}
            | {"created_at": row[5] / 1000, "updated_at": row[6] / 1000, "revision": row[7]}
            for row in self.rows(query)
        }

    def aside(self) -> set[str]:
        return {row[0] for row in self.rows("select entry_id from rejected")}

    def lost(self) -> tuple[int, int]:
        return 0, 0  # each process has a line of its own


class Page:
    """The web app, whose page may crash in the middle of anything."""

    def __init__(self, browser, person, chance: random.Random):
        self.browser = browser(person)
        self.browser.context.add_init_script(LOSSES)
        self.person, self.chance = person, chance
        self.removed: list = []
        self.is_off = False
        self.loss = "0.2"
        self.reopen()

    def reopen(self) -> None:
        """Another page: the app's files are there without a network only when they are kept, which is another test."""
        with contextlib.suppress(BrowserError):  # it may have crashed
            self.browser.page.close()
        self.browser.context.set_offline(False)
        self.browser.page = self.browser.new_page()
        self.browser.open()
        with contextlib.suppress(BrowserError):
            self.browser.page.get_by_role("navigation").first.wait_for()
        assert self.browser.page.get_by_role("navigation").count(), self.browser.page.inner_text("body")
        # From now on: a phone that has its family yet to get may wait for it longer than a test.
        self.browser.page.evaluate("loss => localStorage.setItem('drill-loss', loss)", self.loss)
        self.evaluate("null")
        self.browser.context.set_offline(self.is_off)

    def evaluate(self, code: str, argument=None, killed: bool = False):
        whole = f"async (argument) => {{ {STORE} return {code}; }}"
        if not killed:
            return self.browser.page.evaluate(whole, argument)
        self.browser.page.evaluate(f"(argument) => {{ setTimeout(() => ({whole})(argument).catch(() => {{}})); }}", argument)
        time.sleep(self.chance.choice((0, 0.002, 0.01, 0.05, 0.4)))
        self.turn_off()
        return None

    def log(self, child: str, kind: str, mark: str, minutes: int, killed: bool) -> str | None:
        start = int((time.time() - 60 * minutes) * 1000)
        iso = lambda ms: datetime.fromtimestamp(ms / 1000).astimezone().isoformat(timespec="milliseconds")  # noqa: E731
        fields = {
            "feeding": {"type": "bottle", "started_at": iso(start), "amount_ml": self.chance.randint(1, 2500) / 10},
            "diaper": {"type": self.chance.choice(("wet", "dirty", "mixed", "dry")), "occurred_at": iso(start)},
            "sleep": {"started_at": iso(start), "ended_at": iso(start + 60_000 * self.chance.randint(1, minutes))},
            "running": {"started_at": iso(start)},
            "note": {"content": "words", "occurred_at": iso(start)},
            "pumping": {"started_at": iso(start), "amount_ml": self.chance.randint(1, 2500) / 10},
            "measurement": {"occurred_at": iso(start), "weight_g": self.chance.randint(3000, 9000)},
            "temperature": {"occurred_at": iso(start), "celsius": self.chance.randint(360, 400) / 10},
            "medication": {"occurred_at": iso(start), "name": "Paracetamol"},
            "activity": {"started_at": iso(start), "name": "Bath"},
        }[kind] | {"notes": mark}
        code = """(async () => {
            const child = store.snapshot.family?.children.find((one) => one.name === argument.child);
            if (!child) return null;
            const isAsleep = async () => (await store.events(child.id)).some((one) => one.type === "sleep" && !one.event.ended_at);
            if (argument.type === "sleep" && !argument.fields.ended_at && (await isAsleep())) return null;
            return (await acts.log(store, child, argument.type, argument.fields)).id;
        })()"""
        kind = "sleep" if kind == "running" else kind
        return self.evaluate(code, {"child": child, "type": kind, "fields": fields}, killed)

    def visible(self, child: str) -> list[dict]:
        code = """(async () => {
            const child = store.snapshot.family?.children.find((one) => one.name === argument);
            const known = child ? (await store.events(child.id)).slice(0, 40) : [];
            return known.map(({ type, event }) => ({ ...event, kind: type, family_id: child.family_id }));
        })()"""
        return self.evaluate(code, child)

    def edit(self, entry: dict, changes: dict, killed: bool) -> None:
        self.evaluate("acts.edit(store, argument.entry, argument.changes)", {"entry": entry, "changes": changes}, killed)

    def delete(self, entry: dict, killed: bool) -> None:
        removed = self.evaluate("acts.remove(store, argument)", entry, killed)
        if removed:
            self.removed.append(removed)

    def restore(self) -> bool:
        if not self.removed:
            return False
        self.evaluate("acts.restore(store, argument)", self.removed.pop())
        return True

    def sync(self) -> None:
        self.browser.page.wait_for_timeout(300)  # it does so by itself

    def offline(self, is_off: bool) -> None:
        self.is_off = is_off
        self.browser.context.set_offline(is_off)

    def turn_off(self) -> None:
        """The page crashes, or is loaded anew."""
        if self.chance.random() < 0.5:
            with contextlib.suppress(BrowserError):
                self.browser.page.goto("chrome://crash", timeout=2000)
        self.reopen()

    def settle(self) -> None:
        self.is_off, self.loss = False, "0"
        self.reopen()

    def rest(self) -> int:
        self.browser.page.wait_for_timeout(200)
        return sum("aside" not in entry for entry in self.browser.kept("outbox"))

    def contents(self) -> dict:
        aside = {entry["id"] for entry in self.browser.kept("outbox") if entry["op"] == "create"}
        return {
            kept["id"]: comparable(kept["type"], kept["event"])
            for kept in self.browser.kept("events")
            if kept["id"] not in aside
        }

    def aside(self) -> set[str]:
        return {entry["id"] for entry in self.browser.kept("outbox")}

    def lost(self) -> tuple[int, int]:
        counts = self.browser.page.evaluate("['requests', 'answers'].map((way) => Number(localStorage.getItem(`drill-${way}`) ?? 0))")
        return counts[0], counts[1]
