# ruff: noqa: INP001 - a script
"""Makes a virtual environment with pip: `python3 make_venv.py DIR`. What DIR held before is removed.

Also works where the interpreter comes without ensurepip, as on Debian without the package python3-venv: then pip's own
wheel is fetched, its hash checked, and run to install itself. Has to run far enough on old interpreters to refuse them.
"""

import hashlib
import importlib.util
import subprocess
import sys
import tempfile
import urllib.request
import venv
from pathlib import Path

OLDEST = (3, 11)
WHEEL = "pip-26.0-py3-none-any.whl"
WHEEL_URL = (
    "https://files.pythonhosted.org/packages/69/00/5ac7aa77688ec4d34148b423d34dc0c9bc4febe0d872a9a1ad9860b2f6f1/"
    + WHEEL
)
WHEEL_SHA256 = "98436feffb9e31bc9339cf369fd55d3331b1580b6a6f1173bacacddcf9c34754"
TIMEOUT_SECONDS = 60


def main() -> int:
    """Exit code 1, with a line on stderr, for a Python that is too old and a wheel that can't be had."""
    if sys.version_info < OLDEST:
        return _fail(f"this is Python {sys.version.split()[0]}; 3.11 or newer is needed (make PYTHON=python3.12 ...)")
    folder = Path(sys.argv[1])
    has_ensurepip = importlib.util.find_spec("ensurepip") is not None
    venv.create(folder, clear=True, symlinks=True, with_pip=has_ensurepip)
    if has_ensurepip:
        return 0
    try:
        wheel = _fetched()
    except OSError as error:
        return _fail(f"this Python has no ensurepip, and {WHEEL_URL} can't be fetched: {error}")
    if hashlib.sha256(wheel).hexdigest() != WHEEL_SHA256:
        return _fail(f"{WHEEL_URL} is not the file whose hash is pinned here")
    return _install(folder, wheel)


def _fetched() -> bytes:
    with urllib.request.urlopen(WHEEL_URL, timeout=TIMEOUT_SECONDS) as answer:
        return bytes(answer.read())


def _install(folder: Path, wheel: bytes) -> int:
    python = str(folder / "bin" / "python")
    with tempfile.TemporaryDirectory() as aside:
        file = Path(aside, WHEEL)
        file.write_bytes(wheel)
        # A wheel is a zip file, and pip's can be run from inside it.
        command = [python, str(file / "pip"), "install", "--quiet", "--no-index", "--no-deps", str(file)]
        return subprocess.run(command, check=False).returncode  # noqa: S603 - a fixed command


def _fail(message: str) -> int:
    sys.stderr.write(f"virtual environment: {message}\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
