"""From installation to removal, on one machine and in this order: each test goes on where the one before it stopped."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

from load import USERS, Load, make_families, token
from machine import Machine
from post import Post, link
from remote import HERE, OWNER, PASSWORDS, THERE, URL, RemoteDatabase
from schema import SNAPSHOT, Schema, breaks, parse

PROJECT = pathlib.Path(__file__).resolve().parents[2]
RESTARTS = int(os.environ.get("RESTARTS", "6"))
FREEZE = pathlib.Path(__file__).with_name("freeze.py")
WATCHDOG = 20.0  # seconds, as in the unit
WORKERS = ("babybasics@1", "babybasics@2")

place: pathlib.Path
machine: Machine


def setUpModule() -> None:
    global place, machine
    place = pathlib.Path(tempfile.mkdtemp(prefix="baby-basics-machine."))
    machine = Machine(pathlib.Path(os.environ["TREE"]), place / "root")
    # As much of a checkout as deploy/install needs where the executable is built already.
    for part in ("deploy", "sql"):
        shutil.copytree(PROJECT / part, place / "root/root/project" / part)
    shutil.copy(PROJECT / "nginx.conf", place / "root/root/project")


def tearDownModule() -> None:
    machine.off()
    if os.environ.get("KEEP"):
        figure(f"kept: {place}")
    else:
        shutil.rmtree(place, ignore_errors=True)


def figure(text: str) -> None:
    print(f"    {text}", file=sys.stderr, flush=True)


def package(version: str, migrations: pathlib.Path = PROJECT / "sql") -> str:
    """A package on the machine."""
    made = subprocess.run(
        [PROJECT / "deploy/package", place], check=True, capture_output=True, text=True, timeout=120,
        env={**os.environ, "VERSION": version, "MIGRATIONS": str(migrations)})
    return machine.copy(pathlib.Path(made.stdout.strip()))


def apt(*arguments: str) -> str:
    return machine.run("apt-get", "-y", "-o", "Dpkg::Options::=--force-confold", *arguments, timeout=400).stdout


def deploy(tool: str, *arguments: str, **environment: str) -> str:
    """deploy/install or deploy/uninstall, on the machine."""
    return attempt(tool, *arguments, check=True, **environment).stdout


def attempt(tool: str, *arguments: str, check: bool = False, **environment: str) -> subprocess.CompletedProcess:
    settings = [f"{name}={value}" for name, value in environment.items()]
    return machine.run("env", *settings, f"/root/project/deploy/{tool}", *arguments, check=check, timeout=400)


def version() -> str:
    """What is installed; empty: nothing is."""
    state = machine.text("dpkg-query", "-Wf", "${db:Status-Status} ${Version}", "babybasics", check=False)
    return state.removeprefix("installed ") if state.startswith("installed ") else ""


def write(path: str, text: str) -> None:
    """A file on the machine, for root alone if it is new."""
    machine.run("sh", "-c", f"umask 077; mkdir -p {os.path.dirname(path)}; cat >{path}", input=text)


def schema(database: str = "") -> Schema:
    return parse(machine.sql(SNAPSHOT, database))


# On the tables that the load writes to, all that upgrading.md allows.
MIGRATION = """
alter table events add column test_mark text, add column test_stage smallint not null default 7;
create index events_of_the_test on events (test_mark);
alter table families add constraint of_the_test check (name <> 'x') not valid;
create table of_the_test (family uuid primary key references families on delete cascade);
grant select, insert on of_the_test to babybasics;
"""
# And what it does not.
BREAKING = """
drop table login_places;
alter table events rename column content to body;
alter table children add column photo text not null;
alter table families alter column sharing_policy drop default;
alter table share_links alter column nonce set not null;
alter table users alter column timezone type varchar(65);
revoke delete on login_failures from babybasics;
"""
FIRST_RELEASE = 2  # its last migration
OLDER = PROJECT / "Tests/Fixtures"  # the seventeen migrations before these, and data


class MachineTests(unittest.TestCase):
    def assertUnharmed(self, load: Load) -> None:
        figure(str(load))
        self.assertEqual(load.failures[:10], [])
        self.assertEqual(load.lost, 0)
        self.assertGreater(load.requests, load.seconds if load.pause else 20 * load.seconds)

    def assertRefused(self, reason: str, tool: str, *arguments: str) -> None:
        """And changes nothing."""
        before = version()
        result = attempt(tool, *arguments)
        self.assertNotEqual(result.returncode, 0, result.stdout)
        self.assertIn(reason, result.stdout + result.stderr)
        self.assertEqual(version(), before)

    def assertWorked(self, workers: list[int], since: float, what: str) -> None:
        statuses = [status for pid in workers for status in machine.answers(pid, since)]
        figure(f"{len(statuses)} answers by workers {what}")
        self.assertGreater(len(statuses), 0)
        self.assertEqual([status for status in statuses if status >= 500], [])

    def assertBothWork(self) -> None:
        for worker in WORKERS:
            self.assertEqual(machine.property(worker, "ActiveState"), "active", worker)

    def test_01_installed_on_a_plain_debian_it_serves(self) -> None:
        figure(f"the machine started in {machine.boot():.1f} s")
        first = package("0.9.0")
        self.assertRefused("nothing is installed that could be upgraded", "install", "--upgrade", first)
        began = time.monotonic()
        deploy("install", first)
        figure(f"installed with nginx and PostgreSQL in {time.monotonic() - began:.1f} s")
        machine.wait_for_health(5)
        self.assertBothWork()
        self.assertEqual(machine.text("stat", "-c", "%a %U %G", "/run/babybasics/workers.sock"), "660 babybasics www-data")
        # What the workers share, and nobody else sees.
        self.assertEqual(machine.text("stat", "-c", "%a %U", "/run/babybasics/shared"), "700 babybasics")
        shared = machine.text("sh", "-c", "stat -c '%a %U' /run/babybasics/shared/*").splitlines()
        self.assertEqual(set(shared), {"600 babybasics"})
        self.assertEqual(machine.text("stat", "-c", "%a %U", "/etc/babybasics/secrets"), "700 root")
        modes = machine.text("sh", "-c", "stat -c '%a %U' /etc/babybasics/secrets/*")
        self.assertEqual(set(modes.splitlines()), {"600 root"})
        licence = machine.text("cat", "/usr/share/doc/babybasics/copyright")
        for words in ("MIT License", "the Baby Basics authors", "/vendor/LICENSE.preact", "LICENSE.swagger-ui"):
            self.assertIn(words, licence)
        self.assertIn("4096", machine.property("babybasics.socket", "Backlog"))
        environment = machine.text("sh", "-c", f"tr '\\0' '\\n' </proc/{machine.main_pid(WORKERS[0])}/environ")
        secret = machine.text("cat", "/etc/babybasics/secrets/invite-key")
        self.assertNotIn(secret, environment)
        for unit in (*WORKERS, "babybasics.socket", "babybasics.target", "babybasics-purge.timer", "babybasics-backup.timer"):
            self.assertEqual(machine.text("systemctl", "is-enabled", unit), "enabled", unit)

    def test_02_installed_again_nothing_changes(self) -> None:
        def state() -> tuple:
            return (machine.text("sh", "-c", "cat /etc/babybasics/secrets/* | sha256sum"),
                    machine.sql("select count(*) from schema_migrations"))
        make_families(machine)
        before = state()
        with Load(machine) as load:
            # From the checkout: it makes the package first.
            deploy("install", EXECUTABLE="/usr/bin/babybasics", VERSION="0.9.0")
            machine.run("babybasics-configure")
        self.assertUnharmed(load)
        self.assertEqual(state(), before)
        self.assertBothWork()

    def test_03_the_sandbox_is_tight(self) -> None:
        for unit, limit in ((WORKERS[0], 1.5), ("babybasics-purge", 1.5), ("babybasics-backup", 1.5)):
            line = machine.text("systemd-analyze", "security", "--no-pager", f"{unit}.service").splitlines()[-1]
            exposure = float(re.search(r"[0-9]+\.[0-9]+", line)[0])
            figure(f"systemd-analyze security {unit}: {exposure}")
            self.assertLessEqual(exposure, limit)
        # What the figure does not tell: that it was really applied.
        status = machine.text("cat", f"/proc/{machine.main_pid(WORKERS[0])}/status")
        self.assertRegex(status, r"NoNewPrivs:\s1")
        self.assertRegex(status, r"Seccomp:\s2")
        self.assertRegex(status, r"CapBnd:\s0{16}")
        # A word from somewhere that the sandbox got in the way.
        log = machine.text("journalctl", "--no-pager", "-o", "cat", "-u", WORKERS[0])
        self.assertNotRegex(log, r"(?i)not permitted|denied|errno=1\b|failed")

    def test_03_passwords_are_hashed_when_nobody_else_wants_the_processor(self) -> None:
        """The sandbox lets the worker's thread that does it step back behind all others."""
        for _ in range(4):  # both workers get some
            machine.request("POST", "/api/v1/auth/login", {"email": "nobody@example.com", "password": "a guess at it"})
        policies = [os.sched_getscheduler(int(task.name)) for unit in WORKERS
                    for task in pathlib.Path(f"/proc/{machine.host_pid(machine.main_pid(unit))}/task").iterdir()]
        self.assertIn(os.SCHED_IDLE, policies)
        self.assertEqual(set(policies), {os.SCHED_IDLE, os.SCHED_OTHER})
        # The kernel is the host's, and the machine may change nothing of it: what it would change.
        setting = machine.text("cat", "/usr/lib/sysctl.d/50-babybasics.conf").splitlines()[-1]
        self.assertEqual(setting, "-kernel.sched_autogroup_enabled = 0")

    def test_03_bodies_on_their_way_stay_in_memory(self) -> None:
        main = machine.host_pid(machine.main_pid("nginx"))
        mounts = pathlib.Path(f"/proc/{main}/mountinfo").read_text()
        self.assertRegex(mounts, r" /var/lib/nginx/body .* - tmpfs tmpfs .*size=262144k")
        self.assertIn("client_body_temp_path /var/lib/nginx/body;", machine.text("cat", "/var/lib/babybasics/nginx.conf"))

    def test_03_a_certificate_is_got_and_renewed(self) -> None:
        conf, folder = "/etc/babybasics/babybasics.conf", "/etc/letsencrypt/live/localhost"
        # What an authority asks for, where certbot --webroot -w puts it.
        challenge = "/var/lib/babybasics/acme/.well-known/acme-challenge"
        machine.run("sh", "-c", f"mkdir -p {challenge} && echo it is me >{challenge}/some-token_1")
        program = "import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1], timeout=10).read().decode())"
        answer = subprocess.run(machine.beside("python3", "-c", program, "http://127.0.0.1/.well-known/acme-challenge/some-token_1"),
                                check=True, capture_output=True, text=True, timeout=30).stdout
        self.assertEqual(answer.strip(), "it is me")

        def renew() -> str:
            """Another certificate where certbot puts it; returns its fingerprint."""
            machine.run("sh", "-c", f"mkdir -p {folder} && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes "
                        f"-keyout {folder}/privkey.pem -out {folder}/fullchain.pem -subj /CN=localhost 2>/dev/null")
            return machine.text("openssl", "x509", "-in", f"{folder}/fullchain.pem", "-noout", "-fingerprint")

        def served() -> str:
            return machine.text("sh", "-c", "openssl s_client -connect 127.0.0.1:443 </dev/null 2>/dev/null | openssl x509 -noout -fingerprint")

        def becomes(fingerprint: str) -> None:
            began = time.monotonic()
            while served() != fingerprint:
                self.assertLess(time.monotonic() - began, 10)
                time.sleep(0.1)

        trial, first = served(), renew()
        said = machine.run("env", f"RENEWED_LINEAGE={folder}", "babybasics-renewed").stderr
        self.assertIn(f"CERTIFICATE={folder}/fullchain.pem", said)
        machine.run("cp", "-p", conf, f"{conf}.before")
        machine.run("sed", "-i", f"s,^CERTIFICATE=.*,CERTIFICATE={folder}/fullchain.pem,; s,^CERTIFICATE_KEY=.*,CERTIFICATE_KEY={folder}/privkey.pem,", conf)
        machine.run("babybasics-configure")
        becomes(first)
        second = renew()
        self.assertEqual(served(), first)
        machine.run("babybasics-renewed")
        becomes(second)
        machine.run("sh", "-c", f"echo nothing >{folder}/fullchain.pem")
        self.assertNotEqual(machine.run("babybasics-renewed", check=False).returncode, 0)
        self.assertEqual(served(), second)
        machine.run("mv", f"{conf}.before", conf)
        machine.run("babybasics-configure")
        becomes(trial)

    def test_04_restarted_in_turn_under_load_nothing_is_lost(self) -> None:
        self.restart_in_turn(Load(machine))

    def test_04_restarted_in_turn_with_little_to_do_nothing_is_lost(self) -> None:
        self.restart_in_turn(Load(machine, pause=1))

    def restart_in_turn(self, load: Load) -> None:
        drains = []
        with load:
            for number in range(RESTARTS):
                worker = WORKERS[number % len(WORKERS)]
                before, began = machine.main_pid(worker), time.monotonic()
                machine.run("systemctl", "restart", worker)
                drains.append(time.monotonic() - began)
                self.assertNotEqual(machine.main_pid(worker), before)
        figure(f"{len(drains)} restarts, {min(drains):.1f} to {max(drains):.1f} s each")
        self.assertUnharmed(load)
        self.assertLess(max(drains), 25)

    def test_05_a_stopped_worker_is_replaced(self) -> None:
        victim = machine.main_pid(WORKERS[0])
        began = time.monotonic()
        machine.signal("STOP", victim)
        while time.monotonic() - began < 2 * WATCHDOG:
            if machine.main_pid(WORKERS[0]) not in (0, victim) and machine.property(WORKERS[0], "ActiveState") == "active":
                break
            self.assertEqual(machine.request("GET", "/health")[0], 200, "the other worker serves")
            time.sleep(0.2)
        figure(f"replaced after {time.monotonic() - began:.1f} s, with WatchdogSec={WATCHDOG:.0f}")
        self.assertLess(time.monotonic() - began, 2 * WATCHDOG)
        self.assertIn("watchdog", machine.text("journalctl", "--no-pager", "-u", WORKERS[0]).lower())
        self.assertEqual(machine.property(WORKERS[1], "NRestarts"), "0")

    def test_06_a_worker_whose_loop_stands_still_is_replaced(self) -> None:
        """The process lives, and its other threads run."""
        until = time.monotonic() + 30
        while machine.metric(9101, "babybasics_connections"):  # nginx lets go of its kept ones within 5 s
            self.assertLess(time.monotonic(), until)
            time.sleep(0.1)
        victim, restarts = machine.main_pid(WORKERS[0]), int(machine.property(WORKERS[0], "NRestarts"))
        process = machine.host_pid(victim)
        began = time.monotonic()
        frozen = subprocess.Popen([sys.executable, FREEZE, str(process)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        try:
            self.assertEqual(frozen.stdout.readline(), "frozen\n")
            states = [(task / "stat").read_text().rpartition(") ")[2][0] for task in pathlib.Path(f"/proc/{process}/task").iterdir()]
            self.assertEqual(states.count("t"), 1, states)
            self.assertGreater(len(states), 1)
            with Load(machine) as load:
                while machine.main_pid(WORKERS[0]) in (0, victim) or machine.property(WORKERS[0], "ActiveState") != "active":
                    self.assertLess(time.monotonic() - began, 2 * WATCHDOG)
                    time.sleep(0.2)
                figure(f"its loop stood still: replaced after {time.monotonic() - began:.1f} s")
                self.assertEqual(frozen.wait(10), 0)
                replaced = time.time()
                while not machine.answers(machine.main_pid(WORKERS[0]), replaced):  # it has its share of the work again
                    self.assertLess(time.time() - replaced, 30)
        finally:
            frozen.kill()
            frozen.wait()
            frozen.stdout.close()
        self.assertUnharmed(load)
        self.assertIn("Watchdog timeout", machine.text("journalctl", "--no-pager", "-b", "-u", WORKERS[0], f"UNIT={WORKERS[0]}.service"))
        self.assertEqual(int(machine.property(WORKERS[0], "NRestarts")), restarts + 1)
        self.assertEqual(machine.property(WORKERS[1], "NRestarts"), "0")

    def test_07_a_killed_worker_is_back_at_once(self) -> None:
        victim = machine.main_pid(WORKERS[1])
        began = time.monotonic()
        machine.signal("KILL", victim)
        while machine.main_pid(WORKERS[1]) in (0, victim) or machine.property(WORKERS[1], "ActiveState") != "active":
            self.assertLess(time.monotonic() - began, 10)
        figure(f"killed, ready again after {time.monotonic() - began:.2f} s")

    def test_08_ready_only_once_the_database_has_answered(self) -> None:
        machine.run("systemctl", "stop", *WORKERS, "postgresql@15-main")
        machine.run("systemctl", "start", "--no-block", *WORKERS)
        began = time.monotonic()
        while machine.request("GET", "/health")[0] != 503:  # not silence
            self.assertLess(time.monotonic() - began, 30)
        for worker in WORKERS:
            self.assertEqual(machine.property(worker, "ActiveState"), "activating")
            self.assertEqual(machine.property(worker, "StatusText"), "waiting for the database")
        began = time.monotonic()
        machine.run("systemctl", "start", "postgresql@15-main")
        figure(f"served {machine.wait_for_health(10):.1f} s after the database was back")
        while {machine.property(worker, "ActiveState") for worker in WORKERS} != {"active"}:
            self.assertLess(time.monotonic() - began, WATCHDOG, "the heartbeat tells it")
            time.sleep(0.1)

    def test_09_cold_start(self) -> None:
        machine.off()
        started = machine.boot()
        figure(f"the machine started in {started:.1f} s and served {machine.wait_for_health(20):.1f} s later")
        self.assertBothWork()

    def test_10_secrets_are_replaced_while_it_serves(self) -> None:
        def reset(admin: str) -> int:
            return machine.request("POST", "/api/v1/auth/reset-password", {"email": "nobody@example.com", "new_password": "a new one 4711"},
                                   X_Admin_Token=admin)[0]

        def invite() -> str:
            families = machine.request("GET", "/api/v1/families", **sign)[1]["families"]
            return machine.request("POST", f"/api/v1/families/{families[0]['id']}/invites", {"role": "caregiver"}, **sign)[1]["invite"]["join_url"]

        sign = {"Authorization": f"Bearer {token(299)}"}
        machine.request("POST", "/api/v1/families", {"name": "Load"}, **sign)
        key, admin, password = (machine.text("cat", f"/etc/babybasics/secrets/{name}")
                              for name in ("invite-key", "admin-token", "database-passfile"))
        link = invite()
        with Load(machine) as load:
            for name in ("invite-key", "admin-token", "database-password"):
                machine.run("babybasics-rotate", name)
        self.assertUnharmed(load)
        self.assertEqual(invite(), link, "a link that is open stays the one that is shown")
        new = machine.text("cat", "/etc/babybasics/secrets/admin-token").splitlines()
        self.assertEqual(new[1:], [admin])
        self.assertEqual([reset(new[0]), reset(admin), reset("x" * 64)], [404, 404, 401])
        self.assertNotIn(password, machine.text("cat", "/etc/babybasics/secrets/database-passfile"))
        self.assertEqual(machine.sql("select string_agg(distinct usename, ',') from pg_stat_activity where usename like 'baby%'"), "babybasics_2")
        self.assertEqual(machine.sql("select rolcanlogin from pg_roles where rolname = 'babybasics_1'"), "f")
        with Load(machine) as load:
            machine.run("babybasics-rotate", "admin-token", "--finish")
            machine.run("babybasics-rotate", "invite-key", "--finish")
        self.assertUnharmed(load)
        self.assertEqual([reset(new[0]), reset(admin)], [404, 401])
        self.assertNotIn(key, machine.text("cat", "/etc/babybasics/secrets/invite-key"))
        self.assertNotEqual(invite(), link, "its key is gone: another one takes its place")
        # Of a release that called it the JWT secret: it is taken over, and found by both names.
        secrets = "/etc/babybasics/secrets"
        machine.run("mv", f"{secrets}/admin-token", f"{secrets}/jwt-secret")
        machine.run("babybasics-configure")
        self.assertEqual(machine.text("readlink", f"{secrets}/jwt-secret"), "admin-token")
        self.assertEqual(machine.text("cat", f"{secrets}/admin-token"), new[0])

    def test_11_migrations_spare_the_version_before(self) -> None:
        def applied(statements: str) -> Schema:
            machine.sql(f"begin;\n{statements}\ncommit;", "trial")
            return schema("trial")

        machine.sql("create database trial template template0", "postgres")
        now: Schema = {"columns": {}, "functions": {}}
        for file in sorted((PROJECT / "sql").glob("*.sql")):
            before, now = now, applied(file.read_text())
            if int(file.name[:3]) > FIRST_RELEASE:
                self.assertEqual(breaks(before, now), [], file.name)
        self.assertEqual(breaks(now, applied(MIGRATION)), [], "what the test itself upgrades with")
        # That it sees what it is to see.
        before = schema("trial")
        machine.sql(BREAKING, "trial")
        self.assertEqual(breaks(before, schema("trial")), [
            "children.photo is new, not null and without a default", "events.content is gone",
            "families.sharing_policy has no default any more", "login_failures.account: the workers lost delete",
            "login_failures.failed_at: the workers lost delete", "login_failures.failures: the workers lost delete",
            "login_places.account is gone", "login_places.place is gone", "login_places.seen_at is gone",
            "share_links.nonce has no default any more", "share_links.nonce may not be null any more",
            "users.timezone was character varying(64) and is character varying(65)"])
        machine.sql("drop database trial", "postgres")

    def test_11_mail_goes_out_as_operating_md_has_it(self) -> None:
        post = Post(machine)
        self.addCleanup(post.remove)
        mum = post.mailbox("mum")
        settings = "/etc/babybasics/babybasics.conf"
        before = machine.text("cat", settings) + "\n"

        def configured(text: str, url: str) -> str:
            write(settings, text)
            write("/etc/babybasics/secrets/smtp-url", url)
            return machine.run("babybasics-configure").stderr

        def server() -> dict:
            return machine.request("GET", "/api/v1/server")[1]["server"]

        def posted(path: str, body: dict) -> int:
            return machine.request("POST", f"/api/v1/auth/{path}", body)[0]

        self.addCleanup(configured, before, "")
        text = before
        for name, value in (("MAIL_FROM", "Baby Basics <baby@baby.example>"), ("SMTP_ADDRESSES", "192.0.2.25")):
            text = re.sub(f"^{name}=.*$", f"{name}={value}", text, flags=re.M)
        self.assertIn("mail will wait", configured(text, "smtp://localhost:26\n"), "nobody listens there")
        self.assertNotIn("mail will wait", configured(text, "smtp://localhost\n"))
        self.assertTrue(server()["mail"])
        self.assertIn("192.0.2.25", machine.property(WORKERS[0], "IPAddressAllow"))
        said = machine.text("babybasics-run", "send-test-mail", mum)
        self.assertEqual(said, "The mail server took it.")
        (tried,) = post.wait(mum)
        self.assertEqual((tried["Subject"], tried["From"]), ("Baby Basics can send mail", "Baby Basics <baby@baby.example>"))

        # From the sandbox of a worker, too.
        account = {"name": "Mum", "email": mum, "password": "correct horse battery"}
        status, answer = machine.request("POST", "/api/v1/auth/register", account)
        self.assertEqual(status, 201, answer)
        session = {"Authorization": f"Bearer {answer['session']['token']}"}
        url = link(post.wait(mum, 2)[1], "verify")
        base, _, path = url.partition("/verify/")
        self.assertIn(f"BASE_URL={base}\n", before)
        self.assertEqual(machine.request("GET", f"/verify/{path}")[0], 200)
        self.assertEqual(posted("verify-email", {"token": path}), 204)
        self.assertTrue(machine.request("GET", "/api/v1/users/me", **session)[1]["user"]["email_verified"])
        self.assertEqual(posted("forgot-password", {"email": mum}), 202)
        token = link(post.wait(mum, 3)[2], "reset").rpartition("/")[2]
        self.assertEqual(posted("reset-password", {"token": token, "new_password": "quite another password"}), 204)
        post.wait(mum, 4)
        self.assertEqual(machine.sql("select count(*) from mails"), "0")
        logs = machine.text("journalctl", "--no-pager", "-u", "babybasics@*")
        for secret in (mum, path, token):
            self.assertNotIn(secret, logs)

        configured(before, "")
        self.assertFalse(server()["mail"])
        self.assertNotIn("192.0.2.25", machine.property(WORKERS[0], "IPAddressAllow"))
        listed = machine.text("babybasics-run", "user", "list")
        self.assertRegex(listed, rf"(?m)^{re.escape(mum)}\tMum\t.*\tyes\t.*\tactive$")
        made = machine.text("babybasics-run", "user", "reset-link", mum)
        self.assertTrue(made.startswith(f"{base}/reset/"))
        body = {"token": made.rpartition("/")[2], "new_password": "correct horse battery"}
        self.assertEqual(posted("reset-password", body), 204)
        machine.run("babybasics-run", "user", "disable", mum)
        self.assertEqual(posted("login", {"email": mum, "password": "correct horse battery"}), 401)

    def test_12_upgraded_under_load(self) -> None:
        """To a package with a migration more, while workers of the old one go on."""
        migrations = place / "sql"
        shutil.copytree(PROJECT / "sql", migrations)
        number = len(list(migrations.glob("*.sql"))) + 1
        (migrations / f"{number:03}_of_the_test.sql").write_text(MIGRATION)
        upgrade = package("99.0.0", migrations)
        before = [machine.main_pid(worker) for worker in WORKERS]
        # nginx's unit was another in the version before.
        nginx, drop_in = machine.main_pid("nginx"), "/etc/systemd/system/nginx.service.d/babybasics.conf"
        machine.run("sh", "-c", f"sed -i /^LimitNOFILE/d {drop_in} && systemctl daemon-reload")
        with Load(machine) as load:
            time.sleep(2)
            began = time.monotonic()
            result = attempt("install", "--upgrade", upgrade, check=True)
            out = result.stdout + result.stderr
            figure(f"upgraded in {time.monotonic() - began:.1f} s")
            time.sleep(2)
        self.assertUnharmed(load)
        self.assertIn("applied of_the_test", out)
        self.assertIn("systemctl restart nginx", out)
        self.assertEqual(machine.main_pid("nginx"), nginx, "no connection was broken")
        self.assertIn("LimitNOFILE", machine.text("cat", drop_in))
        self.assertEqual(int(machine.sql("select count(*) from schema_migrations")), number)
        self.assertEqual(version(), "99.0.0")
        migrated = float(machine.sql(f"select extract(epoch from applied_at) from schema_migrations where version = {number}"))
        self.assertWorked(before, migrated, "of the old version on the new schema")
        for worker, pid in zip(WORKERS, before):
            self.assertNotEqual(machine.main_pid(worker), pid)
        self.assertBothWork()
        self.assertRefused("is older than what is installed (99.0.0)", "install", "--upgrade", "/root/babybasics_0.9.0_amd64.deb")

    def test_13_the_version_before_is_put_back_under_load(self) -> None:
        with Load(machine) as load:
            began = time.time()
            out = apt("install", "--allow-downgrades", "/root/babybasics_0.9.0_amd64.deb")
            self.assertIn("the database is newer", out)
            self.assertEqual(version(), "0.9.0")
            old = [machine.main_pid(worker) for worker in WORKERS]
            deploy("install", "--upgrade", "/root/babybasics_99.0.0_amd64.deb")
        self.assertUnharmed(load)
        self.assertWorked(old, began, "of the version before, put back, on the new schema")
        self.assertBothWork()

    def test_14_timers(self) -> None:
        for unit in ("babybasics-purge", "babybasics-backup"):
            self.assertEqual(machine.property(f"{unit}.timer", "ActiveState"), "active")
            machine.run("systemctl", "start", f"{unit}.service", timeout=180)
            self.assertEqual(machine.property(f"{unit}.service", "Result"), "success")
        self.assertIn("the archive works", machine.text("runuser", "-u", "postgres", "--", "/usr/lib/babybasics/backup", "check"))
        self.assertIn("removed 0 events", machine.text("journalctl", "--no-pager", "-u", "babybasics-purge"))

    def test_15_removed_and_installed_again(self) -> None:
        users = machine.sql("select count(*) from users")
        secret = machine.text("cat", "/etc/babybasics/secrets/admin-token")
        for _ in range(2):
            deploy("uninstall")
        self.assertEqual(machine.text("systemctl", "list-units", "--no-legend", "babybasics*"), "")
        self.assertNotIn("babybasics", machine.text("sh", "-c", "readlink /proc/[0-9]*/exe", check=False))
        self.assertNotIn("babybasics", machine.property("nginx", "ExecStart"))
        self.assertEqual(machine.property("nginx", "ActiveState"), "active")
        self.assertRefused("nothing is installed that could be upgraded", "install", "--upgrade", "/root/babybasics_99.0.0_amd64.deb")
        apt("install", "/root/babybasics_99.0.0_amd64.deb")
        machine.wait_for_health(5)
        self.assertBothWork()
        self.assertEqual(machine.text("cat", "/etc/babybasics/secrets/admin-token"), secret)
        self.assertEqual(machine.sql("select count(*) from users"), users)

    def test_16_purged(self) -> None:
        users = machine.sql("select count(*) from users")
        backups = machine.text("ls", "/var/backups/babybasics/base")
        self.assertTrue(backups)
        for _ in range(2):
            deploy("uninstall", "--purge")
        self.assertEqual(self.remains(), "")
        self.assertEqual(machine.sql("select count(*) from users"), users, "the families' data stays")
        self.assertEqual(machine.text("ls", "/var/backups/babybasics/base"), backups)
        deploy("install", "/root/babybasics_99.0.0_amd64.deb")
        machine.wait_for_health(5)
        self.assertEqual(machine.sql("select count(*) from users"), users)

    def test_17_removed_with_all_data(self) -> None:
        for _ in range(2):
            deploy("uninstall", "--with-data")
        self.assertEqual(self.remains(), "")
        # At midnight Debian puts backups of dpkg's own there.
        self.assertNotIn("babybasics", machine.text("ls", "/var/backups"))
        self.assertEqual(machine.sql("select datname from pg_database where datname like 'baby%' union all "
                                     "select rolname from pg_roles where rolname like 'baby%'", "postgres"), "")
        self.assertEqual(machine.sql("show archive_mode", "postgres"), "off")

    def remains(self) -> str:
        return machine.text("sh", "-c", "ls -d /etc/babybasics /var/lib/babybasics /run/babybasics /etc/systemd/system/babybasics* "
                            "/etc/systemd/system/*/babybasics* 2>/dev/null", check=False)

    def test_18_upgraded_from_a_table_a_kind_with_a_stop(self) -> None:
        """The workers of before are today's as well, and so without work: what counts is what the tools do."""
        deploy("install", package("0.8.0", OLDER / "sql_017"))
        machine.wait_for_health(5)
        machine.sql("set fill.events = 20000;\n" + (OLDER / "filled_017.sql").read_text())
        before = [machine.main_pid(worker) for worker in WORKERS]
        began = time.monotonic()
        result = attempt("install", "--upgrade", "/root/babybasics_0.9.0_amd64.deb", check=True)
        out = result.stdout + result.stderr
        figure(f"upgraded in {time.monotonic() - began:.1f} s")
        machine.wait_for_health(10)
        self.assertIn("the workers stop until it is done", out)
        self.assertIn("applied from_017", out)
        self.assertBothWork()
        for worker, pid in zip(WORKERS, before):
            self.assertNotEqual(machine.main_pid(worker), pid)
        self.assertEqual(machine.sql("select count(*) from events"), "20000")
        sign = {"Authorization": f"Bearer {'1'.zfill(64)}"}
        child = machine.request("GET", "/api/v1/children", **sign)[1]["children"][0]["id"]
        self.assertEqual(machine.request("GET", f"/api/v1/children/{child}/timeline", **sign)[1]["count"], 50)
        # Whoever puts the version before back is told so, and what works goes on.
        self.assertNotEqual(attempt("install", "/root/babybasics_0.8.0_amd64.deb").returncode, 0)
        self.assertEqual(machine.request("GET", "/health")[0], 200)
        deploy("uninstall", "--with-data")

    def test_19_a_database_on_another_host(self) -> None:
        """The steps of deploy/docs/database.md. This machine's own PostgreSQL does not even run."""
        began = time.time()
        remote = RemoteDatabase(machine)
        self.addCleanup(remote.stop)
        machine.run("systemctl", "disable", "--now", "postgresql", "postgresql@15-main")
        deb = "/root/babybasics_99.0.0_amd64.deb"
        settings = (PROJECT / "deploy/debian/babybasics.conf").read_text()
        for name, value in (("DATABASE", "remote"), ("DATABASE_URL", URL), ("DATABASE_ADDRESSES", THERE)):
            settings = re.sub(rf"^{name}=.*$", f"{name}={value}", settings, flags=re.M)
        write("/etc/babybasics/babybasics.conf", settings)

        def given(user: str) -> None:
            """As whom the workers come."""
            write("/etc/babybasics/secrets/database-passfile", f"{THERE}:5432:babybasics:{user}:{PASSWORDS[user]}\n")
            write("/etc/babybasics/secrets/database.env", f"PGUSER={user}\n")

        def assertStops(reason: str) -> None:
            result = attempt("install", deb)
            self.assertNotEqual(result.returncode, 0)
            self.assertIn(reason, result.stdout + result.stderr)

        def migrate(directory: str) -> None:
            machine.run("env", f"DATABASE_URL={URL}", "PGUSER=babybasics_owner", f"PGPASSWORD={OWNER}",
                        "babybasics", "migrate", "--directory", directory)

        assertStops("DATABASE=remote needs /etc/babybasics/secrets/database-passfile")
        given("app_1")
        assertStops('relation "schema_migrations" does not exist')
        # One that a release before these left, whose number is the higher one.
        shutil.copytree(OLDER / "sql_017", place / "root/root/sql_017")
        migrate("/root/sql_017")
        assertStops("is without this release's")
        migrate("/usr/share/babybasics/sql")
        deploy("install", deb)
        machine.wait_for_health(5)
        self.assertBothWork()

        def clients() -> str:
            return remote.sql("select distinct usename, client_addr from pg_stat_activity where usename like 'app%'")

        machine.database = remote.conninfo
        make_families(machine)
        with Load(machine) as load:
            time.sleep(1)
            self.assertEqual(clients(), f"app_1|{HERE}")
        self.assertUnharmed(load)
        # A new password, by a second role.
        self.assertIn("the roles are made elsewhere", machine.run("babybasics-rotate", "database-password", check=False).stderr)
        remote.sql(f"create role app_2 login password '{PASSWORDS['app_2']}' in role babybasics")
        given("app_2")
        machine.run("babybasics-roll")
        remote.sql("alter role app_1 nologin")
        self.assertEqual(machine.request("GET", "/health")[0], 200)
        self.assertEqual(clients(), f"app_2|{HERE}")
        # Any host may purge; backups are taken where the database is.
        machine.run("systemctl", "start", "babybasics-purge.service")
        self.assertEqual(machine.property("babybasics-purge.service", "Result"), "success")
        self.assertIn("removed 0 events", machine.text("journalctl", "--no-pager", "-n", "20", "-u", "babybasics-purge", f"--since=@{began:.0f}"))
        for unit in (WORKERS[0], "babybasics-purge.service"):
            self.assertIn(THERE, machine.property(unit, "IPAddressAllow"))
        machine.run("systemctl", "start", "babybasics-backup.service")
        self.assertEqual(machine.property("babybasics-backup.service", "Result"), "exec-condition")
        self.assertEqual(machine.text("ls", "/var/backups/babybasics"), "")
        # An upgrade does not restart workers before somebody has migrated.
        write("/usr/share/babybasics/sql/999_to_come.sql", "select 1;")
        self.assertIn("migrate it first", machine.run("babybasics-configure", check=False).stderr)
        deploy("uninstall", "--with-data")
        self.assertEqual(self.remains(), "")
        self.assertEqual(remote.sql("select count(*) from users"), str(USERS), "it is not this machine's")
