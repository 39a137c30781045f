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


@pytest.mark.parametrize(("option", "name"), [("--javascript", "kinds.js"), ("--typescript", "api.d.ts")])
def test_what_is_made_from_the_server_is_what_it_makes(stack, option, name):
    made = subprocess.run([stack.place / "bin/babybasics", "openapi", option], capture_output=True, text=True, check=True).stdout
    assert (APP / "types" / name).read_text() == made, f"babybasics openapi {option} > deploy/www/app/types/{name}"


def test_types(tmp_path):
    """tsc reads the JSDoc; the API's types are made from the server's own tables, so that a renamed field fails here."""
    tsc = shutil.which("tsc")
    if not tsc:
        pytest.skip("node-typescript is not installed")
    config = {
        "compilerOptions": {
            "checkJs": True, "allowJs": True, "noEmit": True, "strict": True, "target": "es2022", "module": "es2022",
            "moduleResolution": "node", "resolveJsonModule": True, "lib": ["es2022", "dom", "dom.iterable"], "skipLibCheck": True,
        },
        "include": [f"{APP}/**/*.js", f"{APP}/**/*.ts"], "exclude": [f"{APP}/worker.js"],
    }
    (tmp_path / "tsconfig.json").write_text(json.dumps(config))
    done = subprocess.run([tsc, "-p", str(tmp_path)], capture_output=True, text=True)
    assert done.stdout.splitlines() == []
    assert done.returncode == 0


FLOORS = [
    ["vendor", "types", "words"], ["model"], ["store"], ["words.js"], ["charts"], ["parts"], ["sync"], ["transfer"], ["screens/forms"], ["screens"],
    ["signed-in.js"], ["main.js", "early.js", "worker.js"],
]


def test_imports_go_down_the_floors():
    """Of types as well: import("…") in a comment."""
    floor = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}

    def room(path: pathlib.Path) -> str:
        inside = path.resolve().relative_to(APP)
        return str(inside.parent) if inside.parent.name else inside.name

    up = [
        f"{path.relative_to(APP)} imports {name}"
        for path in FILES
        for name in re.findall(r"""(?:\bfrom |\bimport ?\(?)"(\.[^"]+)\"""", path.read_text())
        if room(path) != room(path.parent / name) and floor[room(path)] <= floor[room(path.parent / name)]
    ]
    assert up == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(APP)))
def test_nothing_makes_code_or_elements_from_text(path):
    text = path.read_text()
    for bad in ("innerHTML", "outerHTML", "insertAdjacentHTML", "dangerouslySetInnerHTML", "document.write", "eval(", "new Function", "srcdoc"):
        assert bad not in text, bad
    hosts = re.findall(r"https?://[\w.-]+", text)
    assert set(hosts) <= {"http://www.w3.org"}


PHYSICAL = re.compile(
    r"(?:margin|padding|border)-(?:left|right)|(?<![\w-])(?:left|right):|text-align: (?:left|right)"
    r"|border-(?:top|bottom)-(?:left|right)-radius|border-radius: (\S+) (?!\1[ ;])"
)


@pytest.mark.parametrize("path", [*sorted(APP.rglob("*.css")), APP.parent / "assets/pages.css"], ids=lambda path: path.name)
def test_styles_know_no_left_and_right(path):
    """Or they would be wrong in languages from right to left, but for what is said of one direction alone."""
    text = re.sub(r'\[dir="(?:ltr|rtl)"\][^{}]*\{[^{}]*\}', "", path.read_text())
    assert [match[0] for match in PHYSICAL.finditer(text)] == []


def test_screens_are_short():
    long = {str(path.relative_to(APP)): count for path in (APP / "screens").glob("*.js") if (count := len(path.read_text().splitlines())) > 125}
    assert long == {}


def own_forms(message):
    """A plural form that repeats `other` need not travel."""
    if isinstance(message, str):
        return message
    return {form: text for form, text in message.items() if form == "other" or text != message["other"]}


def test_no_module_is_missing(tmp_path):
    """deploy/web-app follows every import at a module's beginning; twice it names the same content the same."""
    wanted = {(path, name) for path in FILES for name in re.findall(r"""import\("(\.[^"]+)"\)""", path.read_text())}
    assert len(wanted) > 20
    assert [(path.name, name) for path, name in wanted if not any((path.parent / f"{name}{end}").is_file() for end in ("", ".d.ts"))] == []
    names = []
    for round in ("one", "two"):
        shutil.copytree(PROJECT / "deploy/www", tmp_path / round)
        for tool in ("web-pages", "web-app"):
            done = subprocess.run([PROJECT / "deploy" / tool, tmp_path / round], capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
        names.append([path.name for path in (tmp_path / round / "app").iterdir() if path.is_dir()])
    assert names[0] == names[1] and len(names[0]) == 1
    index = (tmp_path / "one/pages/pl/index.html").read_text()
    assert "/app/version/" not in index and index.count("modulepreload") > 8
    served = tmp_path / "one/app" / names[0][0] / "words"
    for path in (APP / "words").glob("*.json"):
        app = {key: own_forms(message) for key, message in json.loads(path.read_text())["app"].items()}
        assert json.loads((served / path.name).read_text()) == {"app": app}, "what the app says, and nothing else"
    worker = (tmp_path / "one/app/worker.js").read_text()
    lost = [path.name for path in APP.rglob("*") if path.suffix in {".js", ".css", ".json"} and path.name != "worker.js" and f'{path.relative_to(APP)}"' not in worker]
    assert lost == [], "the worker doesn't keep these for days without a network"
