"""Three database hosts with Patroni and etcd, two application hosts: one of them breaks, and nobody lends a hand.

By hand and as root, as it makes networks (namespaces of its own): about a minute for each round of a break. BREAKS names
some of them, separated by commas; without it all are made, ROUNDS times each. Not part of the short form.
"""

import collections
import os
import pathlib
import shutil
import signal
import ssl
import statistics
import subprocess
import sys
import tempfile
import time

from application_hosts import ApplicationHost
from clients import Client
from database_hosts import BINARIES, DatabaseHost, DatabaseHosts
from network import Machine, apart, make_network
from phones import Phones
from restarts import Restarts
from service import PROJECT, Service, say, until
from verify import verify
from writers import Writers

FULL = 3
PACKAGES = "patroni python3-etcd etcd-server etcd-client iproute2 postgresql-15"


class Cluster(Service):
    """deploy/run gives the program, the certificate and nginx.conf; its database is not used."""

    patience = 20.0

    def __init__(self):
        self.hosts: list[ApplicationHost] = []
        self.databases: DatabaseHosts | None = None
        make_network()
        super().__init__(workers=1, IPV4="0.0.0.0")
        try:
            self.tls.check_hostname = False  # the certificate is one for localhost
            self.databases = DatabaseHosts(self)
            self.databases.start()
            self.make_database()
            for number in (1, 2):
                machine = Machine(f"app{number}", 20 + number, self.state / f"app{number}")
                self.hosts.append(ApplicationHost(self, machine, self.databases.url()))
            self.doors[:] = [host.door for host in self.hosts]
        except BaseException:
            self.stop()
            raise

    def make_database(self) -> None:
        """The roles and the schema, as deploy/docs/high-availability.md has them."""
        self.psql(
            f"create role babybasics_owner login password '{self.secrets['OWNER_PASSWORD']}';"
            f" create role babybasics login password '{self.secrets['SERVER_PASSWORD']}';\n"
            "create database babybasics owner babybasics_owner encoding 'UTF8' locale 'C.UTF-8' template template0",
            database="postgres")
        finished = subprocess.run(
            [self.place / "bin/babybasics", "migrate", "--directory", PROJECT / "sql"], capture_output=True, text=True,
            env=os.environ | {"DATABASE_URL": self.databases.url("babybasics_owner")}, timeout=120)
        assert finished.returncode == 0, finished.stdout + finished.stderr

    def psql(self, text: str, port: int | None = None, database: str = "babybasics", check: bool = True,
             host: str | None = None) -> str:
        """As the superuser, on one host or on the leader."""
        hosts = [host] if host else [one.address for one in self.databases.all]
        environment = os.environ | {
            "PGPASSWORD": self.secrets["SUPERUSER_PASSWORD"], "PGCONNECT_TIMEOUT": "3", "PGUSER": "postgres",
            "PGHOST": ",".join(hosts), "PGTARGETSESSIONATTRS": "any" if host else "read-write", "PGDATABASE": database}
        finished = subprocess.run(
            [self.binaries / "psql", "-v", "ON_ERROR_STOP=1", "-qAtX", "-f", "-"], input=text, env=environment,
            capture_output=True, text=True, timeout=120)
        assert not check or finished.returncode == 0, f"psql: {finished.stderr}"
        return finished.stdout.strip()

    def stop(self) -> None:
        for host in self.hosts:
            host.end()
        for database in self.databases.all if self.databases else []:
            database.signal(signal.SIGKILL)
            if keep := os.environ.get("DRILL_LOGS"):
                for log in [*database.directory.glob("*.log"), *database.directory.glob("postgres/log/*")]:
                    shutil.copy(log, f"{keep}/{database.name}-{log.name}")
        super().stop()


# --- What breaks. Each returns when it is mended; what comes back by itself is waited for by whoever calls ------------


def postgresql_killed(cluster: Cluster, writers: Writers) -> None:
    """The leader's PostgreSQL alone (kill -9): Patroni starts it again, or another takes over."""
    cluster.databases.leader().signal(signal.SIGKILL, "postgres")


def leader_lost(cluster: Cluster, writers: Writers) -> None:
    """The leader's power: nobody is told. etcd loses a member, too."""
    (old := cluster.databases.leader()).power_off()
    cluster.databases.another_leads(old)
    writers.wait_for(20)
    old.power_on()


def leader_cut(cluster: Cluster, writers: Writers) -> None:
    """The leader's network, for as long as it takes another to lead, and then some."""
    (old := cluster.databases.leader()).cut()
    cluster.databases.another_leads(old)
    writers.wait_for(100)
    old.join()


def leader_frozen(cluster: Cluster, writers: Writers) -> None:
    """All of the leader stands still (SIGSTOP), as a paused virtual machine, and wakes up believing that it leads."""
    (old := cluster.databases.leader()).signal(signal.SIGSTOP)
    cluster.databases.another_leads(old)
    writers.wait_for(100)
    old.signal(signal.SIGCONT)


def disk_stuck(cluster: Cluster, writers: Writers) -> None:
    """The leader's PostgreSQL alone stands still, as on a disk that answers nothing. Patroni lives, and etcd."""
    (old := cluster.databases.leader()).signal(signal.SIGSTOP, "postgres")
    cluster.databases.another_leads(old)
    writers.wait_for(100)
    old.signal(signal.SIGCONT, "postgres")


def disk_slow(cluster: Cluster, writers: Writers) -> None:
    """The leader's PostgreSQL stands still for 0.8 of every second, for half a minute."""
    old = cluster.databases.leader()
    for _ in range(30):
        old.signal(signal.SIGSTOP, "postgres")
        time.sleep(0.8)
        old.signal(signal.SIGCONT, "postgres")
        time.sleep(0.2)
    assert old.leads(), "a disk that is slow is no reason to fail over"


def standby_lost(cluster: Cluster, writers: Writers) -> None:
    """The power of the standby that commits wait for."""
    (old := cluster.databases.standby()).power_off()
    time.sleep(20)
    writers.wait_for(20)
    old.power_on()


def etcd_without_majority(cluster: Cluster, writers: Writers) -> None:
    """Two of etcd's three members, for longer than ttl."""
    leader = cluster.databases.leader()
    lost = cluster.databases.all[:2]
    for host in lost:
        host.signal(signal.SIGKILL, "etcd")
    time.sleep(40)
    writers.wait_for(20)
    assert leader.leads(), "the leader gave up, although it reached its standbys"
    for host in lost:
        host.start_etcd()


def application_host_lost(cluster: Cluster, writers: Writers) -> None:
    """The power of one of the two; phones try the name's other address."""
    cluster.hosts[0].power_off()
    time.sleep(10)
    writers.wait_for(20)
    cluster.hosts[0] = cluster.hosts[0].power_on()
    cluster.doors[:] = [host.door for host in reversed(cluster.hosts)]
    cluster.hosts.reverse()


def server_upgraded(cluster: Cluster, writers: Writers) -> None:
    """Another program in its place, one worker after the other, one host after the other: nothing may fail."""
    program = cluster.place / "bin/babybasics"
    shutil.copy(program, program.with_suffix(".new"))
    program.with_suffix(".new").rename(program)
    failed = len(writers.journal.unknown)
    for host in cluster.hosts:
        Restarts(host).all()
    assert len(writers.journal.unknown) == failed, f"failed: {writers.journal.unknown[failed:]}"


def postgresql_upgraded(cluster: Cluster, writers: Writers) -> None:
    """Another minor version, if Debian has one: the standbys first, then a switchover, then the one that led."""
    databases, old = cluster.databases, cluster.databases.leader()
    standbys = databases.standby("async"), databases.standby("sync")
    newer = pathlib.Path(os.environ["NEWER"])
    binaries = newer if old.binaries.resolve() != newer.resolve() else BINARIES

    def upgrade(host: DatabaseHost) -> None:
        host.use(binaries)
        host.control("restart", "babybasics", host.name, "--force")
        until(120, "the cluster", databases.are_whole)

    for host in standbys:
        upgrade(host)
    said = old.control("switchover", "babybasics", "--leader", old.name, "--candidate", databases.standby().name, "--force")
    assert "Successfully" in said, said
    databases.another_leads(old)
    until(120, "the cluster", databases.are_whole)
    upgrade(old)
    versions = {host.sql("show server_version") for host in databases.all}
    assert len(versions) == 1, versions
    say(f"PostgreSQL is {versions.pop()}")


BREAKS = {
    "PostgreSQL upgraded": postgresql_upgraded, "server upgraded": server_upgraded,
    "the leader's PostgreSQL killed": postgresql_killed, "the leader's power": leader_lost,
    "the leader's network": leader_cut, "the leader frozen and woken": leader_frozen,
    "the leader's disk stuck": disk_stuck, "the leader's disk slow": disk_slow,
    "the standby's power": standby_lost, "etcd without majority": etcd_without_majority,
    "an application host's power": application_host_lost,
}


def longest_gap(writers: Writers, began: float) -> float:
    """Seconds between two acknowledgements, one after the other, since shortly before."""
    times = sorted(at for at, _, _ in list(writers.journal.acknowledged.values()) if at > began - 2)
    return max(after - before for before, after in zip(times, times[1:]))


def drill(rounds: int) -> None:
    chosen = [name.strip() for name in os.environ.get("BREAKS", "").split(",") if name.strip()]
    breaks = {name: made for name, made in BREAKS.items() if not chosen or made.__name__ in chosen}
    counts: dict[str, list[dict]] = collections.defaultdict(list)
    with Cluster() as cluster, Writers(cluster, threads=6, each=4) as writers, Phones(cluster) as phones:
        say(f"the cluster is up: {', '.join(host.name for host in cluster.databases.all)}, leader {cluster.databases.leader().name}")
        for number in range(rounds):
            for name, made in breaks.items():
                writers.wait_for(60)
                began, unknown = time.monotonic(), len(writers.journal.unknown)
                made(cluster, writers)
                until(180, f"the cluster whole again after: {name}", cluster.databases.are_whole, 0.5)
                writers.wait_for(60)
                found = {
                    "gap": longest_gap(writers, began), "unknown": len(writers.journal.unknown) - unknown,
                    "reads": phones.failed_reads(began), "whole": time.monotonic() - began, **phones.count(began)}
                counts[name].append(found)
                with writers.quiet():
                    verify(writers)
                say(f"{number + 1}. {name}: " + ", ".join(f"{key} {value:.1f}" if isinstance(value, float) else f"{key} {value}"
                                                          for key, value in found.items()))
        writers.stop()
        until(60, "what was logged heard of", lambda: phones.unheard() == 0)
        stored = verify(writers)
        assert cluster.psql("select generation from installation") == "0", "a standby that takes over is no copy"
        for name, found in counts.items():
            gaps = [one["gap"] for one in found]
            total = {key: sum(one[key] for one in found) for key in ("unknown", "reads", "heard", "unwoken")}
            say(f"cluster: {name}, {len(found)} times: without writes {statistics.median(gaps):.1f} s (p50), {max(gaps):.1f} s"
                f" (worst); whole again after {max(one['whole'] for one in found):.0f} s at most; {total['unknown']} writes and"
                f" {total['reads']} reads refused or without answer; {total['heard']} changes heard of, the slowest after"
                f" {max(one['slowest'] for one in found):.1f} s, {total['unwoken']} waits not woken")
        say(f"cluster: {sum(map(len, counts.values()))} breaks, {stored}, 0 changes unheard of")


def newer_binaries(directory: str) -> pathlib.Path:
    """Of the newest PostgreSQL 15 that Debian has, if apt can get it; otherwise those that are here."""
    command = "apt-get download -qq postgresql-15 postgresql-client-15 && for f in *.deb; do dpkg-deb -x $f root; done"
    subprocess.run(["bash", "-c", command], cwd=directory, capture_output=True)
    found = pathlib.Path(directory) / "root" / BINARIES.relative_to("/")
    return found if (found / "pg_basebackup").exists() and (found / "postgres").exists() else BINARIES


def run(rounds: int) -> None:
    assert os.geteuid() == 0, "deploy/drill cluster makes networks, so it needs root"
    subprocess.run(
        ["bash", "-c", f"source {PROJECT}/deploy/lib/packages.sh && need {PACKAGES}"], check=True)
    if not os.environ.get("EXECUTABLE"):
        build = ["swift", "build", "-c", "release", "--product", "babybasics", "--static-swift-stdlib"]
        subprocess.run(build, cwd=PROJECT, check=True, stdout=sys.stderr)
        places = subprocess.run([*build, "--show-bin-path"], cwd=PROJECT, check=True, capture_output=True, text=True).stdout
        os.environ["EXECUTABLE"] = f"{places.strip()}/babybasics"
    with tempfile.TemporaryDirectory(prefix="baby-basics-drill-postgresql.") as directory:
        pathlib.Path(directory).chmod(0o755)
        apart(__file__, str(rounds), NEWER=str(newer_binaries(directory)))


if __name__ == "__main__":
    drill(int(sys.argv[1]))
