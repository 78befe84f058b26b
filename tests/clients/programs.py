"""Where the official clients are; tests/clients/install.sh puts them below build/clients."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import NoReturn

import pytest

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "build" / "clients"
PACKAGES = FOLDER / "node_modules"
DRIVERS = Path(__file__).parent / "drivers"
INSTALL = "bash tests/clients/install.sh"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def python() -> str:
    """The interpreter that has the PyPI clients."""
    return _there(FOLDER / "venv" / "bin" / "python")


def node() -> str:
    """Node.js, with the npm clients installed."""
    _there(PACKAGES / "tablestore")
    return shutil.which("node") or absent("node")


def command_line() -> tuple[str, str]:
    """How the official command line is started."""
    return node(), _there(PACKAGES / "@tablestore" / "tablestore-agent-cli" / "dist" / "main.js")


def browser() -> str:
    """A Chromium, and playwright-core to drive it."""
    _there(PACKAGES / "playwright-core")
    return next(filter(None, map(shutil.which, BROWSERS)), None) or absent(" or ".join(BROWSERS))


def openssl() -> str:
    """Makes the certificate of the TLS tests."""
    return shutil.which("openssl") or absent("openssl")


def absent(what: str) -> NoReturn:
    """Skip with the reason; in CI, where everything must be there, fail."""
    if os.environ.get("CI"):
        pytest.fail(f"absent in CI: {what}")
    pytest.skip(f"absent: {what} ({INSTALL})")


def _there(path: Path) -> str:
    return str(path) if path.exists() else absent(path.name)
