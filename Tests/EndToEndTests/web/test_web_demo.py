"""Today of the demo's family. Its pictures are the README's: deploy/docs/today-*.png are copies of
.artifacts/readme-today-*.png, which PICTURES=all makes."""

import re

from playwright.sync_api import expect
from test_demo import demo
from webapp import DRESS, LOOKS, picture


def test_the_demos_family_has_a_day_to_look_at(stack, phone, artifacts):
    tour = demo(stack, "--seed", "1")
    email, password = re.search(r"^  (\S+@\S+) +(\S+) .*\(parent, owner\)$", tour, re.M).groups()
    one = phone(reduced_motion="reduce")
    one.open()
    one.tap("Log In")
    one.page.get_by_label("Email").fill(email)
    one.page.get_by_label("Password", exact=True).fill(password)
    one.tap("Log In")
    one.heading("Wren")
    last = one.page.get_by_role("region", name="Last of each")
    for what in ("Fed", "Changed"):
        expect(last.get_by_text(what, exact=True)).to_be_visible()
    expect(one.page.locator("main").get_by_text("Vitamin D").first).to_be_visible()
    expect(one.page.locator(".totals strong").first).not_to_be_empty()
    for look in LOOKS:
        one.page.evaluate(DRESS, look)
        picture(one.page, artifacts / f"readme-today-{look}.png")
    # Today shows the doses of 48 hours, and the demo's last one may be older.
    one.go("timeline")
    expect(one.page.get_by_role("link", name=re.compile("Paracetamol")).first).to_be_visible()
