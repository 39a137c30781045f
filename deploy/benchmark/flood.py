"""flood.py URL CA_FILE RATE SECONDS: logins of strangers, five from each address. Prints what became of them."""

import collections
import http.client
import json
import random
import ssl
import sys
import threading
import time

url, ca_file, rate, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3]), float(sys.argv[4])
host, port = url.removeprefix("https://").split(":")
context = ssl.create_default_context(cafile=ca_file)
statuses: collections.Counter = collections.Counter()
refused: list[float] = []
lock = threading.Lock()
THREADS = 48
end = time.monotonic() + seconds


def one_address(number: int) -> None:
    address = f"127.{random.randint(1, 250)}.{random.randint(0, 250)}.{random.randint(2, 250)}"
    connection = http.client.HTTPSConnection(host, int(port), timeout=30, context=context, source_address=(address, 0))
    for _ in range(5):
        due = next_due()
        time.sleep(max(0.0, due - time.monotonic()))
        body = json.dumps({"email": f"stranger{random.random()}@example.com", "password": "a guess at it"})
        began = time.perf_counter()
        try:
            connection.request("POST", "/api/v1/auth/login", body, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            answer.read()
        except (OSError, http.client.HTTPException):
            with lock:
                statuses["broken"] += 1
            return
        with lock:
            statuses[str(answer.status)] += 1
            if answer.status in (429, 503):
                refused.append((time.perf_counter() - began) * 1000)
    connection.close()


began, sent = time.monotonic(), 0


def next_due() -> float:
    """When the next login is to be sent, so that all threads together keep the rate."""
    global sent
    with lock:
        sent += 1
        # What could not be sent in time is not made up for.
        sent = max(sent, int((time.monotonic() - began) * rate) - THREADS)
        return began + sent / rate


def run(number: int) -> None:
    while time.monotonic() < end:
        one_address(number)


threads = [threading.Thread(target=run, args=(number,)) for number in range(THREADS)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
refused.sort()
at = lambda share: refused[min(len(refused) - 1, int(len(refused) * share))] if refused else 0.0
print(json.dumps({"rate": sum(statuses.values()) / (time.monotonic() - began), "statuses": statuses, "refused_p50_ms": at(0.5), "refused_p99_ms": at(0.99)}))
