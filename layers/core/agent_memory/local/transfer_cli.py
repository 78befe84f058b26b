"""The commands `agent-memory export` and `import`: a store to a file of lines and back, beside a running server.

Both go through the use cases of the API, on the data directory or, with the settings of AWS, on its table.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.errors import AgentMemoryError
from agent_memory.local.transfer_commands import export_store, failed, import_lines

if TYPE_CHECKING:
    from agent_memory.services import Services

PARTS = ("memories", "messages")
LEVELS = ("appId", "tenantId", "agentId", "runId")

Open = Callable[[argparse.Namespace], AbstractContextManager["Services"]]


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser], opened: Open | None = None) -> None:
    """Add `export` and `import`; `opened` gives the services that the options lead to."""
    export = commands.add_parser("export", help="write a store as lines of JSON")
    importing = commands.add_parser("import", help="read the lines of an export into a store")
    for parser, run, embeds in ((export, export_store, False), (importing, import_lines, True)):
        parser.add_argument(
            "--data", metavar="DIR", help="data directory (default: $AGENT_MEMORY_DATA_DIR, else ./data)"
        )
        parser.add_argument("--store", metavar="NAME", required=True, help="the memory store")
        parser.add_argument("--instance", default="default", help="name space of the store (default: default)")
        parser.add_argument(
            "--scope", type=_scope, default={}, metavar="APP[/TENANT...]", help="only what lies in this scope"
        )
        parser.set_defaults(command=_command(run, opened or _opened), embeds=embeds)
    export.add_argument("--output", metavar="FILE", help="write to this file (default: stdout)")
    export.add_argument("--include", action="append", choices=PARTS, help="only this part (default: both)")
    export.add_argument("--vectors", action="store_true", help="with vectors, so that an import need not embed again")
    export.add_argument("--resume", metavar="TOKEN", help="go on where an export stopped that printed this token")
    importing.add_argument("--input", metavar="FILE", help="read from this file (default: stdin)")
    importing.add_argument("--replace", action="store_true", help="let the lines win over what the store has")
    export.set_defaults(creates=False)
    importing.add_argument(
        "--create", dest="creates", action="store_true", help="make the store, with the settings in the file"
    )


def _scope(text: str) -> dict[str, str]:
    levels = text.split("/")
    if len(levels) > len(LEVELS) or not levels[0]:
        raise argparse.ArgumentTypeError("must be one to four levels, joined by '/'")
    return dict(zip(LEVELS, levels, strict=False))


def _command(run: Callable[[argparse.Namespace, Services], int], opened: Open) -> Callable[[argparse.Namespace], int]:
    def command(options: argparse.Namespace) -> int:
        from agent_memory.local.embedded import CannotStart

        try:
            with opened(options) as services:
                return run(options, services)
        except CannotStart as error:
            return failed(str(error), error.exit_code)
        except AgentMemoryError as error:
            return failed(error.message)

    return command


@contextmanager
def _opened(options: argparse.Namespace) -> Iterator[Services]:
    from agent_memory.local.embedded import CannotStart, embedded_settings, make_private, require_model, stderr_logger
    from agent_memory.services import Services

    settings = embedded_settings(options.data, None)
    data = Path(settings.data_dir)
    if not settings.table_name and not (data / "memories.sqlite3").is_file():
        if not options.creates:
            raise CannotStart(f"there is no data of Agent Memory in {data}")
        make_private(data)
    services = Services(settings, logger=stderr_logger(settings.log_level))
    if options.embeds:
        require_model(settings)
        _require_embedder(services)
    with ExitStack() as stack:
        close = getattr(services.table, "close", None)  # what is on AWS has nothing to close
        if close:
            stack.callback(close)
        yield services


def _require_embedder(services: Services) -> None:
    from agent_memory.local.embedded import CannotStart

    try:
        _ = services.embedder.model
    except ValueError as error:  # an embedder that does not exist, or lacks its settings
        raise CannotStart(str(error)) from error
