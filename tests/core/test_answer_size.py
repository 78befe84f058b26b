"""How many entries one answer holds."""

from __future__ import annotations

from agent_memory.answer_size import fitting


def test_as_many_as_fit():
    """Counted in bytes of UTF-8, as they go over the wire."""
    entries = [{"t": "长"}] * 5  # 12 bytes each
    assert [fitting(entries, size) for size in (60, 59, 24, 23)] == [5, 4, 2, 1]


def test_one_at_least():
    """An entry that is too long by itself still comes, else no caller would ever get past it; nothing of nothing."""
    assert fitting([{"t": "x" * 100}] * 2, 10) == 1
    assert fitting([], 10) == 0
