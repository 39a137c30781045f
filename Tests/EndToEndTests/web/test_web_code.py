"""The app's files themselves: types, sizes, and what none of them may do."""

import json
import pathlib
import re
import shutil
import subprocess

import pytest

PROJECT = pathlib.Path(__file__).parents[3]
APP = PROJECT / "deploy/www/app"
FILES = sorted(path for path in APP.rglob("*.js") if "vendor" not in path.parts)


def schema_type(schema: dict) -> str:
    """An OpenAPI schema as TypeScript says it."""
    if "$ref" in schema:
        return schema["$ref"].rpartition("/")[2]
    for several in ("oneOf", "anyOf"):
        if several in schema:
            return " | ".join(schema_type(one) for one in schema[several])
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    if "const" in schema:
        return json.dumps(schema["const"])
    kind = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(schema_type({**schema, "type": one}) for one in kind)
    if kind == "array":
        return f"({schema_type(schema['items'])})[]"
    if kind == "object" and "properties" in schema:
        required = set(schema.get("required", []))
        members = (f"{json.dumps(name)}{'' if name in required else '?'}: {schema_type(one)}" for name, one in schema["properties"].items())
        return "{ " + "; ".join(members) + " }"
    return {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}.get(kind, "any")


def test_types(tmp_path, client):
    """tsc reads the JSDoc; the API's types come from the server's own table, so that a renamed field fails here."""
    tsc = shutil.which("tsc")
    if not tsc:
        pytest.skip("node-typescript is not installed")
    document = client.get("/api/openapi.json").json()
    lines = [f"export type {name} = {schema_type(schema)};" for name, schema in document["components"]["schemas"].items()]
    shutil.copytree(APP, tmp_path / "app")
    (tmp_path / "app/types").mkdir(exist_ok=True)
    (tmp_path / "app/types/api.ts").write_text("\n".join(lines) + "\n")
    (tmp_path / "uses.js").write_text((pathlib.Path(__file__).parent / "wire.js").read_text())
    config = {
        "compilerOptions": {
            "checkJs": True, "allowJs": True, "noEmit": True, "strict": True, "target": "es2022", "module": "es2022",
            "moduleResolution": "node", "lib": ["es2022", "dom", "dom.iterable"], "skipLibCheck": True,
        },
        "include": ["app/**/*.js", "app/**/*.ts", "uses.js"], "exclude": ["app/worker.js"],
    }
    (tmp_path / "tsconfig.json").write_text(json.dumps(config))
    done = subprocess.run([tsc, "-p", str(tmp_path)], capture_output=True, text=True)
    assert done.stdout.splitlines() == []
    assert done.returncode == 0


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(APP)))
def test_nothing_makes_code_or_elements_from_text(path):
    text = path.read_text()
    for bad in ("innerHTML", "outerHTML", "insertAdjacentHTML", "dangerouslySetInnerHTML", "document.write", "eval(", "new Function", "srcdoc"):
        assert bad not in text, bad
    hosts = re.findall(r"https?://[\w.-]+", text)
    assert set(hosts) <= {"http://www.w3.org"}


def test_screens_are_short():
    long = {str(path.relative_to(APP)): count for path in (APP / "screens").glob("*.js") if (count := len(path.read_text().splitlines())) > 125}
    assert long == {}


def test_no_module_is_missing(tmp_path):
    """deploy/web-app follows every import at a module's beginning; twice it names the same content the same."""
    wanted = {(path, name) for path in FILES for name in re.findall(r"""import\("(\.[^"]+)"\)""", path.read_text())}
    assert len(wanted) > 20
    assert [(path.name, name) for path, name in wanted if not (path.parent / name).is_file()] == []
    names = []
    for round in ("one", "two"):
        shutil.copytree(PROJECT / "deploy/www", tmp_path / round)
        done = subprocess.run([PROJECT / "deploy/web-app", tmp_path / round], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        names.append([path.name for path in (tmp_path / round / "app").iterdir() if path.is_dir()])
    assert names[0] == names[1] and len(names[0]) == 1
    index = (tmp_path / "one/app/index.html").read_text()
    assert "/app/version/" not in index and index.count("modulepreload") > 8
