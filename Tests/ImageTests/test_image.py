"""What deploy/docs/container.md promises, on a container without a network: `deploy/image test`."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import uuid

from container import RIGHTS, STRANGER, Container, Image, wait

PROJECT = pathlib.Path(__file__).parent.parent.parent
# A migration such as a release brings.
MIGRATION = "alter table children add column of_the_next_release text;\n"
PEOPLE = {"postgres": 901, "babybasics": 902, "www-data": 33}

PLACE = pathlib.Path(tempfile.mkdtemp(prefix="babybasics-image."))
PLACE.chmod(0o755)
containers: list[Container] = []


def figure(text: str) -> None:
    print(f"figure: {text}", file=sys.stderr)


def make(version: str, **environment: str) -> pathlib.Path:
    began = time.monotonic()
    done = subprocess.run([PROJECT / "deploy/image", PLACE / "images"], stdout=subprocess.PIPE, text=True, check=True,
                          env={**os.environ, "VERSION": version, **environment})
    figure(f"{version} made in {time.monotonic() - began:.1f} s")
    return pathlib.Path(done.stdout.strip())


def volume(name: str) -> pathlib.Path:
    made = PLACE / name
    made.mkdir()
    os.chown(made, 902, 902)  # as a new volume has it from the image
    return made


def setUpModule() -> None:
    global image
    image = Image(make("1.0.0"), PLACE)
    figure(f"image of {image.file.stat().st_size / 1e6:.1f} MB, unpacked "
           f"{int(subprocess.check_output(['du', '-sm', image.bundle / 'rootfs']).split()[0])} MiB")


def tearDownModule() -> None:
    for container in containers:
        container.stop(signal.SIGKILL)
    if not os.environ.get("KEEP"):
        shutil.rmtree(PLACE)


def proportional(pid: int) -> int:
    """KiB of memory, with its share of what several use."""
    try:
        return int(re.search(r"^Pss: +(\d+)", pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text(), re.M)[1])
    except FileNotFoundError:  # it was a passing one
        return 0


def start(of: Image, on: pathlib.Path, *command: str, **options) -> Container:
    container = Container(of, on, *command, **options)
    containers.append(container)
    return container


class Family:
    """Somebody with a child, by way of the proxy."""

    def __init__(self, container: Container) -> None:
        self.container = container
        self.email = f"{uuid.uuid4()}@example.com"
        self.token = self.ok("POST", "/auth/register", {"name": "Ada", "email": self.email, "password": "correct horse battery"}, 201)["session"]["token"]
        self.id = self.ok("POST", "/families", {"name": "Bretz"}, 201)["family"]["id"]
        self.child = self.ok("POST", f"/families/{self.id}/children", {"name": "Baby", "date_of_birth": "2026-03-15"}, 201)["child"]["id"]

    def ok(self, method: str, path: str, body=None, expected: int = 200):
        status, answer = self.container.ask(method, f"/api/v1{path}", body, getattr(self, "token", ""))
        assert status == expected, (status, answer)
        return answer

    def feed(self) -> str:
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        return self.ok("POST", f"/children/{self.child}/feedings", {"type": "bottle", "amount_ml": 120, "started_at": now}, 201)["feeding"]["id"]

    def feeds(self) -> list[str]:
        return [entry["event"]["id"] for entry in self.ok("GET", f"/children/{self.child}/timeline")["events"]]


class ImageTests(unittest.TestCase):
    """In order: each goes on with the volume that the one before it left."""

    def test_01_starts_from_nothing_and_serves_whom_the_proxy_vouches_for(self) -> None:
        cls = type(self)
        cls.volume = volume("volume")
        cls.container = start(image, cls.volume)
        figure(f"first answer from an empty volume after {cls.container.answers():.1f} s")
        cls.family = Family(cls.container)
        cls.logged = [cls.family.feed()]
        self.assertEqual(cls.family.feeds(), cls.logged)
        # Nobody else can claim it, and the proxy not without saying so.
        self.assertEqual(cls.container.ask("GET", "/health", source=STRANGER)[0], 403)
        self.assertEqual(cls.container.ask("GET", "/health", proto="http")[0], 403)
        self.assertEqual(cls.container.ask("GET", "/health", proto="")[0], 403)
        self.assertEqual(cls.container.ask("GET", "/", source=STRANGER)[0], 308)
        self.assertIn(b"<!doctype html>", cls.container.ask("GET", "/")[1].lower())
        # The compose file gives what it runs with here.
        page = (PROJECT / "deploy/docs/container.md").read_text()
        rights = re.search(r"cap_add:\n((?: +- \w+\n)+)", page)[1].split()[1::2]
        self.assertEqual([f"CAP_{right}" for right in rights], RIGHTS)
        self.assertEqual(cls.container.run(*image.configuration["Healthcheck"]["Test"][1:]), "")

    def test_02_each_part_has_its_own_account_and_no_secret_of_another(self) -> None:
        processes = self.container.processes()
        users = {name: {user for other, user, _ in processes.values() if other == name} for name, _, _ in processes.values()}
        self.assertEqual({users["postgres"].pop(), users["babybasics"].pop(), users["nginx"].pop()}, set(PEOPLE.values()), processes)
        self.assertEqual([users["postgres"], users["babybasics"], users["nginx"]], [set()] * 3)
        ours = {"tini", "babybasics-cont", "container", "cat", "sleep", "bash"}
        self.assertLessEqual({name for name, users_ in users.items() if 0 in users_}, ours, processes)
        secrets = {file.name: file.read_text() for file in (self.volume / "secrets").iterdir()}
        self.assertEqual({(file.stat().st_mode & 0o777, file.stat().st_uid) for file in (self.volume / "secrets").iterdir()}, {(0o600, 0)})
        for pid, (name, user, arguments) in processes.items():
            for secret in secrets.values():
                self.assertNotIn(secret, arguments)
            if user == PEOPLE["babybasics"]:
                environment = pathlib.Path(f"/proc/{pid}/environ").read_text()
                self.assertNotIn(secrets["superuser-password"], environment)
                self.assertNotIn(secrets["owner-password"], environment)
        # PostgreSQL is reached by its socket alone.
        listening = self.container.run("python3", "-c", "print(open('/proc/net/tcp').read())")
        self.assertNotIn(f":{5432:04X} ", listening)
        memory = sum(proportional(pid) for pid in processes)
        figure(f"memory at rest {memory / 1024:.0f} MiB, {len(processes)} processes")

    def test_03_logs_to_its_output_and_no_token(self) -> None:
        log = wait(lambda: (text := self.container.log.read_text()) and "database system is ready" in text and text, 10, "PostgreSQL's log")
        self.assertRegex(log, r"(?m)^\S+ [0-9a-f]{32} api POST 201 ")  # nginx's
        self.assertRegex(log, r"container: Baby Basics 1\.0\.0 serves https://baby\.example\.com on port 8080 by 2 workers")
        self.assertNotIn(self.family.token, log)

    def test_04_what_dies_comes_back(self) -> None:
        before = self.container.workers()
        self.assertEqual(len(before), 2)
        os.kill(before[0], signal.SIGKILL)
        wait(lambda: len(now := self.container.workers()) == 2 and before[0] not in now, 10, "another worker")
        self.logged.append(self.family.feed())
        for name in ("nginx: master", "supervise", "postgres -D"):
            old = [pid for pid, (_, _, arguments) in self.container.processes().items() if name in arguments]
            os.kill(min(old), signal.SIGKILL)

            def back() -> bool:
                now = [pid for pid, (_, _, arguments) in self.container.processes().items() if name in arguments]
                if not now or min(old) in now:
                    return False
                try:
                    return self.container.ask("GET", "/health")[0] == 200
                except OSError:
                    return False
            began = time.monotonic()
            wait(back, 60, f"{name} again")
            figure(f"{name} killed: answers again after {time.monotonic() - began:.1f} s")
        wait(lambda: self.container.ask("GET", f"/api/v1/children/{self.family.child}/timeline", token=self.family.token)[0] == 200, 30, "rows")
        self.assertCountEqual(self.family.feeds(), self.logged)

    def test_05_stops_cleanly_and_finds_all_again(self) -> None:
        # A client that waits for news is answered before the end.
        since = self.family.ok("GET", f"/families/{self.family.id}/changes?since=0")["next_since"]
        answers: list[int] = []
        waiting = threading.Thread(target=lambda: answers.append(self.container.ask(
            "GET", f"/api/v1/families/{self.family.id}/changes?since={since}&wait=25", token=self.family.token)[0]))
        waiting.start()
        time.sleep(0.5)
        wait(lambda: (self.volume / "backups/base").is_dir() and any((self.volume / "backups/base").glob("*Z/finished")), 60, "the first backup")
        status, seconds = self.container.stop()
        waiting.join()
        figure(f"stopped in {seconds:.1f} s")
        self.assertEqual((status, answers), (0, [200]))
        self.assertLess(seconds, 30)
        self.assertFalse((self.volume / "postgres/postmaster.pid").exists())
        secrets = {file.name: file.read_text() for file in (self.volume / "secrets").iterdir()}
        type(self).container = self.family.container = start(image, self.volume)
        figure(f"first answer from a volume that is there after {self.container.answers():.1f} s")
        self.assertEqual(secrets, {file.name: file.read_text() for file in (self.volume / "secrets").iterdir()})
        self.assertCountEqual(self.family.feeds(), self.logged)

    def test_06_killed_outright_it_finds_all_again(self) -> None:
        self.logged.append(self.family.feed())
        self.container.stop(signal.SIGKILL)
        type(self).container = self.family.container = start(image, self.volume)
        self.container.answers()
        self.assertCountEqual(self.family.feeds(), self.logged)

    def test_07_one_container_a_volume(self) -> None:
        second = start(image, self.volume, HTTP_PORT="8090")
        self.assertEqual(second.process.wait(30), 1)
        self.assertIn("another container runs on this volume", second.log.read_text())

    def test_08_says_what_it_is_not_told(self) -> None:
        for told, line in [({"BASE_URL": "baby.example.com"}, "BASE_URL is not https://HOST[:PORT]"),
                           ({"LOG_LEVEL": "loud"}, "LOG_LEVEL must be one of"),
                           ({"WORKERS": "many"}, "WORKERS is not a number: many")]:
            refused = start(image, volume(f"refused-{next(iter(told)).lower()}"), HTTP_PORT="8090", **told)
            self.assertEqual(refused.process.wait(30), 1)
            self.assertIn(line, refused.log.read_text())
        of_another_time = volume("of-another-time")
        (of_another_time / "postgres").mkdir()
        (of_another_time / "postgres/PG_VERSION").write_text("9\n")
        refused = start(image, of_another_time, HTTP_PORT="8090")
        self.assertEqual(refused.process.wait(30), 1)
        self.assertIn("the volume's database is of PostgreSQL 9", refused.log.read_text())

    def test_09_commands_of_the_server(self) -> None:
        self.assertIn(self.family.email, self.container.run("babybasics-container", "run", "user", "list"))
        link = self.container.run("babybasics-container", "run", "user", "reset-link", self.family.email)
        self.assertIn("https://baby.example.com/", link)
        self.assertIn("the archive works", self.container.run("babybasics-container", "backup", "check"))

    def test_10_backed_up_and_restored_into_a_new_volume(self) -> None:
        self.container.run("babybasics-container", "backup")
        self.logged.append(self.family.feed())  # after the backup, and before the last of the log that is archived
        walls = len(list((self.volume / "backups/wal").glob("*.gz")))
        wait(lambda: len(list((self.volume / "backups/wal").glob("*.gz"))) > walls, 90, "the log's next segment")
        new = volume("restored")
        for part in ("backups", "secrets"):
            subprocess.run(["cp", "-r", self.volume / part, new / part], check=True)  # by a tool that forgets whose it was
        restored = start(image, new, "restore")
        self.assertEqual(restored.process.wait(120), 0, restored.log.read_text())
        self.container.stop()
        type(self).volume, type(self).container = new, start(image, new)
        self.family.container = self.container
        self.container.answers()
        self.assertCountEqual(self.family.feeds(), self.logged)
        # The restored database begins an archive of its own.
        wait(lambda: "the archive works" in self.container.run("babybasics-container", "backup", "check", check=False), 60, "a backup")

    def test_11_back_to_before_a_mistake(self) -> None:
        moment = time.strftime("%Y-%m-%d %H:%M:%S+00", time.gmtime(time.time() + 1))
        time.sleep(2)
        self.family.feed()  # the mistake
        self.container.run("babybasics-container", "backup")
        self.container.stop()
        restored = start(image, self.volume, "restore", "--to", moment)
        self.assertEqual(restored.process.wait(120), 0, restored.log.read_text())
        self.assertIn("sessions of that moment were ended", restored.log.read_text())
        self.assertEqual(len(list(self.volume.glob("postgres.before.*"))), 1)
        type(self).container = self.family.container = start(image, self.volume)
        self.container.answers()
        self.family.token = ""
        self.family.token = self.family.ok("POST", "/auth/login", {"email": self.family.email, "password": "correct horse battery"})["session"]["token"]
        self.assertCountEqual(self.family.feeds(), self.logged)

    def test_12_upgraded_and_put_back(self) -> None:
        migrations = PLACE / "migrations"
        shutil.copytree(PROJECT / "sql", migrations)
        last = max(int(file.name[:3]) for file in migrations.glob("[0-9][0-9][0-9]*.sql"))
        (migrations / f"{last + 1:03d}_of_the_next_release.sql").write_text(MIGRATION)
        newer = Image(make("99.0.0", MIGRATIONS=str(migrations)), PLACE)
        self.assertEqual(newer.tag, "99.0.0")
        self.container.stop()
        type(self).container = self.family.container = start(newer, self.volume)
        figure(f"first answer after an upgrade after {self.container.answers():.1f} s")
        self.assertIn("of_the_next_release", self.container.log.read_text())
        self.assertCountEqual(self.family.feeds(), self.logged)
        self.logged.append(self.family.feed())
        self.container.stop()
        type(self).container = self.family.container = start(image, self.volume)
        self.container.answers()
        self.assertCountEqual(self.family.feeds(), self.logged)
        self.container.stop()

    def test_13_as_another_user_without_any_rights(self) -> None:
        alone, disk = volume("alone"), volume("disk")
        container = start(image, alone, user=902, mounts=[(disk, "/backups")], BACKUP_DIRECTORY="/backups", HTTP_PORT="8090")
        container.answers()
        family = Family(container)
        family.feed()
        self.assertEqual({user for _, user, _ in container.processes().values()}, {902})
        container.run("babybasics-container", "healthy")
        wait(lambda: "the archive works" in container.run("babybasics-container", "backup", "check", check=False), 60, "a backup")
        self.assertTrue(any((disk / "base").iterdir()))
        self.assertFalse((alone / "backups").exists())
        self.assertEqual(container.stop()[0], 0)
        # And as root again: what is there becomes the accounts' own.
        container = family.container = start(image, alone)
        container.answers()
        self.assertEqual(len(family.feeds()), 1)
        container.stop()

    def test_14_with_its_own_certificate_on_the_usual_ports(self) -> None:
        keys = PLACE / "keys"
        keys.mkdir(mode=0o700)
        subprocess.run([PROJECT / "deploy/lib/certificate", keys, "baby.example.com"], check=True, capture_output=True)
        container = start(image, volume("tls"), mounts=[(keys, "/tls")], rights=[*RIGHTS, "CAP_NET_BIND_SERVICE"],
                          CERTIFICATE="/tls/server.pem", CERTIFICATE_KEY="/tls/server.key", HTTP_PORT="80", HTTPS_PORT="443", TRUSTED_PROXIES="")

        def fetched() -> str:
            return subprocess.run(["curl", "-sS", "--max-time", "5", "--cacert", keys / "ca.pem", "--resolve", "baby.example.com:443:127.0.0.1",
                                   "-w", "%{http_code}", "-o", "/dev/null", "https://baby.example.com/health"], capture_output=True, text=True).stdout
        wait(lambda: fetched() == "200", 60, "an answer by TLS")
        self.assertEqual(container.ask("GET", "/", proto="")[0], 308)
        self.assertEqual(container.ask("GET", "/health", source=STRANGER)[0], 403)
        masters = [user for _, user, arguments in container.processes().values() if "nginx: worker" in arguments]
        self.assertEqual(set(masters), {33})
        # A new one is read within a minute or two.
        (keys / "names").unlink()
        before = (keys / "server.pem").read_bytes()
        subprocess.run([PROJECT / "deploy/lib/certificate", keys, "baby.example.com"], check=True, capture_output=True)
        self.assertNotEqual(before, (keys / "server.pem").read_bytes())
        wait(lambda: "nginx reads the certificate anew" in container.log.read_text(), 90, "the new certificate")
        wait(lambda: fetched() == "200", 10, "an answer by TLS")
        container.stop()

    def test_15_a_database_elsewhere(self) -> None:
        # The one of a container plays it: its socket is shared.
        there = volume("there")
        sockets = PLACE / "sockets"
        sockets.mkdir()
        first = start(image, there, HTTP_PORT="8090", mounts=[(sockets, "/run")])
        first.answers()
        secret = {name: (there / f"secrets/{name}-password").read_text() for name in ("owner", "server")}
        url = "postgresql://{}:{}@%2Fdatabase:5432/babybasics"
        for owner in ({"DATABASE_OWNER_URL": url.format("babybasics_owner", secret["owner"])}, {}):
            here = volume(f"here-{len(owner)}")
            second = start(image, here, mounts=[(sockets / "babybasics/database", "/database")], DATABASE_URL=url.format("babybasics", secret["server"]), **owner)
            second.answers()
            Family(second).feed()
            self.assertFalse((here / "postgres").exists())
            self.assertNotIn("postgres", {name for name, _, _ in second.processes().values()})
            self.assertEqual(second.stop()[0], 0)
        first.stop()


if __name__ == "__main__":
    unittest.main(verbosity=2, failfast=True)
