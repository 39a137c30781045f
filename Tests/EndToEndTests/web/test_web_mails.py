"""The mails as people see them: on the narrowest phone in the dark, and in a window by day."""

import secrets

import pytest
from people import PASSWORD, Person
from webapp import picture

mail_server = pytest.importorskip("mail_server")

LOOKS = [("dark", 320), ("light", 600)]
# Text against what is behind it, and what a thumb meets.
MEASURES = """() => {
  const channel = (value) => (value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  const parts = (color) => color.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const behind = (element) => {
    const own = parts(getComputedStyle(element).backgroundColor);
    return own.length < 4 || own[3] > 0 ? own : behind(element.parentElement);
  };
  const contrasts = [...document.querySelectorAll("p, a")].map((element) => {
    const [a, b] = [light(parts(getComputedStyle(element).color)), light(behind(element))].sort((x, y) => y - x);
    return (a + 0.05) / (b + 0.05);
  });
  const button = document.querySelector(".button")?.getBoundingClientRect();
  return {
    contrast: Math.min(...contrasts),
    button: button && Math.min(button.width, button.height),
    wide: document.documentElement.scrollWidth - innerWidth,
    small: Math.min(...[...document.querySelectorAll("p, a")].map((element) => parseFloat(getComputedStyle(element).fontSize))),
  };
}"""


@pytest.fixture(scope="module")
def letters(stack):
    """One of each, by name."""
    with mail_server.mail_stack(stack.place / "bin/babybasics") as mailing:
        johnny = Person(mailing, "Johnny")
        found = {"verify": mailing.mail.wait(johnny.email)[0]}

        def post(path: str, body: dict, status: int) -> None:
            with mailing.client() as client:
                assert client.post(f"/api/v1/auth/{path}", json=body).status_code == status

        post("forgot-password", {"email": johnny.email}, 202)
        found["reset"] = mailing.mail.wait(johnny.email, 2)[1]
        token = mail_server.token(found["reset"], "reset")
        post("reset-password", {"token": token, "new_password": PASSWORD}, 204)
        found["password-changed"] = mailing.mail.wait(johnny.email, 3)[2]
        maria = Person(mailing, "Maria")
        mailing.mail.wait(maria.email)
        body = {"current_password": PASSWORD, "new_email": f"{secrets.token_hex(6)}@example.com"}
        assert maria.call("POST", "/auth/change-email", body).status_code == 200
        found["email-changed"] = mailing.mail.wait(maria.email, 2)[1]
        family = maria.create_family("The Very Long-Named Wohlgemuth-Lindqvist Family")
        invitee = f"{secrets.token_hex(6)}@example.com"
        invite = {"role": "caregiver", "invitee_email": invitee, "send": True}
        maria.ok("POST", f"/families/{family}/invites", invite, 201)
        found["invite"] = mailing.mail.wait(invitee)[0]
        operator = f"{secrets.token_hex(6)}@example.com"
        assert mailing.command("send-test-mail", operator).returncode == 0
        found["test"] = mailing.mail.wait(operator)[0]
        yield found


@pytest.mark.parametrize(("look", "width"), LOOKS)
def test_every_mail_can_be_read(letters, chromium, artifacts, look, width):
    context = chromium.new_context(viewport={"width": width, "height": 640}, color_scheme=look, offline=True)
    page = context.new_page()
    for name, message in letters.items():
        page.set_content(mail_server.text(message, "html"))
        picture(page, artifacts / f"mail-{name}-{width}-{look}.png", full_page=True)
        measured = page.evaluate(MEASURES)
        assert measured["wide"] == 0, name
        assert measured["contrast"] >= 4.5 and measured["small"] >= 15, (name, measured)
        assert measured["button"] is None or measured["button"] >= 44, (name, measured)
    context.close()


def test_every_mail_can_be_read_in_a_terminal(letters):
    for name, message in letters.items():
        text = mail_server.text(message)
        assert "<" not in text and "\t" not in text, name
        # A link is on a line of its own; programs break other lines by themselves, where a long word does not forbid it.
        for line in text.splitlines():
            assert line.startswith("https://") or max(map(len, line.split(" "))) <= 60, (name, line)
