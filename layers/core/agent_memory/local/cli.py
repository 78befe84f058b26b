"""The command line `agent-memory`. Each command imports what it needs, so that `--help` is quick."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from agent_memory.local.keys_cli import Workplace
from agent_memory.local.keys_cli import add_parser as add_keys
from agent_memory.local.transfer_cli import add_parser as add_transfer

LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
MAX_PORT = 65_535
INTERRUPTED = 130

Command = Callable[[argparse.Namespace], int]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and give its exit code: 0 done, 1 failed with a line on stderr, 2 wrong usage."""
    options = _parser().parse_args(arguments)
    command: Command = options.command
    try:
        return command(options)
    except KeyboardInterrupt:
        return INTERRUPTED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="agent-memory", description="Memory for AI agents, on this machine or on AWS."
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_serve(commands)
    add_keys(commands, _workplace)
    add_transfer(commands)
    version = commands.add_parser("version", help="print the version")
    version.set_defaults(command=_version)
    return parser


def _add_serve(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    serve = commands.add_parser(
        "serve",
        help="serve the API on a local port",
        description="Serve the API on a local port, with all data in one directory, until SIGINT or SIGTERM.",
    )
    serve.add_argument(
        "--host",
        default="127.0.0.1",
        help="IP address to listen on; one that others can reach needs keys (default: %(default)s)",
    )
    serve.add_argument("--port", type=_port, default=8787, help="port; 0 takes a free one (default: %(default)s)")
    serve.add_argument("--data", metavar="DIR", help="data directory (default: $AGENT_MEMORY_DATA_DIR, else ./data)")
    serve.add_argument(
        "--log-level",
        type=str.upper,
        choices=LOG_LEVELS,
        help="log lines on stderr, JSON (default: $AGENT_MEMORY_LOG_LEVEL, else WARNING)",
    )
    serve.add_argument(
        "--tls-cert", metavar="FILE", help="certificate chain (PEM): serve https; clients send API keys over TLS only"
    )
    serve.add_argument(
        "--tls-key", metavar="FILE", help="private key of the certificate, if it is not in the same file"
    )
    serve.set_defaults(command=_serve)


def _port(text: str) -> int:
    if not (text.isdecimal() and int(text) <= MAX_PORT):
        raise argparse.ArgumentTypeError(f"must be a number up to {MAX_PORT}, not {text!r}")
    return int(text)


def _serve(options: argparse.Namespace) -> int:
    from agent_memory.local.embedded import CannotStart
    from agent_memory.local.server import Options, serve

    try:
        serve(Options(options.host, options.port, options.data, options.log_level, options.tls_cert, options.tls_key))
    except CannotStart as error:
        sys.stderr.write(f"agent-memory: {error}\n")
        return error.exit_code
    return 0


def _workplace(options: argparse.Namespace) -> Workplace:
    from agent_memory.errors import NotFound
    from agent_memory.local.embedded import embedded_settings, make_private
    from agent_memory.services import Services

    settings = embedded_settings(options.data, None)
    folder = Path(settings.data_dir)
    if not settings.table_name and not options.makes_data and not folder.is_dir():
        raise NotFound(f"there is no data directory {folder}; name the server's with --data")
    if not settings.table_name:
        make_private(folder)
    services = Services(settings)
    return Workplace(services.keyring, services.now_ms)


def _version(options: argparse.Namespace) -> int:  # noqa: ARG001 - the shape of a command
    from importlib.metadata import version

    sys.stdout.write(f"agent-memory {version('agent-memory')}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
