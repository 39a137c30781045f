"""Machines of a drill: network namespaces on one bridge, each with an address and a cable that can be pulled.

All of it lies in namespaces of the drill's own (network, mounts, processes): nothing of the machine is touched, and all
is gone with the drill, however that ends.
"""

import os
import pathlib
import signal
import subprocess
import sys

# Inside the drill's own network, which leads nowhere.
NETWORK = "10.213.0"


def run(*command, check: bool = True) -> str:
    finished = subprocess.run(
        [str(part) for part in command], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=180)
    assert not check or finished.returncode == 0, f"{command}: {finished.stdout}{finished.stderr}"
    return finished.stdout


def apart(program: str, *arguments: str, **environment: str) -> None:
    """Runs a program of Python's as root of new namespaces. Bash is the first process: it reaps who lost its parent."""
    command = [
        "setpriv", "--pdeathsig", "KILL", "unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc",
        "bash", "-c", '"$@"; exit $?', "-", sys.executable, "-B", program, *arguments]
    finished = subprocess.run(command, env=os.environ | environment, stdin=subprocess.DEVNULL)
    assert finished.returncode == 0, f"{program} ended with {finished.returncode}"


def make_network() -> None:
    run("mkdir", "-p", "/run/netns")
    run("mount", "-t", "tmpfs", "none", "/run/netns")  # names of our own
    run("ip", "link", "set", "lo", "up")
    run("ip", "link", "add", "lan", "type", "bridge")
    run("ip", "addr", "add", f"{NETWORK}.1/24", "dev", "lan")
    run("ip", "link", "set", "lan", "up")


class Machine:
    def __init__(self, name: str, number: int, directory: pathlib.Path):
        self.name, self.address, self.directory = name, f"{NETWORK}.{number}", directory
        directory.mkdir(mode=0o755)
        run("ip", "netns", "add", name)
        run("ip", "link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", name)
        run("ip", "link", "set", name, "master", "lan", "up")
        run("ip", "-n", name, "addr", "add", f"{self.address}/24", "dev", "eth0")
        for device in ("lo", "eth0"):
            run("ip", "-n", name, "link", "set", device, "up")

    def inside(self, *command) -> list[str]:
        return ["ip", "netns", "exec", self.name, *map(str, command)]

    def start(self, *command, environment: dict | None = None) -> subprocess.Popen:
        with (self.directory / f"{pathlib.Path(command[-1]).stem}.log").open("ab") as log:
            return subprocess.Popen(
                self.inside(*command), env=environment, cwd="/", stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                start_new_session=True)

    def processes(self, program: str = "") -> list[int]:
        found = map(int, run("ip", "netns", "pids", self.name).split())
        return [pid for pid in found if not program or comm(pid) == program]

    def signal(self, number: signal.Signals, program: str = "") -> None:
        """To all processes, or to those of one program, until there is nobody who has not got it."""
        done: set[int] = set()
        while pids := set(self.processes(program)) - done:
            for pid in pids:
                try:
                    os.kill(pid, number)
                except ProcessLookupError:
                    pass
            done |= pids

    def cut(self) -> None:
        run("ip", "link", "set", self.name, "down")

    def join(self) -> None:
        run("ip", "link", "set", self.name, "up")

    def power_off(self) -> None:
        """Nobody is told: no connection is closed."""
        self.cut()
        self.signal(signal.SIGKILL)


def comm(pid: int) -> str:
    try:
        return pathlib.Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""
