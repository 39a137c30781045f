"""A container of the image, by crun from what umoci unpacks: read-only, with the rights that deploy/docs/container.md names.

It shares the network of the tests, which is a loopback alone. There a request may come from any of 127.0.0.0/8, so
that 127.0.0.1 plays the trusted proxy and 127.0.0.2 somebody else.
"""

import http.client
import json
import pathlib
import signal
import subprocess
import time

PROXY, STRANGER = "127.0.0.1", "127.0.0.2"
RIGHTS = ["CAP_CHOWN", "CAP_DAC_OVERRIDE", "CAP_FOWNER", "CAP_KILL", "CAP_SETGID", "CAP_SETUID"]


def wait(condition, seconds: float, what: str):
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > deadline:
            raise AssertionError(f"{what}: not within {seconds} s")
        time.sleep(0.05)
    return found


class Image:
    """One file of deploy/image, unpacked."""

    def __init__(self, file: pathlib.Path, place: pathlib.Path) -> None:
        self.file, self.bundle = file, place / f"bundle-{file.stem}"
        layout = place / f"layout-{file.stem}"
        layout.mkdir()
        subprocess.run(["tar", "-xf", file, "-C", layout], check=True)
        self.tag = json.loads((layout / "index.json").read_text())["manifests"][0]["annotations"]["org.opencontainers.image.ref.name"]
        subprocess.run(["umoci", "unpack", "--image", f"{layout}:{self.tag}", self.bundle], check=True, stdout=subprocess.DEVNULL)
        manifest, = json.loads((layout / "manifest.json").read_text())
        self.configuration = json.loads((layout / manifest["Config"]).read_text())["config"]
        self.specification = json.loads((self.bundle / "config.json").read_text())


class Container:
    counted = 0

    def __init__(self, image: Image, volume: pathlib.Path, *command: str, user: int = 0, mounts=(), rights=RIGHTS, **environment) -> None:
        Container.counted += 1
        self.name, self.image, self.user, self.port = f"babybasics-{Container.counted}", image, user, int(environment.get("HTTP_PORT", 8080))
        specification = json.loads(json.dumps(image.specification))
        process = specification["process"]
        process["terminal"] = False
        process["user"] = {"uid": user, "gid": user}
        process["noNewPrivileges"] = True
        process["rlimits"] = []
        rights = [] if user else rights
        process["capabilities"] = {kind: rights for kind in ("bounding", "effective", "permitted", "inheritable")}
        if command:
            entry = image.configuration["Entrypoint"]
            process["args"] = [*entry, *command]
        environment = {"BASE_URL": "https://baby.example.com", "TRUSTED_PROXIES": PROXY, "PUSH_HOSTS": "none", **environment}
        process["env"] += [f"{name}={value}" for name, value in environment.items()]
        specification["root"] = {"path": "rootfs", "readonly": True}
        specification["linux"] = {"namespaces": [{"type": kind} for kind in ("pid", "ipc", "uts", "mount")]}
        specification["hostname"] = "baby"
        specification["mounts"] = [
            {"destination": "/proc", "type": "proc", "source": "proc"},
            {"destination": "/dev", "type": "tmpfs", "source": "tmpfs", "options": ["nosuid", "mode=755", "size=64k"]},
            {"destination": "/dev/shm", "type": "tmpfs", "source": "shm", "options": ["nosuid", "nodev", "mode=1777", "size=64m"]},
            *({"destination": path, "type": "tmpfs", "source": "tmpfs", "options": ["nosuid", "nodev", "mode=1777"]} for path in ("/run", "/tmp")),
            *({"destination": to, "type": "bind", "source": str(source), "options": ["bind", "rw"]} for source, to in [(volume, "/data"), *mounts]),
        ]
        (image.bundle / "config.json").write_text(json.dumps(specification))
        self.log = volume.parent / f"{self.name}.log"
        self.began = time.monotonic()
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(["crun", "run", "--bundle", image.bundle, self.name],
                                            stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, start_new_session=True)

    def answers(self) -> float:
        """The seconds from the start to the first answer."""
        def ready() -> bool:
            assert self.process.poll() is None, self.log.read_text()[-2000:]
            try:
                return self.ask("GET", "/health")[0] == 200
            except OSError:
                return False
        wait(ready, 90, f"an answer; {self.log}")
        return time.monotonic() - self.began

    def ask(self, method: str, path: str, body=None, token: str = "", source: str = PROXY, proto: str = "https", **headers: str):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=40, source_address=(source, 0))
        try:
            headers = {name.replace("_", "-"): value for name, value in headers.items()}
            if proto:
                headers["X-Forwarded-Proto"] = proto
            if token:
                headers["Authorization"] = f"Bearer {token}"
            if body is not None:
                headers["Content-Type"] = "application/json"
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            content = answer.read()
            return answer.status, json.loads(content) if "json" in (answer.getheader("Content-Type") or "") else content
        finally:
            connection.close()

    def run(self, *command: str, check: bool = True) -> str:
        # As engines do it: crun alone would take root, without its rights.
        done = subprocess.run(["crun", "exec", "--user", f"{self.user}:{self.user}", self.name, *command], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
        assert not check or done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr if check else f"{done.returncode} {done.stdout}{done.stderr}"

    def processes(self) -> dict[int, tuple[str, int, str]]:
        """By its number outside: command, user, arguments."""
        found = {}
        for pid in json.loads(subprocess.run(["crun", "ps", "--format", "json", self.name], capture_output=True, text=True, check=True).stdout):
            try:
                place = pathlib.Path(f"/proc/{pid}")
                found[pid] = ((place / "comm").read_text().strip(), place.stat().st_uid,
                              (place / "cmdline").read_bytes().replace(b"\0", b" ").decode().strip())
            except OSError:
                pass
        return found

    def workers(self) -> list[int]:
        return [pid for pid, (name, _, arguments) in self.processes().items() if name == "babybasics" and arguments.endswith(" serve")]

    def stop(self, sign: int = signal.SIGTERM) -> tuple[int, float]:
        """As engines do: the signal for its first process. The status, and the seconds it took."""
        began = time.monotonic()
        if self.process.poll() is None:
            subprocess.run(["crun", "kill", self.name, str(int(sign))], check=False, capture_output=True)
        try:
            status = self.process.wait(60)
        except subprocess.TimeoutExpired:
            subprocess.run(["crun", "delete", "--force", self.name], check=False)
            raise
        subprocess.run(["crun", "delete", "--force", self.name], check=False, capture_output=True)
        return status, time.monotonic() - began
