"""A mail server with STARTTLS and AUTH, which does what a test says, and a deploy/run that sends its mails to it."""

import asyncio
import contextlib
import email
import email.policy
import os
import pathlib
import re
import shutil
import signal
import ssl
import subprocess
import tempfile
import threading
import time
from email.message import EmailMessage

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult

from second_edge import free_ports
from stack import Stack

PROJECT = pathlib.Path(__file__).parents[2]
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


def until(condition, seconds: float = 25) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come"
        time.sleep(0.02)


def text(message: EmailMessage, kind: str = "plain") -> str:
    return message.get_body((kind,)).get_content()


def token(message: EmailMessage, page: str) -> str:
    (found,) = set(re.findall(rf"/{page}/([A-Za-z0-9_-]+)", text(message)))
    return found


def certificate(directory: pathlib.Path) -> ssl.SSLContext:
    """For localhost, signed by itself: mail.pem is who is to be trusted."""
    key, chain = directory / "mail.key", directory / "mail.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-keyout", key, "-out", chain, "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"],
        check=True, capture_output=True, timeout=30,
    )
    chain.chmod(0o644)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain, key)
    return context


class MailStack(Stack):
    mail: MailServer

    def sql(self, statement: str) -> str:
        found = subprocess.run(
            [f"{self.values['POSTGRESQL']}/psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-d", self.values["DATABASE_URL"]],
            input=statement, capture_output=True, text=True, check=True, timeout=60,
        )
        return found.stdout.strip()

    def make_due(self) -> None:
        """As if the time had passed, and has a worker look: a wish that comes to nothing wakes it."""
        self.sql("update mails set due_at = now()")
        with self.client() as client:
            assert client.post("/api/v1/auth/forgot-password", json={"email": "nobody@example.com"}).status_code == 202


@contextlib.contextmanager
def mail_stack(executable: pathlib.Path, **settings: str):
    place = pathlib.Path(tempfile.mkdtemp(prefix="baby-basics-mail."))
    place.chmod(0o755)
    context = certificate(place)
    http, https = free_ports()
    port, _ = free_ports()
    mail = MailServer(port, context)
    mail.start()
    environment = {name: value for name, value in os.environ.items() if name not in ("BASE_URL", "METRICS_PORT")} | {
        "STATE_DIR": str(place), "HTTP_PORT": str(http), "HTTPS_PORT": str(https), "WORKERS": "2",
        "EXECUTABLE": str(executable), "SMTP_URL": f"smtp://{USER}:{URL_PASSWORD}@localhost:{port}",
        "SMTP_CA": str(place / "mail.pem"), "MAIL_FROM": "Baby Basics <baby@example.com>",
        "SUPPORT": "Write to mum@example.com", **settings,
    }
    with open(place / "run.log", "wb") as log:
        run = subprocess.Popen([PROJECT / "deploy/run"], env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        until(lambda: (place / "env").exists() or run.poll() is not None, 120)
        assert run.poll() is None, (place / "run.log").read_text()
        assert "mail will wait" not in (place / "run.log").read_text()
        stack = MailStack(str(place))
        stack.mail = mail
        yield stack
    finally:
        run.send_signal(signal.SIGTERM)
        run.wait(90)
        mail.stop()
        shutil.rmtree((place / "place").resolve(), ignore_errors=True)
        shutil.rmtree(place, ignore_errors=True)
