"""A run of memories as an index keeps them: columns, tables, metadata and postings. It never changes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from agent_memory.retrieval.columns import ALWAYS, LAYOUT, NEVER, RETIRED, TRAITS_SHIFT, TURN, Columns
from agent_memory.retrieval.metadata_rows import metadata_rows
from agent_memory.retrieval.places import PLACE_BYTES, place_of
from agent_memory.retrieval.postings import Postings, build_postings, term_hash
from agent_memory.retrieval.tokenizer import folded, tokens
from agent_memory.retrieval.traits import text_traits
from agent_memory.retrieval.vectors import int8_rows
from agent_memory.text import normalised

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from agent_memory.models import Born
    from agent_memory.retrieval.metadata_rows import MetadataRows

Levels = tuple[str, str, str, str]
Named = TypeVar("Named")
ID_BYTES = 16
_ID = re.compile("[0-9a-f]{32}")
LONGEST = 65_535  # terms of a text that are counted


@dataclass(frozen=True, slots=True)
class IndexedUnit:
    """What the index keeps of a memory unit.

    `id` is 32 lower-case hex digits; `scope` app, tenant, agent and run; `vector` one float32 row; `place` the 24 bytes
    of `places.place_of`, empty for where `created_ms` puts it. A `turn` takes part in windows. `importance` is 1 to 10,
    0 for unknown. `slot` names what it claims, as `slot_term` finds it again; empty for one that claims nothing.
    """

    id: str
    scope: Levels
    search_text: str
    speaker: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)
    vector: NDArray[np.float32] | None = None
    embedding_model: str | None = None
    created_ms: int = 0
    expires_ms: int | None = None
    valid_from_ms: int | None = None
    valid_to_ms: int | None = None
    retired: bool = False
    turn: bool = False
    importance: int = 0
    slot: str = ""
    place: bytes = b""
    born: Born = (1, 0)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Block(Columns):
    """Rows in the order of conversation, place and id. Rows in `postings` and `metadata` count from the block's start.

    `scopes` and `speakers` (folded names) are the tables of the codes. Vectors are of `model` and `dim`.
    """

    model: str
    dim: int
    scopes: tuple[Levels, ...]
    speakers: tuple[str, ...]
    metadata: MetadataRows
    postings: Postings


def build_block(units: Sequence[IndexedUnit], model: str, dim: int) -> Block:
    """A block of units with distinct ids. A vector of another model or shape, or without a direction, is left out.

    Raises ValueError for an id or a place of another length.
    """
    ordered = sorted(units, key=lambda unit: (unit.scope, _place(unit), unit.id))
    scopes = _table(unit.scope for unit in ordered)
    names = [folded_name(unit.speaker) for unit in ordered]
    speakers = _table(name for name in names if name)
    words = [tokens(unit.search_text) for unit in ordered]
    return Block(
        model=model,
        dim=dim,
        scopes=tuple(scopes),
        speakers=tuple(speakers),
        metadata=metadata_rows(unit.metadata for unit in ordered),
        postings=build_postings([_terms(each, unit) for each, unit in zip(words, ordered, strict=True)]),
        **_column(
            scope_codes=[scopes[unit.scope] for unit in ordered],
            speaker_codes=[speakers[name] if name else -1 for name in names],
            lengths=[min(len(each), LONGEST) for each in words],
            **_plain(ordered),
        ),
        **_numbered(ordered),
        **_vectors(ordered, model, dim),
    )


def slot_term(slot: str) -> str:
    """The term of the postings under which memories with that slot are found; no text has it."""
    return f"\0slot {slot}"


def folded_name(speaker: str) -> str:
    """The form in which names of speakers are compared."""
    return " ".join(folded(speaker).split())


def id_numbers(ids: Sequence[str]) -> NDArray[np.uint64]:
    """Ids as two numbers each; ValueError for one that is not 32 lower-case hex digits."""
    if not all(map(is_id, ids)):
        raise ValueError("ids must be 32 lower-case hex digits")
    return _numbers([bytes.fromhex(each) for each in ids], ID_BYTES)


def is_id(text: str) -> bool:
    """Whether the text can be the id of a memory."""
    return _ID.fullmatch(text) is not None


def _terms(words: Sequence[str], unit: IndexedUnit) -> Sequence[str]:
    return [*words, slot_term(unit.slot)] if unit.slot else words


def _numbers(texts: Sequence[bytes], length: int) -> NDArray[np.uint64]:
    import numpy as np

    if any(len(text) != length for text in texts):
        raise ValueError(f"must be {length} bytes")
    return np.frombuffer(b"".join(texts), ">u8").reshape(len(texts), length // 8).astype(np.uint64)


def _table(names: Iterable[Named]) -> dict[Named, int]:
    return {name: code for code, name in enumerate(dict.fromkeys(names))}


def _place(unit: IndexedUnit) -> bytes:
    return unit.place or place_of(None, unit.created_ms)


def _plain(units: Sequence[IndexedUnit]) -> dict[str, list[int]]:
    return {
        "created_ms": [unit.created_ms for unit in units],
        "expires_ms": [NEVER if unit.expires_ms is None else unit.expires_ms for unit in units],
        "valid_from_ms": [ALWAYS if unit.valid_from_ms is None else unit.valid_from_ms for unit in units],
        "valid_to_ms": [NEVER if unit.valid_to_ms is None else unit.valid_to_ms for unit in units],
        "born_life": [unit.born[0] for unit in units],
        "born_generation": [unit.born[1] for unit in units],
        "flags": [_flags(unit) for unit in units],
        "importance": [min(max(unit.importance, 0), 255) for unit in units],
        "groups": [_group(unit) for unit in units],
    }


def _column(**values: list[int]) -> dict[str, Any]:
    import numpy as np

    return {name: np.array(column, LAYOUT[name][0]) for name, column in values.items()}


def _numbered(units: Sequence[IndexedUnit]) -> dict[str, Any]:
    places = [_place(unit) for unit in units]
    return {"ids": id_numbers([unit.id for unit in units]), "places": _numbers(places, PLACE_BYTES)}


def _vectors(units: Sequence[IndexedUnit], model: str, dim: int) -> dict[str, Any]:
    """A vector of another model is none."""
    vectors = int8_rows([unit.vector if unit.embedding_model == model else None for unit in units], dim)
    return {"vectors": vectors, "has_vector": vectors.any(axis=1)}


def _flags(unit: IndexedUnit) -> int:
    kinds = (TURN if unit.turn else 0) | (RETIRED if unit.retired else 0)
    return kinds | text_traits(unit.search_text) << TRAITS_SHIFT


def _group(unit: IndexedUnit) -> int:
    return term_hash(normalised(unit.search_text))
