"""Pages and error pages in each language: which one is chosen, and that it is whole."""

import html.parser
import json
import pathlib
import re
import shutil
import subprocess

import pytest

from languages import LANGUAGES, direction, words
from stack import assert_common_headers, assert_error, headers_of

TOKEN = "xK9mLp2qR5tN8vW3yBcd4A"
MAILED = "mT9kX2vQ7bL4nR8wY1cZ5dF3gH6jK0pS2uA4eI7oM9s"
PAGES = {f"/join/{TOKEN}": "join", f"/reset/{MAILED}": "reset", f"/verify/{MAILED}": "verify", "/": "index"}
DEPLOY = pathlib.Path(__file__).parents[2] / "deploy"
ASSETS = DEPLOY / "www/assets"


def spoken(client, path: str = f"/join/{TOKEN}", **headers: str) -> str:
    """The language of an answer, by all that says so. Underscores in names of headers are hyphens."""
    answer = client.get(path, headers={name.replace("_", "-"): value for name, value in headers.items()})
    assert answer.status_code in (200, 404)
    (language,) = headers_of(answer)["content-language"]
    assert f'<html lang="{language}" dir="{direction(language)}">' in answer.text
    # The page at / has a compressed twin besides.
    assert sorted(headers_of(answer)["vary"]) == (["Accept-Encoding"] if path == "/" else []) + ["Accept-Language, Cookie"]
    return language


# --- Which one ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", [*PAGES, "/join/cut-off", "/assets/none.js", "/app/0123456789abcdef/none.js"])
def test_every_language_by_header_and_by_cookie(client, path, language):
    assert spoken(client, path, accept_language=language) == language
    assert spoken(client, path, accept_language="sv", cookie=f"language={language}") == language
    assert spoken(client, path, accept_language="fr", cookie=f"a=1; language={language}; b=de") == language


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("de-AT,de;q=0.9,en;q=0.8", "de"), ("DE", "de"), ("pl-PL", "pl"), ("zh-Hant-TW, sv;q=0.9, nl-BE;q=0.5", "nl"), ("es-419", "es"),
        ("pt", "pt-BR"), ("pt-br", "pt-BR"), ("pt-PT,en;q=0.5", "pt-BR"), ("iw", "he"), ("ar-EG", "ar"), ("fr  ,en", "fr"), ("fr ;q=0.4", "fr"),
        ("de;q=0,fr", "fr"), ("de;q=0.000 , fr", "fr"), ("de; q=0,it", "it"), ("de;q=0.1", "de"), ("de;Q=0", "en"), ("sv,da", "en"), ("*", "en"),
    ],
)  # fmt: skip
def test_the_first_that_there_are_pages_in(client, header, language):
    assert spoken(client, accept_language=header) == language


@pytest.mark.parametrize(
    "header",
    ["", ",", ",,;;==", ";q=1", "de_DE", "deutsch", "d", "-de", "de-", "x-de", "q=de", "de.fr", "../de", "de/../../fr", '"de"', "de" * 3000, "\xff\xfe", "$language", "{de}"],
)
def test_what_is_no_language_is_english(client, header):
    answer = client.get(f"/join/{TOKEN}", headers=[(b"Accept-Language", header.encode("latin-1"))])
    assert answer.status_code == 200 and answer.headers["content-language"] == "en"
    if "," not in header and ";" not in header:
        answer = client.get(f"/join/{TOKEN}", headers=[(b"Accept-Language", b"it"), (b"Cookie", b"language=" + header.encode("latin-1"))])
        assert answer.status_code == 200 and answer.headers["content-language"] == "it"


def test_a_request_without_a_language_is_english(stack):
    status, headers, body = stack.raw(f"GET /join/{TOKEN} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
    assert status == 200 and headers["content-language"] == ["en"] and b"invited" in body


# --- Only where it is true --------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["de", "ar"])
def test_pages_keep_their_rules_in_every_language(client, language):
    for path in PAGES:
        answer = client.get(path, headers={"Accept-Language": language})
        assert_common_headers(headers_of(answer))
        assert headers_of(answer)["x-robots-tag"] == ["noindex"]
        assert MAILED not in answer.text and answer.text.count(TOKEN) == (1 if TOKEN in path else 0)
        assert "<style" not in answer.text and "style=" not in answer.text
        assert all(" src=" in piece for piece in answer.text.split("<script")[1:])
        assert "@" not in answer.text and "<!--#" not in answer.text


@pytest.mark.parametrize("path", ["/worker.js", "/api/docs", "/api/openapi.json", "/.well-known/apple-app-site-association", "/assets/join.js", "/.well-known/change-password"])
def test_what_is_there_once_says_no_language(client, path):
    answer = client.get(path, headers={"Accept-Language": "de", "Cookie": "language=de"})
    assert "content-language" not in answer.headers and "Accept-Language" not in answer.headers.get("vary", "")


def test_errors_of_the_api_stay_english(client):
    for path in ("/api", "/api/v1/nothing", "/api/docs/nothing"):
        answer = client.get(path, headers={"Accept-Language": "de", "Cookie": "language=de"})
        assert_error(answer.status_code, headers_of(answer), answer.content, 404, "NOT_FOUND")
        assert answer.json()["error"]["message"] == "Not found"
        assert "content-language" not in answer.headers and "Accept-Language" not in answer.headers.get("vary", "")


@pytest.mark.parametrize("language", ["en", "pl", "he"])
def test_errors_of_pages_speak(client, language):
    asked = {"Accept-Language": language}
    for answer, status in (
        (client.get("/nothing", headers=asked), 404),
        (client.post(f"/join/{TOKEN}", headers=asked), 405),
        (client.get("/assets/pages.css", headers={**asked, "If-Match": '"1"'}), 400),
    ):
        assert words(language)[f"error.{status}.title"] in answer.text and words(language)[f"error.{status}.text"] in answer.text
        assert answer.headers["content-language"] == language and headers_of(answer)["vary"] == ["Accept-Language, Cookie"]


# --- Whole ------------------------------------------------------------------------------------------------------


class Said(html.parser.HTMLParser):
    """What a page says: its texts, those in attributes, and the words of its script."""

    def __init__(self, text: str):
        super().__init__()
        self.texts: list[str] = []
        self.words: dict = {}
        self.feed(re.sub("<!--#.*?-->", "", text))
        self.close()

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.words.update(json.loads(values.get("data-words", "{}")))
        if values.get("name") == "description":
            self.texts.append(values["content"])

    def handle_data(self, data):
        if data.strip():
            self.texts.append(data.strip().removesuffix(" · Baby Basics"))


def forms(message: str | dict) -> list[str]:
    return [message] if isinstance(message, str) else list(message.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_else_is_said_and_nothing_is_left_out(stack, language):
    """Each text of a page is a message, and each message is said by some page or its script."""
    said = set()
    for file in (stack.place / "www/pages" / language).glob("*.html"):
        page = Said(file.read_text())
        known = {message: id for id, message in words(language).items() if isinstance(message, str)}
        strange = [text for text in page.texts if text not in known and text != "Baby Basics"]
        assert strange == [], file
        assert page.words == {id: words(language)[id] for id in page.words}, file
        said |= page.words.keys() | {id for id, message in words(language).items() if message in page.texts}
    assert said == words(language).keys()


@pytest.mark.parametrize("language", [tag for tag in LANGUAGES if tag != "en"])
def test_no_english_is_left(language):
    english = {form for message in words("en").values() for form in forms(message)}
    assert [id for id, message in words(language).items() for form in forms(message) if form in english] == []


def places(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_has_its_places_and_its_plurals(language):
    asked = f"console.log(JSON.stringify(new Intl.PluralRules('{language}').resolvedOptions().pluralCategories))"
    plurals = set(json.loads(subprocess.run(["node", "-e", asked], capture_output=True, text=True, check=True).stdout))
    assert words(language).keys() == words("en").keys()
    for id, english in words("en").items():
        message = words(language)[id]
        if isinstance(english, str):
            assert isinstance(message, str) and places(message) == places(english), id
            continue
        assert set(message) == plurals, id
        assert places(message["other"]) == places(english["other"]), id
        # "One" and "two" may be a word.
        assert all(places(form) | {"count"} == places(english["other"]) for form in message.values()), id
        assert all("{count}" in form for name, form in message.items() if name not in ("one", "two")), id


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_text_quotes_is_there(language):
    said = words(language)
    assert said["join.open_app"] in said["join.new_here"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_are_written_as_their_language_is(language):
    for id, message in words(language).items():
        for form in forms(message):
            assert form == form.strip() and form and "  " not in form and "..." not in form and not re.search("['\"]", form), id
            assert not re.search(r"[\x00-\x1f\u2066-\u2069\u200e\u200f<>@]", form), id
            if language == "fr":
                assert not re.search(r"[^\u202f][;!?]|[^\u00a0]:|«[^\u00a0]|[^\u00a0]»", form), id


def test_scripts_say_what_their_page_brings_and_nothing_else(stack):
    for name, scripts in {"join": ["join.js"], "reset": ["mailed-link.js", "reset.js"], "verify": ["mailed-link.js", "verify.js"]}.items():
        code = "".join((ASSETS / script).read_text() for script in scripts)
        asked = set(re.findall(r'"((?:join|link|page|reset|verify)\.[\w.]+)"', code))
        asked |= {f"{group}.{id}" for group in re.findall(r'waiting\("(\w+)"', code) for id in ("too_many", "too_many_soon")}
        brought = Said((stack.place / f"www/pages/en/{name}.html").read_text()).words.keys()
        groups = tuple(set(re.findall(r"`([\w.]+\.)\$\{", code)))
        assert asked <= brought, name
        assert {id for id in brought if not id.startswith(groups)} <= asked, name


@pytest.mark.parametrize("script", sorted(ASSETS.glob("*.js")), ids=lambda path: path.name)
def test_no_script_has_words_of_its_own(script):
    code = re.sub(r"//[^\n]*", "", script.read_text())
    texts = re.findall(r'"([^"\n]*)"', code) + [re.sub(r"\$\{[^}]*\}", "", text) for text in re.findall("`([^`\n]*)`", code)]
    assert [text for text in texts if re.search(r"\w[,.?!…]* \w|[?!…]$|^[A-Z][a-z]+$", text) and text != "use strict"] == []


# --- How they are made --------------------------------------------------------------------------------------------


@pytest.fixture
def copy(tmp_path):
    for part in ("pages", "app/words"):
        shutil.copytree(DEPLOY / "www" / part, tmp_path / part)
    shutil.copy(DEPLOY / "www/app/index.html", tmp_path / "app")
    return tmp_path


def make(copy: pathlib.Path) -> subprocess.CompletedProcess:
    return subprocess.run([DEPLOY / "web-pages", copy], capture_output=True, text=True, env={"LC_ALL": "C"})


def test_what_a_catalog_lacks_is_named(copy):
    catalog = copy / "app/words/it.json"
    catalog.write_text(catalog.read_text().replace('"join.show"', '"join.shown"'))
    done = make(copy)
    assert done.returncode != 0 and "it.json lacks join.show" in done.stderr


def test_any_text_comes_through(copy):
    """Quotes, signs of HTML and JSON, and what is beyond 16 bits."""
    hostile = 'a "b" <script>\\ & {not a place} \U0001f476'
    catalog = copy / "app/words/nl.json"
    whole = json.loads(catalog.read_text())
    whole["pages"] |= {"join.show": hostile, "join.looking": hostile}
    catalog.write_text(json.dumps(whole, ensure_ascii=False))
    assert make(copy).returncode == 0
    page = Said((copy / "pages/nl/join.html").read_text())
    assert page.words["join.looking"] == hostile and hostile in "".join(page.texts)


def test_it_needs_no_more_than_python_s_smallest(copy):
    """What packages are made with, python3-minimal, has neither json nor html."""
    modules = set(re.findall(r"^import (\w+)$", (DEPLOY / "web-pages").read_text(), re.M))
    assert modules and modules <= {"ast", "os", "pathlib", "re", "subprocess", "sys"}
