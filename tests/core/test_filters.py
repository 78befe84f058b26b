"""Masks over rows: agent, run, scope filter, metadata."""

from __future__ import annotations

import numpy as np

from agent_memory.retrieval.filters import metadata_mask, scope_mask
from agent_memory.retrieval.scope_filter import parse

SCOPES = (("shop", "u1", "bot", "s1"), ("shop", "u1", "bot", "s2"), ("shop", "u1", "客服", "s1"))
CODES = np.array([0, 1, 2, 0, 2], np.int32)
ROWS = {
    "channel": {"web": np.array([0, 1, 4], np.int32), "app": np.array([2], np.int32)},
    "lang": {"中文": np.array([1, 4], np.int32)},
}


def test_any_agent_and_run():
    """Two stars let every row through."""
    assert scope_mask(SCOPES, CODES, "*", "*").tolist() == [True] * 5


def test_agent_and_run_by_name():
    """A named level must be equal, a star need not."""
    assert scope_mask(SCOPES, CODES, "bot", "*").tolist() == [True, True, False, True, False]
    assert scope_mask(SCOPES, CODES, "客服", "s1").tolist() == [False, False, True, False, True]
    assert not scope_mask(SCOPES, CODES, "bot", "s3").any()


def test_scope_filter_is_anded():
    """The filter narrows what agent and run let through."""
    chosen = parse({"op": "wildcard", "field": "scopeKey", "value": "shop/*/s1"})
    assert scope_mask(SCOPES, CODES, "*", "*", chosen).tolist() == [True, False, True, True, True]
    assert scope_mask(SCOPES, CODES, "bot", "*", chosen).tolist() == [True, False, False, True, False]


def test_metadata_keys_are_anded_and_exact():
    """Every key must be there with that very value; no wish lets all through."""
    assert metadata_mask(ROWS, {}, 5).all()
    assert metadata_mask(ROWS, {"channel": "web"}, 5).tolist() == [True, True, False, False, True]
    assert metadata_mask(ROWS, {"channel": "web", "lang": "中文"}, 5).tolist() == [False, True, False, False, True]
    assert not metadata_mask(ROWS, {"channel": "we"}, 5).any()
    assert not metadata_mask(ROWS, {"channel": "web", "absent": ""}, 5).any()


def test_no_rows():
    """An empty segment gives empty masks."""
    nothing = np.array([], np.int32)
    assert scope_mask((), nothing, "bot", "*").tolist() == []
    assert metadata_mask({}, {"a": "b"}, 0).tolist() == []
