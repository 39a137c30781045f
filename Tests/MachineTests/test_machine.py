"""From `apt install` to purge, on one machine and in this order: each test goes on where the one before it stopped."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

from load import Load, make_families, token
from machine import Machine

PROJECT = pathlib.Path(__file__).resolve().parents[2]
ROLLS = int(os.environ.get("ROLLS", "3"))
WATCHDOG = 20.0  # seconds, as in the unit
WORKERS = ("babybasics@1", "babybasics@2")

place: pathlib.Path
machine: Machine


def setUpModule() -> None:
    global place, machine
    place = pathlib.Path(tempfile.mkdtemp(prefix="baby-basics-machine."))
    machine = Machine(pathlib.Path(os.environ["TREE"]), place / "root")


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
    return machine.run("apt-get", "-y", "--no-install-recommends", "-o", "Dpkg::Options::=--force-confold", *arguments,
                       timeout=400).stdout


class MachineTests(unittest.TestCase):
    def assertUnharmed(self, load: Load) -> None:
        figure(str(load))
        self.assertEqual(load.failures[:10], [])
        self.assertEqual(load.lost, 0)
        self.assertGreater(load.requests, 20 * load.seconds)

    def assertBothWork(self) -> None:
        for worker in WORKERS:
            self.assertEqual(machine.property(worker, "ActiveState"), "active", worker)

    def test_01_installed_on_a_plain_debian_it_serves(self) -> None:
        figure(f"the machine started in {machine.boot():.1f} s")
        began = time.monotonic()
        apt("install", package("0.9.0"))
        figure(f"installed with nginx and PostgreSQL in {time.monotonic() - began:.1f} s")
        machine.wait_for_health(5)
        self.assertBothWork()
        self.assertEqual(machine.text("stat", "-c", "%a %U %G", "/run/babybasics/workers.sock"), "660 babybasics www-data")
        self.assertEqual(machine.text("stat", "-c", "%a %U", "/etc/babybasics/secrets"), "700 root")
        modes = machine.text("sh", "-c", "stat -c '%a %U' /etc/babybasics/secrets/*")
        self.assertEqual(set(modes.splitlines()), {"600 root"})
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
            apt("install", "--reinstall", "/root/babybasics_0.9.0_amd64.deb")
            machine.run("babybasics-configure")
        self.assertUnharmed(load)
        self.assertEqual(state(), before)
        self.assertBothWork()

    def test_03_the_sandbox_is_tight(self) -> None:
        for unit, limit in ((WORKERS[0], 1.5), ("babybasics-purge", 1.5)):
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

    def test_04_restarted_in_turn_nothing_is_lost(self) -> None:
        with Load(machine) as load:
            drains = []
            for _ in range(ROLLS):
                for worker in WORKERS:
                    before, began = machine.main_pid(worker), time.monotonic()
                    machine.run("systemctl", "restart", worker)
                    drains.append(time.monotonic() - began)
                    self.assertNotEqual(machine.main_pid(worker), before)
        figure(f"{len(drains)} restarts, {min(drains):.1f} to {max(drains):.1f} s each")
        self.assertUnharmed(load)
        self.assertLess(max(drains), 25)
        began = time.monotonic()
        machine.run("systemctl", "restart", WORKERS[0])
        figure(f"a restart without load: {time.monotonic() - began:.2f} s")

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

    def test_06_a_killed_worker_is_back_at_once(self) -> None:
        victim = machine.main_pid(WORKERS[1])
        began = time.monotonic()
        machine.signal("KILL", victim)
        while machine.main_pid(WORKERS[1]) in (0, victim) or machine.property(WORKERS[1], "ActiveState") != "active":
            self.assertLess(time.monotonic() - began, 10)
        figure(f"killed, ready again after {time.monotonic() - began:.2f} s")

    def test_07_ready_only_once_the_database_has_answered(self) -> None:
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

    def test_08_cold_start(self) -> None:
        machine.off()
        started = machine.boot()
        figure(f"the machine started in {started:.1f} s and served {machine.wait_for_health(20):.1f} s later")
        self.assertBothWork()

    def test_09_secrets_are_replaced_while_it_serves(self) -> None:
        def reset(admin: str) -> int:
            return machine.request("POST", "/api/v1/auth/reset-password", {"email": "nobody@example.com", "new_password": "a new one 4711"},
                                   X_Admin_Token=admin)[0]

        def invite() -> str:
            families = machine.request("GET", "/api/v1/families", **sign)[1]["families"]
            return machine.request("POST", f"/api/v1/families/{families[0]['id']}/invites", {"role": "caregiver"}, **sign)[1]["invite"]["join_url"]

        sign = {"Authorization": f"Bearer {token(299)}"}
        machine.request("POST", "/api/v1/families", {"name": "Load"}, **sign)
        key, jwt, password = (machine.text("cat", f"/etc/babybasics/secrets/{name}")
                              for name in ("invite-key", "jwt-secret", "database-passfile"))
        link = invite()
        with Load(machine) as load:
            for name in ("invite-key", "jwt-secret", "database-password"):
                machine.run("babybasics-rotate", name)
        self.assertUnharmed(load)
        self.assertEqual(invite(), link, "a link that is open stays the one that is shown")
        new = machine.text("cat", "/etc/babybasics/secrets/jwt-secret").splitlines()
        self.assertEqual(new[1:], [jwt])
        self.assertEqual([reset(new[0]), reset(jwt), reset("x" * 64)], [404, 404, 401])
        self.assertNotIn(password, machine.text("cat", "/etc/babybasics/secrets/database-passfile"))
        self.assertEqual(machine.sql("select string_agg(distinct usename, ',') from pg_stat_activity where usename like 'baby%'"), "babybasics_2")
        self.assertEqual(machine.sql("select rolcanlogin from pg_roles where rolname = 'babybasics_1'"), "f")
        with Load(machine) as load:
            machine.run("babybasics-rotate", "jwt-secret", "--finish")
            machine.run("babybasics-rotate", "invite-key", "--finish")
        self.assertUnharmed(load)
        self.assertEqual([reset(new[0]), reset(jwt)], [404, 401])
        self.assertNotIn(key, machine.text("cat", "/etc/babybasics/secrets/invite-key"))
        self.assertNotEqual(invite(), link, "its key is gone: another one takes its place")

    def test_10_upgraded_under_load(self) -> None:
        migrations = place / "sql"
        shutil.copytree(PROJECT / "sql", migrations)
        number = len(list(migrations.glob("*.sql"))) + 1
        # On the tables that the load writes to.
        (migrations / f"{number:03}_of_the_test.sql").write_text(
            "alter table feedings add column test_mark text;\n"
            "create index of_the_test on feedings (test_mark);\n"
            "alter table families add constraint of_the_test check (name <> 'x') not valid;\n")
        upgrade = package("99.0.0", migrations)
        before = [machine.main_pid(worker) for worker in WORKERS]
        with Load(machine) as load:
            time.sleep(2)
            began = time.monotonic()
            out = apt("install", upgrade)
            figure(f"upgraded in {time.monotonic() - began:.1f} s")
            time.sleep(2)
        self.assertUnharmed(load)
        self.assertIn("applied of_the_test", out)
        self.assertEqual(int(machine.sql("select count(*) from schema_migrations")), number)
        self.assertEqual(machine.text("dpkg-query", "-Wf", "${Version}", "babybasics"), "99.0.0")
        for worker, pid in zip(WORKERS, before):
            self.assertNotEqual(machine.main_pid(worker), pid)
        self.assertBothWork()

    def test_11_the_version_before_is_put_back_under_load(self) -> None:
        with Load(machine) as load:
            out = apt("install", "--allow-downgrades", "/root/babybasics_0.9.0_amd64.deb")
            self.assertIn("the database is newer", out)
            self.assertEqual(machine.text("dpkg-query", "-Wf", "${Version}", "babybasics"), "0.9.0")
            apt("install", "/root/babybasics_99.0.0_amd64.deb")
        self.assertUnharmed(load)
        self.assertBothWork()

    def test_12_timers(self) -> None:
        for unit in ("babybasics-purge", "babybasics-backup"):
            self.assertEqual(machine.property(f"{unit}.timer", "ActiveState"), "active")
            machine.run("systemctl", "start", f"{unit}.service", timeout=180)
            self.assertEqual(machine.property(f"{unit}.service", "Result"), "success")
        self.assertIn("the archive works", machine.text("runuser", "-u", "postgres", "--", "/usr/lib/babybasics/backup", "check"))
        self.assertIn("removed 0 events", machine.text("journalctl", "--no-pager", "-u", "babybasics-purge"))

    def test_13_removed_and_installed_again(self) -> None:
        users = machine.sql("select count(*) from users")
        secret = machine.text("cat", "/etc/babybasics/secrets/jwt-secret")
        apt("remove", "babybasics")
        self.assertEqual(machine.text("systemctl", "list-units", "--no-legend", "babybasics*"), "")
        self.assertNotIn("babybasics", machine.text("sh", "-c", "readlink /proc/[0-9]*/exe", check=False))
        self.assertNotIn("babybasics", machine.property("nginx", "ExecStart"))
        self.assertEqual(machine.property("nginx", "ActiveState"), "active")
        apt("install", "/root/babybasics_99.0.0_amd64.deb")
        machine.wait_for_health(5)
        self.assertBothWork()
        self.assertEqual(machine.text("cat", "/etc/babybasics/secrets/jwt-secret"), secret)
        self.assertEqual(machine.sql("select count(*) from users"), users)

    def test_14_purged(self) -> None:
        users = machine.sql("select count(*) from users")
        apt("purge", "babybasics")
        left = machine.text("sh", "-c", "ls -d /etc/babybasics /var/lib/babybasics /run/babybasics /etc/systemd/system/babybasics* "
                            "/etc/systemd/system/*/babybasics* 2>/dev/null", check=False)
        self.assertEqual(left, "")
        self.assertEqual(machine.sql("select count(*) from users"), users, "the families' data stays")
        apt("install", "/root/babybasics_99.0.0_amd64.deb")
        machine.wait_for_health(5)
        self.assertEqual(machine.sql("select count(*) from users"), users)
