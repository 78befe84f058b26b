"""The commands `agent-memory keys create|list|disable`. They work beside a running server, on the same table."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agent_memory.errors import AgentMemoryError
from agent_memory.local.keys_options import WrongOption, add_create_options, expires_at, limits_of
from agent_memory.times import format_seconds

if TYPE_CHECKING:
    from agent_memory.signin.keyring import Keyring, Record
    from agent_memory.signin.new_keys import NewKey

WRONG_USAGE = 2


@dataclass(frozen=True, slots=True)
class Workplace:
    """What the commands work on."""

    keyring: Keyring
    now_ms: Callable[[], int]


Open = Callable[[argparse.Namespace], Workplace]
Act = Callable[[argparse.Namespace, Workplace], None]


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser], open_workplace: Open) -> None:
    """Add `keys`; `open_workplace` opens the table that the option `data` (a directory, or None) leads to."""
    keys = commands.add_parser("keys", help="make, list and disable the keys that callers sign in with")
    actions = keys.add_subparsers(title="actions", metavar="ACTION", required=True)
    create = actions.add_parser("create", help="make a key; its secret is shown once")
    listing = actions.add_parser("list", help="list all keys, without their secrets")
    disable = actions.add_parser("disable", help="refuse a key from now on, in every process")
    add_create_options(create)
    disable.add_argument("key_id", metavar="ID", help="the accessKeyId or keyId")
    for parser, act in ((create, _create), (listing, _list), (disable, _disable)):
        parser.add_argument(
            "--data", metavar="DIR", help="data directory (default: $AGENT_MEMORY_DATA_DIR, else ./data)"
        )
        parser.set_defaults(command=_command(act, open_workplace), makes_data=act is _create)
    for parser in (create, listing):
        parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")


def _command(act: Act, open_workplace: Open) -> Callable[[argparse.Namespace], int]:
    """The exit code of the action: 0, 1 with a line on stderr, 2 for options that do not go together."""

    def run(options: argparse.Namespace) -> int:
        try:
            act(options, open_workplace(options))
        except AgentMemoryError as error:
            return _failed(error.message, 1)
        except ModuleNotFoundError as error:
            return _failed(f"the package {error.name} is missing: pip install 'agent-memory[local]'", 1)
        except WrongOption as error:
            return _failed(str(error), WRONG_USAGE)
        return 0

    return run


def _create(options: argparse.Namespace, place: Workplace) -> None:
    from agent_memory.signin.new_keys import Terms, make_access_key, make_api_key

    now_ms = place.now_ms()
    terms = Terms(
        instance=options.instance,
        limits=limits_of(options),
        created_ms=now_ms,
        expires_ms=expires_at(options.expires, now_ms),
        note=options.note,
    )
    make = make_access_key if options.type == "access-key" else make_api_key
    made = _shown_once(make(place.keyring, terms))
    if options.json:
        _print(json.dumps(made))
    else:
        _print("\n".join(f"{name:<16} {value}" for name, value in made.items()))
        _print("The secret is not kept in a readable form: copy it now.")


def _list(options: argparse.Namespace, place: Workplace) -> None:
    now_ms = place.now_ms()
    described = [_described(record, now_ms) for record in _all(place.keyring)]
    if options.json:
        _print(json.dumps({"keys": described}))
        return
    if not described:
        _print("there are no keys")
    for key in described:
        limits = json.dumps(key["limits"], ensure_ascii=False) if key["limits"] else "no limits"
        columns = (key["keyId"], key["type"], key["instance"], key["state"], key["expiresAt"], limits, key["note"])
        _print("  ".join(columns).rstrip())


def _disable(options: argparse.Namespace, place: Workplace) -> None:
    record = place.keyring.disable(options.key_id)
    _print(f"{record.key_id} is disabled")


def _shown_once(made: NewKey) -> dict[str, str]:
    names = ("accessKeyId", "accessKeySecret") if made.record.kind == "access-key" else ("keyId", "apiKey")
    return {names[0]: made.record.key_id, names[1]: made.secret, "instance": made.record.instance}


def _described(record: Record, now_ms: int) -> dict[str, Any]:
    return {
        "keyId": record.key_id,
        "type": record.kind,
        "instance": record.instance,
        "state": record.state(now_ms),
        "createdAt": format_seconds(record.created_ms),
        "expiresAt": format_seconds(record.expires_ms) if record.expires_ms is not None else "never",
        "limits": record.limits.to_wire(),
        "note": record.note,
    }


def _all(keyring: Keyring) -> Iterator[Record]:
    page = keyring.page()
    yield from page.records
    while page.after:
        page = keyring.page(page.after)
        yield from page.records


def _print(text: str) -> None:
    encoding = sys.stdout.encoding or "utf-8"  # a terminal that has no Chinese shows escapes
    sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")


def _failed(problem: str, exit_code: int) -> int:
    sys.stderr.write(f"agent-memory: {problem}\n")
    return exit_code
