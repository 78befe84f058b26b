"""ImportMemories: lines of an export become records again, as they were, a batch of them in one transaction each.

Memories without a vector of the store's model are embedded, all where the store keeps token vectors. No job is queued:
what an extraction made of the messages is among the lines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from agent_memory.change_log import logged
from agent_memory.dispatch import log_grew
from agent_memory.errors import ConditionFailed, InvalidParameter, ServerBusy
from agent_memory.packed_vectors import Pack
from agent_memory.redaction.policy import Redaction
from agent_memory.requests.transfer import MAX_LINES, ImportMemoriesRequest
from agent_memory.services import Services
from agent_memory.store_access import read_store, read_tenant
from agent_memory.text import utf8_size
from agent_memory.transfer.admitted_lines import admitted_line
from agent_memory.transfer.batches import Incoming, batches
from agent_memory.transfer.decisions import Decision, Target, decide, reads
from agent_memory.transfer.import_writes import plan_writes, units_without_vector
from agent_memory.transfer.incoming_lines import LineError, MemoryLine, RecordLine, StoreLine, read_line

TRIES = 8
TIME_MS = 12_000  # of one call, before its last batch; after it the caller is asked to send the lines again


def import_memories(request: ImportMemoriesRequest, services: Services) -> dict[str, Any]:
    """`imported`, `skipped` (there already, expired, or about the store) and `failed` [{line, message}], line by line.

    Raises ServerBusy where time runs out or others keep writing: what is in stays, and the same lines go on from there.
    """
    started = services.now_ms()
    store = read_store(services.table, request.instance, request.memory_store_name)
    if store.input_type != "messages":
        raise InvalidParameter("memoryStoreName", "names a store of files, which takes no memories")
    incoming, refused, heads = _read(request, store.redaction, services)
    if store.token_vectors:  # which no line has: they come with the vector of the text
        incoming = [replace(each, vector=b"") for each in incoming]
    decisions: list[Decision] = []
    for batch in batches(incoming):
        if services.now_ms() - started > TIME_MS:
            raise ServerBusy(f"line {batch[0].number} was not reached in time; send the same lines again")
        decisions.extend(_import(batch, request, services))
    outcomes = Counter(each.outcome for each in decisions)
    problems = refused | {each.incoming.number: each.problem for each in decisions if each.outcome == "failed"}
    return {
        "imported": outcomes["imported"],
        "skipped": outcomes["skipped"] + heads,
        "failed": [{"line": number, "message": problem} for number, problem in sorted(problems.items())],
        "memoryStoreName": store.name,
    }


def _read(
    request: ImportMemoriesRequest, policy: Redaction, services: Services
) -> tuple[list[Incoming], dict[int, str], int]:
    """The records, what is wrong with the lines that are none (by their number), and how many lines tell of a store."""
    incoming: list[Incoming] = []
    refused: dict[int, str] = {}
    heads = 0
    for number, text in _numbered(request.lines):
        try:
            line = _admitted(text, request, policy)
        except LineError as error:
            refused[number] = str(error)
            continue
        if isinstance(line, StoreLine):
            heads += 1
        else:
            incoming.append(_incoming(number, text, line, services))
    return incoming, refused, heads


def _numbered(lines: str) -> Iterator[tuple[int, str]]:
    """(number from 1, text) of each line that is not blank."""
    texts = lines.split("\n")
    if len(texts) - (not texts[-1]) > MAX_LINES:
        raise InvalidParameter("lines", f"must have at most {MAX_LINES} lines")
    return ((number, text) for number, text in enumerate(texts, 1) if text.strip())


def _admitted(text: str, request: ImportMemoriesRequest, policy: Redaction) -> StoreLine | RecordLine:
    """The line without secrets that the store takes none of, if it is one and the caller may write where it belongs."""
    line = read_line(text)
    if isinstance(line, StoreLine):
        return line
    inside = request.scope is None or request.scope.matches(line.scope)
    if not (inside and request.caller.may_see(line.scope)):
        raise LineError("lies outside the scope of this call")
    return admitted_line(line, policy)


def _incoming(number: int, text: str, line: RecordLine, services: Services) -> Incoming:
    """The record with its vector; the embedder is not touched for anything but memories."""
    embedder = services.embedder if isinstance(line, MemoryLine) and line.vector else None
    vector = line.packed(embedder.model, embedder.dim) if embedder and isinstance(line, MemoryLine) else b""
    return Incoming(number, utf8_size(text), line, vector)


def _import(batch: Sequence[Incoming], request: ImportMemoriesRequest, services: Services) -> list[Decision]:
    names = (request.instance, request.memory_store_name)
    memories = [(each.line.memory.id, each.vector) for each in batch if isinstance(each.line, MemoryLine)]
    model = services.embedder.model if memories else ""
    vectors = {name: vector for name, vector in memories if vector}
    for _ in range(TRIES):
        view = read_tenant(services.table, names, batch[0].tenant, services.uid_hints)
        target = Target(view, request.on_conflict == "replace", services.now_ms(), model)
        known = services.table.get(reads(batch, view))
        decisions = decide(batch, target, known)
        _embed(decisions, vectors, services.packing(view.store))
        writes = plan_writes(target, decisions, known, vectors)
        try:
            if writes:
                services.table.write(writes)
        except ConditionFailed:
            continue  # another writer was there, or a scope was deleted: look again
        log_grew(view.store, batch[0].tenant, logged(writes), services)
        return decisions
    raise ServerBusy("other calls are writing to the same tenant; send the same lines again")


def _embed(decisions: Sequence[Decision], vectors: dict[str, bytes], pack: Pack) -> None:
    missing = units_without_vector(decisions, vectors)
    if missing:
        packed = pack([unit.search_text for unit in missing])
        vectors.update({unit.id: each for unit, each in zip(missing, packed, strict=True)})
