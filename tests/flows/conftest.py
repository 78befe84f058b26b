"""A served copy of the service, for tests that speak HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.flows.server_process import ServerProcess


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    """A fresh server process; it must end in good order, having written nothing to stderr."""
    with ServerProcess(tmp_path) as process:
        yield process
        if process.process.poll() is None:
            assert process.stop() == 0
        assert process.err.read_text() == ""
