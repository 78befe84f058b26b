"""The record of a call: who asked for what when, and how it ended; never a word of messages, queries or memories.

Names are kept exactly as given or not at all: a name that no store, scope or record could have is text of a stranger,
and a scope with a key or a token for a name is not kept either.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from pydantic import ValidationError

from agent_memory.errors import AgentMemoryError, InvalidParameter
from agent_memory.models import LEVELS
from agent_memory.redaction.finding import credentials_in, redacted
from agent_memory.requests.fields import MAX_STORE_NAME, Request
from agent_memory.scopes import ListScope
from agent_memory.text import clean, has_control_characters
from agent_memory.times import format_ms

MAX_SUMMARY = 200
MAX_ERROR = 300
MAX_INSTANCE = 64
MAX_QUOTED = 3  # a character such as '*', with its quotes
ALWAYS_TOLD = ("topK", "limit")  # also where the caller left them to the default
COUNTED = ("acceptedMessages", "duplicateMessages")  # of the answer
TARGETS = ("memory_id", "request_id", "dream_id", "task_id")

_STORE = re.compile(rf"[A-Za-z0-9_]{{1,{MAX_STORE_NAME}}}", re.ASCII)
_ID = re.compile(r"[0-9a-f]{1,64}", re.ASCII)  # whatever else stands in an id's place was not made here
_QUOTED = re.compile(r"""(?<!\w)('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""")  # what `repr` makes of a text
_FIELD = re.compile(r"([A-Za-z-]+)(\[\d+\])?", re.ASCII)


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One call. `call_id` is its own; `request_id` is the one that the caller got, which of an add is the task's.

    `key_id` is the key that the caller signed in with, if it proved to have one. `scope` has all four levels, `*` for
    any, or is empty where the call named none or a wrong one. `error` is empty for a call that was served.
    """

    call_id: str
    request_id: str
    operation: str
    instance: str
    status: int
    latency_ms: int
    created_ms: int
    store: str = ""
    scope: Mapping[str, str] = field(default_factory=dict)
    target_id: str = ""
    key_id: str = ""
    summary: str = ""
    error: str = ""

    @property
    def code(self) -> str:
        """The code of the error; empty for a call that was served."""
        return self.error.partition(":")[0]

    def to_json(self) -> dict[str, Any]:
        """The record as the API shows it."""
        optional = {"keyId": self.key_id, "requestSummary": self.summary, "responseSummary": self.error}
        return {
            "requestId": self.request_id,
            "operation": self.operation,
            "scope": dict(self.scope),
            "targetId": self.target_id,
            "responseStatus": self.status,
            "latencyMs": self.latency_ms,
            "createdAt": format_ms(self.created_ms),
            **{name: text for name, text in optional.items() if text},
        }


class AuditLog(Protocol):
    """Where the record of each call goes, refused ones too. A failure here never changes an answer."""

    def record(self, call: CallRecord) -> None:
        """Take the record; it may be kept a moment later."""

    def flush(self) -> None:
        """Everything taken so far is kept, and can be listed, when this returns."""


def about(body: Mapping[str, Any], request: Request | None, answer: Mapping[str, Any]) -> dict[str, Any]:
    """Store, scope, target and summary of a call as fields of its record; without `request` it was refused unread."""
    store = body.get("memoryStoreName")
    return {
        "store": store if isinstance(store, str) and _STORE.fullmatch(store) else "",
        "scope": _scope(body, request, answer),
        "target_id": next(filter(_ID.fullmatch, _targets(request)), ""),
        "summary": ", ".join(_told(request, answer))[:MAX_SUMMARY],
    }


def instance_name(name: str) -> str:
    """The instance, or nothing where no instance could have that name."""
    return "" if len(name) > MAX_INSTANCE or has_control_characters(name) else name


def error_text(error: AgentMemoryError, model: type[Request] | None) -> str:
    """What was wrong, in words of the service: nothing that is quoted, and of a field only its name in the request.

    Below that the path of a field may hold names that the caller made up, such as keys of metadata.
    """
    text = error.message
    if isinstance(error, InvalidParameter):
        names = {each.alias for each in model.model_fields.values()} if model else set()
        known = _FIELD.match(error.field)
        path = known[0] if known and known[1] in names else ""
        text = f"{path}{'' if path == error.field else '…'} {error.problem}".strip()
    plain = _QUOTED.sub(lambda quoted: quoted[0] if len(quoted[0]) <= MAX_QUOTED else "'…'", text)
    return redacted(clean(f"{error.code}: {plain}"))[:MAX_ERROR]


def _scope(body: Mapping[str, Any], request: Request | None, answer: Mapping[str, Any]) -> dict[str, str]:
    """As the request was read; of a refused one as it stands there; of a call by id as the record found has it."""
    levels = _levels(body, request, answer)
    return {} if any(map(credentials_in, levels)) else dict(zip(LEVELS, levels, strict=False))


def _levels(body: Mapping[str, Any], request: Request | None, answer: Mapping[str, Any]) -> tuple[str, ...]:
    asked = getattr(request, "scope", None)
    if asked is not None:
        return tuple(asked.levels)
    found = answer.get("memory") or answer.get("task")
    given = body.get("scope") if request is None else isinstance(found, dict) and found.get("scope")
    if not isinstance(given, dict):
        return ()
    try:
        read = ListScope.model_validate({name: given.get(name) for name in LEVELS}, strict=True)
    except ValidationError:
        return ()
    return tuple(read.levels)


def _targets(request: Request | None) -> Iterator[str]:
    for name in TARGETS:
        value = getattr(request, name, None)
        if isinstance(value, str):
            yield value


def _told(request: Request | None, answer: Mapping[str, Any]) -> Iterator[str]:
    """Counts, numbers and switches; no field that holds text is ever told."""
    counts = [f"{name}={answer[name]}" for name in COUNTED if answer.get(name)]
    yield from counts
    for name, described in type(request).model_fields.items() if request else ():
        alias, value = described.alias or name, getattr(request, name)
        given = name in request.model_fields_set if request else False
        if isinstance(value, bool):
            if given:
                yield f"{alias}={str(value).lower()}"
        elif isinstance(value, int | float):
            if given or alias in ALWAYS_TOLD:
                yield f"{alias}={value}"
        elif isinstance(value, list | tuple) and value and not counts:
            yield f"{alias}={len(value)}"
