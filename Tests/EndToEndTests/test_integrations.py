"""The recipes of deploy/docs/integrations.md do what they say: each block of it is run, or asked for what it describes."""

import json
import pathlib
import re
import subprocess

import jinja2.nativetypes
import pytest
import yaml
from people import ago
from standardwebhooks import Webhook

TEXT = (pathlib.Path(__file__).parents[2] / "deploy/docs/integrations.md").read_text()
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", TEXT, re.S)


def blocks(language: str, *words: str) -> list[str]:
    found = [text for name, text in BLOCKS if name == language and all(word in text for word in words)]
    assert found, f"no {language} with {words}"
    return found


class Home(yaml.SafeLoader):
    """Home Assistant's, whose secrets stand in a file of their own."""


def rendered(template: str, **values):
    return jinja2.nativetypes.NativeEnvironment().from_string(template).render(**values)


@pytest.fixture
def home(household):
    parent = household("Automatic", "Ada")
    body = {"name": "A program", "family_id": parent.family, "scope": "log"}
    parent.secret = parent.ok("POST", "/users/me/tokens", body, 201)["token"]["secret"]
    Home.add_constructor("!secret", lambda loader, node: {"baby_basics": f"Bearer {parent.secret}"}[node.value])
    return parent


def filled(text: str, parent) -> str:
    return (
        text.replace("https://baby.example.com", parent.stack.address).replace("CHILD_ID", parent.child)
        .replace("FAMILY_ID", parent.family).replace("Bearer TOKEN", f"Bearer {parent.secret}")
    )


def ask(parent, method: str, url: str, headers: dict | None = None, body: dict | None = None):
    with parent.stack.client() as client:
        return client.request(method, url, headers=headers, json=body)


def test_every_block_is_of_a_language_that_is_run_here():
    assert {language for language, _ in BLOCKS} == {"sh", "json", "yaml", "python", "sql"}
    assert [language for language, _ in BLOCKS].count("sh") == 3


def test_curl(home, stack):
    for script in blocks("sh"):
        script = script.replace("curl -sS", f"curl --cacert {stack.values['CA_FILE']} --interface {next(stack.addresses)} -fsS")
        environment = {
            "PATH": "/usr/bin:/bin", "BASE_URL": stack.address, "SESSION": home.token, "TOKEN": home.secret,
            "FAMILY": home.family, "CHILD": home.child,
        }
        shell = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script], env=environment, timeout=60, capture_output=True, text=True
        )
        assert shell.returncode == 0 and shell.stderr == "", shell.stderr
        for name in re.findall(r"^\{\"(\w+)\"", shell.stdout, re.M):
            assert name in {"token", "family", "dashboard", "diaper", "changes", "webhook"}
    assert home.ok("GET", f"/children/{home.child}/diapers")["count"] == 1
    assert home.ok("GET", f"/families/{home.family}/webhooks")["count"] == 1


def test_shortcut(home):
    recipe = json.loads(filled(blocks("json", "headers")[0], home))
    answer = ask(home, recipe["method"], recipe["url"], recipe["headers"], recipe["body"])
    assert answer.status_code == 201
    assert answer.json()["feeding"]["amount_ml"] == recipe["body"]["amount_ml"]


def test_home_assistant_reads(home):
    (rest,) = yaml.load(filled(blocks("yaml", "rest:")[0], home), Home)["rest"]

    def sensors() -> dict:
        answer = ask(home, "GET", rest["resource"], rest["headers"])
        assert answer.status_code == 200
        return {
            sensor["unique_id"]: rendered(sensor["value_template"], value_json=answer.json()) for sensor in rest["sensor"]
        }

    assert sensors() == {"baby_last_feed": None, "baby_asleep_since": None, "baby_diapers_today": 0}
    feeding = home.ok("POST", f"/children/{home.child}/feedings", {"type": "bottle", "started_at": ago(30)}, 201)["feeding"]
    sleep = home.ok("POST", f"/children/{home.child}/sleeps", {"started_at": ago(10)}, 201)["sleep"]
    home.ok("POST", f"/children/{home.child}/diapers", {"type": "wet"}, 201)
    assert sensors() == {
        "baby_last_feed": feeding["started_at"], "baby_asleep_since": sleep["started_at"], "baby_diapers_today": 1,
    }


def test_home_assistant_logs(home):
    configuration = yaml.load(filled(blocks("yaml", "rest_command:")[0], home), Home)
    (step,) = configuration["script"]["wet_diaper"]["sequence"]
    domain, _, name = step["action"].partition(".")
    command = configuration[domain][name]
    payload = json.loads(jinja2.Environment().from_string(command["payload"]).render(**step["data"]))
    assert command["content_type"] == "application/json"
    answer = ask(home, command["method"].upper(), command["url"], command["headers"], payload)
    assert answer.status_code == 201 and answer.json()["diaper"]["type"] == "wet"


def test_home_assistant_and_python_are_called(home, stack):
    """By the very bytes that a receiver gets."""
    from receivers import webhook_stack
    from people import Person

    (automation,) = yaml.load(blocks("yaml", "automation:")[0], Home)["automation"]
    (trigger,), (condition,) = automation["triggers"], automation["conditions"]
    assert f"/api/webhook/{trigger['webhook_id']}" in TEXT and trigger["allowed_methods"] == ["POST"]
    program: dict = {}
    exec(blocks("python")[0], program)
    with webhook_stack(stack.place / "bin/babybasics") as own:
        parent = Person(own, "Johnny")
        parent.family = parent.create_family()
        child = parent.create_child(parent.family, "Ada")
        body = {"url": own.receivers.url(f"api/webhook/{trigger['webhook_id']}"), "kinds": ["sleep"]}
        webhook = parent.ok("POST", f"/families/{parent.family}/webhooks", body, 201)["webhook"]
        sleep = parent.ok("POST", f"/children/{child}/sleeps", {"started_at": ago(10)}, 201)["sleep"]
        parent.ok("POST", f"/children/{child}/diapers", {"type": "wet"}, 201)
        parent.ok("PATCH", f"/children/{child}/sleeps/{sleep['id']}", {"ended_at": ago(5)})
        calls = own.receivers.wait(f"api/webhook/{trigger['webhook_id']}", 2)
    dims = [rendered(condition["value_template"], trigger={"json": call.json}) for call in calls]
    assert dims == [True, False]
    said = program["receive"](webhook["secret"], calls[0].headers, calls[0].body)
    assert said == {"what": "event.created", "kind": "sleep", "child": "Ada"}
    assert Webhook(webhook["secret"]).verify(calls[1].body, calls[1].headers)["type"] == "event.updated"


def test_grafana_reads_the_api(home):
    for amount in (90, 120.5):
        home.ok("POST", f"/children/{home.child}/feedings", {"type": "bottle", "amount_ml": amount}, 201)
    query = json.loads(filled(blocks("json", "root_selector")[0], home))
    answer = ask(home, query["url_options"]["method"], query["url"], {"Authorization": f"Bearer {home.secret}"})
    rows = []
    for entry in answer.json()[query["root_selector"]]:
        row = {}
        for column in query["columns"]:
            value = entry
            for part in column["selector"].split("."):
                value = value[part]
            row[column["text"]] = value
        rows.append(row)
    assert [row["ml"] for row in rows] == [120.5, 90] and all(row["time"].endswith("Z") for row in rows)


def test_grafana_reads_the_database(home, stack):
    role, query = blocks("sql")
    home.ok("POST", f"/children/{home.child}/diapers", {"type": "wet"}, 201)
    secrets = dict(line.split("=", 1) for line in (stack.state / "secrets").read_text().splitlines())
    owner = stack.values["DATABASE_URL"]
    superuser = re.sub(r"//[^@]*@", f"//postgres:{secrets['SUPERUSER_PASSWORD']}@", owner)

    def sql(url: str, text: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            [f"{stack.values['POSTGRESQL']}/psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-d", url], input=text,
            capture_output=True, text=True, timeout=60,
        )

    done = sql(superuser, role)
    assert done.returncode == 0, done.stderr
    try:
        grafana = re.sub(r"//[^@]*@", "//grafana:choose%20one@", owner)
        shown = sql(grafana, filled(query, home))
        assert shown.returncode == 0 and shown.stdout.strip().endswith("|1"), shown.stderr
        for forbidden in ("select * from users", "select * from events", "select * from tokens", "delete from diapers"):
            assert sql(grafana, forbidden).returncode != 0, forbidden
    finally:
        assert sql(superuser, "drop owned by grafana; drop role grafana").returncode == 0
