"""Three database hosts of a drill, each with PostgreSQL, Patroni and etcd, as deploy/docs/high-availability.md makes them."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import urllib.request

from network import NETWORK, Machine, run
from service import PROJECT, Service, until

COUNT = 3
BINARIES = pathlib.Path("/usr/lib/postgresql/15/bin")


class DatabaseHost(Machine):
    def __init__(self, service: Service, number: int, passwords: dict[str, str]):
        super().__init__(f"db{number}", 10 + number, service.state / f"db{number}")
        self.service, self.user = service, service.values["DATABASE_USER"]
        self.binaries = self.directory / "bin"
        self.use(BINARIES)
        addresses = [f"{NETWORK}.{10 + one}" for one in range(1, COUNT + 1)]
        self.settings = passwords | {
            "NAME": self.name, "ADDRESS": self.address,
            "DATABASES": " ".join([*addresses, f"{NETWORK}.1"]),  # the drill itself is the administrator's machine
            "APPLICATIONS": f"{NETWORK}.0/24",
            "ETCD": ",".join(f"{address}:2379" for address in addresses),
            "MEMBERS": ",".join(f"db{one}=http://{address}:2380" for one, address in enumerate(addresses, 1)),
            "ETCD_DATA": str(self.directory / "etcd"), "DATA": str(self.directory / "postgres"),
            "BINARIES": str(self.binaries), "SOCKETS": str(self.directory),
        }
        self.patroni_file = self.fill("patroni.yml")
        lines = self.fill("etcd.env").read_text().splitlines()
        self.etcd = dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
        shutil.chown(self.directory, self.user, self.user)

    def fill(self, name: str) -> pathlib.Path:
        text = subprocess.run(
            [PROJECT / "deploy/lib/fill", PROJECT / "deploy/lib" / name], env=os.environ | self.settings, check=True,
            capture_output=True).stdout
        path = self.directory / name
        path.write_bytes(text)
        path.chmod(0o600)
        shutil.chown(path, self.user, self.user)
        return path

    def use(self, binaries: pathlib.Path) -> None:
        """As apt does: the files are others, what runs goes on with those that it has."""
        new = self.binaries.with_suffix(".new")
        new.symlink_to(binaries)
        new.rename(self.binaries)

    def start_etcd(self) -> None:
        self.start(*self.service.as_database_user("/usr/bin/etcd"), environment={"PATH": os.environ["PATH"]} | self.etcd)

    def start_patroni(self) -> None:
        environment = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
        self.start(*self.service.as_database_user("/usr/bin/patroni", self.patroni_file), environment=environment)

    def power_on(self) -> None:
        self.join()
        self.start_etcd()
        self.start_patroni()

    def control(self, *arguments: str) -> str:
        return run(*self.inside("patronictl", "-c", self.patroni_file, *arguments))

    def ask(self, port: int, path: str) -> dict:
        """What Patroni or etcd says here; nothing if it doesn't."""
        try:
            with urllib.request.urlopen(f"http://{self.address}:{port}{path}", timeout=2) as answer:
                return json.loads(answer.read())
        except (OSError, ValueError):
            return {}

    def leads(self) -> bool:
        return self.ask(8008, "/primary").get("role") in ("master", "primary")

    def sql(self, text: str) -> str:
        return self.service.psql(text, host=self.address, database="postgres", check=False)


class DatabaseHosts:
    def __init__(self, service: Service):
        passwords = {
            f"{name}_PASSWORD": service.secrets["SUPERUSER_PASSWORD"] for name in ("SUPERUSER", "REPLICATION", "REWIND", "PATRONI")}
        self.service = service
        self.all = [DatabaseHost(service, number, passwords) for number in range(1, COUNT + 1)]

    def start(self) -> None:
        for host in self.all:
            host.start_etcd()
        until(60, "etcd", lambda: self.etcd_members() == COUNT)
        for host in self.all:
            host.start_patroni()
            until(120, "a leader", self.leader)
        until(120, "the standbys", self.are_whole)

    def leader(self) -> DatabaseHost | None:
        """Whoever holds etcd's key. Not one that was cut off: it can't be asked."""
        return next((host for host in self.all if host.leads()), None)

    def standby(self, kind: str = "sync") -> DatabaseHost:
        name = self.leader().sql(f"select application_name from pg_stat_replication where sync_state = '{kind}'")
        return next(host for host in self.all if host.name == name)

    def another_leads(self, old: DatabaseHost) -> None:
        until(120, "another leader", lambda: (leader := self.leader()) and leader is not old)

    def etcd_members(self) -> int:
        return sum(host.ask(2379, "/health").get("health") == "true" for host in self.all)

    def are_whole(self) -> bool:
        """One leads, two follow, and one of them is waited for."""
        leader = self.leader()
        if not leader or self.etcd_members() < COUNT:
            return False
        # PostgreSQL's word for it, and Patroni's, which comes a moment later.
        roles = [member["role"] for member in leader.ask(8008, "/cluster").get("members", [])]
        return sorted(roles) == ["leader", "replica", "sync_standby"] and leader.sql(
            "select count(*) filter (where state = 'streaming'), count(*) filter (where sync_state = 'sync')"
            " from pg_stat_replication") == f"{COUNT - 1}|1"

    def url(self, role: str = "babybasics") -> str:
        password = self.service.secrets["OWNER_PASSWORD" if role.endswith("owner") else "SERVER_PASSWORD"]
        hosts = ",".join(f"{host.address}:5432" for host in self.all)
        return f"postgresql://{role}:{password}@{hosts}/babybasics?target_session_attrs=read-write"
