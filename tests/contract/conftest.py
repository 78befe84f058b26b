"""The adapters that the contract tests run on."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

from agent_memory.adapters.dynamodb_table import DynamoTable, create_table, make_client
from agent_memory.adapters.meter import Meter
from agent_memory.adapters.sqlite_table import SqliteTable

from . import dynoxide
from .scripted_dynamodb import NAME

if TYPE_CHECKING:
    from agent_memory.ports import WideTable

NOW = 1_800_000_000.0
REGION = "eu-central-1"

_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def dynoxide_endpoint() -> Iterator[str]:
    """The endpoint of one dynoxide server for the whole run."""
    binary = dynoxide.find_binary()
    if binary is None:
        absent("dynoxide: set DYNOXIDE_BIN, or npm i @dynoxide/linux-x64")
    with dynoxide.running(binary) as endpoint:
        yield endpoint


@pytest.fixture(params=["sqlite_file", "sqlite_memory", "dynamodb_moto", "dynamodb_dynoxide"])
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[WideTable]:
    """An empty table of each adapter."""
    with ExitStack() as stack:
        if request.param == "sqlite_file":
            yield stack.enter_context(closing(SqliteTable(tmp_path / "table.db", now=lambda: NOW)))
        elif request.param == "sqlite_memory":
            yield stack.enter_context(closing(SqliteTable(":memory:", now=lambda: NOW)))
        elif request.param == "dynamodb_moto":
            yield stack.enter_context(moto_table())
        else:
            yield request.getfixturevalue("dynoxide_table")


@pytest.fixture
def moto_client() -> Iterator[Any]:
    """A client of an empty table on moto."""
    from moto import mock_aws

    with mock_aws():
        client = make_client(REGION)
        create_table(client, NAME)
        yield client


@contextmanager
def moto_table() -> Iterator[DynamoTable]:
    """A table of moto, in this process."""
    from moto import mock_aws

    with mock_aws():
        yield _dynamo_table(None)


@pytest.fixture
def dynoxide_table(dynoxide_endpoint: str) -> Iterator[DynamoTable]:
    """A table of its own on the running server."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("AWS_ACCESS_KEY_ID", "test")
        environment.setenv("AWS_SECRET_ACCESS_KEY", "test")
        environment.setenv("NO_PROXY", dynoxide.HOST)
        yield _dynamo_table(dynoxide_endpoint)


def absent(what: str) -> NoReturn:
    """Skip with the reason; in CI, where everything must be there, fail."""
    if os.environ.get("CI"):
        pytest.fail(f"absent in CI: {what}")
    pytest.skip(f"absent: {what}")


def no_pause(seconds: float) -> None:
    """A pause that only checks its argument."""
    assert seconds >= 0


def half() -> float:
    """A random number that is always the same."""
    return 0.5


def _dynamo_table(endpoint: str | None) -> DynamoTable:
    client = make_client(REGION, endpoint)
    name = f"table-{os.getpid()}-{next(_numbers)}"
    create_table(client, name)
    return DynamoTable(client, name, pause=no_pause, random=half, meter=Meter())
