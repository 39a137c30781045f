"""The OpenAPI document: that it is valid, that nginx serves it, that a person can read it, and that the service keeps to it."""

import json
import os
import pathlib
import re
import subprocess
import sys

import jsonschema
import openapi_spec_validator
import pytest
from playwright.sync_api import expect, sync_playwright

from stack import assert_common_headers, assert_error, headers_of
from webapp import launch, picture

HERE = pathlib.Path(__file__).parent
DOCS_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


@pytest.fixture(scope="module")
def document(stack) -> dict:
    with stack.client() as client:
        answer = client.get("/api/openapi.json")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    assert_common_headers(headers_of(answer))
    return answer.json()


def test_the_document_is_valid_openapi(document):
    assert document["openapi"].startswith("3.1.")
    openapi_spec_validator.validate(document)


def media_types(node):
    """Every `content` of the document: a schema with an example."""
    if isinstance(node, dict):
        if "schema" in node and "example" in node:
            yield node
        for value in node.values():
            yield from media_types(value)
    elif isinstance(node, list):
        for value in node:
            yield from media_types(value)


def test_examples_are_as_their_schemas_say(document):
    checked = 0
    for media_type in media_types(document):
        schema = {**media_type["schema"], "components": document["components"]}
        checker = jsonschema.Draft202012Validator(schema, format_checker=jsonschema.FormatChecker())
        checker.validate(media_type["example"])
        checked += 1
    assert checked > 60


@pytest.mark.parametrize("path", ["/api/openapi.json", "/api/docs", "/api/docs/docs.js"])
def test_the_document_and_its_page_can_only_be_read(client, path):
    answer = client.post(path)
    assert_error(answer.status_code, headers_of(answer), answer.content, 405, "METHOD_NOT_ALLOWED")
    assert headers_of(answer)["allow"] == ["GET, HEAD"]
    assert client.head(path).status_code == 200


@pytest.mark.parametrize("path", ["/api/docs/", "/api/docs/none.js", "/api/docs/index.html"])
def test_nothing_else_is_beside_them(client, path):
    answer = client.get(path)
    assert_error(answer.status_code, headers_of(answer), answer.content, 404, "NOT_FOUND")


def test_the_page_loads_nothing_inline_and_nothing_from_elsewhere(client):
    answer = client.get("/api/docs")
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["content-security-policy"] == DOCS_POLICY
    assert_common_headers(headers_of(answer))
    loaded = re.findall(r'(?:src|href)="([^"]+)"', answer.text)
    assert all(path.startswith(("/api/", "/assets/")) for path in loaded)
    assert "<style" not in answer.text and all(" src=" in piece for piece in answer.text.split("<script")[1:])
    for path in loaded:
        assert client.get(path).status_code == 200, path
    assert "Apache License" in client.get("/api/docs/LICENSE.swagger-ui").text


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_person_can_read_it(stack, artifacts, document, scheme):
    complaints, elsewhere = [], []
    with sync_playwright() as playwright:
        browser = launch(playwright)
        page = browser.new_context(ignore_https_errors=True, color_scheme=scheme).new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console",
            lambda message: complaints.append(message.text) if message.type in ("error", "warning") else None,
        )
        page.on("request", lambda request: None if request.url.startswith(stack.address) else elsewhere.append(request.url))
        page.goto(f"{stack.address}/api/docs")
        page.locator(".opblock-tag").first.wait_for()
        operations = [tag for path in document["paths"].values() for operation in path.values() for tag in operation["tags"]]
        for tag in document["tags"]:  # one opened after the other
            heading = page.locator(f'.opblock-tag[data-tag="{tag["name"]}"]')
            heading.click()
            expect(page.locator(".opblock")).to_have_count(operations.count(tag["name"]), timeout=60_000)
            heading.click()
            expect(page.locator(".opblock")).to_have_count(0)
        page.locator('.opblock-tag[data-tag="Tracking"]').click()
        page.get_by_text("Logs a feeding", exact=True).click()
        page.locator(".opblock.is-open .responses-table").first.wait_for()
        picture(page, artifacts / f"docs-{scheme}.png")
        background = page.evaluate("getComputedStyle(document.body).backgroundColor")
        browser.close()
    assert complaints == []
    assert [url for url in elsewhere if not url.startswith("data:")] == []
    assert (background == "rgb(250, 250, 250)") == (scheme == "light")


# How many examples of each operation, or chains of them, a phase of schemathesis makes: bounded by number, for time is the machine's. The first
# phase sends one request for each rule of the document, some 3,000; together they take about a minute and a half on two idle cores.
KINDS = {
    "Feeding": "Feedings", "Diaper": "Diapers", "Sleep": "Sleeps", "Note": "Notes", "Pumping": "Pumpings",
    "Measurement": "Measurements", "Temperature": "Temperatures", "Medication": "Medications", "Activity": "Activities",
    "Discard": "Discards",
}
PHASES = {"coverage": 1, "fuzzing": 5, "stateful": 200}
# Reading and deleting are the same code and the same rules for every kind: coverage sends one kind's, the other phases all.
OTHER_KINDS = [name for names in list(KINDS.items())[1:] for name in names]
ALIKE = re.compile(f"^(list|get|delete|restore)({'|'.join(OTHER_KINDS)})$")


@pytest.mark.parametrize("phase", PHASES)
def test_the_service_keeps_to_the_document(stack, document, artifacts, tmp_path, phase):
    location, answers = tmp_path / "openapi.json", artifacts / f"schemathesis-{phase}.json"
    location.write_text(json.dumps(document))
    environment = {
        **os.environ,
        "PYTHONPATH": str(HERE),
        "SCHEMATHESIS_HOOKS": "openapi_hooks",
        "SCHEMATHESIS_BASE_URL": stack.address,
        "SCHEMATHESIS_ANSWERS": str(answers),
        "CA_FILE": stack.values["CA_FILE"],
        "REQUESTS_CA_BUNDLE": stack.values["CA_FILE"],
        "ADMIN_TOKEN": stack.values["ADMIN_TOKEN"],
        "DATABASE_URL": stack.values["DATABASE_URL"],
    }
    command = [
        pathlib.Path(sys.executable).parent / "schemathesis", "--config-file", HERE / "schemathesis.toml",
        "run", location, "--url", stack.address, "--tls-verify", stack.values["CA_FILE"], "--no-color",
        "--phases", phase, "--max-examples", str(PHASES[phase]),
    ]
    if phase == "coverage":
        command += ["--exclude-operation-id-regex", ALIKE.pattern]
    log = artifacts / f"schemathesis-{phase}.log"
    with log.open("w") as output:
        status = subprocess.run(
            command, cwd=tmp_path, env=environment, stdout=output, stderr=subprocess.STDOUT, timeout=1500
        ).returncode
    text = log.read_text()
    assert status == 0, text
    made = json.loads(answers.read_text())
    assert not any(status.startswith("5") for statuses in made.values() for status in statuses), made
    operations = {operation["operationId"] for path in document["paths"].values() for operation in path.values()}
    if phase == "stateful":  # from a family to a child, an event and what shows it
        # Which of the many ways it goes is for the ids to say, which are others each time.
        for step in (
            ("createFamily", "createChild", "createInvite"),
            tuple(f"create{kind}" for kind in KINDS) + ("createEvents",),
            tuple(f"list{plural}" for plural in KINDS.values()) + ("listChildren", "getTimeline", "getDashboard"),
        ):
            assert any({"200", "201"} & set(made.get(operation, ())) for operation in step), f"{step}: {made}"
    elif phase == "fuzzing":
        assert set(made) == operations
    else:
        alike = {operation for operation in operations if ALIKE.match(operation)}
        assert set(made) == operations - alike and len(alike) == 4 * (len(KINDS) - 1)
        by_cookie = {
            operation["operationId"] for path in document["paths"].values() for method, operation in path.items()
            if {"cookie": []} in operation["security"] and method != "get"
        }
        # Another site's page is refused, and the document says so: an answer that it does not have is a failure.
        assert [name for name in by_cookie - alike if "403" not in made[name]] == []
        assert len(by_cookie) > 50
