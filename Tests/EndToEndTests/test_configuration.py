"""nginx.conf under the eyes of tools that know what goes wrong: gixy-ng for the file, sslyze for what it makes of TLS."""

import json
import pathlib
import subprocess
import sys

import pytest
from cryptography import x509

from second_edge import filled

TOOLS = pathlib.Path(sys.executable).parent


def findings(path: pathlib.Path) -> list[str]:
    answer = subprocess.run([TOOLS / "gixy", "-f", "json", path], capture_output=True, text=True, timeout=60)
    assert answer.returncode in (0, 1), answer.stderr
    assert answer.stderr == ""  # a pattern that gixy cannot read is one that it does not check
    return [f"{one['plugin']}: {one['reason'] or one['summary']}" for one in json.loads(answer.stdout)]


def test_gixy_finds_nothing(stack):
    assert findings(stack.place / "nginx.conf") == []


@pytest.mark.parametrize("proxies", ["", "10.0.0.0/8 192.0.2.7 2001:db8::/32"])
def test_gixy_finds_nothing_behind_a_load_balancer_either(stack, tmp_path, proxies):
    path = tmp_path / "nginx.conf"
    path.write_text(filled(stack, tmp_path, 80, 443, TRUSTED_PROXIES=proxies))
    assert path.read_text().count("\n    set_real_ip_from ") == len(proxies.split())
    assert findings(path) == []


def test_gixy_would_find_something(stack, tmp_path):
    path = tmp_path / "nginx.conf"
    text = filled(stack, tmp_path, 80, 443)
    path.write_text(
        text.replace("server_tokens off;", "").replace(stack.base_url + "$request_uri", "https://$host$uri")
    )
    assert {"version_disclosure", "http_splitting"} <= {one.partition(":")[0] for one in findings(path)}


@pytest.mark.parametrize(
    ("secrets", "complaint"),
    [
        ({"ADMIN_TOKEN": "a" * 32}, ""), ({"JWT_SECRET": "a" * 32}, ""), ({}, "ADMIN_TOKEN is not set"),
        ({"ADMIN_TOKEN": "short", "JWT_SECRET": "a" * 32}, "ADMIN_TOKEN must have at least 32 characters"),
        ({"JWT_SECRET": "short"}, "JWT_SECRET must have at least 32 characters"),
    ],
)
def test_the_administrators_secret_may_have_its_old_name(stack, secrets, complaint):
    environment = {
        "DATABASE_URL": "postgresql://x@127.0.0.1/x",
        "BASE_URL": stack.base_url,
        "INVITE_KEY": "0" * 64,
        "THROTTLE_KEY": "0" * 64,
        "LISTEN_SOCKET": "/x",
    }
    check = subprocess.run(
        [stack.place / "bin/babybasics", "check-config"],
        env=environment | secrets,
        capture_output=True,
        text=True,
        timeout=20,
    )
    assert (check.returncode == 0) == (not complaint)
    assert complaint in check.stderr and "short" not in check.stderr.replace("at least", "")


def test_tls_is_mozilla_s_intermediate(stack):
    answer = subprocess.run(
        [
            TOOLS / "sslyze", "--mozilla_config=intermediate", "--certinfo_ca_file", stack.values["CA_FILE"],
            f"127.0.0.1:{stack.port}",
        ],
        capture_output=True, text=True, timeout=120,
    )
    _, _, verdict = answer.stdout.partition("COMPLIANCE AGAINST TLS CONFIGURATION")
    assert f"127.0.0.1:{stack.port}: OK - Compliant." in verdict, verdict or answer.stderr
    assert answer.returncode == 0


def test_the_trial_certificate_is_checked_like_any_other(stack):
    certificate = x509.load_pem_x509_certificate((stack.place / "tls/server.pem").read_bytes())
    life = certificate.not_valid_after_utc - certificate.not_valid_before_utc
    assert life.days <= 366
