"""What Today says, and how this device wants it said."""

import re
from datetime import datetime, timedelta, timezone

from playwright.sync_api import expect


def ago(minutes: float) -> str:
    return (datetime.now(timezone.utc) - timedelta(minutes=minutes)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def test_the_clock_is_the_regions_until_this_device_is_told(phone, household):
    """English words and a day of 24 hours: a German browser has no AM and PM."""
    parent = household()
    parent.ok("POST", f"/children/{parent.child}/feedings", {"type": "bottle", "amount_ml": 112.5, "started_at": ago(5)}, 201)
    one = phone(parent, locale="de-DE")
    row = one.page.locator(".last .feeding")
    expect(row).to_contain_text(re.compile(r"112,5\sml.* · \d\d:\d\d$"))
    one.go("account")
    one.choose("12 h")
    one.go("today")
    expect(row).to_contain_text(re.compile(r" · \d?\d:\d\d\s[ap]m$", re.IGNORECASE))
    one.page.reload()
    expect(row).to_contain_text(re.compile(r" · \d?\d:\d\d\s[ap]m$", re.IGNORECASE))
    one.tap("Bottle")
    expect(one.page.get_by_label("Amount")).to_have_value("112,5")
    one.page.get_by_role("dialog").get_by_role("button", name="More").click()
    expect(one.page.get_by_label("Amount")).to_have_value("122,5")
