"""The web app and the pages of mailed links in a real browser, before a server that is a list of answers."""

import functools
import json
import mimetypes
import pathlib
import re
import shutil
import subprocess
import tempfile

from playwright.sync_api import expect
from webapp import axe

WWW = pathlib.Path(__file__).parents[3] / "deploy/www"
ORIGIN = "https://app.test"
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
APP_POLICY = PAGE_POLICY.replace("img-src 'self';", "img-src 'self'; manifest-src 'self'; worker-src 'self';")
PAGES = re.compile(r"^/(join|reset|verify)/")

MAIL = {"name": "Baby Basics", "version": "1.0.0", "registration": "open", "mail": True, "push_key": None, "languages": ["en"]}
NO_MAIL = {**MAIL, "mail": False}
BY_INVITATION = {**MAIL, "registration": "invite"}
JO = {
    "id": "00000000-0000-7000-8000-000000000001", "email": "jo@example.com", "email_verified": True, "name": "Jo", "timezone": "UTC",
    "day_start_time": "07:00", "created_at": "2026-01-10T12:00:00.000Z", "updated_at": "2026-01-10T12:00:00.000Z",
}  # fmt: skip
FAMILY = {
    "id": "00000000-0000-7000-8000-00000000000f", "name": "Miller’s Family", "sharing_policy": "standard", "role": "parent",
    "owner_id": JO["id"], "children_count": 1, "members_count": 1, "created_at": "2026-01-10T12:00:00.000Z", "revision": 1,
}  # fmt: skip
CHILD = {"id": "00000000-0000-7000-8000-00000000000c", "family_id": FAMILY["id"], "name": "Emma", "date_of_birth": "2026-01-10", "revision": 2}
MEMBER = {"user_id": JO["id"], "name": "Jo", "email": JO["email"], "role": "parent", "is_owner": True, "access_until": None, "joined_at": "2026-01-10T12:00:00.000Z"}
CHANGES = [
    {"entity": "family", "id": FAMILY["id"], "op": "upsert", "revision": 1, "data": FAMILY},
    {"entity": "family_member", "id": JO["id"], "op": "upsert", "revision": 1, "data": MEMBER},
    {"entity": "child", "id": CHILD["id"], "op": "upsert", "revision": 2, "data": CHILD},
]
OFFLINE = "offline"


def refusal(code: str = "X", message: str = "No", details: list | None = None) -> dict:
    return {"error": {"code": code, "message": message, "details": details or []}}


class Server:
    """Answers by method and path; what it has no answer for is 404. An answer may be a function of the request's body."""

    def __init__(self, facts: dict | None, user: dict | None = None, families: tuple = ()):
        self.facts, self.user = facts, user
        self.language = "en"  # of its pages
        self.asked: list[tuple[str, str, dict | None]] = []
        self.answers: dict = {
            ("GET", "/server"): lambda _: (200, {"server": self.facts}) if self.facts else (404, refusal("NOT_FOUND")),
            ("GET", "/users/me"): lambda _: (200, {"user": self.user}) if self.user else (401, refusal("UNAUTHORIZED")),
            ("GET", "/families"): (200, {"families": list(families), "count": len(families)}),
            ("GET", f"/families/{FAMILY['id']}/changes"): lambda _: (200, {"changes": CHANGES, "next_since": 2, "has_more": False}),
            ("GET", f"/families/{FAMILY['id']}/invites"): (200, {"invites": [], "count": 0}),
        }

    def on(self, method: str, path: str, *answer) -> None:
        self.answers[method, path] = answer if len(answer) > 1 else answer[0]

    def posts(self, path: str) -> list[dict]:
        return [body for method, asked, body in self.asked if (method, asked) == ("POST", path)]

    def handle(self, route) -> None:
        request = route.request
        path = request.url.removeprefix(f"{ORIGIN}/api/v1").split("?")[0]
        body = request.post_data_json if request.post_data else None
        self.asked.append((request.method, path, body))
        answer = self.answers.get((request.method, path), (404, refusal("NOT_FOUND")))
        if callable(answer):
            answer = answer(body)
        if answer == OFFLINE:
            return route.abort("internetdisconnected")
        status, value, headers = (*answer, {}, {})[:3] if len(answer) < 3 else answer
        route.fulfill(status=status, headers={"Content-Type": "application/json", **headers}, body="" if status == 204 else json.dumps(value))


@functools.cache
def made_pages() -> tempfile.TemporaryDirectory:
    """The pages in all languages, as deploy/web-pages makes them."""
    made = tempfile.TemporaryDirectory()
    for part in ("pages", "app/words"):
        shutil.copytree(WWW / part, f"{made.name}/{part}")
    shutil.copy(WWW / "app/index.html", f"{made.name}/app")
    subprocess.run([WWW.parent / "web-pages", made.name], check=True)
    return made


def hand(route, server: Server) -> None:
    path = route.request.url.removeprefix(ORIGIN).split("?")[0]
    if path.startswith("/api/"):
        return server.handle(route)
    if path in ("/favicon.ico", "/worker.js"):
        return route.fulfill(status=404)
    policy = PAGE_POLICY if PAGES.match(path) else APP_POLICY
    headers = {"Content-Security-Policy": policy, "Referrer-Policy": "no-referrer", "Cache-Control": "no-store"}
    if path == "/":
        file = pathlib.Path(made_pages().name, "pages", server.language, "index.html")
    elif page := PAGES.match(path):
        file = pathlib.Path(made_pages().name, "pages", server.language, f"{page[1]}.html")
    elif path == "/manifest.webmanifest":
        file = WWW / "app/manifest.webmanifest"
    else:
        file = WWW / path.lstrip("/").replace("app/version/", "app/")
    kinds = {".js": "text/javascript", ".webmanifest": "application/manifest+json"}
    kind = kinds.get(file.suffix) or mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    route.fulfill(path=file, content_type=f"{kind}; charset=utf-8" if kind.startswith("text/") else kind, headers=headers)


def tap(page, name: str, role: str = "button") -> None:
    page.get_by_role(role, name=name, exact=True).click()


def heading(page, name: str) -> None:
    """A space and one that doesn't break a line stand for each other."""
    pattern = re.compile("^" + r"\s".join(map(re.escape, re.split(r"\s", name))) + "$")
    expect(page.get_by_role("heading", name=pattern, level=1)).to_be_visible()


# What is behind a sheet nobody can read or reach, and axe-core can't tell the one from the other.
SHEET_ALONE = """isAlone => {
    const sheet = [...document.querySelectorAll('dialog[open]')].at(-1);
    document.body.style.visibility = sheet && isAlone ? 'hidden' : '';
    if (sheet) sheet.style.visibility = isAlone ? 'visible' : '';
}"""


def violations(page) -> list[str]:
    """What axe-core cannot see through, a gradient, it is shown as its two ends; a choice without the arrow that is drawn of one."""
    page.evaluate(SHEET_ALONE, True)
    page.evaluate("() => { for (const one of document.querySelectorAll('select')) one.style.background = 'var(--card)'; }")
    found = []
    for colour in ("paper", "glow"):
        page.evaluate("colour => { document.body.style.background = `var(--${colour})` }", colour)
        response = axe(page)
        undecided = [one for one in response["incomplete"] if one["id"] == "color-contrast"]
        found += [f"{one['id']}: {node['html']}" for one in response["violations"] + undecided for node in one["nodes"]]
    page.evaluate(SHEET_ALONE, False)
    return found


def fits(page) -> bool:
    return page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def kept(page) -> str:
    """All that scripts can keep here, as one text."""
    return page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state])")
