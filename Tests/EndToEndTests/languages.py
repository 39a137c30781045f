"""The languages that people read, and what the pages say in them."""

import functools
import json
import pathlib
import unicodedata

CATALOGS = pathlib.Path(__file__).parents[2] / "deploy/www/app/words"
LANGUAGES = sorted(path.stem for path in CATALOGS.glob("*.json"))


@functools.cache
def words(language: str) -> dict:
    return json.loads((CATALOGS / f"{language}.json").read_text())["pages"]


FROM_RIGHT = [tag for tag in LANGUAGES if unicodedata.bidirectional(words(tag)["page.offline_title"][0]) in ("R", "AL")]


def direction(language: str) -> str:
    return "rtl" if language in FROM_RIGHT else "ltr"
