"""Three devices of one family, two phones and a browser, that log, edit, delete, lose requests, answers and themselves.

By hand: TORTURE_ROUNDS=1000 TORTURE_SEED=7 deploy/test e2e -k torture
"""

import collections
import os
import random
import time

import pytest
from devices import Page, Terminal, comparable

ROUNDS = int(os.environ.get("TORTURE_ROUNDS", "60"))
SEED = int(os.environ.get("TORTURE_SEED", "5"))
KINDS = ["feeding", "diaper", "sleep", "note", "running", "pumping", "measurement", "temperature", "medication", "activity"]
COLORS = ["yellow", "brown", "green"]


class Torture:
    def __init__(self, devices: list, seed: int):
        self.devices, self.chance = devices, random.Random(seed)
        self.done: collections.Counter = collections.Counter()
        self.marks: set[str] = set()
        self.logged: dict[str, str] = {}
        self.deleted: set[str] = set()
        self.off = {id(device): False for device in devices}

    def round(self, number: int) -> None:
        device = self.chance.choice(self.devices)
        child = self.chance.choice(("Wren", "Robin"))
        killed = self.chance.random() < 0.12
        acts = {"log": 34, "edit": 22, "delete": 8, "restore": 3, "offline or back": 7, "screen off or on": 6, "sync": 20}
        act = self.chance.choices(list(acts), list(acts.values()))[0]
        name = "phone" if isinstance(device, Terminal) else "page"
        if act == "log":
            mark = f"mark-{number}"
            self.marks.add(mark)
            kind = self.chance.choice(KINDS)
            made = device.log(child, kind, mark, self.chance.randint(5, 900), killed)
            if made:
                self.logged[made] = mark
        elif act in ("edit", "delete"):
            entries = device.visible(child)
            if not entries:
                return
            entry = self.chance.choice(entries)
            if act == "delete":
                self.deleted.add(entry["id"])
                device.delete(entry, killed)
            else:
                device.edit(entry, self.changes(entry), killed)
        elif act == "restore":
            killed = False
            if not device.restore():
                return
        elif act == "offline or back":
            killed = False
            self.off[id(device)] = not self.off[id(device)]
            device.offline(self.off[id(device)])
        elif act == "screen off or on":
            killed = False
            device.turn_off()
        else:
            killed = False
            device.sync()
        self.done[f"{name}: {act}{', killed' if killed else ''}"] += 1

    def changes(self, entry: dict) -> dict:
        match entry["kind"]:
            case "feeding" | "pumping":
                return {"amount_ml": self.chance.randint(1, 2500) / 10}
            case "diaper":
                return {"color": self.chance.choice(COLORS)}
            case "sleep":
                return {"type": self.chance.choice(("nap", "night"))}
            case "measurement":
                return {self.chance.choice(("length_cm", "head_cm")): self.chance.randint(300, 600) / 10}
            case "temperature":
                return {"site": self.chance.choice(("oral", "ear"))}
            case "medication" | "activity":
                return {"name": f"name {self.chance.randint(1, 10_000)}"}
            case _:
                return {"content": f"words {self.chance.randint(1, 10_000)}"}

    def settle(self) -> None:
        for device in self.devices:
            device.settle()
        deadline = time.monotonic() + 240  # the hundred requests of a minute may be used up
        quiet = 0
        while quiet < 2:
            waiting = [device.rest() for device in self.devices]
            quiet = quiet + 1 if not any(waiting) else 0
            assert time.monotonic() < deadline, f"they do not come to rest: {waiting}"

    def differences(self, truth: dict) -> list[str]:
        found = []
        for number, device in enumerate(self.devices):
            own = device.contents()
            for key in sorted(truth.keys() | own.keys()):
                if own.get(key) != truth.get(key):
                    found.append(f"device {number} at {key}:\n  has {own.get(key)}\n  server {truth.get(key)}")
        return found


@pytest.fixture
def torture(stack, person, browser, tmp_path):
    maria, johnny, sam = person("Maria"), person("Johnny"), person("Sam")
    family = maria.create_family()
    children = [maria.create_child(family, name) for name in ("Wren", "Robin")]
    johnny.join(maria.invite(family, "parent"))
    sam.join(maria.invite(family, "caregiver"))
    chance = random.Random(SEED + 1)
    phones = [Terminal(stack, tmp_path / one.name, one, chance) for one in (maria, sam)]
    made = Torture([*phones, Page(browser, johnny, chance)], SEED)
    made.truth = lambda: {
        item["event"]["id"]: comparable(item["type"], item["event"]) for child in children for item in timeline(maria, child)
    }
    yield made
    for phone in phones:
        if phone.screen:
            phone.turn_off()


def timeline(person, child: str):
    cursor = ""
    while cursor is not None:
        page = person.ok("GET", f"/children/{child}/timeline?limit=200{cursor and f'&cursor={cursor}'}")
        yield from page["events"]
        cursor = page["next_cursor"]


def test_torture_of_two_phones_and_the_web_app(torture):
    for number in range(ROUNDS):
        start = time.monotonic()
        torture.round(number)
        if ROUNDS > 150:  # within the hundred requests of a minute, or it is a test of them
            time.sleep(max(0, 0.4 - (time.monotonic() - start)))
    torture.settle()
    truth = torture.truth()
    deadline = time.monotonic() + 30
    while (found := torture.differences(truth)) and time.monotonic() < deadline:
        time.sleep(1)
        for device in torture.devices:
            device.rest()
    assert not found, f"seed {SEED}, {len(found)} differ:\n" + "\n".join(found[:10])
    marks = collections.Counter(event["notes"] for event in truth.values())
    assert all(count == 1 for count in marks.values()), f"doubled: {[mark for mark in marks if marks[mark] > 1]}"
    assert set(marks) <= torture.marks
    aside = set().union(*(device.aside() for device in torture.devices))
    lost = torture.logged.keys() - truth.keys() - torture.deleted - aside
    assert not lost, f"seed {SEED}, lost: {[(key, torture.logged[key]) for key in lost]}"
    print(f"\n{ROUNDS} rounds, seed {SEED}: {len(torture.logged)} logged, {len(truth)} at the end, {len(aside)} kept aside,")
    print(f"page lost {torture.devices[2].lost()}; {dict(torture.done)}")
    assert len(truth) > ROUNDS / 10
