"""The cluster lost and restored from its backups, to the end and to a moment before; damage seen; old backups removed.

Whatever phones have read of the lost cluster, none takes the same numbers of the restored one for it. A base backup is taken under writes. What is restored has every acknowledged write, the same counts and the same audit log.
"""

import datetime
import os
import pathlib
import shlex
import shutil
import signal
import subprocess

from clients import Client, Person, people, settle, sign_in
from service import PROJECT, Service, say, until
from verify import verify
from writers import Writers

SHORT, FULL = 1, 3

TABLES = ("users", "sessions", "families", "family_members", "children", "share_links", "feeds", "events", "audit_logs",
          "tombstones")


class Backups:
    """deploy/backup and deploy/restore with the rights and settings that they have in production."""

    def __init__(self, service: Service):
        self.service = service
        self.tools = service.place / "bin"
        for tool in ("backup", "restore"):
            shutil.copy(PROJECT / "deploy" / tool, self.tools)
        self.directory = service.place / "backups"
        self.directory.mkdir()
        if user := service.values["DATABASE_USER"]:
            shutil.chown(self.directory, user, user)
        self.environment = {
            "PATH": os.environ["PATH"], "BACKUP_DIRECTORY": str(self.directory), "BACKUP_KEEP_DAYS": "14",
            "PGHOST": "127.0.0.1", "PGPORT": str(service.database_port), "PGUSER": "postgres",
            "PGPASSWORD": service.secrets["SUPERUSER_PASSWORD"],
        }

    def start_archiving(self) -> None:
        assert "restart PostgreSQL" in self.run("setup")
        self.service.control("restart", "-m", "fast", "-l", str(self.service.data / "server.log"))

    def run(self, *arguments, tool: str = "backup") -> str:
        return self.service.run(self.tools / tool, *arguments, environment=self.environment)

    def fails(self, *arguments, tool: str = "backup") -> str:
        try:
            said = self.run(*arguments, tool=tool)
        except AssertionError as error:
            return str(error)
        raise AssertionError(f"{tool} {arguments} did not fail: {said}")

    def names(self) -> list[str]:
        return sorted(path.name for path in (self.directory / "base").glob("[0-9]*Z"))

    def age(self, name: str, days: int) -> None:
        then = datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=days)
        (self.directory / "base" / name / "finished").write_text(f"{then:%Y-%m-%dT%H:%M:%SZ}\n")

    def catch_up(self) -> None:
        """Until all that has been written is in the archive."""
        last = self.service.psql("select pg_walfile_name(pg_switch_wal())")
        until(120, f"the archive of {last}", lambda: (self.directory / "wal" / f"{last}.gz").exists())


def contents(service: Service, port: int | None = None) -> dict[str, str]:
    """The number of rows and a digest of all rows of each table."""
    return {table: service.psql(f"select count(*) || ' ' || coalesce(md5(string_agg(t::text, ' ' order by t::text)), '') from {table} t", port)
            for table in TABLES}


def run(rounds: int) -> None:
    with Service(workers=2) as service:
        backups = Backups(service)
        assert "archive_mode is off" in backups.run() and len(backups.names()) == 1
        assert "archive_mode is off" in backups.fails("check")
        backups.start_archiving()
        with Writers(service, threads=4, each=4) as writers:
            for number in range(rounds):
                lose_and_restore(service, backups, writers, number)
                if number < rounds - 1:
                    # A restored cluster has an archive of its own.
                    shutil.rmtree(backups.directory / "base")
                    shutil.rmtree(backups.directory / "wal")
            writers.stop()
            found = verify(writers)
            going_back(service, backups)
            phones_begin_anew(service, backups)
            read_in_by_hand(service)
        damage(backups)
        expiry(service, backups)
        monitoring(service, backups)
        say(f"backup: {rounds} clusters lost and restored, {found}")


def lose_and_restore(service: Service, backups: Backups, writers: Writers, number: int) -> None:
    writers.wait_for(30)
    backups.run()
    writers.wait_for(30)
    with writers.quiet():
        then, moment = contents(service), service.psql("select clock_timestamp()")
    writers.wait_for(30)
    with writers.quiet():
        last = contents(service)
        assert last != then
        backups.catch_up()
        postmaster = int((service.data / "postmaster.pid").read_text().split()[0])
        service.control("stop", "-m", "immediate")
        shutil.rmtree(service.data)
        until(60, "the end of PostgreSQL", lambda: not pathlib.Path(f"/proc/{postmaster}").exists())

        restored, earlier = (directory(service, f"{name}-{number}") for name in ("restored", "earlier"))
        backups.run(earlier, "--to", moment, "--exact", tool="restore")
        said = backups.run(restored, tool="restore")
        assert f"audit_logs {last['audit_logs'].split()[0]}\n" in said, said
        # The one from before is looked at on the same port first, then the other takes the place of what was lost.
        service.start_database(earlier)
        found = contents(service)
        service.control("stop", "-m", "fast", data=earlier)
        assert found == then, different(found, then)
        shutil.rmtree(earlier)
        restored.rename(service.data)
        service.start_database()
        found = contents(service)
        assert found == last, different(found, last)
        client = Client(service)
        until(60, "the service", client.is_healthy)
    writers.wait_for(30)
    with writers.quiet():
        verify(writers)


def directory(service: Service, name: str) -> pathlib.Path:
    """A new one of the database's account."""
    path = service.place / name
    path.mkdir()
    if user := service.values["DATABASE_USER"]:
        shutil.chown(path, user, user)
    return path


def going_back(service: Service, backups: Backups) -> None:
    """To a moment, as operators do it: nobody is signed in who was not asked again, no link works, and apps sync anew."""
    client, one = Client(service), people(service, 1)[0]
    settle(client, one)
    shutil.rmtree(backups.directory / "base")
    shutil.rmtree(backups.directory / "wal")
    backups.run()

    def changes(since: int) -> tuple[int | None, dict]:
        return client.request("GET", f"/api/v1/families/{one.family}/changes?limit=200&since={since}", token=one.token)

    known = changes(0)[1]["next_since"]
    assert changes(known)[0] == 200
    status, invite = client.request("POST", f"/api/v1/families/{one.family}/invites", {"role": "caregiver"}, one.token)
    assert status == 201
    link = {"token": invite["invite"]["join_url"].rpartition("/")[2]}
    assert client.request("POST", "/api/v1/invites/preview", link)[0] == 200
    sessions, moment = int(service.psql("select count(*) from sessions")), service.psql("select clock_timestamp()")
    service.psql(f"delete from children where id = '{one.child}'")  # the mistake
    backups.catch_up()
    service.control("stop", "-m", "immediate")
    shutil.rmtree(service.data)
    # On a terminal it asks, and takes no for an answer.
    place = directory(service, "asked")
    restore = shlex.join([str(backups.tools / "restore"), str(place), "--to", moment])
    terminal = service.as_database_user("script", "-qec", restore, "/dev/null")
    said = subprocess.run(terminal, cwd="/", env=backups.environment, input="n\n", capture_output=True, text=True, timeout=180).stdout
    assert "[Y/n]" in said and "is ready" in said and "sessions of that moment" not in said, said
    shutil.rmtree(place)
    place = directory(service, "went-back")
    said = backups.run(place, "--to", moment, tool="restore")
    assert f"{sessions} sessions of that moment were ended" in said and "1 open invites of that moment were revoked" in said, said
    assert "passwords changed and members removed" in said, said
    place.rename(service.data)
    service.start_database()
    until(60, "the service", client.is_healthy)

    assert client.request("GET", "/api/v1/users/me", token=one.token)[0] == 401
    assert client.request("POST", "/api/v1/invites/preview", link)[0] == 404
    restored = "select count(*) from audit_logs where changes = '{\"restored\": true}' and action = 'delete' and entity_type = "
    assert service.psql(f"{restored}'session'") == str(sessions) and service.psql(f"{restored}'share_link'") == "1"
    sign_in(service, one)
    write(client, one, 7)
    assert changes(known)[0] == changes(known + 5)[0] == 410
    status, answer = changes(0)
    while answer["has_more"]:
        status, answer = changes(answer["next_since"])
    assert status == 200 and changes(answer["next_since"])[0] == 200
    assert client.request("GET", f"/api/v1/children/{one.child}", token=one.token)[0] == 200
    client.close()


def write(client: Client, one: Person, count: int) -> None:
    for _ in range(count):
        status, _ = client.request("POST", f"/api/v1/children/{one.child}/notes", {"content": "written"}, one.token)
        assert status == 201, status


def feed(client: Client, one: Person, since: int) -> tuple[int | None, dict]:
    return client.request("GET", f"/api/v1/families/{one.family}/changes?limit=1000&since={since}", token=one.token)


def phones_begin_anew(service: Service, backups: Backups) -> None:
    """A phone that has read what the archive does not have, a restore, and new writes: it must not go on where it was."""
    client, one = Client(service), people(service, 1)[0]
    settle(client, one)
    shutil.rmtree(backups.directory / "base")
    shutil.rmtree(backups.directory / "wal")
    backups.run()
    moment = service.psql("select clock_timestamp()")
    write(client, one, 1)
    backups.catch_up()
    write(client, one, 5)
    known = feed(client, one, 0)[1]["next_since"]
    assert feed(client, one, known)[0] == 200
    service.control("stop", "-m", "immediate")
    shutil.rmtree(service.data)
    exact, plain = directory(service, "exact"), directory(service, "plain")
    for place, mode in ((exact, ("--to", moment, "--exact")), (plain, ())):
        said = backups.run(place, *mode, tool="restore")
        assert "apps are told to sync anew" in said, said
    for place, kept in ((exact, 3), (plain, 4)):
        place.rename(service.data)
        service.start_database()
        until(60, "the service", client.is_healthy)
        assert len(feed(client, one, 0)[1]["changes"]) == kept
        write(client, one, 7)
        assert feed(client, one, known)[0] == 410, place
        end = feed(client, one, 0)[1]["next_since"]
        assert feed(client, one, end)[0] == 200 and end != known
        if place == exact:
            service.control("stop", "-m", "immediate")
            shutil.rmtree(service.data)
    client.close()


def read_in_by_hand(service: Service) -> None:
    """A dump read in under the workers, into a new database and then into the same one: they notice it, and once."""
    client, one = Client(service), people(service, 1)[0]
    settle(client, one)
    connection = {"PATH": os.environ["PATH"], "PGHOST": "127.0.0.1", "PGPORT": str(service.database_port), "PGUSER": "postgres",
                  "PGPASSWORD": service.secrets["SUPERUSER_PASSWORD"]}
    dump = directory(service, "dump") / "all"

    def generation() -> str:
        return service.psql("select generation from installation", check=False)

    service.run("pg_dump", "-Fc", "-f", dump, "babybasics", environment=connection)
    dumped = generation()
    for mode in (["--create", "-d", "postgres"], ["--clean", "-d", "babybasics"]):
        write(client, one, 5)
        known, before = feed(client, one, 0)[1]["next_since"], generation()
        if "--create" in mode:
            service.psql("drop database babybasics with (force)", database="postgres")
        service.run("pg_restore", *mode, dump, environment=connection)
        until(60, "the service", client.is_healthy)
        until(60, "that workers notice", lambda: generation() not in (dumped, before, ""))
        noticed = generation()
        write(client, one, 15)
        assert feed(client, one, known)[0] == 410
        for pid in service.workers():
            os.kill(pid, signal.SIGKILL)
        until(60, "new workers", client.is_healthy)
        end = feed(client, one, 0)[1]["next_since"]
        write(client, one, 1)
        assert feed(client, one, end)[0] == 200 and generation() == noticed
    client.close()


def different(found: dict[str, str], expected: dict[str, str]) -> str:
    return str({table: (found[table], expected[table]) for table in TABLES if found[table] != expected[table]})


def damage(backups: Backups) -> None:
    """One byte of a backup that is not as it was: it is said, and not restored."""
    name = backups.names()[-1]
    backups.run("verify")
    victim = max((backups.directory / "base" / name / "data/base").rglob("*"), key=lambda path: path.stat().st_size)
    content = bytearray(victim.read_bytes())
    content[len(content) // 2] ^= 1
    victim.write_bytes(content)
    backups.fails("verify")
    assert "damaged" in backups.fails(backups.directory / "never", "--backup", name, tool="restore")
    assert not (backups.directory / "never").exists()
    content[len(content) // 2] ^= 1
    victim.write_bytes(content)


def expiry(service: Service, backups: Backups) -> None:
    """Every moment of the last 14 days can be restored, and nothing older is kept."""
    shutil.rmtree(backups.directory / "base")
    made = []
    for days in (40, 20, 3):
        backups.run()
        made.append(backups.names()[-1])
        backups.age(made[-1], days)
    _, before, recent = made
    (backups.directory / "base/.partial.1").mkdir()
    backups.run()
    kept = backups.names()
    assert kept[:2] == [before, recent] and len(kept) == 3, (made, kept)
    assert not (backups.directory / "base/.partial.1").exists()
    oldest = backups.run("list").splitlines()[0].split()[-1]
    stored = sorted(path.name[:24] for path in (backups.directory / "wal").glob("[0-9A-F]*.gz") if len(path.name) == 27)
    assert stored[0] == oldest, f"WAL from {stored[0]}, the oldest backup needs {oldest}"
    # A backup that fails removes nothing.
    backups.age(recent, 15)
    backups.environment["PGPORT"] = "1"
    backups.fails()
    backups.environment["PGPORT"] = str(service.database_port)
    assert backups.names() == kept
    # Another cluster's segment never takes the place of one of ours.
    other = service.place / "other"
    other.write_text("other")
    other.chmod(0o644)
    assert "other content" in backups.fails("archive", other, oldest)


def monitoring(service: Service, backups: Backups) -> None:
    backups.run("check")
    backups.age(backups.names()[-1], 2)
    assert "older than" in backups.fails("check")
    backups.age(backups.names()[-1], 0)
    service.psql("alter system set archive_command = 'false'; select pg_reload_conf();"
                 "select pg_logical_emit_message(false, 'drill', 'a switch needs something written'); select pg_switch_wal();")
    until(60, "a failure", lambda: service.psql("select failed_count > 0 and last_failed_time > last_archived_time from pg_stat_archiver") == "t")
    assert "archive_command fails" in backups.fails("check")
