#!/usr/bin/python3
"""Citus for a drill: built from its source, and PostgreSQLs beside a service's own, over which its families are spread.

`citus_nodes.py STATE_DIR DATABASE_PORT` spreads those of a deploy/run that is up, until its input ends.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from pair import Node
from restarts import Restarts
from service import PROJECT, Service, free_ports, say

# 13.1 and 13.2 do not build against 15.20: `have_createdb_privilege` is declared by both.
VERSION = "v13.0.5"
PACKAGES = "wrk postgresql-15"
BUILDING = (
    "gcc make flex git postgresql-server-dev-15 libkrb5-dev liblz4-dev libzstd-dev libpam0g-dev libxslt1-dev libcurl4-openssl-dev"
    " libssl-dev libselinux1-dev libreadline-dev zlib1g-dev"
)
LIBRARY = pathlib.Path("/usr/lib/postgresql/15/lib/citus.so")
SETTINGS = {
    "shared_preload_libraries": "citus", "wal_level": "logical", "max_prepared_transactions": "200", "max_connections": "200",
    "max_worker_processes": "32", "jit": "off",
}
# No certificates are needed between these.
LOOPBACK = {"citus.node_conninfo": "sslmode=disable"}


def install(source: str) -> None:
    """Unless Citus is there, builds it and puts it where Debian's PostgreSQL 15 looks for extensions, where it stays.

    `source` is an unpacked release, or a git directory that has VERSION.
    """
    if LIBRARY.exists():
        return need(PACKAGES)
    assert source, f"{LIBRARY} is not there, so Citus' source is needed: deploy/drill NAME DIRECTORY"
    assert os.geteuid() == 0, "installing Citus takes root"
    need(f"{PACKAGES} {BUILDING}")
    with tempfile.TemporaryDirectory(prefix="baby-basics-drill-citus.") as directory:
        if (pathlib.Path(source) / "objects").exists():
            unpack = f"git --git-dir={source} archive {VERSION} | tar x -C {directory}"
            subprocess.run(["bash", "-o", "pipefail", "-c", unpack], check=True)
        else:
            shutil.copytree(source, directory, dirs_exist_ok=True)
        say(f"building Citus of {source}: a few minutes")
        log = pathlib.Path(directory) / "drill.log"
        configured = "./configure PG_CONFIG=/usr/lib/postgresql/15/bin/pg_config --without-libcurl"
        build = f"{configured} && make -s -j{os.cpu_count()} with_llvm=no && make -s with_llvm=no install"
        with log.open("wb") as output:
            finished = subprocess.run(["bash", "-c", build], cwd=directory, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        assert finished.returncode == 0, log.read_text(errors="replace")[-3000:]


def need(packages: str) -> None:
    subprocess.run(["bash", "-c", f"source {PROJECT}/deploy/lib/packages.sh && need {packages}"], check=True)


class Machine(Node):
    """A PostgreSQL with Citus that has nothing of its own."""

    def __init__(self, service: Service, name: str):
        super().__init__(service, name, service.place / name, free_ports(1)[0])
        self.data.mkdir(mode=0o700)
        password = self.data.with_name(f"{name}.password")
        password.write_text(service.secrets["SUPERUSER_PASSWORD"])
        if user := service.values["DATABASE_USER"]:
            shutil.chown(self.data, user, user)
            shutil.chown(password, user, user)
        service.run("initdb", "-D", self.data, "-U", "postgres", "--pwfile", password, "--auth", "scram-sha-256",
                    "--encoding", "UTF8", "--locale", "C.UTF-8", "--no-sync")
        password.unlink()
        with (self.data / "postgresql.conf").open("a") as settings:
            settings.writelines(f"{name} = '{value}'\n" for name, value in (SETTINGS | LOOPBACK | {"shared_buffers": "64MB"}).items())
        self.start()
        service.psql("create database babybasics template template0", self.port, database="postgres")
        self.sql("create extension citus; create role babybasics login; create role babybasics_owner login")
        self.sql(passwords(service))


ROLES = {"postgres": "SUPERUSER_PASSWORD", "babybasics": "SERVER_PASSWORD", "babybasics_owner": "OWNER_PASSWORD"}


def passwords(service: Service) -> str:
    """What a machine signs in to the others with; elsewhere it is in postgres' .pgpass."""
    rows = ", ".join(f"(0, '{role}', 'password={service.secrets[secret]}')" for role, secret in ROLES.items())
    return f"insert into pg_dist_authinfo (nodeid, rolename, authinfo) values {rows}"


class Machines:
    """Those that a service's families are spread over; its own PostgreSQL is the coordinator."""

    def __init__(self, service: Service, count: int = 2):
        self.service, self.all = service, []
        self.restart(SETTINGS)
        Node(service, "coordinator", service.data, service.database_port).set(**LOOPBACK)
        service.psql("create extension citus")
        service.psql(f"select citus_set_coordinator_host('127.0.0.1', {service.database_port})")
        service.psql(passwords(service))
        try:
            for _ in range(count):
                self.add()
            service.psql((PROJECT / "sql/citus/citus.sql").read_text())
            # What they found when they connected is not so any more.
            Restarts(service).all()
        except BaseException:
            self.stop()
            raise

    def restart(self, settings: dict[str, str]) -> None:
        for name, value in settings.items():
            values = ", ".join(f"'{one}'" for one in value.split(", "))
            self.service.psql(f"alter system set {name} = {values}")
        self.service.control("restart", "-m", "fast", "-l", str(self.service.data / "server.log"))

    def add(self) -> Machine:
        machine = Machine(self.service, f"machine{len(self.all) + 1}")
        self.all.append(machine)
        self.service.psql(f"select citus_add_node('127.0.0.1', {machine.port})")
        return machine

    def shards(self) -> dict[int, int]:
        """How many shards of families each machine has, by its port."""
        rows = self.service.psql(
            "select nodeport, count(*) from citus_shards where table_name = 'events'::regclass group by nodeport").splitlines()
        return {int(port): int(count) for port, count in (row.split("|") for row in rows)}

    def roots(self) -> dict[str, list[int]]:
        """The first process of each, for whoever counts what they take of the processors."""
        places = {"coordinator": self.service.data} | {machine.name: machine.data for machine in self.all}
        return {name: [int((place / "postmaster.pid").read_text().split()[0])] for name, place in places.items()}

    def __enter__(self):
        return self

    def __exit__(self, *_) -> None:
        self.stop()

    def stop(self) -> None:
        for machine in self.all:
            if keep := os.environ.get("DRILL_LOGS"):
                shutil.copy(machine.data / "server.log", f"{keep}/{machine.name}.log")
            if (machine.data / "postmaster.pid").exists():
                machine.kill()
        if keep := os.environ.get("DRILL_LOGS"):
            shutil.copy(self.service.data / "server.log", f"{keep}/coordinator.log")


class Running(Service):
    """One that somebody else has started, and ends."""

    def __init__(self, state: pathlib.Path, port: int):
        def values(name: str) -> dict[str, str]:
            return dict(line.split("=", 1) for line in (state / name).read_text().splitlines() if line)

        self.state, self.database_port, self.values, self.secrets = state, port, values("env"), values("secrets")
        self.place, self.data = pathlib.Path(self.values["STATE_PLACE"]), pathlib.Path(self.values["DATABASE_DIRECTORY"])
        self.binaries = pathlib.Path(self.values["POSTGRESQL"])


if __name__ == "__main__":
    with Machines(Running(pathlib.Path(sys.argv[1]), int(sys.argv[2]))):
        print("spread", flush=True)
        sys.stdin.read()
