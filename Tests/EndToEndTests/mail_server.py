"""A mail server with STARTTLS and AUTH, which does what a test says, and a deploy/run that sends its mails to it."""

import asyncio
import contextlib
import email
import email.policy
import pathlib
import re
import ssl
import threading
from email.message import EmailMessage

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult

from own_stack import OwnStack, certificate, own_place, own_stack, until
from second_edge import free_ports

USER, PASSWORD = "baby", "p@ss/word"
URL_PASSWORD = "p%40ss%2Fword"


class _SMTP(SMTP):
    """Of which a test can say what becomes of DATA."""

    async def smtp_DATA(self, argument):
        match self.event_handler.fault:
            case "close":
                await self.push("354 go on")
                self.transport.abort()
            case "hang":
                await self.push("354 go on")
                await asyncio.sleep(3600)
            case _:
                await super().smtp_DATA(argument)


class MailServer(Controller):
    def __init__(self, port: int, context: ssl.SSLContext):
        self.port_number = port
        self.fault: str | None = None  # an answer to the last dot, `close`, `hang`; None: it takes everything
        self.taken: list[tuple[str, EmailMessage]] = []
        self.tried: list[str] = []  # recipients
        self.recipients_wait = threading.Event()  # not set: who names a recipient waits for the answer
        self.recipients_wait.set()
        super().__init__(
            self, hostname="127.0.0.1", port=port, tls_context=context, require_starttls=True, auth_required=True,
            authenticator=self.authenticate,
        )

    def factory(self):
        return _SMTP(self.handler, **self.SMTP_kwargs)

    @staticmethod
    def authenticate(server, session, envelope, mechanism, data) -> AuthResult:
        return AuthResult(handled=False, success=(data.login, data.password) == (USER.encode(), PASSWORD.encode()))

    async def handle_RCPT(self, server, session, envelope, address, options):
        self.tried.append(address)
        while not self.recipients_wait.is_set():
            await asyncio.sleep(0.02)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        assert len(envelope.rcpt_tos) == 1 and envelope.mail_from == "baby@example.com"
        if self.fault:
            return self.fault
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        self.taken.append((envelope.rcpt_tos[0], message))
        return "250 OK"

    def to(self, address: str) -> list[EmailMessage]:
        return [message for recipient, message in self.taken if recipient == address]

    def wait(self, address: str, count: int = 1, seconds: float = 25) -> list[EmailMessage]:
        until(lambda: len(self.to(address)) >= count, seconds)
        return self.to(address)


def text(message: EmailMessage, kind: str = "plain") -> str:
    return message.get_body((kind,)).get_content()


def token(message: EmailMessage, page: str) -> str:
    (found,) = set(re.findall(rf"/{page}/([A-Za-z0-9_-]+)", text(message)))
    return found


class MailStack(OwnStack):
    mail: MailServer

    def make_due(self) -> None:
        """As if the time had passed, and has a worker look: a wish that comes to nothing wakes it."""
        self.sql("update mails set due_at = now()")
        with self.client() as client:
            assert client.post("/api/v1/auth/forgot-password", json={"email": "nobody@example.com"}).status_code == 202


@contextlib.contextmanager
def mail_stack(executable: pathlib.Path, **settings: str):
    with own_place("mail") as place:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*certificate(place, "mail", "DNS:localhost"))
        port, _ = free_ports()
        mail = MailServer(port, context)
        mail.start()
        sending = {
            "SMTP_URL": f"smtp://{USER}:{URL_PASSWORD}@localhost:{port}", "SMTP_CA": str(place / "mail.pem"),
            "MAIL_FROM": "Baby Basics <baby@example.com>", "SUPPORT": "Write to mum@example.com",
        }
        try:
            with own_stack(MailStack, place, executable, **sending, **settings) as stack:
                assert "mail will wait" not in (place / "run.log").read_text()
                stack.mail = mail
                yield stack
        finally:
            mail.stop()
