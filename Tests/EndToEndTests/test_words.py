"""What deploy/words prints is what the server was built with, and all who list the languages list the same."""

import pathlib
import re
import subprocess

PROJECT = pathlib.Path(__file__).parents[2]
WORDS = PROJECT / "Sources/BabyBasicsServer/Languages/ServerWords.swift"


def test_the_server_has_the_words_of_the_files():
    printed = subprocess.run([PROJECT / "deploy/words"], capture_output=True, text=True, check=True).stdout
    assert WORDS.read_text() == printed, f"deploy/words > {WORDS.relative_to(PROJECT)}"


def test_all_know_the_same_languages():
    def listed(file: str, pattern: str) -> list[str]:
        return re.search(pattern, (PROJECT / file).read_text(), re.S)[1].split()

    swift = re.findall(r'^    case (\w+)(?: = "([\w-]+)")?$', (PROJECT / "Sources/BabyBasicsAPI/Languages/Language.swift").read_text(), re.M)
    languages = [tag or name for name, tag in swift]
    assert languages[0] == "en" and len(languages) >= 10
    app = [tag.strip('",') for tag in listed("deploy/www/app/store/language.js", r"languages = \[(.*?)\]")]
    assert app == languages
    assert {path.stem for path in (PROJECT / "deploy/www/app/words").glob("*.json")} == set(languages)
    pages = re.search(r"map \$language_read \$language \{(.*?)\}", (PROJECT / "nginx.conf").read_text(), re.S)[1]
    assert set(re.findall(r"^\s+\S+ ([\w-]+);", pages, re.M)) == set(languages)
