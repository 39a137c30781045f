"""The app as a real server serves it, in a browser in which somebody is signed in."""

import contextlib

SAME_ORIGIN = {"Sec-Fetch-Site": "same-origin"}


@contextlib.contextmanager
def signed_in(browser, person, route: str, look: str | None = None, **options):
    """At a screen of the app; whatever it complains of fails the test."""
    stack = person.stack
    credentials = {"email": person.email, "password": person.password, "session": "cookie"}
    with stack.client() as client:
        answer = client.post("/api/v1/auth/login", json=credentials, headers=SAME_ORIGIN)
    name, _, rest = answer.headers["set-cookie"].partition("=")
    context = browser.new_context(
        **{"locale": "en-US", "viewport": {"width": 390, "height": 844}, **options}, reduced_motion="reduce",
        ignore_https_errors=True, service_workers="block",
    )
    context.add_cookies([{
        "name": name, "value": rest.partition(";")[0], "url": stack.base_url, "secure": True, "httpOnly": True,
        "sameSite": "Strict",
    }])  # fmt: skip
    page = context.new_page()
    complaints = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(stack.base_url + "/robots-are-not-here")
    kept = {"account": answer.json()["user"], **({"device": {"look": look}} if look else {})}
    page.evaluate("kept => Object.entries(kept).forEach(([key, value]) => localStorage.setItem(key, JSON.stringify(value)))", kept)
    page.goto(f"{stack.base_url}/#/{route}")
    yield page
    context.close()
    assert complaints == []
