"""Keys for the stack, made as its owner makes them: with `agent-memory keys create`, on its table and KMS key."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.sam.tools import credentials

if TYPE_CHECKING:
    from tests.sam.aws_front import AwsFront
    from tests.sam.stack_template import Template


@dataclass(frozen=True)
class Keys:
    """One of each kind, and the endpoint that the commands called."""

    key_id: str
    key_secret: str
    api_key: str
    front: AwsFront


def make_keys(template: Template, front: AwsFront) -> Keys:
    """Both keys, without limits."""
    signing, carried = (
        json.loads(keys_command(template, front, "create", "--type", kind, "--json"))
        for kind in ("access-key", "api-key")
    )
    return Keys(signing["accessKeyId"], signing["accessKeySecret"], carried["apiKey"], front)


def keys_command(template: Template, front: AwsFront, *arguments: str) -> str:
    """What `agent-memory keys ...` prints."""
    names = {
        "AGENT_MEMORY_TABLE_NAME": template.physical["Table"],
        "AGENT_MEMORY_KMS_KEY_ID": template.physical["Key"],
        "AWS_ENDPOINT_URL": front.endpoint,
    }
    command = [sys.executable, "-m", "agent_memory.local.cli", "keys", *arguments]
    environment = os.environ | credentials() | names
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
