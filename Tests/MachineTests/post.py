"""Debian's Postfix on a machine's loopback, and the mailboxes that it fills."""

import contextlib
import email
import email.policy
import mailbox
import re
import time
from email.message import EmailMessage

from machine import Machine

DOMAIN = "baby.example"
SETTINGS = """
postfix postfix/main_mailer_type select Local only
postfix postfix/mailname string baby.example
"""


class Post:
    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        machine.run("debconf-set-selections", input=SETTINGS)
        machine.run("apt-get", "-y", "install", "postfix", timeout=300)
        machine.run("postconf", "-e", f"mydestination = {DOMAIN}, localhost")
        machine.run("systemctl", "restart", "postfix")

    def remove(self) -> None:
        self.machine.run("apt-get", "-y", "purge", "postfix", check=False, timeout=300)

    def mailbox(self, name: str) -> str:
        """For somebody new; answers the address."""
        self.machine.run("useradd", "--create-home", name)
        return f"{name}@{DOMAIN}"

    def wait(self, address: str, count: int = 1, seconds: float = 30) -> list[EmailMessage]:
        end = time.monotonic() + seconds
        while True:
            found = self.to(address)
            if len(found) >= count:
                return found
            assert time.monotonic() < end, f"{len(found)} mails: {self.machine.text('journalctl', '-n', '30', '--no-pager')}"
            time.sleep(0.05)

    def to(self, address: str) -> list[EmailMessage]:
        path = self.machine.root / "var/mail" / address.partition("@")[0]
        if not path.exists():
            return []
        with contextlib.closing(mailbox.mbox(path)) as box:
            return [email.message_from_bytes(bytes(one), policy=email.policy.default) for one in box]


def link(message: EmailMessage, page: str) -> str:
    """The one link to a page, which both forms have."""
    plain, html = (message.get_body((form,)).get_content() for form in ("plain", "html"))
    (url,) = set(re.findall(rf"https://\S+/{page}/[\w-]{{43}}", plain))
    assert f'href="{url}"' in html
    return url
