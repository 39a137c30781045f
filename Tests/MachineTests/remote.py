"""A database that is on another host, as far as the machine can tell: in a network of its own, at the end of a cable."""

import os
import pathlib
import subprocess
import time

from machine import Machine

PLACE = "/var/lib/postgresql/elsewhere"
THERE, HERE = "10.89.0.1", "10.89.0.2"
AUTHORITY = "/etc/ssl/database.pem"
URL = f"postgresql://{THERE}:5432/babybasics?sslmode=verify-full&sslrootcert={AUTHORITY}"
OWNER, PASSWORDS = "of-the-owner", {"app_1": "of-app-1", "app_2": "of-app-2"}


class RemoteDatabase:
    """As deploy/docs/database.md has it made. Its programs are the machine's, nothing else."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        postgres = machine.text("sh", "-c", "echo /usr/lib/postgresql/*/bin")
        machine.run("runuser", "-u", "postgres", "--", f"{postgres}/initdb", "-D", PLACE, "-A", "trust", "-E", "UTF8",
                    "--locale=C.UTF-8", "--no-sync")
        # Whoever comes over the network needs TLS and a password.
        machine.run("runuser", "-u", "postgres", "--", "sh", "-c", f"cat >{PLACE}/pg_hba.conf",
                    input=f"local all all trust\nhostssl all all {HERE}/32 scram-sha-256\n")
        machine.run("runuser", "-u", "postgres", "--", "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                    "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-keyout", f"{PLACE}/server.key",
                    "-out", f"{PLACE}/server.crt", "-subj", "/CN=elsewhere", "-addext", f"subjectAltName=IP:{THERE}")
        machine.run("cp", f"{PLACE}/server.crt", AUTHORITY)
        self.process = subprocess.Popen(
            machine.inside("unshare", "--net", "runuser", "-u", "postgres", "--", f"{postgres}/postgres", "-D", PLACE,
                           "-c", "listen_addresses=*", "-c", "ssl=on", "-c", f"unix_socket_directories={PLACE}", "-c", "fsync=off"),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            self.connect(self.network())
            self.answers()
        except BaseException:
            self.stop()
            raise
        for statement in (
                f"create role babybasics_owner login password '{OWNER}'", "create role babybasics",
                f"create role app_1 login password '{PASSWORDS['app_1']}' in role babybasics",
                "create database babybasics owner babybasics_owner template template0"):
            self.sql(statement, "postgres")

    def network(self) -> int:
        """A process, by this host's number, in the network that was made for it."""
        mine = os.readlink(f"/proc/{self.machine.leader}/ns/net"), os.readlink("/proc/self/ns/net")
        until = time.monotonic() + 30
        while time.monotonic() < until:
            for child in pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split():
                if os.readlink(f"/proc/{child}/ns/net") not in mine:
                    return int(child)
            time.sleep(0.05)
        raise AssertionError("the other host has no network")

    def connect(self, there: int) -> None:
        def ip(process: int, *arguments: str) -> None:
            subprocess.run(["nsenter", "--target", str(process), "--net", "--", "ip", *arguments], check=True, timeout=30)

        here = self.machine.leader
        ip(here, "link", "add", "cable", "type", "veth", "peer", "name", "cable", "netns", str(there))
        for process, address in ((here, HERE), (there, THERE)):
            ip(process, "address", "add", f"{address}/24", "dev", "cable")
            ip(process, "link", "set", "cable", "up")

    def answers(self) -> None:
        until = time.monotonic() + 30
        while self.psql("select 1", "postgres", check=False).returncode:
            assert time.monotonic() < until, "the other host's PostgreSQL does not start"
            time.sleep(0.05)

    conninfo = f"host={PLACE} dbname=babybasics"

    def psql(self, statement: str, database: str, check: bool = True) -> subprocess.CompletedProcess:
        return self.machine.run("runuser", "-u", "postgres", "--", "psql", "-XqAt", "-h", PLACE, "-d", database,
                                "-v", "ON_ERROR_STOP=1", input=statement, check=check)

    def sql(self, statement: str, database: str = "babybasics") -> str:
        return self.psql(statement, database).stdout.strip()

    def stop(self) -> None:
        self.machine.run("sh", "-c", f"kill -INT $(head -n 1 {PLACE}/postmaster.pid)", check=False)
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(10)
