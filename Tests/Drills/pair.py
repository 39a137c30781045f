"""PostgreSQL servers of a drill: the service's own primary, a synchronous standby, and who is which."""

import os
import pathlib
import shutil
import signal
import time

from database_kills import children
from service import Service, free_ports, until


class Node:
    def __init__(self, service: Service, name: str, data: pathlib.Path, port: int):
        self.service, self.name, self.data, self.port = service, name, data, port

    def sql(self, text: str, check: bool = True) -> str:
        return self.service.psql(text, self.port, check=check)

    def start(self) -> None:
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories="
        self.service.control("start", "-l", str(self.data / "server.log"), "-o", options, data=self.data)

    def processes(self) -> list[int]:
        """The postmaster first, so that it starts nobody after its children were counted."""
        postmaster = int((self.data / "postmaster.pid").read_text().split()[0])
        return [postmaster, *children(postmaster)]

    def signal(self, number: signal.Signals) -> list[int]:
        found = self.processes()
        os.kill(found[0], number)
        for pid in (found := self.processes())[1:]:
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass
        return found

    def kill(self) -> None:
        for pid in self.signal(signal.SIGKILL):
            until(60, "the end of PostgreSQL", lambda: not pathlib.Path(f"/proc/{pid}").exists())

    def set(self, **settings: str) -> None:
        self.sql("".join(f"alter system set {name} = '{value}';" for name, value in settings.items()) + "select pg_reload_conf()")

    def copy_of(self, primary: "Node") -> None:
        """Makes this node a standby of `primary`, from nothing, and waits until commits wait for it."""
        shutil.rmtree(self.data, ignore_errors=True)
        password = self.service.secrets["SUPERUSER_PASSWORD"]
        source = f"host=127.0.0.1 port={primary.port} user=postgres passfile={self.data}.pass application_name={self.name}"
        pass_file = self.data.with_name(f"{self.data.name}.pass")
        pass_file.write_text(f"*:*:*:*:{password}\n")
        pass_file.chmod(0o600)
        self.data.mkdir(mode=0o700)
        if user := self.service.values["DATABASE_USER"]:
            shutil.chown(self.data, user, user)
            shutil.chown(pass_file, user, user)
        self.service.run("pg_basebackup", "-D", self.data, "-d", source, "-R", "--checkpoint=fast", "--no-sync")
        with (self.data / "postgresql.auto.conf").open("a") as settings:
            # Promoted, it must not wait for the one that is gone.
            settings.write("synchronous_standby_names = ''\n")
        self.start()
        primary.set(synchronous_standby_names=self.name)
        until(60, "the standby's synchrony", lambda: primary.sql(
            f"select sync_state from pg_stat_replication where application_name = '{self.name}'") == "sync")

    def promote(self) -> float:
        started = time.monotonic()
        self.service.control("promote", data=self.data)
        return time.monotonic() - started


def pair(service: Service) -> tuple[Node, Node]:
    """The service's own PostgreSQL and a synchronous standby of it."""
    primary = Node(service, "node_a", service.data, service.database_port)
    standby = Node(service, "node_b", service.place / "node_b", free_ports(1)[0])
    standby.copy_of(primary)
    return primary, standby


def url(*nodes: Node) -> str:
    service = nodes[0].service
    hosts = ",".join(f"127.0.0.1:{node.port}" for node in nodes)
    return f"postgresql://babybasics:{service.secrets['SERVER_PASSWORD']}@{hosts}/babybasics?target_session_attrs=read-write"
