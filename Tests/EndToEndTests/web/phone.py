"""One browser profile with the app in it."""

import contextlib
import json
import re
import time

from playwright.sync_api import BrowserContext, Page, Route, expect
from webapp import KEPT

SIZE = {"width": 390, "height": 844}
# A refusal is written to the console by the browser itself; workers are blocked by us.
EXPECTED = ("Failed to load resource", "registration blocked by Playwright")
LIMITED = re.compile(r"/api/v1/(auth/(login|register|(forgot|reset)-password|verify-email)|invites/(accept|preview))$")


# What is tapped on Today is fetched behind it: a phone without a service worker has it as soon as that is done.
FETCHED = """async () => {
    if (!document.querySelector('.dock')) return;
    const { src } = document.querySelector('script[type=module]');
    for (const name of ['log', 'remind']) await import(src.replace('main.js', `screens/${name}.js`));
}"""


class Phone:
    def __init__(self, stack, chromium, workers: str = "block", own_address: bool = True, **options):
        settings = {"viewport": SIZE, "locale": "en-US", "timezone_id": "America/New_York", "has_touch": True}
        self.stack = stack
        self.context: BrowserContext = chromium.new_context(**{**settings, **options}, service_workers=workers)
        self.complaints: list[str] = []
        self.asked: list[tuple[str, str, str | None]] = []
        self.http = stack.client()
        # The limits by address count every browser of this machine as one: a phone gets an address of its own where it
        # meets them. Not all do: with one route, every request of a page makes a detour, and it opens half as fast.
        self.own_address = own_address
        if own_address:
            self.context.route(LIMITED, self._from_own_address)
        self.page = self.new_page()

    def new_page(self) -> Page:
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._listen)
        page.on("request", lambda one: self.asked.append((one.method, one.url, one.post_data)) if "/api/" in one.url else None)
        return page

    def _listen(self, message) -> None:
        if message.type in ("error", "warning") and not any(text in message.text for text in EXPECTED):
            self.complaints.append(message.text)

    def carry_out(self, route: Route):
        """Does what a request asks, from this phone's own address."""
        request = route.request
        names = ("content-type", "sec-fetch-site", "origin", "cookie", "user-agent", "if-match")
        headers = {name: value for name, value in request.all_headers().items() if name in names}
        headers["sec-fetch-site"] = "same-origin"
        path = request.url.removeprefix(self.stack.base_url)
        return self.http.request(request.method, path, content=request.post_data_buffer, headers=headers)

    def _from_own_address(self, route: Route) -> None:
        answer = self.carry_out(route)
        kept = {name: value for name, value in answer.headers.items() if name in ("content-type", "retry-after", "date", "set-cookie")}
        with contextlib.suppress(Exception):  # the page may be gone
            route.fulfill(status=answer.status_code, headers=kept, body=answer.content)

    # --- Who ------------------------------------------------------------------------------------------

    def sign_in(self, person) -> None:
        """As if the person had logged in here: a session in the cookie, and what the app remembers of the account."""
        self.context.add_cookies([{
            "name": "__Host-session", "value": person.token, "url": self.stack.base_url, "secure": True, "httpOnly": True, "sameSite": "Strict",
        }])
        self.page.goto(self.stack.base_url + "/not-a-page")
        self.page.evaluate("account => localStorage.setItem('account', account)", json.dumps(person.user))
        self.open()

    def open(self, route: str = "today") -> None:
        self.page.goto(f"{self.stack.base_url}/#/{route}")

    def go(self, route: str) -> None:
        self.page.evaluate("route => { location.hash = `#/${route}`; }", route)

    def register(self, name: str, email: str, password: str = "correct horse battery") -> None:
        self.fill_in(name, email, password)
        self.tap("Create Account")

    def fill_in(self, name: str, email: str, password: str = "correct horse battery") -> None:
        self.page.get_by_label("Your name").fill(name)
        self.page.get_by_label("Email").fill(email)
        self.page.get_by_label("Password").fill(password)

    def log_in(self, email: str, password: str = "correct horse battery") -> None:
        self.page.get_by_label("Email").fill(email)
        self.page.get_by_label("Password").fill(password)
        self.tap("Log In")

    # --- What a person does -----------------------------------------------------------------------------

    def tap(self, name: str, role: str = "button", exact: bool = False) -> None:
        self.page.get_by_role(role, name=name, exact=exact).first.click()

    def choose(self, name: str) -> None:
        self.page.get_by_role("radio", name=name, exact=True).check()

    def log_bottle(self, amount: int | None = None) -> None:
        self.tap("Bottle")
        if amount:
            self.page.get_by_label("Amount").fill(str(amount))
            self.page.get_by_label("Amount").press("Tab")
        self.page.get_by_role("button", name=re.compile("^Log .*(ml|bottle)")).click()
        expect(self.page.get_by_role("dialog")).to_have_count(0)

    def text(self, text: str | re.Pattern):
        """In a pattern, too, a space stands for one that doesn't break a line."""
        return self.page.get_by_text(text if isinstance(text, str) else re.compile(text.pattern.replace(" ", r"\s"), text.flags))

    def sees(self, text: str | re.Pattern) -> None:
        expect(self.text(text).first).to_be_visible()

    def lacks(self, text: str | re.Pattern) -> None:
        expect(self.text(text)).to_have_count(0)

    def heading(self, name: str) -> None:
        expect(self.page.get_by_role("heading", name=name, exact=True)).to_be_visible()

    def settled(self) -> None:
        """Nothing waits to be sent any more, and no sheet is about to add something."""
        expect(self.page.get_by_role("dialog")).to_have_count(0)
        deadline = time.monotonic() + 30
        while any("rejected" not in entry for entry in self.kept("outbox")):
            assert time.monotonic() < deadline, self.kept("outbox")
            self.page.wait_for_timeout(50)

    # --- What is in the browser ---------------------------------------------------------------------------

    def kept(self, store: str) -> list:
        """All of one store of the account's database."""
        return self.page.evaluate(KEPT, store)

    # --- What breaks --------------------------------------------------------------------------------------

    def answer(self, pattern: str, status: int, body: dict | None = None, headers: dict | None = None, times: int | None = None, method: str | None = None):
        """From now on the server answers this, so many times."""
        left = [times]

        def handle(route: Route) -> None:
            if (method and route.request.method != method) or left[0] == 0:
                return route.fallback()
            if left[0] is not None:
                left[0] -= 1
            route.fulfill(status=status, headers={"Content-Type": "application/json", **(headers or {})}, body=json.dumps(body or {}))

        self.context.route(pattern, handle)

    def lose_answers(self, pattern: str, times: int = 1, method: str = "POST"):
        """The request arrives and is carried out; its answer does not come back."""
        left = [times]

        def handle(route: Route) -> None:
            if route.request.method != method or left[0] == 0:
                return route.fallback()
            left[0] -= 1
            self.carry_out(route)
            route.abort("connectionreset")

        self.context.route(pattern, handle)

    def offline(self, value: bool = True) -> None:
        if value:
            self.page.evaluate(FETCHED)
        self.context.set_offline(value)


def error(code: str, message: str, details: list | None = None) -> dict:
    return {"error": {"code": code, "message": message, "details": details or []}}
