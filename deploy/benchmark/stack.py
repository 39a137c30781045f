"""The service under measurement: deploy/run with a state of its own, and the accounts of who uses the processors."""

import collections
import contextlib
import hashlib
import os
import pathlib
import random
import signal
import socket
import subprocess
import time

PROJECT = pathlib.Path(__file__).resolve().parents[2]
TICK = os.sysconf("SC_CLK_TCK")
# A quarter of the memory for the data, as PostgreSQL's manual has it, and no checkpoint in the middle. What makes commits durable stays as deploy/run has it.
MEMORY = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
SETTINGS = {
    "shared_buffers": f"{max(1, MEMORY // 4 >> 30)}GB",
    "max_wal_size": "8GB",
    "min_wal_size": "2GB",
    "checkpoint_timeout": "30min",
    "random_page_cost": "1.1",
    "jit": "off",
    "autovacuum": "off",
    "track_commit_timestamp": "on",  # `live` asks how old a change is
}


@contextlib.contextmanager
def without_groups():
    """The kernel shares the processor as on a machine that has the package (deploy/systemd/babybasics.sysctl)."""
    setting = pathlib.Path("/proc/sys/kernel/sched_autogroup_enabled")
    before = setting.read_text() if setting.exists() else "0"
    if before.strip() != "0" and os.access(setting, os.W_OK):
        setting.write_text("0")
    try:
        yield
    finally:
        if before.strip() != "0" and os.access(setting, os.W_OK):
            setting.write_text(before)


class Stack:
    """nginx, the workers and PostgreSQL, as deploy/run starts them."""

    def __init__(self, state: pathlib.Path, **environment: str):
        self.state, self.environment, self.process = state, environment, None
        self.sent, self.minute = 0, 0.0

    def __enter__(self):
        self.state.mkdir(parents=True, exist_ok=True)
        self.start()
        try:
            if any(self.psql(f"show {name}") != value for name, value in SETTINGS.items()):
                for name, value in SETTINGS.items():
                    self.psql(f"alter system set {name} = '{value}'")
                self.stop()
                self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self):
        ports = []
        for name in ("HTTP_PORT", "HTTPS_PORT"):
            with socket.create_server(("127.0.0.1", 0)) as probe:
                ports.append((name, str(probe.getsockname()[1])))
        # All of the load comes from one address.
        environment = {
            **os.environ,
            "WORKERS": "2",
            "LOG_LEVEL": "info",
            "CLIENT_RATE": "1000000",
            **self.environment,
            **dict(ports),
            "STATE_DIR": str(self.state),
        }
        environment.pop("BASE_URL", None)
        with open(self.state / "run.log", "wb") as log:
            self.process = subprocess.Popen([PROJECT / "deploy/run"], env=environment, stdin=subprocess.DEVNULL,
                                            stdout=log, stderr=subprocess.STDOUT)
        while not (self.state / "env").exists():
            if self.process.poll() is not None:
                raise SystemExit("deploy/run did not start:\n" + (self.state / "run.log").read_text()[-2000:])
            time.sleep(0.1)
        self.values = read_values(self.state / "env")
        self.secrets = read_values(self.state / "secrets")
        self.url = f"https://127.0.0.1:{self.values['HTTPS_PORT']}"

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(90)

    def database(self, role: str = "postgres") -> str:
        """A URL: of the superuser, or of the role that the server has."""
        url = self.values["DATABASE_URL" if role == "postgres" else "SERVER_DATABASE_URL"]
        return (
            url.replace(url.split("@")[0], f"postgresql://postgres:{self.secrets['SUPERUSER_PASSWORD']}")
            if role == "postgres"
            else url
        )

    def psql(self, *statements: str, file: pathlib.Path | None = None, **variables) -> str:
        scheme, _, place = self.database().partition("://")
        command = [
            f"{self.values['POSTGRESQL']}/psql",
            "-XqAt",
            "-v",
            "ON_ERROR_STOP=1",
            "-U",
            "postgres",
            "-d",
            f"{scheme}://{place.partition('@')[2]}",
        ]
        command += [part for name, value in variables.items() for part in ("-v", f"{name}={value}")]
        command += [part for statement in statements for part in ("-c", statement)]
        command += ["-f", str(file)] if file else []
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            env={**os.environ, "PGPASSWORD": self.secrets["SUPERUSER_PASSWORD"]},
        )
        if done.returncode:
            raise SystemExit(f"psql: {done.stderr.strip()}")
        return done.stdout.strip()

    def workers(self) -> list[int]:
        return [int(pid) for pid in pathlib.Path(self.values["WORKER_PIDS_FILE"]).read_text().split()]

    def roots(self) -> dict[str, list[int]]:
        """The processes that are at the top of each part."""
        first = lambda path: int(pathlib.Path(path).read_text().split()[0])
        return {"nginx": [first(self.values["NGINX_PID_FILE"])], "workers": self.workers(),
                "postgresql": [first(self.values["DATABASE_DIRECTORY"] + "/postmaster.pid")]}

    # --- Data --------------------------------------------------------------------------------------------

    def fill(self, users: int, families: int, events: int) -> float:
        """Makes the database anew unless it is as wanted already. Returns the seconds that took."""
        wanted = f"{users} {families} {events} {hashlib.sha256((PROJECT / 'deploy/benchmark/data.sql').read_bytes()).hexdigest()[:16]}"
        self.users_file = self.state / "users"
        if self.psql("select obj_description('public'::regnamespace)") == wanted:
            return 0.0
        began = time.monotonic()
        tables = self.psql(
            "select string_agg(tablename, ', ') from pg_tables where schemaname = 'public' and tablename not in ('schema_migrations', 'installation', 'bench_users')"
        )
        self.psql("drop table if exists bench_users", f"truncate {tables} cascade")
        self.psql(file=PROJECT / "deploy/benchmark/data.sql", users=users, families=families, events=events)
        lines = self.psql("select lpad(i::text, 64, '0') || ' ' || child_id from bench_users order by i").split("\n")
        random.Random(1).shuffle(lines)  # the members of a family must not march in step
        self.users_file.write_text("\n".join(lines) + "\n")
        self.psql(f"comment on schema public is '{wanted}'")
        return time.monotonic() - began

    def reset(self):
        """What every measurement begins with: sessions in steady use, counters at nothing, no event of an earlier one."""
        counters = self.psql(
            "select tablename from pg_tables where tablename in ('address_rates', 'login_failures')"
        ).split()
        self.psql(
            "update sessions set last_used_at = now() - random() * interval '1 minute', expires_at = now() + interval '30 days'",
            "delete from events where notes like 'bench%'",
            *(f"delete from {table}" for table in counters),
        )
        for table in ("sessions", "feeds", "events", *counters):
            self.psql(f"vacuum (analyze) {table}")

    def families(self, users: int | None = None) -> pathlib.Path:
        """A file for load.lua: users, so many or all, with what their families' revisions are now."""
        path = self.state / "families"
        lines = self.psql(f"""
            with newest as (select family_id, string_agg(revision::text, ' ' order by revision) as revisions from (
                select family_id, revision, row_number() over (partition by family_id order by revision desc) as n from events) e
                where n <= 6 group by family_id)
            select concat_ws(' ', lpad(u.i::text, 64, '0'), u.child_id, u.family_id, f.last_revision, n.revisions)
            from bench_users u join feeds f on f.family_id = u.family_id join newest n on n.family_id = f.family_id
            order by md5(u.i::text) limit {users or "all"}""")
        path.write_text(lines + "\n")
        return path

    # A user may send 100 requests a minute, whoever counts them.

    def wait_for_budget(self):
        users = int(self.psql("select count(*) from bench_users"))
        if self.sent and time.time() // 60 == self.minute and self.sent > 40 * users:
            time.sleep(60.5 - time.time() % 60)

    def spent(self, requests: int):
        minute = time.time() // 60
        self.sent = requests + (self.sent if minute == self.minute else 0)
        self.minute = minute


def read_values(path: pathlib.Path) -> dict[str, str]:
    return dict(line.split("=", 1) for line in path.read_text().splitlines() if line)


def processor_seconds(roots: dict[str, list[int]]) -> collections.Counter:
    """Seconds of processor time so far of each part, with all descendants, ended ones too."""
    processes = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            line = pathlib.Path(f"/proc/{pid}/stat").read_text()
        except OSError:
            continue
        fields = line[line.rindex(")") + 2:].split()
        processes[int(pid)] = (int(fields[1]), sum(map(int, fields[11:15])) / TICK)
    part_of = {pid: part for part, pids in roots.items() for pid in pids}
    use = collections.Counter()
    for pid, (_, seconds) in processes.items():
        up = pid
        while up in processes and up not in part_of:
            up = processes[up][0]
        if up in part_of:
            use[part_of[up]] += seconds
    return use


def machine_seconds() -> float:
    """Seconds of processor time that the machine has spent on anything."""
    values = [int(value) for value in pathlib.Path("/proc/stat").read_text().split("\n")[0].split()[1:]]
    return (values[0] + values[1] + values[2] + values[5] + values[6]) / TICK
