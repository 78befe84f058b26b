"""Loaded by schemathesis: valid names in generated calls become names of what exists, or else all answers are 404.

What exists comes as JSON in KNOWN: the ids by field, and a scope that has memories. What makes a call invalid is kept.
Every answer leaves a line `path status` in the file SEEN.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any
from zlib import crc32

import schemathesis

STORE = "mem"
INSTANCE = "x-ots-instancename"
KNOWN: dict[str, Any] = json.loads(os.environ.get("KNOWN", '{"ids": {}, "scope": {}}'))
STORE_NAME = re.compile("[A-Za-z0-9_]{1,32}", re.ASCII)
LEVELS = {"appId", "tenantId", "agentId", "runId"}
OWN_NAMES = ("/CreateMemoryStore", "/DeleteMemoryStore")  # these leave the store of the others alone


@schemathesis.hook
def before_call(context: Any, case: Any, kwargs: Any) -> None:
    """Three calls of four get what exists."""
    number = crc32(json.dumps(case.body, sort_keys=True, default=str).encode())
    if number % 4:
        case.headers = _own_instance(case.headers)
    if number % 4 and isinstance(case.body, dict) and case.path not in OWN_NAMES:
        case.body = _with_known(case.body, case.path, number)


@schemathesis.hook
def after_call(context: Any, case: Any, response: Any) -> None:
    """Note the answer."""
    with Path(os.environ["SEEN"]).open("a") as seen:
        seen.write(f"{case.path} {response.status_code}\n")


def _own_instance(headers: Any) -> Any:
    """Without a good instance name, so that the call goes to the one where things are."""
    name = str((headers or {}).get(INSTANCE, ""))
    return headers if len(name) > 64 or not name.isprintable() else {k: v for k, v in headers.items() if k != INSTANCE}


def _with_known(body: dict[str, Any], path: str, number: int) -> dict[str, Any]:
    ids = {field: values[number % len(values)] for field, values in KNOWN["ids"].items()}
    mapped = {field: _known(field, value, ids) for field, value in body.items()}
    if isinstance(mapped.get("nextToken"), str) and len(mapped["nextToken"]) <= 8_192 and number % 3:
        del mapped["nextToken"]
    if _is_scope(mapped.get("scope")) and not path.startswith("/Delete"):
        mapped["scope"] = KNOWN["scope"]
    return mapped


def _known(field: str, value: Any, ids: dict[str, Any]) -> Any:
    if field == "memoryStoreName" and isinstance(value, str) and STORE_NAME.fullmatch(value):
        return STORE
    return ids[field] if field in ids and isinstance(value, str) and 0 < len(value) <= 128 else value


def _is_scope(value: Any) -> bool:
    """Whether the value may pass for a scope."""
    if not isinstance(value, dict) or not set(value) <= LEVELS or "appId" not in value:
        return False
    return all(
        isinstance(each, str) and each.isascii() and each.isalnum() and len(each) <= 128 for each in value.values()
    )
