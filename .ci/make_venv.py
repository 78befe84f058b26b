# ruff: noqa: INP001 - a script
"""Makes a virtual environment with pip: `python3 make_venv.py DIR`. What DIR held before is removed.

Has to run far enough on old interpreters to refuse them.
"""

import importlib.util
import shutil
import subprocess
import sys
import venv

OLDEST = (3, 11)
# Tools that bring a pip of their own, for an interpreter that comes without ensurepip (Debian's, without python3-venv).
OTHER_WAYS = (("virtualenv", "--clear"), ("uv", "venv", "--seed", "--clear"))


def main() -> int:
    """Exit code 1, with a line on stderr, for a Python that is too old or has no way to a pip."""
    if sys.version_info < OLDEST:
        return _fail(f"this is Python {sys.version.split()[0]}; 3.11 or newer is needed (make PYTHON=python3.12 ...)")
    folder = sys.argv[1]
    if importlib.util.find_spec("ensurepip") is not None:
        venv.create(folder, clear=True, symlinks=True, with_pip=True)
        return 0
    for name, *options in OTHER_WAYS:
        tool = shutil.which(name)
        if tool is not None:
            command = [tool, *options, "--python", sys.executable, folder]
            return subprocess.run(command, check=False).returncode  # noqa: S603 - a fixed command
    return _fail("this Python comes without ensurepip: install it (Debian, Ubuntu: the package python3-venv)")


def _fail(message: str) -> int:
    sys.stderr.write(f"virtual environment: {message}\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
