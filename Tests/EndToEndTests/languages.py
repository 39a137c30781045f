"""The languages that people read, and what the pages say in them."""

import functools
import json
import pathlib

CATALOGS = pathlib.Path(__file__).parents[2] / "deploy/www/app/words"
LANGUAGES = ["en", "de", "es", "fr", "it", "pt-BR", "nl", "pl", "ar", "he"]
FROM_RIGHT = ["ar", "he"]


@functools.cache
def words(language: str) -> dict:
    return json.loads((CATALOGS / f"{language}.json").read_text())["pages"]


def direction(language: str) -> str:
    return "rtl" if language in FROM_RIGHT else "ltr"
