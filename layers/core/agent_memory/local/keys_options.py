"""The options of `agent-memory keys create`, read and checked. Records are imported on use: `--help` is quick."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from agent_memory.text import clean
from agent_memory.times import LAST_MS, parse_rfc3339

if TYPE_CHECKING:
    from agent_memory.signin.limits import Limits, ScopeLimit

UNIT_MS = {"m": 60_000, "h": 3_600_000, "d": 86_400_000}
_SPAN = re.compile(r"(\d{1,5})([mhd])", re.ASCII)


class WrongOption(ValueError):
    """Options that are well formed, and yet make no key."""


def add_create_options(parser: argparse.ArgumentParser) -> None:
    """All options but those that the actions share."""
    parser.add_argument("--type", choices=("access-key", "api-key"), required=True, help="signs, or is sent as it is")
    parser.add_argument("--instance", type=_checked(_instance), default="default", help="name space (default: default)")
    parser.add_argument(
        "--store", dest="stores", action="append", default=[], type=_checked(_store), help="a store it may use"
    )
    parser.add_argument(
        "--scope",
        dest="scopes",
        action="append",
        default=[],
        type=_checked(_scope),
        metavar="APP[/TENANT]",
        help="an application or a tenant it may use",
    )
    parser.add_argument(
        "--operation",
        dest="operations",
        action="append",
        default=[],
        type=_checked(_operation),
        metavar="NAME",
        help="an operation it may call",
    )
    parser.add_argument("--read-only", action="store_true", help="only operations that change nothing")
    parser.add_argument("--expires", type=_checked(_expiry), metavar="WHEN", help="30d, 12h, 90m or an RFC 3339 time")
    parser.add_argument("--note", type=_checked(_note), default="", help="what the key is for")


def limits_of(options: argparse.Namespace) -> Limits:
    """The limits that the options name; an option that is not given limits nothing. Raises WrongOption."""
    from agent_memory.signin.limits import MAX_LISTED, Limits

    for name in ("stores", "scopes", "operations"):
        if len(getattr(options, name)) > MAX_LISTED:
            raise WrongOption(f"a key takes at most {MAX_LISTED} {name}")
    return Limits(
        stores=tuple(options.stores),
        scopes=tuple(options.scopes),
        operations=tuple(options.operations),
        read_only=options.read_only,
    )


def expires_at(text: str | None, now_ms: int) -> int | None:
    """The instant of `30d` and the like from now, or of an RFC 3339 time. Raises WrongOption for what has passed."""
    if text is None:
        return None
    match = _SPAN.fullmatch(text)
    expires_ms = now_ms + int(match[1]) * UNIT_MS[match[2]] if match else parse_rfc3339(text)
    if not now_ms < expires_ms <= LAST_MS:
        raise WrongOption(f"--expires {text} is not in the future")
    return expires_ms


def _checked(read: Callable[[str], object]) -> Callable[[str], object]:
    """An argparse type that shows the message of a ValueError."""

    def convert(text: str) -> object:
        try:
            return read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(_message(error)) from error

    return convert


def _message(error: ValueError) -> str:
    from pydantic import ValidationError

    first = error.errors()[0]["msg"] if isinstance(error, ValidationError) else str(error)
    return first.removeprefix("Value error, ")


def _instance(text: str) -> str:
    from agent_memory.signin.credentials import INSTANCE

    if not INSTANCE.fullmatch(text):
        raise ValueError("an instance has 1 to 64 of the characters A-Z a-z 0-9 _ -")
    return text


def _store(text: str) -> str:
    from pydantic import TypeAdapter

    from agent_memory.requests.fields import StoreName

    return TypeAdapter(StoreName).validate_python(text)


def _scope(text: str) -> ScopeLimit:
    from agent_memory.signin.limits import ScopeLimit

    app, slash, tenant = text.partition("/")
    if slash and tenant in ("", "*"):
        raise ValueError(f"for all tenants of {app} leave out '/{tenant}'")
    return ScopeLimit(app_id=app, tenant_id=tenant if slash else None)


def _operation(text: str) -> str:
    from agent_memory.signin.operations import RULES

    if text not in RULES:
        raise ValueError(f"there is no operation {text!r}")
    return text


def _expiry(text: str) -> str:
    if not _SPAN.fullmatch(text):
        parse_rfc3339(text)
    return text


def _note(text: str) -> str:
    from agent_memory.signin.credentials import MAX_NOTE

    cleaned = clean(text)
    if len(cleaned) > MAX_NOTE:
        raise ValueError(f"a note has at most {MAX_NOTE} characters")
    return cleaned
