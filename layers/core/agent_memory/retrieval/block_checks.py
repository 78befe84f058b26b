"""What must hold of a packed block before anything relies on it, whoever wrote the bytes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from agent_memory.retrieval.tokenizer import TOKENIZER_VERSION

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    Arrays = Mapping[str, NDArray[Any]]

_MOST = 1 << 32
_LEVELS = 4


class UnreadableBlock(ValueError):
    """The bytes are no block that this version can read; the index is to be built from the table."""


def demand(holds: bool, problem: str) -> None:
    """Raise UnreadableBlock unless it holds."""
    if not holds:
        raise UnreadableBlock(f"the block has {problem}")


def checked_head(text: bytes, free_arrays: int) -> dict[str, Any]:
    """The head, each part of its type."""
    try:
        head = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableBlock("the block has no readable head") from error
    if not isinstance(head, dict):
        raise UnreadableBlock("the block has another head")
    demand(head.get("tokenizer") == TOKENIZER_VERSION, "another tokenizer's terms")
    demand(isinstance(head.get("model"), str), "no model")
    demand(_is_count(head.get("dim")) and _is_count(head.get("size")), "no size")
    demand(_is_counts(head.get("lengths")) and len(head["lengths"]) == free_arrays, "no lengths")
    demand(_is_scopes(head.get("scopes")), "no scopes")
    demand(_is_texts(head.get("speakers")) and len(set(head["speakers"])) == len(head["speakers"]), "no speakers")
    demand(_is_metadata(head.get("metadata")), "no metadata")
    return head


def check_columns(arrays: Arrays, scopes: int, speakers: int) -> None:
    """Codes lie in their tables, truth values are such."""
    import numpy as np

    codes, names = arrays["scope_codes"], arrays["speaker_codes"]
    demand(not len(codes) or bool(codes.min() >= 0 and codes.max() < scopes), "unknown scopes")
    demand(not len(names) or bool(names.min() >= -1 and names.max() < speakers), "unknown speakers")
    demand(bool((arrays["has_vector"].view(np.uint8) <= 1).all()), "truth values that are none")


def check_lists(arrays: Arrays, head: Mapping[str, Any]) -> None:
    """Postings and metadata give ascending rows that are there."""
    terms, size = arrays["terms"], head["size"]
    demand(bool((terms[1:] > terms[:-1]).all()), "terms out of order")
    demand(len(arrays["counts"]) == len(arrays["rows"]), "other counts than postings")
    _check_lists(arrays["starts"], arrays["rows"], len(terms), size)
    values = sum(len(each[1]) for each in head["metadata"])
    _check_lists(arrays["values"], arrays["value_rows"], values, size)


def _check_lists(starts: NDArray[Any], rows: NDArray[Any], lists: int, size: int) -> None:
    """As many lists as there should be, none empty, one behind the other, each of ascending rows below the size."""
    demand(len(starts) == lists + 1, "another number of lists")
    demand(starts[0] == 0 and starts[-1] == len(rows) and bool((starts[1:] > starts[:-1]).all()), "lists out of order")
    demand(not len(rows) or bool(rows.min() >= 0 and rows.max() < size), "rows that are not there")
    falls = rows[1:] <= rows[:-1]
    falls[starts[1:-1].astype("int64") - 1] = False  # from one list to the next
    demand(not falls.any(), "rows out of order")


def _is_count(value: object) -> bool:
    return type(value) is int and 0 <= value < _MOST


def _is_counts(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_count, value))


def _is_scopes(value: object) -> bool:
    if not isinstance(value, list) or not all(_is_texts(each) and len(each) == _LEVELS for each in value):
        return False
    return len(set(map(tuple, value))) == len(value)


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _is_metadata(value: object) -> bool:
    """Keys with their values, none twice."""
    if not isinstance(value, list) or not all(isinstance(each, list) and len(each) == 2 for each in value):  # noqa: PLR2004
        return False
    if not all(isinstance(key, str) and _is_texts(values) and len(set(values)) == len(values) for key, values in value):
        return False
    return len({key for key, _ in value}) == len(value)
