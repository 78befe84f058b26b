"""The figures, texts and records of the bench of sizes."""

from __future__ import annotations

import re

import numpy as np
import pytest

from agent_memory import keys
from agent_memory.adapters.sqlite_table import SqliteTable
from agent_memory.ports import Item, Key, Put
from agent_memory.retrieval.tenant_index import TenantIndex
from tests.bench import scale_growth, scale_tables
from tests.bench.counted import Bill
from tests.bench.scale_memory import column_groups
from tests.bench.scale_tenants import Lru, hit_rate, visits
from tests.bench.standing_in import FewMemories, FewTenants, tenant_name
from tests.bench.synthetic import CONTENT, DIM, MODEL, PER_CONVERSATION, STEEP, questions, shares, texts, units


def test_growth_of_one_is_linear() -> None:
    """Ten times the size at ten times the cost, at the same, and at a hundred times the cost."""
    assert [scale_growth.growth(2.0, large, 10) for large in (20.0, 2.0, 200.0)] == [1, 0.1, 10]


def test_a_step_that_grows_faster_than_the_size_is_named() -> None:
    """Loading takes 30 times as long for 10 times the memories; everything else stays as it was."""
    measured = {1_000: _figures(load=0.1), 10_000: _figures(load=3.0)}
    assert scale_growth.above_linear(measured) == ["load, 1,000 to 10,000: 3.00"]


def test_a_step_that_was_not_measured_everywhere_has_no_growth() -> None:
    """The load from records, of small sizes only, is in no table of growth and disturbs none."""
    measured = {1_000: _figures(), 10_000: {name: each for name, each in _figures().items() if name != "load"}}
    assert " load |" not in scale_growth.growths(measured)
    assert scale_growth.above_linear(measured) == []


@pytest.mark.parametrize(("share", "value"), [(0.95, 95), (0.5, 50), (1.0, 100), (0.001, 1)])
def test_a_percentile_is_one_of_the_values(share: float, value: int) -> None:
    """Of 1 to 100 in any order."""
    assert scale_growth.percentile(list(range(100, 0, -1)), share) == value


def test_the_ratio_is_that_of_the_medians() -> None:
    """One slow moment on either side changes nothing."""
    found = {"search": [2.0, 2.0, 90.0], "scan": [1.0, 50.0, 1.0]}
    assert scale_growth.ratio(found) == 2


def test_calls_that_stay_the_same_are_said_once() -> None:
    """Those of a load grow with its objects."""
    measured = {1_000: _figures(), 10_000: {**_figures(), "load bill": _bill(9)}}
    said = scale_growth.constant(measured)
    assert "warm search 3 at every size" in said
    assert "load 3, 9;" in said


def test_every_row_of_a_table_has_all_columns() -> None:
    """For sizes with and without what is measured for small ones only."""
    measured = {1_000: {**_figures(), "load records": 1.0, "completed rate": 5.0}, 10_000: _figures()}
    named = {f"{size:,}": found for size, found in measured.items()}
    made = [scale_tables.memory(measured), scale_tables.searches(named), scale_tables.steps(measured)]
    for text in (*made, scale_tables.calls(measured), scale_growth.growths(measured)):
        widths = {len(re.findall(r"(?<!\\)\|", line)) for line in text.splitlines()}
        assert len(widths) == 1


def test_bytes_by_purpose_add_up_to_those_of_the_index() -> None:
    """After blocks of several pages, with names and metadata as what is left."""
    index = TenantIndex.from_pages(MODEL, DIM, units(120, page=50))
    groups = column_groups(index)
    assert sum(groups.values()) == index.size_bytes
    assert groups["vectors"] == 120 * (DIM + 1)
    assert min(groups.values()) > 0


def test_memories_are_the_same_each_time_in_both_languages() -> None:
    """Whatever the pages; every other conversation is in Chinese."""
    once = [unit for page in units(60, page=60) for unit in page]
    again = [unit for page in units(60, page=60) for unit in page]
    assert [unit.search_text for unit in once] == [unit.search_text for unit in again]
    assert len({unit.id for unit in once}) == 60
    han = [bool(re.search("[\u4e00-\u9fff]{9}", unit.search_text)) for unit in once]
    assert han == [False] * PER_CONVERSATION + [True] * PER_CONVERSATION + [False] * PER_CONVERSATION


def test_steep_words_have_one_that_most_texts_share() -> None:
    """The share of texts of 14 words with the most frequent one; the other law has a flat head."""
    found = [1 - (1 - float(shares(law)[0])) ** 14 for law in (CONTENT, STEEP)]
    assert 0.15 < found[0] < 0.22
    assert found[1] > 0.9


def test_questions_and_messages_are_seeded() -> None:
    """The same words and vectors in every process."""
    first, second = questions(8, STEEP), questions(8, STEEP)
    assert [text for text, _ in first] == [text for text, _ in second]
    assert all(np.array_equal(one, other) for (_, one), (_, other) in zip(first, second, strict=True))
    assert texts(30) == texts(30)


def test_a_full_cache_drops_what_was_asked_for_longest_ago() -> None:
    """Room for two: 1 was asked for again, so 2 goes."""
    cache = Lru(2)
    assert [cache.visit(number) for number in (1, 2, 1, 3, 1, 2)] == [False, False, True, False, True, False]


def test_a_hit_rate_counts_the_second_half_alone() -> None:
    """What fills the cache counts as nothing."""
    assert hit_rate([1, 2, 3, 1, 2, 3], 3) == 1
    assert hit_rate([1, 2, 3, 1, 2, 3], 2) == 0


def test_the_busiest_tenant_is_asked_most() -> None:
    """By Zipf's law the first is asked about twice as often as the second."""
    order = visits(100, 20_000)
    assert 1.8 < order.count(0) / order.count(1) < 2.2
    assert set(order) <= set(range(100))


def test_a_memory_without_a_record_has_that_of_another() -> None:
    """Under its own key; a memory that has one keeps it, and other records are what they are."""
    table = SqliteTable(":memory:", now=lambda: 0.0)
    written = [Key("small", f"unit/{number:032x}") for number in (5, 8)]
    table.write_many([Put(Item(key, {"text": key.sk})) for key in written])
    few = FewMemories(table, "large", written)
    made, own, other = Key("large", f"unit/{7:032x}"), Key("large", written[0].sk), Key("large", "log/1")
    found = few.get([made, own, other, written[1]])
    assert {key: item.body["text"] for key, item in found.items()} == {
        made: written[1].sk,
        own: written[0].sk,
        written[1]: written[1].sk,
    }
    assert all(key == item.key for key, item in found.items())


def test_a_tenant_without_records_has_those_of_another() -> None:
    """Number 13 of 10 written ones has those of number 3."""
    table = SqliteTable(":memory:", now=lambda: 0.0)
    few = FewTenants(table, "uid", "app", 10)
    table.write_many([Put(Item(keys.unit(keys.tenant_partition("uid", "app", tenant_name(3)), "1"), {"of": 3}))])
    page = few.query(few.partition(13), *keys.prefix_range("unit/"), limit=5)
    assert [item.body for item in page.items] == [{"of": 3}]


def _bill(calls: int) -> Bill:
    found = Bill(read=100, units=2)
    found.calls["BatchGetItem"] = calls
    return found


def _figures(**changed: float) -> dict[str, object]:
    """Of a size of which nothing depends on the size but the rate of building."""
    bills = {f"{name} bill": _bill(3) for name in ("load", "refresh", "tail", "snapshot")}
    times = {name: [0.1, 0.2] for name in ("search", "fused", "words", "scan", "served", "apply")}
    plain = dict.fromkeys(("load", "refresh", "tail", "snapshot whole", "snapshot next"), 0.1)
    sizes = dict.fromkeys(("bytes", "resident", "peak", "rows", "snapshot bytes"), 1_000.0)
    return {
        **bills,
        **times,
        **plain,
        **sizes,
        "search bills": [_bill(3), _bill(2)],
        "built rate": 100_000.0,
        "groups": {"vectors": 10, "words": 20},
        **changed,
    }
