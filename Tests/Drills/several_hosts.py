"""Three app hosts behind one nginx and on one database: limits and sessions hold across them, and one may vanish.

A host is a socket with its own deploy/lib/supervise and workers.
"""

import concurrent.futures
import os
import secrets
import signal
import time

from clients import Client, people, settle
from pair import Node, url
from hosts import Hosts
from service import Service, say
from verify import verify
from writers import UNKNOWN, Writers

SHORT, FULL = 1, 10
COUNT = 3


def run(rounds: int) -> None:
    with Service(workers=1) as service:
        database = Node(service, "node_a", service.data, service.database_port)
        with Hosts(service, url(database), COUNT, workers=1) as hosts:
            for _ in range(rounds):
                served = limits(service, hosts)
                sessions(service, hosts)
            lost_host(service, hosts)
        say(f"several-hosts: {rounds} rounds over {COUNT} hosts; requests of the last burst by host: {served}")


def burst(service: Service, hosts: Hosts, count: int, send) -> list[int]:
    """Sends all at once, each on a connection of its own."""
    def one(number: int) -> int:
        client = Client(service, hosts.port)
        try:
            return send(client, number)
        finally:
            client.close()

    with concurrent.futures.ThreadPoolExecutor(12) as threads:
        return list(threads.map(one, range(count)))


def limits(service: Service, hosts: Hosts) -> list[int]:
    """100 a minute for a person on each host, which counts for itself; 5 for an address, however many hosts there are."""
    before, minute = processed(hosts), None
    while minute != time.time() // 60:  # all of it in one
        minute, one = time.time() // 60, people(service, 1)[0]
        statuses = burst(
            service, hosts, 150 * COUNT, lambda client, _: client.request("GET", "/api/v1/families", token=one.token)[0])
    # nginx gives each host as many as the others, so each has to refuse some.
    assert statuses.count(200) == 100 * COUNT and set(statuses) == {200, 429}, {one: statuses.count(one) for one in set(statuses)}
    served = [after - earlier for earlier, after in zip(before, processed(hosts))]
    assert all(served), f"a host did nothing: {served}"

    source = next(Client.addresses)

    def sign_in(client: Client, _: int) -> int:
        client.source = source
        body = {"email": f"{secrets.token_hex(4)}@example.com", "password": "securepassword123"}
        return client.request("POST", "/api/v1/auth/login", body)[0]

    statuses = burst(service, hosts, 12, sign_in)
    assert (statuses.count(401), statuses.count(429)) == (5, 7), statuses
    return served


def processed(hosts: Hosts) -> list[int]:
    """The bytes that the worker of each host has read: any work shows there."""
    return [int(open(f"/proc/{hosts.workers(number)[0]}/io").read().split()[1]) for number in range(COUNT)]


def sessions(service: Service, hosts: Hosts) -> None:
    """A session that one host began is known to all, and ended by one is ended on all."""
    client = Client(service, hosts.port)
    body = {"name": "Johnny", "email": f"{secrets.token_hex(6)}@example.com", "password": "securepassword123"}
    status, answer = client.request("POST", "/api/v1/auth/register", body)
    assert status == 201, answer
    token = answer["session"]["token"]

    def me(client: Client, _: int) -> int:
        return client.request("GET", "/api/v1/users/me", token=token)[0]

    assert set(statuses := burst(service, hosts, 24, me)) == {200}, statuses
    assert client.request("POST", "/api/v1/auth/logout", token=token)[0] == 204
    assert set(statuses := burst(service, hosts, 24, me)) == {401}, statuses
    client.close()


def lost_host(service: Service, hosts: Hosts) -> None:
    """A host that goes, socket and all, costs what it held; the others go on."""
    with Writers(service, threads=4, each=4, port=hosts.port) as writers:
        writers.wait_for(40)
        victim = hosts.running[0]
        os.killpg(victim.pid, signal.SIGKILL)
        for pid in hosts.workers(0):
            os.kill(pid, signal.SIGKILL)
        hosts.sockets[0].unlink()
        writers.wait_for(80)
        writers.stop()
        failed = [status for _, status in writers.journal.unknown]
        assert len(failed) <= 2 * len(writers.threads) and set(failed) <= UNKNOWN, failed
        verify(writers)
