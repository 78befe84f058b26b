"""The contract of `SecretBox`, on the key file and on KMS, and what each refuses."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agent_memory.adapters.key_file_box import KeyFileBox, make_key_file, read_key_file
from agent_memory.adapters.kms_box import MAX_OPENED, KmsBox, make_client
from agent_memory.errors import ServerBusy, ServiceUnavailable
from agent_memory.signin.credentials import SecretBox

REGION = "eu-central-1"
SECRETS = (b"s3cret", "秘密🦐".encode(), b"\x00", b"x" * 4_096)


@pytest.fixture
def kms() -> Iterator[Any]:
    """A client of moto's KMS."""
    from moto import mock_aws

    with mock_aws():
        yield make_client(REGION)


def kms_box(client: Any) -> KmsBox:
    """A box with a KMS key of its own."""
    return KmsBox(client, client.create_key()["KeyMetadata"]["KeyId"])


@pytest.fixture(params=["key_file", "kms"])
def boxes(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[SecretBox, SecretBox]:
    """Two boxes of one adapter with different keys."""
    if request.param == "key_file":
        return KeyFileBox(tmp_path / "a.key"), KeyFileBox(tmp_path / "b.key")
    client = request.getfixturevalue("kms")
    return kms_box(client), kms_box(client)


@pytest.mark.parametrize("secret", SECRETS, ids=len)
def test_what_was_sealed_is_opened(boxes: tuple[SecretBox, SecretBox], secret: bytes) -> None:
    """Twice as well; the sealed form does not show the secret."""
    sealed = boxes[0].seal(secret, "AMkey")
    assert len(secret) == 1 or secret not in sealed
    assert boxes[0].open(sealed, "AMkey") == secret
    assert boxes[0].open(sealed, "AMkey") == secret


def test_another_name_does_not_open(boxes: tuple[SecretBox, SecretBox]) -> None:
    """A sealed secret can't be moved to another key's record, before or after it was opened."""
    sealed = boxes[0].seal(b"s3cret", "AMkey")
    for _ in range(2):
        with pytest.raises(ServiceUnavailable, match="not sealed"):
            boxes[0].open(sealed, "AMother")
        boxes[0].open(sealed, "AMkey")


@pytest.mark.parametrize(
    "damage", [lambda sealed: b"", lambda sealed: sealed[:-1], lambda sealed: b"\x02" + sealed[1:]]
)
def test_damaged_bytes_do_not_open(boxes: tuple[SecretBox, SecretBox], damage: Any) -> None:
    """They are refused with a named error."""
    sealed = boxes[0].seal(b"s3cret", "AMkey")
    with pytest.raises(ServiceUnavailable):
        boxes[0].open(damage(sealed), "AMkey")


def test_a_box_with_another_key_does_not_open(boxes: tuple[SecretBox, SecretBox]) -> None:
    """A data directory without its key file, or an account without its KMS key, keeps its secrets to itself."""
    boxes[1].seal(b"x", "AMkey")
    with pytest.raises(ServiceUnavailable):
        boxes[1].open(boxes[0].seal(b"s3cret", "AMkey"), "AMkey")


def test_the_same_secret_is_sealed_differently_each_time(tmp_path: Path) -> None:
    """The nonce is random."""
    box = KeyFileBox(tmp_path / "a.key")
    assert len({box.seal(b"s3cret", "AMkey") for _ in range(20)}) == 20


def test_the_key_file_is_for_its_owner_only_whatever_the_umask(tmp_path: Path) -> None:
    """0600, in a directory that is made 0700; nothing else is left behind."""
    previous = os.umask(0)
    try:
        KeyFileBox(tmp_path / "data" / "a.key").seal(b"s3cret", "AMkey")
    finally:
        os.umask(previous)
    assert (tmp_path / "data" / "a.key").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "data").stat().st_mode & 0o777 == 0o700
    assert [path.name for path in (tmp_path / "data").iterdir()] == ["a.key"]


def test_another_process_opens_with_the_same_file(tmp_path: Path) -> None:
    """The command line seals, the server opens."""
    sealed = KeyFileBox(tmp_path / "a.key").seal(b"s3cret", "AMkey")
    assert KeyFileBox(tmp_path / "a.key").open(sealed, "AMkey") == b"s3cret"


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o644, 0o610])
def test_a_key_file_that_others_may_use_is_refused(tmp_path: Path, mode: int) -> None:
    """With what to do about it."""
    box = KeyFileBox(tmp_path / "a.key")
    sealed = box.seal(b"s3cret", "AMkey")
    (tmp_path / "a.key").chmod(mode)
    with pytest.raises(ServiceUnavailable, match="chmod 600"):
        KeyFileBox(tmp_path / "a.key").open(sealed, "AMkey")
    with pytest.raises(ServiceUnavailable, match="chmod 600"):
        KeyFileBox(tmp_path / "a.key").seal(b"x", "AMkey")


@pytest.mark.parametrize("text", ["", "ab" * 31, "ab" * 33, "键" * 64, "no hex digits"])
def test_a_file_that_holds_no_key_is_refused(tmp_path: Path, text: str) -> None:
    """It is never written over: the keys sealed with it may come back from a backup."""
    path = tmp_path / "a.key"
    path.write_text(text, "utf-8")
    path.chmod(0o600)
    with pytest.raises(ServiceUnavailable, match="hex digits"):
        KeyFileBox(path).seal(b"x", "AMkey")
    assert path.read_text("utf-8") == text


def test_opening_without_a_key_file_makes_none(tmp_path: Path) -> None:
    """Only sealing makes one."""
    with pytest.raises(ServiceUnavailable, match="can't be read"):
        KeyFileBox(tmp_path / "a.key").open(b"\x01" + b"x" * 40, "AMkey")
    assert not (tmp_path / "a.key").exists()


def test_many_that_make_the_key_file_at_once_agree_on_one(tmp_path: Path) -> None:
    """Two servers and a command line at the first start."""
    path, together = tmp_path / "a.key", threading.Barrier(8)
    seen: list[bytes] = []

    def make() -> None:
        together.wait()
        make_key_file(path)
        seen.append(read_key_file(path))

    threads = [threading.Thread(target=make) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == 8
    assert len(set(seen)) == 1
    assert [each.name for each in tmp_path.iterdir()] == ["a.key"]


class ScriptedKms:
    """A client whose decrypt counts, or raises what it was given."""

    def __init__(self, problem: Exception | None = None) -> None:
        self.problem = problem
        self.calls = 0

    def decrypt(self, **request: Any) -> dict[str, bytes]:
        self.calls += 1
        if self.problem:
            raise self.problem
        return {"Plaintext": request["CiphertextBlob"][::-1]}


def client_error(code: str) -> Exception:
    from botocore.exceptions import ClientError

    return ClientError({"Error": {"Code": code, "Message": "geheim"}}, "Decrypt")


def unreachable() -> Exception:
    from botocore.exceptions import EndpointConnectionError

    return EndpointConnectionError(endpoint_url="http://kms")


def test_kms_is_asked_once_per_sealed_secret() -> None:
    """Until a thousand others were opened."""
    client = ScriptedKms()
    box = KmsBox(client, "key")
    assert [box.open(b"ab", "AMkey") for _ in range(3)] == [b"ba"] * 3
    assert client.calls == 1
    for number in range(MAX_OPENED):
        box.open(b"%d" % number, "AMkey")
    box.open(b"ab", "AMkey")
    assert client.calls == MAX_OPENED + 2


@pytest.mark.parametrize(
    ("problem", "named"),
    [
        (client_error("ThrottlingException"), ServerBusy),
        (client_error("AccessDeniedException"), ServiceUnavailable),
        (client_error("DisabledException"), ServiceUnavailable),
        (client_error("IncorrectKeyException"), ServiceUnavailable),
        (unreachable(), ServiceUnavailable),
    ],
    ids=str,
)
def test_failures_of_kms_are_named(problem: Exception, named: type[Exception]) -> None:
    """Without the text of KMS, and the next call asks again."""
    client = ScriptedKms(problem)
    box = KmsBox(client, "key")
    with pytest.raises(named) as caught:
        box.open(b"ab", "AMkey")
    assert "geheim" not in str(caught.value)
    client.problem = None
    assert box.open(b"ab", "AMkey") == b"ba"
