"""Serves the build output over HTTP on loopback, with the workers at their queues, for as long as a command runs.

    python -m tests.sam.serve COMMAND...

In the command `{endpoint}` becomes the address, `{key_id}` and `{key_secret}` an access key, `{api_key}` an API key.
For instance the tour with the official SDK over the functions on emulated AWS:

    python -m tests.sam.serve .venv/bin/python tests/clients/sdk_tour.py LOCOMO_JSON \
        --endpoint {endpoint} --key-id {key_id} --key-secret {key_secret}
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from tests.sam.conftest import build
from tests.sam.http_front import listening, polling
from tests.sam.stack import running
from tests.sam.tools import find_tools


def main() -> int:
    """The exit code of the command."""
    tools = find_tools()
    with (
        tempfile.TemporaryDirectory() as folder,
        running(tools, build(tools), Path(folder)) as stack,
        listening(stack) as endpoint,
        polling(stack),
    ):
        keys = {"key_id": stack.keys.key_id, "key_secret": stack.keys.key_secret, "api_key": stack.keys.api_key}
        command = [part.format(endpoint=endpoint, **keys) for part in sys.argv[1:]]
        return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
