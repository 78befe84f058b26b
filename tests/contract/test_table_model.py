"""The SQLite table against the same operations on a dict."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing

from hypothesis import given, settings
from hypothesis import strategies as st

from agent_memory.adapters.sqlite_table import SqliteTable
from agent_memory.adapters.table_rules import key_of
from agent_memory.errors import ConditionFailed
from agent_memory.ports import Check, Delete, Item, Key, Page, Put, Write

Model = dict[Key, Item]

SORT_KEYS = ["a", "a/1", "a/10", "a/2", "b", "é", "e\u0301", "虾", "\uffff", "🦐"]
keys = st.builds(Key, st.sampled_from(["p", "用户"]), st.sampled_from(SORT_KEYS))
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
items = st.builds(
    Item,
    keys,
    st.dictionaries(st.text(max_size=4), json_values, max_size=3),
    st.integers(1, 3),
    st.binary(max_size=8),
)
expects = st.integers(0, 3)
writes = (
    st.builds(Put, items, st.none() | expects)
    | st.builds(Delete, keys, st.none() | expects)
    | st.builds(Check, keys, expects)
)
batches = st.lists(writes, min_size=1, max_size=5, unique_by=key_of)
queries = st.fixed_dictionaries(
    {
        "pk": st.sampled_from(["p", "用户"]),
        "first": st.sampled_from(["", *SORT_KEYS]),
        "last": st.sampled_from([*SORT_KEYS, "\U0010ffff"]),
        "limit": st.integers(1, 6),
        "after": st.none() | st.sampled_from([*SORT_KEYS, "a/15", "\U0010ffff"]),
        "reverse": st.booleans(),
    }
)


def model_write(model: Model, batch: Sequence[Write]) -> tuple[int, ...]:
    """Apply the batch to the model, or give the positions that stop it."""
    versions = {key: item.version for key, item in model.items()}
    failed = tuple(at for at, write in enumerate(batch) if write.expect not in (None, versions.get(key_of(write), 0)))
    for write in () if failed else batch:
        if isinstance(write, Put):
            model[write.item.key] = write.item
        elif isinstance(write, Delete):
            model.pop(write.key, None)
    return failed


def model_query(model: Model, pk: str, first: str, last: str, *, limit: int, after: str | None, reverse: bool) -> Page:
    """The page by comparing bytes of every key."""
    found = [model[key] for key in sorted(model, key=lambda key: key.sk.encode(), reverse=reverse) if key.pk == pk]
    found = [item for item in found if first.encode() <= item.key.sk.encode() <= last.encode()]
    if after is not None:
        behind: Callable[[bytes], bool] = after.encode().__gt__ if reverse else after.encode().__lt__
        found = [item for item in found if behind(item.key.sk.encode())]
    return Page(tuple(found[:limit]), more=len(found) > limit)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.lists(batches, max_size=12), st.lists(queries, min_size=1, max_size=8))
def test_sqlite_agrees_with_a_dict(steps: list[list[Write]], asked: list[dict[str, object]]) -> None:
    """The same batches succeed, the same positions fail, and the same pages come back."""
    model: Model = {}
    with closing(SqliteTable(":memory:", now=lambda: 0.0)) as table:
        for batch in steps:
            failed: tuple[int, ...] = ()
            try:
                table.write(batch)
            except ConditionFailed as error:
                failed = error.failed
            assert failed == model_write(model, batch)
        assert table.get(model) == model
        for query in asked:
            assert table.query(**query) == model_query(model, **query)  # type: ignore[arg-type]
