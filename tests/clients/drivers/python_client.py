"""An official Python client as a process: `python python_client.py KIND OPTIONS`, one call per line of stdin.

A line is {"operation", "body"}; the line that comes back has one of `answer`, `refused` (what the service said) and
`broken` (what the client itself objected to). OPTIONS is a JSON object: endpoint, instance, keyId, secret, apiKey,
region.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import sys
from collections.abc import Callable
from typing import Any

Call = Callable[[str, dict[str, Any]], dict[str, Any]]


def main() -> None:
    """Serve stdin until it ends."""
    logging.disable(logging.CRITICAL)
    call = KINDS[sys.argv[1]](json.loads(sys.argv[2]))
    for line in sys.stdin:
        asked = json.loads(line)
        print(json.dumps(reply(call, asked["operation"], asked["body"])), flush=True)


def reply(call: Call, operation: str, body: dict[str, Any]) -> dict[str, Any]:
    """What the call came to."""
    try:
        return {"answer": call(operation, body)}
    except Exception as error:  # noqa: BLE001 - whatever it is, it goes to the test
        if hasattr(error, "get_error_code"):
            status, code = error.get_http_status(), error.get_error_code()
            return {"refused": {"status": status, "code": code, "message": error.get_error_message()}}
        return {"broken": f"{type(error).__name__}: {error}"}


def sdk(options: dict[str, str]) -> Call:
    """PyPI `tablestore`, blocking."""
    import tablestore

    return _by_name(tablestore.OTSClient(*_positional(options), **_region(options)))


def async_sdk(options: dict[str, str]) -> Call:
    """PyPI `tablestore`, asyncio."""
    import tablestore

    loop = asyncio.new_event_loop()

    async def connect() -> Any:
        return tablestore.AsyncOTSClient(*_positional(options), **_region(options))

    call = _by_name(loop.run_until_complete(connect()))
    return lambda operation, body: loop.run_until_complete(call(operation, body))


def agent_storage(options: dict[str, str]) -> Call:
    """PyPI `tablestore-agent-storage`: with an API key if there is one, else signing."""
    from tablestore_agent_storage import AgentStorageClient

    place = {"ots_endpoint": options["endpoint"], "ots_instance_name": options["instance"]}
    if "apiKey" in options:
        return _by_name(AgentStorageClient(api_key=options["apiKey"], **place))
    keys = {"access_key_id": options["keyId"], "access_key_secret": options["secret"]}
    return _by_name(AgentStorageClient(**keys, **place, **_region(options)))


def _positional(options: dict[str, str]) -> tuple[str, str, str, str]:
    return options["endpoint"], options["keyId"], options["secret"], options["instance"]


def _region(options: dict[str, str]) -> dict[str, str]:
    return {"region": options["region"]} if "region" in options else {}


def _by_name(client: Any) -> Call:
    return lambda operation, body: getattr(client, re.sub(r"(?<!^)(?=[A-Z])", "_", operation).lower())(body)


KINDS: dict[str, Callable[[dict[str, str]], Call]] = {
    "sdk": sdk,
    "async-sdk": async_sdk,
    "agent-storage": agent_storage,
}

if __name__ == "__main__":
    main()
