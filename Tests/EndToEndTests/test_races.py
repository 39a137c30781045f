"""What must hold when everyone presses at once, over both workers."""

import concurrent.futures
import threading
import time

from stack import assert_error, headers_of

PAIRS, ROUNDS = 10, 20  # a person may ask 100 times a minute: enough for 20 rounds


def together(*actions):
    """Runs all actions at the same moment and gives back their results in order."""
    barrier = threading.Barrier(len(actions))

    def one(action):
        barrier.wait()
        return action()

    with concurrent.futures.ThreadPoolExecutor(len(actions)) as threads:
        return list(threads.map(one, actions))


def test_twenty_people_race_for_one_link(person):
    johnny = person("Johnny")
    family = johnny.create_family()
    people = [person(f"Racer{number}") for number in range(20)]
    token = johnny.invite(family, "caregiver")
    answers = together(*[lambda one=one: one.accept(token) for one in people])
    statuses = sorted(answer.status_code for answer in answers)
    assert statuses == [201] + [404] * 19
    for answer in answers:
        if answer.status_code == 404:
            assert_error(answer.status_code, headers_of(answer), answer.content, 404, "NOT_FOUND")
    assert johnny.ok("GET", f"/families/{family}/members")["count"] == 2


def test_two_parents_remove_each_other(person):
    """200 times: 20 rounds each for ten pairs of parents."""
    for pair in range(PAIRS):
        one, other = person(f"Johnny{pair}"), person(f"Sarah{pair}")
        family = one.create_family()
        other.join(one.invite(family, "parent"))
        for number in range(ROUNDS):
            answers = together(
                lambda: one.call("DELETE", f"/families/{family}/members/{other.id}"),
                lambda: other.call("DELETE", f"/families/{family}/members/{one.id}"),
            )
            statuses = [answer.status_code for answer in answers]
            assert sorted(statuses) == [204, 403], f"pair {pair}, round {number}"
            if statuses[1] == 204:
                one, other = other, one
            members = one.ok("GET", f"/families/{family}/members")["members"]
            assert [member["user_id"] for member in members] == [one.id]
            other.join(one.invite(family, "parent"))


def test_two_parents_leave_or_demote_each_other(person):
    """Whatever comes first, somebody stays a parent, and one of the parents owns the family."""
    for pair in range(3):
        one, other = person(f"Johnny{pair}"), person(f"Sarah{pair}")
        family = one.create_family()
        other.join(one.invite(family, "parent"))
        for number in range(ROUNDS // 2):
            path, viewer = f"/families/{family}/members/", {"role": "viewer"}
            deed = [
                lambda: one.call("PATCH", path + other.id, viewer),
                lambda: other.call("PATCH", path + one.id, viewer),
                lambda: one.call("POST", f"/families/{family}/transfer", {"user_id": other.id}),
                lambda: other.call("POST", f"/families/{family}/leave"),
            ]
            together(deed[number % 2], deed[3 - number % 3])
            members = (one.call("GET", path.rstrip("/")).json() or {}).get("members", [])
            parents = [member for member in members if member["role"] == "parent"]
            assert parents and [member["is_owner"] for member in parents].count(True) == 1
            if len(parents) == 2:
                continue
            if parents[0]["user_id"] == other.id:
                one, other = other, one
            if len(members) == 2:
                one.ok("PATCH", path + other.id, {"role": "parent"})
            else:
                other.join(one.invite(family, "parent"))


def test_three_taps_on_one_link(person):
    johnny, maria = person("Johnny"), person("Maria")
    token = johnny.invite(johnny.create_family(), "caregiver")
    answers = together(*[lambda: maria.accept(token)] * 3)
    assert sorted(answer.status_code for answer in answers) == [200, 200, 201]
    assert len({answer.text for answer in answers}) == 1


def test_the_same_invitation_for_two_who_ask_at_once(person):
    johnny = person("Johnny")
    for _ in range(5):
        family = johnny.create_family()
        tokens = together(*[lambda: johnny.invite(family, "caregiver")] * 6)
        assert len(set(tokens)) == 1


def test_the_same_email_registers_once(stack):
    body = {"name": "A", "email": "same@example.com", "password": "securepassword123"}
    body["email"] = f"{id(body)}-{threading.get_native_id()}@example.com"
    clients = [stack.client() for _ in range(6)]

    def register(client):
        # A server that has too many passwords to hash says so, and is asked again.
        deadline = time.monotonic() + 60
        while (answer := client.post("/api/v1/auth/register", json=body)).status_code == 503 and time.monotonic() < deadline:
            time.sleep(int(answer.headers["retry-after"]))
        return answer

    answers = together(*[lambda one=one: register(one) for one in clients])
    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 5
