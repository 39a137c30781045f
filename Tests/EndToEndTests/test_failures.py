"""What dies, and what goes on: a worker killed under load, the database stopped and started again."""

import os
import signal
import threading
import time
import uuid

from stack import assert_common_headers, assert_error, headers_of

WRITERS, WRITES = 10, 80


def until(seconds: float, condition, pause: float = 0.1):
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < deadline, "did not happen in time"
        time.sleep(pause)
    return found


def test_a_killed_worker_loses_no_acknowledged_write(stack, person):
    people = [person(f"Writer{number}") for number in range(WRITERS)]
    # A family has 20 children at most.
    families = [[one.create_family() for _ in range(WRITES // 20)] for one in people]
    acknowledged: list[set[str]] = [set() for _ in people]
    failed: list[tuple[float, int]] = []
    written = threading.Semaphore(0)

    def write(number: int) -> None:
        for turn in range(WRITES):
            child = str(uuid.uuid4())
            body = {"id": child, "name": "Baby", "date_of_birth": "2026-03-15"}
            answer = people[number].call("POST", f"/families/{families[number][turn // 20]}/children", body)
            if answer.status_code == 201:
                acknowledged[number].add(child)
            else:
                failed.append((time.monotonic(), answer.status_code))
            written.release()

    before = stack.workers()
    assert len(before) == 2
    threads = [threading.Thread(target=write, args=(number,)) for number in range(WRITERS)]
    for thread in threads:
        thread.start()
    for _ in range(WRITERS * WRITES // 4):
        written.acquire()
    os.kill(before[0], signal.SIGKILL)
    killed = time.monotonic()
    for thread in threads:
        thread.join()

    # Only what the dead worker held is lost, at that moment, and said so; nothing is answered twice or silently dropped.
    assert {status for _, status in failed} <= {502}
    assert len(failed) <= WRITERS
    assert all(killed - 0.1 <= when <= killed + 2 for when, _ in failed)
    for one, children in zip(people, acknowledged):
        stored = {child["id"] for child in one.ok("GET", "/children")["children"]}
        assert children <= stored
        assert len(stored) <= WRITES

    after = until(10, lambda: len(now := stack.workers()) == 2 and now)
    assert before[1] in after and before[0] not in after
    with stack.client() as client:
        assert {client.get("/health").status_code for _ in range(20)} == {200}


def test_the_database_goes_away_and_comes_back(stack, person):
    johnny = person("Johnny")
    family = johnny.create_family()
    workers = stack.workers()
    stack.database("stop", "-m", "fast")
    try:
        for path in ("/families", f"/families/{family}", "/children"):
            answer = johnny.call("GET", path)
            error = assert_error(answer.status_code, headers_of(answer), answer.content, 503, "SERVICE_UNAVAILABLE")
            assert "sql" not in error["message"].lower()
            assert_common_headers(headers_of(answer))
            assert int(answer.headers["retry-after"]) > 0
        answer = johnny.call("POST", "/families", {"name": "Away"})
        assert answer.status_code == 503
        with stack.client() as client:
            # The database is asked once a second at most.
            health = until(5, lambda: (answer := client.get("/health")).status_code == 503 and answer)
            assert health.json()["status"] == "unavailable"
            assert client.get(f"/join/{'A' * 22}").status_code == 200
    finally:
        stack.database("start")
    with stack.client() as client:
        until(15, lambda: client.get("/health").status_code == 200)
    until(15, lambda: johnny.call("GET", f"/families/{family}").status_code == 200)
    assert [one["name"] for one in johnny.ok("GET", "/families")["families"]] == ["Johnny's Family"]
    assert stack.workers() == workers
