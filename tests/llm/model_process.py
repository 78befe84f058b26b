"""server.mjs as a process of its own, on a free port."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.flows.server_process import wait_until

_SERVER = Path(__file__).with_name("server.mjs")
_STARTED = re.compile(r"http://127\.0\.0\.1:\d+/v1")
_START_STEPS = 6_000  # five minutes: a cold disk reads the model slowly


@contextmanager
def model_served(model: Path, folder: Path) -> Iterator[str]:
    """What stands before /chat/completions, as long as the model is served."""
    out, err = folder / "model.txt", folder / "model-errors.txt"
    with out.open("wb") as said, err.open("wb") as complained:
        process = subprocess.Popen(["node", str(_SERVER), str(model)], stdout=said, stderr=complained)
    try:
        wait_until(lambda: process.poll() is not None or _STARTED.search(out.read_text()) is not None, _START_STEPS)
        found = _STARTED.search(out.read_text())
        if found is None:
            raise RuntimeError(f"the model's server ended with {process.returncode}: {err.read_text()}")
        yield found[0]
    finally:
        process.kill()
        process.wait()
