"""deploy/bench web: the web app in a real Chromium, as a phone has it.

Bytes of a first visit, the time until it is usable on a slow phone, how soon a log shows with 20,000 events in the store, how long
20,000 events take into an empty one, and an import of 10,000 rows. Needs Playwright: deploy/test leaves it in .build/python. By itself: web.py STATE_DIR of a deploy/run.
"""

import base64
import hashlib
import json
import os
import pathlib
import secrets
import ssl
import statistics
import subprocess
import sys
import time
import urllib.request
from datetime import datetime, timedelta, timezone

PROJECT = pathlib.Path(__file__).resolve().parents[2]
EVENTS = 20_000
SLOWER = 4  # the processor
BITS = 1_600_000  # a second
LATENCY = 150  # ms
LOGS = 15
ROWS = 10_000


def playwright():
    try:
        import playwright.sync_api
    except ImportError:
        sys.path += map(str, PROJECT.glob(".build/python/lib/python3*/site-packages"))
        try:
            import playwright.sync_api
        except ImportError:
            raise SystemExit("deploy/bench web: Playwright is not there; deploy/test e2e leaves it in .build/python") from None
    return playwright.sync_api.sync_playwright()


class Account:
    """A family with one child, and its 20,000 events on the server."""

    def __init__(self, values: dict[str, str]):
        self.base = values["BASE_URL"]
        self.trust = ssl.create_default_context(cafile=values["CA_FILE"])
        self.token = ""
        body = {"name": "Bench", "email": f"bench-{secrets.token_hex(6)}@example.com", "password": secrets.token_hex(12)}
        answer = self.ask("POST", "/auth/register", body)
        self.token, self.user = answer["session"]["token"], answer["user"]
        self.family = self.ask("POST", "/families", {"name": "Bench"})["family"]["id"]
        child = {"name": "Ada", "date_of_birth": "2026-03-15"}
        self.child = self.ask("POST", f"/families/{self.family}/children", child)["child"]["id"]

    def ask(self, method: str, path: str, body: dict) -> dict:
        request = urllib.request.Request(f"{self.base}/api/v1{path}", json.dumps(body).encode(), method=method)
        request.add_header("Content-Type", "application/json")
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        with urllib.request.urlopen(request, context=self.trust, timeout=60) as answer:
            return json.load(answer)

    def fill(self) -> None:
        now = datetime.now(timezone.utc)
        kinds = [
            ("feeding", "started_at", {"type": "bottle", "amount_ml": 90, "content": "formula"}),
            ("diaper", "occurred_at", {"type": "wet"}),
            ("note", "occurred_at", {"content": "Slept like a stone, woke like a bear"}),
        ]
        for first in range(0, EVENTS, 500):
            events = []
            for number in range(first, first + 500):
                kind, field, event = kinds[number % 3]
                at = (now - timedelta(minutes=25 * number + 30)).isoformat(timespec="milliseconds").replace("+00:00", "Z")
                events.append({"type": kind, "event": {**event, field: at}})
            self.ask("POST", f"/children/{self.child}/events", {"events": events})


class Browser:
    def __init__(self, engine, values: dict[str, str]):
        certificate = pathlib.Path(values["CA_FILE"]).parent / "server.pem"
        key = subprocess.run(["openssl", "x509", "-in", certificate, "-pubkey", "-noout"], capture_output=True, check=True).stdout
        der = subprocess.run(["openssl", "pkey", "-pubin", "-outform", "der"], input=key, capture_output=True, check=True).stdout
        pin = base64.b64encode(hashlib.sha256(der).digest()).decode()
        arguments = [f"--ignore-certificate-errors-spki-list={pin}", *(["--no-sandbox"] if os.geteuid() == 0 else [])]
        self.base = values["BASE_URL"]
        self.chromium = engine.chromium.launch(executable_path="/usr/bin/chromium", args=arguments)

    def phone(self, account: Account | None = None):
        context = self.chromium.new_context(viewport={"width": 390, "height": 844}, locale="en-US", timezone_id="America/New_York")
        page = context.new_page()
        if account:
            cookie = {"name": "__Host-session", "value": account.token, "url": self.base, "secure": True, "httpOnly": True, "sameSite": "Strict"}
            context.add_cookies([cookie])
            page.goto(f"{self.base}/not-a-page")
            page.evaluate("account => localStorage.setItem('account', account)", json.dumps(account.user))
        return page


# Notes in the page when something that is waited for is there.
WATCH = """
    new MutationObserver(() => {
        const isThere = [...document.querySelectorAll('button')].some((one) => one.textContent.trim() === 'Create Account');
        if (isThere && window.usableAt === undefined) window.usableAt = performance.now();
        const last = document.querySelector('.last');
        if (last && window.dayAt === undefined) window.dayAt = performance.now();
        if (window.wanted && last?.textContent.includes(window.wanted) && window.shownAt === undefined) {
            requestAnimationFrame(() => { window.shownAt = performance.now(); });
        }
    }).observe(document, { childList: true, subtree: true, characterData: true });
"""

COUNT = """async () => {
    const { id } = JSON.parse(localStorage.getItem('account'));
    const names = (await indexedDB.databases()).map(({ name }) => name);
    if (!names.includes(`baby-basics-${id}`)) return 0;
    const opening = indexedDB.open(`baby-basics-${id}`);
    const database = await new Promise((resolve) => { opening.onsuccess = () => resolve(opening.result); });
    const counting = database.transaction('events').objectStore('events').count();
    const count = await new Promise((resolve) => { counting.onsuccess = () => resolve(counting.result); });
    database.close();
    return count;
}"""


def wait(page, expression: str, seconds: float = 30):
    end = time.monotonic() + seconds
    while (value := page.evaluate(expression)) is None:
        if time.monotonic() > end:
            raise SystemExit(f"deploy/bench web: {expression} is not there after {seconds} s")
        page.wait_for_timeout(5)
    return value


def first_visit(browser: Browser) -> tuple[int, float, float]:
    """Bytes over the wire, and the time to the three doors: as this machine is, and on a slow phone."""
    times = []
    received = 0
    for slow in (False, True):
        page = browser.phone()
        page.add_init_script(WATCH)
        wire = page.context.new_cdp_session(page)
        wire.send("Network.enable")
        sizes: list[float] = []
        wire.on("Network.loadingFinished", lambda event, sizes=sizes: sizes.append(event["encodedDataLength"]))
        if slow:
            wire.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
            limits = {"offline": False, "latency": LATENCY, "downloadThroughput": BITS / 8, "uploadThroughput": BITS / 16}
            wire.send("Network.emulateNetworkConditions", limits)
        page.goto(browser.base + "/")
        times.append(wait(page, "window.usableAt ?? null"))
        if not slow:
            page.wait_for_timeout(2_000)
            received = round(sum(sizes))
        page.context.close()
    return received, *times


def empty_store(browser: Browser, account: Account):
    """20,000 events into an empty store; the page goes on to the next measurements."""
    page = browser.phone(account)
    page.add_init_script(WATCH)
    start = time.monotonic()
    page.goto(browser.base + "/")
    day = wait(page, "window.dayAt ?? null", 60)
    while page.evaluate(COUNT) < EVENTS:
        if time.monotonic() - start > 300:
            raise SystemExit("deploy/bench web: the events are not there after 300 s")
        page.wait_for_timeout(50)
    return page, day, time.monotonic() - start


def tap_to_shown(page) -> list[float]:
    """From the tap on Log to the frame that shows it."""
    took = []
    for number in range(LOGS):
        amount = 201 + number
        page.get_by_role("button", name="Bottle", exact=True).click()
        page.get_by_label("Amount").fill(str(amount))
        page.get_by_label("Amount").press("Tab")
        button = page.get_by_role("button", name=f"Log {amount} ml")
        button.wait_for()
        took.append(button.evaluate(
            """async (button, wanted) => {
                window.shownAt = undefined;
                window.wanted = wanted;
                const tapped = performance.now();
                button.click();
                while (window.shownAt === undefined) await new Promise((resolve) => setTimeout(resolve, 1));
                return window.shownAt - tapped;
            }""",
            f"{amount}\u00a0ml",
        ))
        page.wait_for_timeout(300)
    return took


def imported(browser: Browser, values: dict[str, str]) -> float:
    """From the tap on Import until all rows are on the server, and have come back to this device."""
    page = browser.phone(Account(values))
    start = datetime(2025, 1, 1)
    times = (start + timedelta(minutes=45 * row) for row in range(ROWS))
    table = "child_id,time,wet,solid\n" + "\n".join(f"1,{time:%Y-%m-%d %H:%M:%S},1,0" for time in times)
    page.goto(f"{browser.base}/#/import")
    file = {"name": "diaperchange.csv", "mimeType": "text/csv", "buffer": table.encode()}
    page.locator("input[type=file]").set_input_files(file)
    button = page.get_by_role("button", name=f"Import {ROWS:,} entries")
    button.wait_for()
    began = time.monotonic()
    button.click()
    page.get_by_role("heading", name="Imported").wait_for(timeout=180_000)
    while page.evaluate(COUNT) < ROWS and time.monotonic() - began < 180:
        page.wait_for_timeout(50)
    took = time.monotonic() - began
    page.context.close()
    return took


def measure(values: dict[str, str]) -> dict:
    account = Account(values)
    account.fill()
    with playwright() as engine:
        browser = Browser(engine, values)
        received, quick, slow = first_visit(browser)
        page, day, filled = empty_store(browser, account)
        page.reload()
        stored = wait(page, "window.dayAt ?? null")
        page.wait_for_timeout(1_000)
        taps = tap_to_shown(page)
        rows = imported(browser, values)
        browser.chromium.close()
    found = {
        "first_visit_bytes": received,
        "usable_ms": round(quick),
        "usable_slow_ms": round(slow),
        "sync_20000_s": round(filled, 1),
        "first_day_ms": round(day),
        "import_10000_s": round(rows, 1),
        "day_from_store_ms": round(stored),
        "tap_to_shown_p50_ms": round(statistics.median(taps), 1),
        "tap_to_shown_max_ms": round(max(taps), 1),
    }
    found["says"] = (
        f"first visit {received / 1024:.1f} KB over the wire (at most 70)\n"
        f"usable after {quick:.0f} ms; {slow:.0f} ms on a {SLOWER} times slower processor at 1.6 Mbit/s, {LATENCY} ms away (at most 1500)\n"
        f"{EVENTS} events into an empty store: {filled:.1f} s (goal 8); the day shows from the store after {stored:.0f} ms (at most 300)\n"
        f"a log shows {statistics.median(taps):.0f} ms after the tap, at most {max(taps):.0f} ms, beside {EVENTS} events (at most 50)\n"
        f"{ROWS} rows of a file are imported after {rows:.1f} s (at most 60)"
    )
    return found


def run(stack, _options) -> dict:
    return measure(dict(line.split("=", 1) for line in (stack.state / "env").read_text().splitlines() if line))


if __name__ == "__main__":
    environment = pathlib.Path(sys.argv[1]) / "env"
    print(measure(dict(line.split("=", 1) for line in environment.read_text().splitlines() if line))["says"])
