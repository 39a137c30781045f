"""What deploy/words prints is what server and kit are built with, the kit says all of it, and all who list the languages list the same."""

import json
import pathlib
import re
import subprocess

import pytest

PROJECT = pathlib.Path(__file__).parents[2]
CATALOGS = PROJECT / "deploy/www/app/words"
KIT = PROJECT / "Sources/BabyBasicsKit"
PRINTED = {
    "server": PROJECT / "Sources/BabyBasicsServer/Languages/ServerWords.swift",
    "kit": KIT / "Languages/KitWords.swift",
}
PLACE = re.compile(r"\{(\w+)\}")


def printed(what: str) -> str:
    return subprocess.run([PROJECT / "deploy/words", what], capture_output=True, text=True, check=True).stdout


def catalog(tag: str) -> dict:
    return json.loads((CATALOGS / f"{tag}.json").read_text())


def texts(message) -> list[str]:
    return list(message.values()) if isinstance(message, dict) else [message]


@pytest.mark.parametrize("what", PRINTED)
def test_server_and_kit_have_the_words_of_the_files(what):
    assert PRINTED[what].read_text() == printed(what), f"deploy/words {what} > {PRINTED[what].relative_to(PROJECT)}"


def test_the_kit_says_every_word_that_it_has_and_fills_each_place():
    cases = dict(re.findall(r'^    case (\w+) = "([\w.]+)"$', PRINTED["kit"].read_text(), re.M))
    source = "\n".join(file.read_text() for file in KIT.rglob("*.swift") if file != PRINTED["kit"])
    groups = [f"{group}." for group in re.findall(r'\bword\("([\w.]+)", ', source)] + re.findall(r'KitWord\(rawValue: "([\w.]+\.)\\\(', source)
    named = set(re.findall(r"(?<![\w)])\.(\w+)\b", source))
    assert [name for case, name in cases.items() if case not in named and not name.startswith(tuple(groups))] == [], "nobody says these"
    words = catalog("en")
    words = {**words["app"], **words["kit"]}
    for call in re.finditer(r"\bsay\(\s*\.(\w+)(?=[,)])", source):
        message, values = words[cases[call[1]]], arguments(source[call.start() :])
        held = re.findall(r'let (\w+) = Filling\.\w+\("(\w+)"', source[max(0, call.start() - 1200) : call.start()])
        for place in set(PLACE.findall(" ".join(texts(message)))) | ({"count"} if isinstance(message, dict) else set()):
            given = ["count: "] if place == "count" else [f'.ours("{place}"', f'.theirs("{place}"']
            given += [name for name, filled in held if filled == place]
            assert any(one.startswith(tuple(given)) for one in values), f"{cases[call[1]]} {{{place}}}: {values}"


def arguments(text: str) -> list[str]:
    """Of the call that a text begins with."""
    found, depth = [""], 0
    for one in text[text.index("(") + 1 :]:
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(one, 0)
        if depth < 0:
            break
        if one == "," and depth == 0:
            found.append("")
        else:
            found[-1] += one
    return [one.strip() for one in found]


def test_no_two_words_of_web_app_and_kit_have_one_name():
    words = catalog("en")
    assert set(words["app"]) & set(words["kit"]) == set()
    for name in words["kit"]:
        assert re.fullmatch(r"[a-z][a-z0-9_]*(\.[a-z0-9_]+)+", name)
    assert list(words["kit"]) == sorted(words["kit"])


def test_an_app_in_xcode_gets_a_string_catalog():
    strings = json.loads(printed("xcstrings"))
    assert strings["sourceLanguage"] == "en" and strings["version"] == "1.0"
    strings, english = strings["strings"], catalog("en")
    assert set(strings) == set(english["app"]) | set(english["kit"])
    said = {tag: {name: localized(strings[name]["localizations"][tag]) for name in strings} for tag in ("en", "pl", "ar")}
    assert said["en"]["invite.kept"] == {"": "Your invite is kept and tried again."}
    assert said["en"]["away.since"] == {"": "Since %1$@, %2$@"}
    assert set(said["ar"]["away.since"].values()) == {"منذ %1$@، %2$@"}
    assert said["pl"]["waiting.entries"]["few"] == "%lld wpisy czekają" and set(said["ar"]["waiting.entries"]) == set(FORMS)
    # Arguments are the same everywhere, whatever the order is.
    for tag in said:
        for name, forms in said[tag].items():
            wanted = {one for text in said["en"][name].values() for one in ARGUMENT.findall(text)}
            for text in forms.values():
                assert "{" not in text and set(ARGUMENT.findall(text)) - {"%lld", "%arg"} <= wanted, f"{tag} {name}: {text}"


FORMS = ("zero", "one", "two", "few", "many", "other")
ARGUMENT = re.compile(r"%(?:\d\$@|lld|arg)")


def localized(one: dict) -> dict:
    if "variations" in one:
        return {form: unit["stringUnit"]["value"] for form, unit in one["variations"]["plural"].items()}
    if "substitutions" not in one:
        return {"": one["stringUnit"]["value"]}
    assert one["stringUnit"]["value"] == "%#@count@"
    return localized(one["substitutions"]["count"])


def test_a_browser_gets_what_it_says_and_no_more(tmp_path):
    """Mails, notices, pages and the kit's words do not travel."""
    subprocess.run(["cp", "-r", PROJECT / "deploy/www", tmp_path / "www"], check=True)
    subprocess.run([PROJECT / "deploy/web-app", tmp_path / "www"], check=True)
    files = list((tmp_path / "www/app").glob("*/words/*.json"))
    assert {file.stem for file in files} == {file.stem for file in CATALOGS.glob("*.json")}
    for file in files:
        words = json.loads(file.read_text())
        assert list(words) == ["app"] and set(words["app"]) == set(catalog("en")["app"])


def test_all_know_the_same_languages():
    def listed(file: str, pattern: str) -> list[str]:
        return re.search(pattern, (PROJECT / file).read_text(), re.S)[1].split()

    swift = re.findall(r'^    case (\w+)(?: = "([\w-]+)")?$', (PROJECT / "Sources/BabyBasicsAPI/Languages/Language.swift").read_text(), re.M)
    languages = [tag or name for name, tag in swift]
    assert languages[0] == "en" and len(languages) >= 10
    app = [tag.strip('",') for tag in listed("deploy/www/app/store/language.js", r"languages = \[(.*?)\]")]
    assert app == languages
    assert {path.stem for path in CATALOGS.glob("*.json")} == set(languages)
    pages = re.search(r"map \$language_read \$language \{(.*?)\}", (PROJECT / "nginx.conf").read_text(), re.S)[1]
    assert set(re.findall(r"^\s+\S+ ([\w-]+);", pages, re.M)) == set(languages)
