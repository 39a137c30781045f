"""What tests of the web app know of it, whichever browser they drive."""

import os
import pathlib

from axe_playwright_python.sync_playwright import Axe

WIDTHS = {320: 640, 390: 844, 1280: 900}
LOOKS = ("light", "dark", "night")
SCREENS = (
    "today", "timeline", "cards", "deleted", "family", "invite", "account", "told", "devices", "changes", "new-family", "child", "forgot", "waiting",
    "trends", "growth", "sheet", "doctor", "month", "nursery", "import", "export",
)  # fmt: skip

# As if it had been chosen in the account's settings.
DRESS = "look => { document.documentElement.dataset.look = look; localStorage.setItem('device', JSON.stringify({ look })); }"

# All of one store of the account's database.
KEPT = """async (store) => {
    const { id } = JSON.parse(localStorage.getItem('account'));
    const open = indexedDB.open(`baby-basics-${id}`);
    const database = await new Promise((resolve) => { open.onsuccess = () => resolve(open.result); });
    const all = database.transaction(store).objectStore(store).getAll();
    const found = await new Promise((resolve) => { all.onsuccess = () => resolve(all.result); });
    database.close();
    return found;
}"""

# Pictures are for people's eyes, and take a fifth of the tests' time: PICTURES=all makes them.
IS_PICTURED = os.environ.get("PICTURES") == "all"


def picture(page, path: pathlib.Path, **options) -> None:
    """Of a page that Playwright drives."""
    if IS_PICTURED:
        page.screenshot(path=path, **options)


def axe(page) -> dict:
    """What axe-core says of a page that Playwright drives, when what comes in has come: a sheet that is half there has half its contrast."""
    page.evaluate("() => Promise.all(document.getAnimations().map((one) => one.finished.catch(() => {})))")
    response = Axe().run(page).response
    assert len(response["passes"]) > 10  # it did look
    return response


def launch(playwright, *arguments: str, program: str = "chromium-headless-shell"):
    """Debian's browser. Without windows it does half the work, and has all but notifications."""
    if os.geteuid() == 0:
        arguments += ("--no-sandbox",)  # root has none; the pages are our own
    return playwright.chromium.launch(executable_path=f"/usr/bin/{program}", args=list(arguments))
