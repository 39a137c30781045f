"""What deploy/words prints is what the server was built with."""

import pathlib
import subprocess

PROJECT = pathlib.Path(__file__).parents[2]
WORDS = PROJECT / "Sources/BabyBasicsServer/Languages/ServerWords.swift"


def test_the_server_has_the_words_of_the_files():
    printed = subprocess.run([PROJECT / "deploy/words"], capture_output=True, text=True, check=True).stdout
    assert WORDS.read_text() == printed, f"deploy/words > {WORDS.relative_to(PROJECT)}"
