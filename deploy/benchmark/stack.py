"""The service under measurement: deploy/run with a state of its own, and the accounts of who uses the processors."""

import collections
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
SETTINGS = {"shared_buffers": f"{max(1, MEMORY // 4 >> 30)}GB", "max_wal_size": "8GB", "min_wal_size": "2GB", "checkpoint_timeout": "30min",
            "random_page_cost": "1.1", "jit": "off", "autovacuum": "off"}


class Stack:
    """nginx, the workers and PostgreSQL, as deploy/run starts them."""

    def __init__(self, state: pathlib.Path, **environment: str):
        self.state, self.environment, self.process = state, environment, None

    def __enter__(self):
        self.state.mkdir(parents=True, exist_ok=True)
        self.start()
        try:
            if self.psql("show shared_buffers") != SETTINGS["shared_buffers"]:
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
        environment = {**os.environ, "WORKERS": "2", "LOG_LEVEL": "info", **self.environment, **dict(ports), "STATE_DIR": str(self.state)}
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
        return url.replace(url.split("@")[0], f"postgresql://postgres:{self.secrets['SUPERUSER_PASSWORD']}") if role == "postgres" else url

    def psql(self, *statements: str, file: pathlib.Path | None = None, **variables) -> str:
        command = [f"{self.values['POSTGRESQL']}/psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-d", self.database()]
        command += [part for name, value in variables.items() for part in ("-v", f"{name}={value}")]
        command += [part for statement in statements for part in ("-c", statement)]
        command += ["-f", str(file)] if file else []
        done = subprocess.run(command, capture_output=True, text=True)
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
        self.psql("drop table if exists bench_users", "truncate users, families, audit_logs, tombstones, user_rates, address_rates, "
                  "login_places, login_failures cascade")
        self.psql(file=PROJECT / "deploy/benchmark/data.sql", users=users, families=families, events=events)
        lines = self.psql("select lpad(i::text, 64, '0') || ' ' || child_id from bench_users order by i").split("\n")
        random.Random(1).shuffle(lines)  # the members of a family must not march in step
        self.users_file.write_text("\n".join(lines) + "\n")
        self.psql(f"comment on schema public is '{wanted}'")
        return time.monotonic() - began

    def reset(self):
        """What every measurement begins with: sessions in steady use, counters that are known, no event of an earlier one."""
        self.psql("update sessions set last_used_at = now() - random() * interval '1 minute', expires_at = now() + interval '30 days'",
                  "insert into user_rates select distinct user_id, now(), 0 from sessions on conflict (user_id) do update set since = now(), requests = 0",
                  "delete from feedings where notes = 'bench'", "delete from address_rates", "delete from login_failures")
        for table in ("sessions", "user_rates", "feedings", "families", "address_rates", "login_failures"):
            self.psql(f"vacuum {'(analyze)' if table in ('sessions', 'user_rates') else ''} {table}")

    def transactions(self) -> int:
        """Of all sessions so far. Those of the workers are ended, as they tell what they did once a second or at their end; the workers make new ones."""
        self.psql("select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = 'babybasics'")
        return int(self.psql("select sum(xact_commit + xact_rollback) from pg_stat_database"))


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
