"""A Debian 12 machine with a real systemd, in a container without a network: only what it does to itself counts."""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time
import urllib.error
import urllib.request
import ssl


class Machine:
    """`tree` is a Debian as debootstrap made it; the machine gets a copy of it in `root`."""

    def __init__(self, tree: pathlib.Path, root: pathlib.Path) -> None:
        self.root = root
        subprocess.run(["cp", "-a", "--reflink=auto", tree, root], check=True, timeout=300)
        # The copy is thrown away: no need to have it safe on disk.
        (root / "etc/dpkg/dpkg.cfg.d/fast").write_text("force-unsafe-io\n")
        # It has no network to get more than what the tree holds.
        (root / "etc/apt/apt.conf.d/50tests").write_text('APT::Install-Recommends "false";\n')
        self.container: subprocess.Popen | None = None
        self.leader = 0
        self.database = "babybasics"  # psql's -d: which database `sql` asks

    def boot(self) -> float:
        """Returns the seconds until systemd says that it has started everything."""
        began = time.monotonic()
        with open(self.root.with_suffix(".console"), "ab") as console:
            self.container = subprocess.Popen(
                ["systemd-nspawn", "--quiet", "--directory", self.root, "--boot", "--register=no", "--keep-unit",
                 "--private-network", "--resolv-conf=off", "--timezone=off", "--console=pipe",
                 "--machine", f"baby-basics-{os.getpid()}"],
                stdin=subprocess.DEVNULL, stdout=console, stderr=console, start_new_session=True)
        while time.monotonic() - began < 60:
            children = pathlib.Path(f"/proc/{self.container.pid}/task/{self.container.pid}/children").read_text().split()
            if children:
                self.leader = int(children[0])
                if self.run("systemctl", "is-system-running", check=False).stdout.strip() in ("running", "degraded"):
                    return time.monotonic() - began
            if self.container.poll() is not None:
                break
            time.sleep(0.1)
        raise RuntimeError(f"systemd did not start: {self.root.with_suffix('.console').read_text()[-2000:]}")

    def off(self) -> None:
        if not self.container:
            return
        self.container.send_signal(signal.SIGTERM)  # nspawn passes it on as an orderly shutdown
        try:
            self.container.wait(60)
        except subprocess.TimeoutExpired:
            os.killpg(self.container.pid, signal.SIGKILL)
            os.kill(self.leader, signal.SIGKILL)
            self.container.wait(10)
        self.container = None

    def remove(self) -> None:
        self.off()
        shutil.rmtree(self.root, ignore_errors=True)

    # --- Inside -------------------------------------------------------------------------------------------

    def inside(self, *command: str) -> list[str]:
        """The command line that runs `command` on the machine."""
        return ["nsenter", "--target", str(self.leader), "--all", "--", "/usr/bin/env", "-i",
                "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8", "DEBIAN_FRONTEND=noninteractive", *command]

    def beside(self, *command: str) -> list[str]:
        """The command line that runs `command` of this host with the machine's network."""
        return ["nsenter", "--target", str(self.leader), "--net", "--", *command]

    def run(self, *command: str, check: bool = True, timeout: float = 120, input: str = "") -> subprocess.CompletedProcess:
        result = subprocess.run(self.inside(*command), input=input, capture_output=True, text=True, timeout=timeout)
        if check and result.returncode:
            raise AssertionError(f"{' '.join(command)}: {result.returncode}\n{result.stdout[-3000:]}{result.stderr[-3000:]}")
        return result

    def text(self, *command: str, **options) -> str:
        return self.run(*command, **options).stdout.strip()

    def sql(self, statement: str, database: str = "") -> str:
        return self.text("runuser", "-u", "postgres", "--", "psql", "-XqAtd", database or self.database,
                         "-v", "ON_ERROR_STOP=1", input=statement)

    def property(self, unit: str, name: str) -> str:
        return self.text("systemctl", "show", "-P", name, unit)

    def main_pid(self, unit: str) -> int:
        return int(self.property(unit, "MainPID"))

    def signal(self, name: str, pid: int) -> None:
        self.run("sh", "-c", f"kill -{name} {pid}")

    def host_pid(self, pid: int) -> int:
        """The number that a process of the machine has on this host."""
        namespace = os.readlink(f"/proc/{self.leader}/ns/pid")
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if os.readlink(process / "ns/pid") == namespace and \
                        re.search(rf"^NSpid:.*\s{pid}$", (process / "status").read_text(), re.M):
                    return int(process.name)
            except OSError:
                pass  # it has ended meanwhile, or is none of ours
        raise AssertionError(f"the machine has no process {pid}")

    def answers(self, pid: int, since: float) -> list[int]:
        """The statuses of a worker process's answers since then, as the journal has them."""
        lines = self.text("journalctl", "--no-pager", "--boot", "-o", "json", "--output-fields=STATUS", f"_PID={pid}")
        entries = [json.loads(line) for line in lines.splitlines()]
        return [int(entry["STATUS"]) for entry in entries
                if "STATUS" in entry and int(entry["__REALTIME_TIMESTAMP"]) > since * 1e6]

    def metric(self, port: int, name: str) -> float:
        """One without labels."""
        program = "import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1], timeout=10).read().decode())"
        text = subprocess.run(self.beside("python3", "-c", program, f"http://127.0.0.1:{port}/metrics"), check=True,
                              capture_output=True, text=True, timeout=30).stdout
        return float(re.search(rf"^{name} (\S+)$", text, re.M)[1])

    def copy(self, file: pathlib.Path) -> str:
        shutil.copy(file, self.root / "root" / file.name)
        return f"/root/{file.name}"

    # --- Over the network ---------------------------------------------------------------------------------

    def request(self, method: str, path: str, body: dict | None = None, **headers: str) -> tuple[int, dict]:
        """One request over HTTPS: status and JSON. Status 0: no answer."""
        call = json.dumps([method, path, body, {name.replace("_", "-"): value for name, value in headers.items()}])
        result = subprocess.run(self.beside("python3", __file__), input=call, capture_output=True, text=True, timeout=60)
        assert result.returncode == 0, result.stderr
        status, text = json.loads(result.stdout)
        try:
            return status, json.loads(text or "{}")
        except ValueError:
            return status, {}

    def wait_for_health(self, seconds: float) -> float:
        began = time.monotonic()
        while time.monotonic() - began < seconds:
            if self.request("GET", "/health")[0] == 200:
                return time.monotonic() - began
            time.sleep(0.05)
        raise AssertionError(f"no health within {seconds} s")


def trusting() -> ssl.SSLContext:
    """The certificate is the machine's own; who it belongs to is not what these tests are about."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


if __name__ == "__main__":  # `request`, in the machine's network
    method, path, body, headers = json.loads(input())
    request = urllib.request.Request(
        f"https://127.0.0.1{path}", method=method, data=json.dumps(body).encode() if body is not None else None,
        headers={**headers, **({"Content-Type": "application/json"} if body is not None else {})})
    try:
        with urllib.request.urlopen(request, timeout=40, context=trusting()) as answer:
            print(json.dumps([answer.status, answer.read().decode()]))
    except urllib.error.HTTPError as error:
        print(json.dumps([error.code, error.read().decode()]))
    except OSError as error:
        print(json.dumps([0, json.dumps({"failure": str(error)})]))
