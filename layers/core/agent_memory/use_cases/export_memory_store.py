"""ExportMemoryStore: a store as lines of JSON, a page at a time.

The token is the place behind the last line, so a page that is asked for again begins with the same line, and what is
written between two pages moves nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Any

from agent_memory.paging import seal, unseal
from agent_memory.requests.transfer import ExportMemoryStoreRequest
from agent_memory.services import Services
from agent_memory.store_access import read_store
from agent_memory.text import utf8_size
from agent_memory.transfer.outgoing_lines import store_line
from agent_memory.transfer.walk import START, Place, Step, Walk, steps

MAX_BYTES = 1_000_000  # of one page: an answer may have six megabytes, an import four, and quoting adds to it
BUDGET = 5_000  # places that one call passes


def export_memory_store(request: ExportMemoryStoreRequest, services: Services) -> dict[str, Any]:
    """`lines`, their `count`, and `nextToken` while there may be more. NotFound without the store."""
    store = read_store(services.table, request.instance, request.memory_store_name)
    asked = {"scope": request.scope.to_json(), "include": sorted(request.include), "vectors": request.vectors}
    binding = ("ExportMemoryStore", store.uid, asked)
    token, now = request.next_token, services.now_ms()
    start: Place = tuple(unseal(token, binding, services.paging_key)["after"]) if token else START
    head = [] if token else [(START, store_line(store.to_wire(), asked, now))]
    walk = Walk(store, request.scope, frozenset(request.include), request.vectors, services.table, now)
    lines, place = _page(chain(head, steps(walk, start)), request.limit)
    answer: dict[str, Any] = {"lines": "".join(lines), "count": len(lines), "memoryStoreName": store.name}
    if place is not None:
        answer["nextToken"] = seal({"after": place}, binding, services.paging_key)
    return answer


def _page(walked: Iterable[Step], limit: int) -> tuple[list[str], Place | None]:
    """The lines that fit, and the place behind the last step taken; None at the end."""
    lines: list[str] = []
    size = 0
    last: Place | None = None
    for taken, (place, line) in enumerate(walked):
        grown = size + utf8_size(line)
        full = bool(line and lines) and (len(lines) == limit or grown > MAX_BYTES)
        if last is not None and (full or taken >= BUDGET):
            return lines, last
        if line:
            lines.append(line)
        size, last = grown, place
    return lines, None
