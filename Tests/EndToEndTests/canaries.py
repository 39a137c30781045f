"""Secrets made for a test, and the search for them, in whatever spelling, in every file that the system wrote."""

import base64
import binascii
import os
import pathlib
import urllib.parse
from collections.abc import Iterator

from stack import Stack


def spellings(text: str) -> dict[str, bytes]:
    """What a log could make of a secret, in lower case: the search takes no notice of case."""
    plain = text.encode()
    half = len(text) // 2
    found = {
        "plain": plain,
        "its first half": plain[:half],
        "its second half": plain[half:],
        "backwards": plain[::-1],
        "percent": urllib.parse.quote(text, safe="").encode(),
        "percent, every byte": b"".join(b"%%%02x" % byte for byte in plain),
        "percent, twice": urllib.parse.quote(urllib.parse.quote(text, safe=""), safe="").encode(),
        "hex": plain.hex().encode(),
        "hex, apart": plain.hex(" ").encode(),
        "hex, escaped": b"".join(b"\\x%02x" % byte for byte in plain),
        "octal, escaped": b"".join(b"\\%03o" % byte for byte in plain),
        "JSON": b"".join(b"\\u%04x" % byte for byte in plain),
        "HTML": b"".join(b"&#%d;" % byte for byte in plain),
        "numbers": ", ".join(str(byte) for byte in plain).encode(),
        "UTF-16": text.encode("utf-16-le"),
    }
    # Base64 of something that holds the secret: at any of three places, without the characters that depend on neighbours.
    for shift in range(3):
        for name, encode in (("base64", base64.b64encode), ("base64url", base64.urlsafe_b64encode)):
            encoded = encode(bytes(shift) + plain)
            found[f"{name} at {shift}"] = encoded[[0, 2, 3][shift] : -4]
    return {name: spelling.lower() for name, spelling in found.items()}


def contents(text: str) -> dict[str, bytes]:
    """The bytes that a token stands for."""
    found = {}
    for name, decode in (("hex", bytes.fromhex), ("base64url", lambda text: base64.urlsafe_b64decode(text + "=="))):
        try:
            content = decode(text)
        except (ValueError, binascii.Error):
            continue
        if len(content) >= 16:
            found |= {f"{name} decoded": content, f"{name} decoded, in hex": content.hex().encode()}
            break
    return found


def everything(stack: Stack, *more: pathlib.Path) -> Iterator[pathlib.Path]:
    """Every file of the state, the database's included; not the two that are there to hold secrets, nor what we brought."""
    for root in {stack.state, stack.place}:
        for directory, _, names in os.walk(root):
            for name in names:
                path = pathlib.Path(directory) / name
                if path.is_file() and path.name not in ("secrets", "env", "babybasics"):
                    yield path
    yield from (path for path in more if path.is_file())


def seek(stack: Stack, canaries: dict[str, str], *more: pathlib.Path) -> list[str]:
    loose = [(what, how, text) for what, secret in canaries.items() for how, text in spellings(secret).items()]
    exact = [(what, how, content) for what, secret in canaries.items() for how, content in contents(secret).items()]
    found = []
    for path in everything(stack, *more):
        try:
            content = path.read_bytes()
        except FileNotFoundError:  # PostgreSQL and nginx tidy up
            continue
        found += [f"{what} ({how}) in {path}" for what, how, text in exact if text in content]
        content = content.lower()
        found += [f"{what} ({how}) in {path}" for what, how, text in loose if text in content]
    return found
