"""Installed, without a network, and when a new version comes; and what nginx says about each file."""

import gzip
import json
import pathlib
import re
import shutil
import time

import pytest
from playwright.sync_api import expect
from stack import assert_common_headers, headers_of


@pytest.fixture
def shell(client) -> tuple[str, list[str]]:
    """The page at / and the addresses in it."""
    page = client.get("/").text
    return page, re.findall(r'(?:href|src)="(/app/[^"]+)"', page)


def test_a_stranger_s_first_answer(client):
    answer = client.get("/")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert_common_headers(headers_of(answer))
    policy = answer.headers["content-security-policy"]
    assert "unsafe" not in policy and "http" not in policy and "script-src 'self';" in policy
    assert answer.headers["cross-origin-opener-policy"] == "same-origin"
    assert "geolocation=()" in answer.headers["permissions-policy"]
    assert "<style" not in answer.text and "style=" not in answer.text
    assert all(" src=" in piece for piece in answer.text.split("<script")[1:])


def test_files_are_kept_by_their_content(client, shell):
    _, addresses = shell
    assert any(address.endswith("/main.js") for address in addresses)
    types = {"js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8", "png": "image/png"}
    for address in addresses:
        answer = client.get(address)
        assert answer.status_code == 200, address
        assert answer.headers["content-type"] == types[address.rpartition(".")[2]]
        assert_common_headers(headers_of(answer), store="public, max-age=31536000, immutable")


def test_files_are_compressed_beforehand(client, shell, stack):
    _, addresses = shell
    for address in addresses:
        if address.endswith(".png"):
            continue
        with client.stream("GET", address, headers={"Accept-Encoding": "gzip"}) as answer:
            assert answer.headers["content-encoding"] == "gzip", address
            assert answer.headers["vary"] == "Accept-Encoding"
            packed = b"".join(answer.iter_raw())
        plain = client.get(address, headers={"Accept-Encoding": "identity"})
        assert "content-encoding" not in plain.headers
        assert gzip.decompress(packed) == plain.content


@pytest.mark.parametrize("path", ["/app/", "/app", "/app/main.js", "/app/index.html", "/app/worker.js", "/app/0123456789abcdef/main.js", "/index.html", "/worker.js.gz", "/today"])
def test_unknown_paths_are_still_404(client, path):
    answer = client.get(path)
    assert answer.status_code == 404
    assert_common_headers(headers_of(answer))


@pytest.mark.parametrize("path", ["/", "/worker.js", "/manifest.webmanifest"])
def test_the_entrances_can_only_be_read(client, path):
    answer = client.post(path)
    assert answer.status_code == 405
    assert headers_of(answer)["allow"] == ["GET, HEAD"]
    assert client.get(path).headers["cache-control"] == ("no-store" if path == "/" else "no-cache")


def test_the_manifest(client):
    answer = client.get("/manifest.webmanifest")
    assert answer.headers["content-type"] == "application/manifest+json"
    manifest = json.loads(answer.text)
    assert (manifest["start_url"], manifest["scope"], manifest["display"]) == ("/", "/", "standalone")
    for icon in manifest["icons"]:
        assert client.get(icon["src"]).status_code == 200
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in manifest["icons"]}
    assert "maskable" in [icon.get("purpose") for icon in manifest["icons"]]


@pytest.mark.parametrize("locale", ["en-US", "ar-EG"])
def test_a_first_visit_is_small(phone, locale):
    """What a stranger's browser takes over the wire until it is done, the worker's copies included: these come from its cache.

    English, and the language whose catalog is the largest.
    """
    one = phone(workers="allow", locale=locale)
    session = one.context.new_cdp_session(one.page)
    session.send("Network.enable")
    sizes = []
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    one.open()
    expect(one.page.locator(".actions .button").first).to_be_visible()
    one.page.wait_for_timeout(1_500)
    print(f"{sum(sizes)} bytes")
    assert 20_000 < sum(sizes) <= 70 * 1024, sum(sizes)


def test_it_opens_without_a_network_and_logs(phone, household, saved):
    parent = household()
    one = phone(parent, workers="allow")
    one.heading("Ada")
    one.page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
    one.page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    one.page.evaluate("navigator.serviceWorker.controller.postMessage('rest')")
    deadline = time.monotonic() + 20
    kept = "caches.keys().then(async ([name]) => (await (await caches.open(name)).keys()).map(({ url }) => url))"
    while not any(url.endswith("/signed-in.js") for url in one.page.evaluate(kept)):
        assert time.monotonic() < deadline
        one.page.wait_for_timeout(100)
    one.offline()
    one.page.reload()
    one.heading("Ada")
    one.log_bottle(60)
    one.go("family")
    one.heading("Johnny's Family")
    one.page.close()
    one.page = one.new_page()
    one.open()
    one.sees(re.compile("Bottle, 60 ml"))
    one.sees(re.compile("1 entry waiting"))
    one.offline(False)
    one.page.evaluate("dispatchEvent(new Event('online'))")
    one.settled()
    assert len(saved(parent)) == 1


def test_the_worker_leaves_the_rest_alone(phone, household, stack):
    one = phone(household(), workers="allow")
    one.page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
    one.page.goto(stack.base_url + "/join/" + "A" * 22)
    one.heading("You’re invited to a family")
    answer = one.page.goto(stack.base_url + "/nowhere")
    assert answer.status == 404
    stored = one.page.evaluate(
        "caches.keys().then(async (names) => (await Promise.all(names.map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => url)))).flat())"
    )
    assert stored and not [url for url in stored if "/api/" in url or "/join" in url]


def test_a_new_version_says_so_and_is_there_at_the_next_opening(phone, household, stack):
    """Another folder, another name: as an upgrade leaves it."""
    parent = household()
    one = phone(parent, workers="allow")
    one.heading("Ada")
    one.page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    web = pathlib.Path(stack.values["WEB_ROOT"])
    old = web / "app" / re.search(r"/app/([0-9a-f]{16})/", (web / "pages/en/index.html").read_text())[1]
    new = old.with_name("feedfacefeedface")
    entrances = [web / "pages/en/index.html", web / "app/worker.js", web / "app/manifest.webmanifest"]
    before = {path: path.read_bytes() for path in entrances for path in (path, path.with_name(path.name + ".gz"))}
    try:
        shutil.copytree(old, new, dirs_exist_ok=True)
        for path in entrances:
            text = before[path].replace(old.name.encode(), new.name.encode())
            put(path, text)
            put(path.with_name(path.name + ".gz"), gzip.compress(text))
        time.sleep(11)  # nginx looks at its files every ten seconds, each of its processes for itself
        one.page.evaluate("navigator.serviceWorker.getRegistration().then((one) => one.update())")
        one.sees("A new version of Baby Basics is here.")
        one.tap("Reload")
        one.heading("Ada")
        assert new.name in one.page.content()
        assert one.page.evaluate("caches.keys()") == [f"/app/{new.name}/"]
        kept = one.page.evaluate(f"caches.open('/app/{new.name}/').then(async (cache) => (await cache.keys()).map(({{ url }}) => url))")
        assert [url.rpartition("/")[2] for url in kept if "/words/" in url] == ["en.json"], "of the language that it speaks, and no other"
    finally:
        # The other folder stays, with the same files: some of nginx's processes name it for a while yet.
        for path, content in before.items():
            put(path, content)


def put(path: pathlib.Path, content: bytes) -> None:
    """Whole, as an upgrade does it: who has the file open goes on reading the old one."""
    path.with_name("new").write_bytes(content)
    path.with_name("new").replace(path)
