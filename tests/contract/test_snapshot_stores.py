"""The contract of `SnapshotStore`, on a folder and on S3, and what is particular to each."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agent_memory.adapters.file_snapshots import DRAFT, FileSnapshots
from agent_memory.adapters.s3_snapshots import KEYS_PER_DELETE, S3Snapshots, make_client
from agent_memory.adapters.snapshot_stores import snapshot_store
from agent_memory.errors import AgentMemoryError, ServerBusy, ServiceUnavailable
from agent_memory.settings import Settings
from agent_memory.snapshot_store import NoSnapshots, SnapshotStore
from tests.stand_ins import MemorySnapshots

BUCKET = "snapshots"
REGION = "eu-central-1"
NAMES = ("store_1/ab/x", "store_1/ab/y", "store_1/abc/x", "store_1/a/1-2.part", "store_2/ab/x")


@pytest.fixture
def bucket() -> Iterator[Any]:
    """A client of moto's S3 with an empty bucket."""
    from moto import mock_aws

    with mock_aws():
        client = make_client(REGION)
        client.create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": REGION})
        yield client


@pytest.fixture(params=["files", "s3", "stand_in"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> SnapshotStore:
    """An empty store of each kind."""
    if request.param == "files":
        return FileSnapshots(tmp_path / "data" / "snapshots")
    if request.param == "stand_in":
        return MemorySnapshots()
    return S3Snapshots(request.getfixturevalue("bucket"), BUCKET)


@pytest.mark.parametrize("data", [b"", b"\x00\xff", "虾🦐".encode(), os.urandom(1 << 20)], ids=len)
def test_what_was_written_is_read(store: SnapshotStore, data: bytes) -> None:
    """Byte by byte, the empty object as well."""
    store.write("store_1/ab/x", data)
    assert store.read("store_1/ab/x") == data


def test_what_is_not_there_is_none(store: SnapshotStore) -> None:
    """Neither an object nor the folder of one."""
    assert store.read("store_1/ab/x") is None
    store.write("store_1/ab/x", b"x")
    assert store.read("store_1/ab/y") is None
    assert store.read("store_1/ab/x/y") is None
    assert store.names("store_2/") == []


def test_names_are_those_of_the_folder(store: SnapshotStore) -> None:
    """Not those of a folder whose name begins alike."""
    for name in NAMES:
        store.write(name, name.encode())
    assert sorted(store.names("store_1/ab/")) == ["store_1/ab/x", "store_1/ab/y"]
    assert sorted(store.names("store_1/")) == sorted(name for name in NAMES if name.startswith("store_1/"))


def test_deleted_is_gone_and_deleting_again_is_no_error(store: SnapshotStore) -> None:
    """The others stay; a folder that became empty takes new objects."""
    for name in NAMES:
        store.write(name, b"x")
    for _ in range(2):
        store.delete(iter([*NAMES[:3], "store_9/none"]))
        assert store.read(NAMES[0]) is None
        assert sorted([*store.names("store_1/"), *store.names("store_2/")]) == sorted(NAMES[3:])
    store.write(NAMES[0], b"again")
    assert store.read(NAMES[0]) == b"again"
    store.delete([])


def test_more_objects_than_one_call_deletes(bucket: Any) -> None:
    """Listed in pages and deleted in batches."""
    names = [f"store_1/ab/{number}" for number in range(KEYS_PER_DELETE + 3)]
    store = S3Snapshots(bucket, BUCKET)
    for name in names:
        store.write(name, b"")
    assert sorted(store.names("store_1/")) == sorted(names)
    store.delete(names)
    assert store.names("store_1/") == []


def test_a_half_written_file_is_not_read_and_can_be_tidied_up(tmp_path: Path) -> None:
    """Whoever died while writing left a draft: it has another name, which the listing tells."""
    store = FileSnapshots(tmp_path)
    store.write("store_1/ab/x", b"whole")
    draft = f"store_1/ab/y.0123abcd{DRAFT}"
    (tmp_path / draft).write_bytes(b"ha")
    assert store.read("store_1/ab/y") is None
    assert sorted(store.names("store_1/ab/")) == ["store_1/ab/x", draft]
    store.delete([draft])
    assert store.names("store_1/ab/") == ["store_1/ab/x"]


def test_files_are_for_their_owner_only_whatever_the_umask(tmp_path: Path) -> None:
    """What people told an agent is nobody else's to read."""
    previous = os.umask(0)
    try:
        FileSnapshots(tmp_path / "snapshots").write("store_1/x", b"x")
    finally:
        os.umask(previous)
    modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.rglob("*")}
    assert modes["x"] == 0o600
    assert modes["snapshots"] & 0o077 in (0, 0o077 & modes["snapshots"])
    assert modes["store_1"] == 0o700


def test_a_folder_that_can_not_be_made_is_unavailable(tmp_path: Path) -> None:
    """With a named error, in every call that needs it."""
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(ServiceUnavailable):
        FileSnapshots(tmp_path / "file").write("store_1/x", b"x")


class Answering:
    """A client of which every call ends in the given error."""

    class exceptions:  # noqa: N801 - boto3's name
        """As of the real client."""

        class NoSuchKey(Exception):
            """Of a key that is not there."""

    def __init__(self, problem: Exception) -> None:
        self.problem = problem

    def __getattr__(self, operation: str) -> Any:
        def call(*_: Any, **__: Any) -> Any:
            raise self.problem

        return call


def client_error(code: str) -> Exception:
    from botocore.exceptions import ClientError

    return ClientError({"Error": {"Code": code, "Message": "geheim"}}, "GetObject")


def unreachable() -> Exception:
    from botocore.exceptions import EndpointConnectionError

    return EndpointConnectionError(endpoint_url="http://s3")


@pytest.mark.parametrize(
    ("problem", "named"),
    [
        (client_error("SlowDown"), ServerBusy),
        (client_error("AccessDenied"), ServiceUnavailable),
        (client_error("NoSuchBucket"), ServiceUnavailable),
        (unreachable(), ServiceUnavailable),
    ],
    ids=str,
)
def test_failures_of_s3_are_named(problem: Exception, named: type[AgentMemoryError]) -> None:
    """In every call, without the text of S3."""
    store = S3Snapshots(Answering(problem), BUCKET)  # type: ignore[arg-type]
    calls = [
        lambda: store.read("a/b"),
        lambda: store.write("a/b", b""),
        lambda: store.delete(["a/b"]),
        lambda: store.names("a/"),
    ]
    for call in calls:
        with pytest.raises(named) as caught:
            call()
        assert "geheim" not in str(caught.value)


def test_objects_that_were_not_deleted_are_told() -> None:
    """S3 answers with success and a list of those."""

    class Partly:
        def delete_objects(self, **_: Any) -> Any:
            return {"Errors": [{"Key": "a/b", "Code": "InternalError"}]}

    with pytest.raises(ServiceUnavailable, match="1 objects: InternalError"):
        S3Snapshots(Partly(), BUCKET).delete(["a/b"])  # type: ignore[arg-type]


def test_the_settings_decide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bucket, nothing at all for a table without one, a folder beside the data."""
    monkeypatch.setenv("AWS_DEFAULT_REGION", REGION)
    assert isinstance(snapshot_store(Settings(table_name="t", snapshot_bucket="b")), S3Snapshots)
    none = snapshot_store(Settings(table_name="t"))
    assert isinstance(none, NoSnapshots)
    assert (none.read("a/b"), none.names("a/")) == (None, [])
    none.delete(["a/b"])
    with pytest.raises(ServiceUnavailable):
        none.write("a/b", b"")
    here = snapshot_store(Settings(data_dir=str(tmp_path)))
    here.write("a/b", b"x")
    assert (tmp_path / "snapshots" / "a" / "b").read_bytes() == b"x"
