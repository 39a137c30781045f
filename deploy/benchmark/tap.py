"""What the server really sends: a worker whose connection to PostgreSQL is listened to, and its statements as a pgbench script."""

import concurrent.futures
import contextlib
import datetime
import json
import pathlib
import re
import socket
import statistics
import struct
import subprocess
import threading
import time
import urllib.parse

from stack import Stack

TYPES = {16: "boolean", 17: "bytea", 20: "bigint", 21: "smallint", 23: "integer", 25: "text", 1082: "date", 1184: "timestamptz", 1700: "numeric",
         2950: "uuid", 2951: "uuid[]", 1009: "text[]", 1016: "bigint[]"}
REQUESTS = 20  # of each operation in a script
EPOCH = datetime.datetime(2000, 1, 1, tzinfo=datetime.timezone.utc)


class Tap:
    """A unix socket in PostgreSQL's place, which passes everything on and remembers the statements."""

    def __init__(self, directory: pathlib.Path, to: str):
        self.path, self.to = directory / pathlib.Path(to).name, to
        self.prepared: dict[tuple[int, str], tuple[str, list[int]]] = {}
        self.flights: list[list[tuple[str, list[int], list[bytes | None]]]] = [[]]
        self.path.unlink(missing_ok=True)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(self.path))
        self.path.chmod(0o777)
        self.listener.listen(16)
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            server = socket.socket(socket.AF_UNIX)
            server.connect(self.to)
            threading.Thread(target=self.copy, args=(server, client), daemon=True).start()
            threading.Thread(target=self.listen, args=(client, server), daemon=True).start()

    @staticmethod
    def copy(source: socket.socket, target: socket.socket):
        while piece := source.recv(65536):
            target.sendall(piece)

    def listen(self, client: socket.socket, server: socket.socket):
        pending, is_started = b"", False
        while piece := client.recv(65536):
            server.sendall(piece)
            pending += piece
            while len(pending) >= (5 if is_started else 4):
                start = 1 if is_started else 0  # the startup message alone has no type
                length = start + struct.unpack_from("!i", pending, start)[0]
                if len(pending) < length:
                    break
                if is_started:
                    self.message(id(client), pending[:1], pending[5:length])
                is_started, pending = True, pending[length:]

    def message(self, connection: int, kind: bytes, body: bytes):
        if kind == b"P":
            name, text, rest = body.split(b"\0", 2)
            types = struct.unpack(f"!{(len(rest) - 2) // 4}i", rest[2:])
            self.prepared[connection, name.decode()] = (text.decode(), list(types))
        elif kind == b"B":
            _, name, rest = body.split(b"\0", 2)
            formats, = struct.unpack_from("!h", rest)
            at = 2 + 2 * formats
            count, = struct.unpack_from("!h", rest, at)
            at, values = at + 2, []
            for _ in range(count):
                length, = struct.unpack_from("!i", rest, at)
                values.append(None if length < 0 else rest[at + 4:at + 4 + length])
                at += 4 + max(0, length)
            self.flights[-1].append((*self.prepared[connection, name.decode()], values))
        elif kind == b"S":
            self.flights.append([])  # the end of what travels together


def fastcgi(path: str, parameters: dict[str, str], body: bytes) -> bytes:
    """One request to a worker, without nginx."""
    record = lambda kind, content: struct.pack("!BBHHBB", 1, kind, 1, len(content), 0, 0) + content
    pairs = b"".join(struct.pack("!II", len(n) | 1 << 31, len(v) | 1 << 31) + n.encode() + v.encode() for n, v in parameters.items())
    message = record(1, struct.pack("!HB5x", 1, 0)) + record(4, pairs) + record(4, b"") + (record(5, body) if body else b"") + record(5, b"")
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(20)
        connection.connect(path)
        connection.sendall(message)
        answer = b""
        while piece := connection.recv(65536):
            answer += piece
    return answer


def worker_environment(stack: Stack) -> dict[str, str]:
    """What the running workers have been told, for one more of them that listens elsewhere."""
    text = pathlib.Path(f"/proc/{stack.workers()[0]}/environ").read_text()
    values = dict(item.split("=", 1) for item in text.split("\0") if "=" in item)
    return {name: value for name, value in values.items() if not name.startswith("LISTEN_")}


def answers(path: str) -> bool:
    with socket.socket(socket.AF_UNIX) as connection:
        return connection.connect_ex(path) == 0


@contextlib.contextmanager
def listening(stack: Stack, sessions: int):
    """A worker of its own whose statements are listened to: the tap, and what asks it and gives the statements, by what travels together."""
    directory = pathlib.Path(stack.values["WORKER_SOCKET"]).parent
    url = stack.database("babybasics")
    parts = urllib.parse.urlsplit(url)
    host = urllib.parse.unquote(re.search(r"@([^:/?]+)", url)[1])
    place = directory / "tap"
    place.mkdir(exist_ok=True)
    place.chmod(0o755)
    tap = Tap(place, f"{host}/.s.PGSQL.{parts.netloc.rsplit(':', 1)[1]}")
    worker_socket = str(place / "worker.sock")
    environment = worker_environment(stack) | {
        "LISTEN_SOCKET": worker_socket, "DATABASE_SESSIONS": str(sessions),
        "DATABASE_URL": url.replace(urllib.parse.quote(host, safe=""), urllib.parse.quote(str(place), safe=""))}
    worker = subprocess.Popen([f"{stack.values['STATE_PLACE']}/bin/babybasics", "serve"], env=environment, stderr=subprocess.DEVNULL)

    def ask(operation: str, count: int = 1) -> list:
        """So many requests at the same moment, of a user for each operation: whoever asks much is counted in another way."""
        tap.flights = [[]]
        arguments = (worker_socket, *request(operation, *person(stack, operation)))
        with concurrent.futures.ThreadPoolExecutor(count) as threads:
            for answer in threads.map(lambda _: fastcgi(*arguments), range(count)):
                if b"Status: 20" not in answer:
                    raise SystemExit(f"the worker answered {operation} with {answer[8:200]!r}")
        return [flight for flight in tap.flights if flight]

    try:
        deadline = time.monotonic() + 30
        while not answers(worker_socket) and time.monotonic() < deadline:
            time.sleep(0.05)
        yield ask
    finally:
        worker.terminate()
        worker.wait(20)


def request(operation: str, token: str, child: str) -> tuple[dict[str, str], bytes]:
    path = {"W1": "/children", "W2": f"/children/{child}/timeline?limit=50", "W3": f"/children/{child}/dashboard", "W4": f"/children/{child}/feedings"}[operation]
    start = time.time() - 3600
    moment = lambda t: time.strftime("%Y-%m-%dT%H:%M:00.000Z", time.gmtime(t))
    body = json.dumps({"type": "bottle", "started_at": moment(start), "ended_at": moment(start + 600), "amount_ml": 120, "content": "formula", "notes": "bench"}).encode() if operation == "W4" else b""
    return {"REQUEST_METHOD": "POST" if body else "GET", "REQUEST_URI": "/api/v1" + path, "HTTP_AUTHORIZATION": f"Bearer {token}",
            "REMOTE_ADDR": "127.0.0.1", "CONTENT_LENGTH": str(len(body)), "CONTENT_TYPE": "application/json"}, body


def capture(stack: Stack, operations: list[str], sessions: int = 1) -> dict[str, list]:
    """For each operation and each of some requests in the steady state their statements, by what travels together. They come one after the
    other, so that each is a transaction of its own; a worker of 4 sessions has changes go as a group of one."""
    with listening(stack, sessions) as ask:
        # After the first two everything is prepared.
        return {operation: [ask(operation) for _ in range(REQUESTS + 2)][2:] for operation in operations}


def capture_many(stack: Stack, operations: list[str]) -> dict[str, str]:
    """The statement that is sent for several requests of an operation which come at the same moment. Of two sessions one is for readings."""
    found = {}
    with listening(stack, 2) as ask:
        for operation in operations:
            for _ in range(20):
                texts = [text for flight in ask(operation, 8) for text, _, _ in flight if "with ordinality" in text]
                if texts:
                    found[operation] = texts[0]
                    break
            else:
                raise SystemExit(f"no requests of {operation} went together")
    return found


def literal(value: bytes | None, oid: int) -> str:
    """A parameter's value, as it came in binary."""
    name = TYPES[oid]
    if value is None:
        return f"null::{name}"
    match name:
        case "smallint" | "integer" | "bigint" | "date":
            number = int.from_bytes(value, signed=True)
            return f"'2000-01-01'::date + {number}" if name == "date" else f"{number}::{name}"
        case "timestamptz":
            seconds = min(max(int.from_bytes(value, signed=True) / 1e6, -1e10), 1e11)  # the ends of time are far enough
            return f"'{EPOCH + datetime.timedelta(seconds=seconds)}'::timestamptz"
        case "boolean":
            return "true" if value[0] else "false"
        case "uuid":
            return f"'{value.hex()}'::uuid"
        case "bytea":
            return f"'\\x{value.hex()}'::bytea"
        case "numeric":
            digits, weight, _, scale = struct.unpack_from("!hhHh", value)
            number = sum(d * 10000.0 ** (weight - i) for i, d in enumerate(struct.unpack_from(f"!{digits}h", value, 8)))
            return f"{number:.{scale}f}::numeric"
        case "uuid[]":
            count = (len(value) - 20) // 20
            return f"array[{', '.join(literal(value[24 + 20 * i:40 + 20 * i], 2950) for i in range(count))}]"
    return "'" + value.decode().replace("'", "''") + f"'::{name}"


def person(stack: Stack, operation: str) -> list[str]:
    """Whoever asks for an operation: token and child."""
    return stack.users_file.read_text().split("\n")[int(operation[1:])].split()


def alone(requests: list) -> list:
    """What travels together, each statement with the number of its request."""
    return [[(n, statement) for statement in flight] for n, flights in enumerate(requests) for flight in flights]


def grouped(requests: list, size: int) -> list:
    """The same where so many come at the same moment: the counting ahead of them, then all in one transaction, which begins with what is said about it."""
    together = []
    for begin in range(0, len(requests), size):
        part = list(enumerate(requests))[begin:begin + size]
        together += [[(n, statement) for statement in flight] for n, flights in part for flight in flights[:-1]]
        together.append([(begin, part[0][1][-1][0]), *((n, flights[-1][1]) for n, flights in part)])
    return together


def as_many(requests: list, many: str, size: float) -> list:
    """The same for readings: those of the usual statement so many at a time as one, whose values are lists; the others each for itself."""
    usual = usual_statement(requests)
    flights = [[(n, statement) for flight in flights for statement in flight] for n, flights in enumerate(requests) if not is_only(flights, usual)]
    alike = [(n, flights[0][0]) for n, flights in enumerate(requests) if is_only(flights, usual)]
    for part in parts(alike, size):
        numbers, ((_, types, _), *_) = zip(*part)
        flights.append([part[0]] if len(part) == 1 else [(numbers, (many, types, list(zip(*(values for _, (_, _, values) in part)))))])
    return flights


def usual_statement(requests: list) -> str:
    return statistics.mode(text for flights in requests for flight in flights for text, _, _ in flight)


def is_only(flights: list, text: str) -> bool:
    return [statement[0] for flight in flights for statement in flight] == [text]


def group_size(requests: list, count: int, transactions: int) -> float:
    """How many readings went as one, on average, when so many requests took so many transactions."""
    usual = usual_statement(requests)
    alike = sum(is_only(flights, usual) for flights in requests)
    others = sum(len(flights) for flights in requests if not is_only(flights, usual))
    return alike * count / (len(requests) * transactions - others * count)


def parts(items: list, size: float) -> list:
    """Cut into parts of so many, as evenly as whole numbers allow."""
    count = max(1, round(len(items) / size))
    return [items[len(items) * i // count:len(items) * (i + 1) // count] for i in range(count)]


def script(stack: Stack, operation: str, flights: list) -> str:
    """pgbench's script of requests, each of another user. The users' values come by one statement for all."""
    token, _ = person(stack, operation)
    columns = ("token_hash", "user_id", "session_id", "family_id", "child_id")
    row = stack.psql(f"select {', '.join(columns)} from bench_users where i = {int(token)}").split("|")
    column_of = dict(zip(row, columns))
    used = set()

    def value(statement: str, parameter: bytes | None, oid: int, n: int) -> str:
        text = literal(parameter, oid).split("'")[1] if oid in (25, 2950) and parameter else None
        text = re.sub(r"^(.{8})(.{4})(.{4})(.{4})(.{12})$", r"\1-\2-\3-\4-\5", text) if oid == 2950 and text else text
        if text in column_of:
            used.add((column_of[text], n))
            return f":{column_of[text]}_{n}::{TYPES[oid]}"
        return "gen_random_uuid()" if oid == 2950 and "insert into" in statement else literal(parameter, oid)

    def one(statement: str, parameter, oid: int, n) -> str:
        if not isinstance(n, tuple):
            return value(statement, parameter, oid, n)
        return f"array[{', '.join(value(statement, each, oid, i) for each, i in zip(parameter, n))}]::{TYPES[oid]}[]"

    lines = []
    for flight in flights:
        statements = []
        for n, (text, types, values) in flight:
            text = re.sub(r"\$(\d+)", lambda m: one(text, values[int(m[1]) - 1], types[int(m[1]) - 1], n), text)
            statements.append(" ".join(text.split()) + ";")
        lines += ["\\startpipeline", *statements, "\\endpipeline"] if len(statements) > 1 else statements
    names = ", ".join(f"max({column}::text) filter (where n = {n}) as {column}_{n}" for column, n in sorted(used))
    count = stack.psql("select count(*) from bench_users")
    which = f"select *, (i + {count} - :u) % {count} as n from bench_users where i = any (array(select 1 + (:u + k - 1) % {count} from generate_series(0, {REQUESTS - 1}) k))"
    return "\n".join([f"\\set u random(1, {count})", f"select {names} from ({which}) b \\gset", *lines]) + "\n"
