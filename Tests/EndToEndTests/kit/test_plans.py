"""A medicine plan between two phones: made on one, due on the other, given there, and asked about on the first."""


def plans(phone, *options: str) -> list[dict]:
    """The plans that the phone shows."""
    names = ("state", "name", "dose", "schedule", "next", "given")
    lines = [line.split("\t") for line in phone("plans", *options).splitlines()]
    return [dict(zip(names, words, strict=True)) for kind, *words in lines if kind == "plan"]


def reminders(phone, *options: str) -> list[list[str]]:
    lines = [line.split("\t") for line in phone("plans", *options).splitlines()]
    return [words for kind, *words in lines if kind == "reminder"]


def due(phone) -> list[list[str]]:
    return [line.split("\t")[1:] for line in phone("summary").splitlines() if line.startswith("due\t")]


def of_server(family: dict) -> list[dict]:
    """As the server's dashboard has them."""
    return family["maria"].ok("GET", f"/children/{family['child']}/dashboard")["dashboard"]["plans"]


def test_a_plan_is_made_on_one_phone_given_on_the_other_and_asked_about_on_the_first(phones, family):
    maria, sam = phones
    maria("plan", "Paracetamol", "--dose", "2.5 ml", "--every", "6", "--most", "4")
    assert due(maria) == [["now", "Paracetamol due now", "2.5 ml · not given yet"]]
    (known,) = plans(sam, "--fetch")
    assert (known["name"], known["dose"], known["schedule"]) == ("Paracetamol", "2.5 ml", "every 6 h, at most 4 times a day")
    assert due(sam) == due(maria)
    given = sam("give", "paracetamol")
    assert "plan_id=" in given and "dose=2.5 ml" in given
    assert not any(state == "now" for state, *_ in due(sam))
    # Maria's phone hears of it, and asks.
    maria("sync")
    asked = maria("give", "Paracetamol", fails=True)
    assert "Sam gave Paracetamol just now. Log anyway?" in asked and "The plan says every 6 h." in asked
    assert len(maria.entries()) == 1
    # The form of a medicine knows the plan by its name, and asks as well.
    assert "Sam gave Paracetamol" in maria("log", "medication", "paracetamol", fails=True)
    assert len(maria.entries()) == 1
    maria("give", "Paracetamol", "--anyway")
    sam("sync")
    assert [entry["author"] for entry in sam.entries()] == ["Maria", "Sam"]
    # One truth: what both phones say is what the server says.
    (there,) = of_server(family)
    for phone in phones:
        (here,) = plans(phone)
        assert (here["next"], int(here["given"])) == (there["next_at"], there["given_today"]) and here["state"] == "saved"


def test_offline_it_is_given_and_asked_about_and_told_when_the_line_is_back(phones, family):
    maria, sam = phones
    maria("offline", "on")
    maria("plan", "Vitamin D", "--at", "08:00", "--most", "1")
    maria("give", "vitamin d")
    assert [plan["state"] for plan in plans(maria)] == ["waiting"]
    asked = maria("give", "Vitamin D", fails=True)
    assert "You gave Vitamin D" in asked and "That day it was given once" in asked
    assert plans(sam, "--fetch") == [] and of_server(family) == []
    maria("offline", "off")
    maria("sync")
    (known,) = plans(sam, "--fetch")
    assert (known["schedule"], known["given"]) == ("at 08:00, at most once a day", "1")
    (there,) = of_server(family)
    assert there["given_today"] == 1 and there["next_at"] == known["next"] == plans(maria)[0]["next"]
    assert "Maria gave Vitamin D" in sam("give", "Vitamin D", fails=True)
    # Two phones that give it without hearing of each other: both doses are there, for whoever looks.
    sam("offline", "on")
    sam("give", "Vitamin D", "--anyway")
    maria("give", "Vitamin D", "--anyway")
    sam("offline", "off")
    sam("sync")
    assert plans(sam)[0]["given"] == plans(maria, "--fetch")[0]["given"] == "3"


def test_only_parents_plan_and_a_deleted_plan_is_gone_for_everyone(phones, family):
    maria, sam = phones
    maria("plan", "Iron", "--needed")
    assert [plan["next"] for plan in plans(sam, "--fetch")] == ["-"]
    assert "Only parents" in sam("plan", "Iron", "--every", "4", fails=True)
    assert "Only parents" in sam("plan", "Zinc", "--every", "4", fails=True)
    maria("plan", "iron", "--every", "8", "--until", "2100-01-01")
    assert [plan["schedule"] for plan in plans(sam, "--fetch")] == ["every 8 h"]
    sam("give", "Iron")
    maria("plan", "Iron", "--delete")
    assert plans(sam, "--fetch") == [] and [entry["name"] for entry in sam.entries()] == ["Iron"]


def test_a_reminder_is_ones_own_and_set_offline_too(phones, family):
    maria, sam = phones
    maria("plan", "Iron", "--every", "8")
    maria("offline", "on")
    maria("remind", "feeding", "--after", "180")
    maria("remind", "Iron")
    assert sorted(reminders(maria)) == [["waiting", "Iron", "when due"], ["waiting", "feeding", "180"]]
    maria("offline", "off")
    maria("sync")
    assert sorted(reminders(maria)) == [["saved", "Iron", "when due"], ["saved", "feeding", "180"]]
    assert reminders(sam, "--fetch") == []
    maria("log", "bottle", "120", "--ago", "200")
    assert "reminder\t3 h 20 min since the last feed" in maria("summary")
    maria("remind", "feeding", "--off")
    assert [words[1] for words in reminders(maria)] == ["Iron"]
    assert "reminder" not in maria("summary")
    kept = family["maria"].ok("GET", "/users/me/reminders")["reminders"]
    assert [bool(one["plan_id"]) for one in kept] == [True]


def test_a_dose_that_moves_to_the_twin_leaves_its_plan(phones, family):
    maria, sam = phones
    twin = family["maria"].create_child(family["id"], "Robin")
    maria("sync")
    maria("plan", "Iron", "--every", "8")
    maria("give", "Iron")
    dose = maria.entries()[0]
    assert dose["plan_id"]
    maria("edit", dose["id"], f"child_id={twin}")
    sam("sync")
    (moved,) = sam.entries("--child", "Robin")
    assert moved["id"] == dose["id"] and "plan_id" not in moved
    assert [plan["given"] for plan in plans(sam)] == ["0"]
