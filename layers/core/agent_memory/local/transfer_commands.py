"""What `agent-memory export` and `import` do once the services are open."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from agent_memory.errors import AgentMemoryError, Conflict, InvalidParameter, ServerBusy

if TYPE_CHECKING:
    from agent_memory.local.transfer_input import Parcel
    from agent_memory.services import Services

TRIES = 50  # of one call that runs out of time: each goes on where the last one stopped
SETTINGS = (
    "description",
    "extractInstructions",
    "inputType",
    "outputTypes",
    "wikiReflectionEnabled",
    "defaultTtlSeconds",
)


def failed(problem: str, exit_code: int = 1) -> int:
    """The exit code, after a line on stderr."""
    sys.stderr.write(f"agent-memory: {problem}\n")
    return exit_code


def export_store(options: argparse.Namespace, services: Services) -> int:
    """Write the pages of the store; what stops on the way leaves whole pages and the token to go on with."""
    from agent_memory.requests.transfer import MAX_LINES, ExportMemoryStoreRequest
    from agent_memory.use_cases.export_memory_store import export_memory_store

    asked = {"scope": options.scope, "include": options.include, "vectors": options.vectors, "limit": MAX_LINES}
    token, written = options.resume, 0
    try:
        with _output(options) as output:
            while True:
                request = _request(ExportMemoryStoreRequest, options, **asked, nextToken=token)
                answer = export_memory_store(request, services)
                output.write(answer["lines"].encode())
                output.flush()
                written, token = written + answer["count"], answer.get("nextToken")
                if token is None:
                    break
    except (AgentMemoryError, OSError, KeyboardInterrupt) as error:
        if token:
            sys.stderr.write(f"stopped after {written} lines; go on with --resume {token}\n")
        if isinstance(error, OSError):
            return failed(f"the lines can't be written: {error.strerror}")
        raise
    sys.stderr.write(f"{written} lines\n")
    return 0


def import_lines(options: argparse.Namespace, services: Services) -> int:
    """Send the lines in parcels; those that are refused are named on stderr, and make the exit code 1."""
    from agent_memory.local.transfer_input import parcels

    counts = {"imported": 0, "skipped": 0, "failed": 0}
    try:
        with _input(options) as source:
            for parcel in parcels(source):
                if options.creates and parcel.first == 1:
                    _create(parcel, options, services)
                answer = _send(parcel, options, services)
                for each in answer["failed"]:
                    failed(f"line {parcel.first + each['line'] - 1}: {each['message']}")
                counts["imported"] += answer["imported"]
                counts["skipped"] += answer["skipped"]
                counts["failed"] += len(answer["failed"])
    except OSError as error:
        return failed(f"the lines can't be read: {error.strerror}")
    sys.stdout.write(", ".join(f"{name} {count}" for name, count in counts.items()) + "\n")
    return 1 if counts["failed"] else 0


@contextmanager
def _output(options: argparse.Namespace) -> Iterator[IO[bytes]]:
    if options.output is None:
        yield sys.stdout.buffer
        return
    with Path(options.output).open("ab" if options.resume else "wb") as file:
        yield file


@contextmanager
def _input(options: argparse.Namespace) -> Iterator[IO[bytes]]:
    if options.input is None:
        yield sys.stdin.buffer
        return
    with Path(options.input).open("rb") as file:
        yield file


def _request(model: Any, options: argparse.Namespace, **fields: Any) -> Any:
    """The request as the API would read it; what is wrong with it as InvalidParameter."""
    from pydantic import ValidationError

    from agent_memory.invalid import first_problem
    from agent_memory.requests.fields import INSTANCE_HEADER

    body = {"memoryStoreName": options.store, INSTANCE_HEADER: options.instance, **fields}
    try:
        return model.model_validate(body, by_alias=True, by_name=False)
    except ValidationError as error:
        raise InvalidParameter(*first_problem(error)) from error


def _send(parcel: Parcel, options: argparse.Namespace, services: Services) -> dict[str, Any]:
    """The answer to the lines. A call that ran out of time has got on, so it is made again."""
    from agent_memory.requests.transfer import ImportMemoriesRequest
    from agent_memory.use_cases.import_memories import import_memories

    fields = {"lines": parcel.text, "onConflict": "replace" if options.replace else "skip"}
    request = _request(ImportMemoriesRequest, options, scope=options.scope or None, **fields)
    for _ in range(TRIES - 1):
        try:
            return import_memories(request, services)
        except ServerBusy:
            continue
    return import_memories(request, services)


def _create(parcel: Parcel, options: argparse.Namespace, services: Services) -> None:
    """Make the store with the settings that the first line gives, unless it is there."""
    from agent_memory.requests.stores import CreateMemoryStoreRequest
    from agent_memory.transfer.incoming_lines import LineError, StoreLine, read_line
    from agent_memory.use_cases.create_memory_store import create_memory_store

    try:
        head = read_line(parcel.text.partition("\n")[0])
    except LineError:
        head = None
    given = head.store if isinstance(head, StoreLine) else {}
    settings = {name: given[name] for name in SETTINGS if name in given}
    with suppress(Conflict):
        create_memory_store(_request(CreateMemoryStoreRequest, options, **settings), services)
