"""Servers with keys, one over HTTP and one over TLS, for the official clients."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

pytest.register_assert_rewrite("tests.clients.operations", "tests.clients.commands")

from tests.clients.served import Served, served, served_with_tls  # noqa: E402 - after the line above


@pytest.fixture(scope="session")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server over HTTP, for the clients that sign."""
    with served(tmp_path_factory.mktemp("plain")) as server:
        yield server


@pytest.fixture(scope="session")
def secure(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server over TLS, for the clients that carry an API key."""
    with served_with_tls(tmp_path_factory.mktemp("secure")) as server:
        yield server
