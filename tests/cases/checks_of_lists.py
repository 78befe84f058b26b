"""Checks of what is stored, listed and found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.cases.listed import LISTS
from tests.cases.recipes import planted
from tests.cases.run import OK, Reply, Run
from tests.cases.sayings import says

Check = Callable[[Run, Any], None]
ALL_LISTS = tuple(name for name in LISTS if name != "SearchMemories")


def texts_of(memories: list[dict[str, Any]]) -> list[str]:
    """The texts of memories."""
    return [memory["text"] for memory in memories]


def count(run: Run, wanted: int) -> None:
    """Memories of the last listing, or where there was none, of the scope that was written to last."""
    listings = run.of_operation("ListMemories")
    found = listings[-1].entries if listings else run.stored([run.last_scope])
    assert len(found) == wanted, texts_of(found)


def stored(run: Run, wanted: int) -> None:
    found = run.stored()
    assert len(found) == wanted, texts_of(found)


def lost(run: Run, wanted: int) -> None:
    sent = sum(len(reply.body["messages"]) for reply in run.of_operation("AddMemories") if reply.status == OK)
    assert sent - len(run.stored()) == wanted


def must_store(run: Run, wanted: list[str]) -> None:
    have = texts_of(run.stored())
    assert not [each for each in wanted if not any(says(text, each) for text in have)], have


def must_not_store(run: Run, wanted: list[str]) -> None:
    have = texts_of(run.stored())
    assert not [each for each in wanted if any(says(text, each) for text in have)], have


def _hits_of(run: Run, reply: Reply) -> int:
    """Results of a search; where a recipe planted something in long texts, those that hold it."""
    needles = planted(run.case.steps)
    texts = [entry["unit"]["text"] for entry in reply.entries]
    return sum(not needles or any(says(text, needle) for needle in needles) for text in texts)


def hits(run: Run, wanted: int | list[int | None]) -> None:
    """Of the last search, or of the last ones; null for one that is refused."""
    each = wanted if isinstance(wanted, list) else [wanted]
    searches = run.of_operation("SearchMemories")[-len(each) :]
    found = [None if reply.status != OK else _hits_of(run, reply) for reply in searches]
    assert found == each, [reply.short for reply in searches]


def first_hits(run: Run, wanted: int) -> None:
    assert _hits_of(run, run.of_operation("SearchMemories")[0]) == wanted


def results(run: Run, wanted: int) -> None:
    found = run.of_operation("SearchMemories")[-1].entries
    assert len(found) == wanted, [entry["unit"]["text"] for entry in found]


def hits_with(field: str, present: bool) -> Check:
    """The hits of the last search that has the field, or has it not."""

    def holds(run: Run, wanted: int) -> None:
        searches = [reply for reply in run.of_operation("SearchMemories") if (field in reply.body) == present]
        assert _hits_of(run, searches[-1]) == wanted, searches[-1].short

    return holds


def listed(run: Run, wanted: list[int]) -> None:
    """Entries of the last listings, of whatever."""
    listings = run.of_operation(*ALL_LISTS)[-len(wanted) :]
    assert [len(reply.entries) for reply in listings] == wanted, [reply.short for reply in listings]


def unique_items(run: Run, wanted: int) -> None:
    """Entries of the last listing of several pages, none of them twice."""
    found = [reply for reply in run.of_operation(*LISTS) if reply.pages > 1 or "nextToken" not in reply.body]
    identities = found[-1].identities
    assert len(identities) == len(set(identities))
    assert len(identities) == wanted


def pages(run: Run, wanted: int) -> None:
    assert max(reply.pages for reply in run.of_operation(*LISTS)) == wanted


def top1_contains(run: Run, wanted: str) -> None:
    found = run.of_operation("SearchMemories")[-1].entries
    assert found
    assert says(found[0]["unit"]["text"], wanted), [entry["unit"]["text"] for entry in found]


def must_not_return(run: Run, wanted: list[str]) -> None:
    """No list and no search of the case shows it; of memories their text and metadata count, not ids and times."""
    entries = [entry for reply in run.of_operation(*LISTS) if reply.status == OK for entry in reply.entries]
    texts = [_shown_text(entry) for entry in entries]
    assert not [text for text in texts for each in wanted if says(text, each)], texts


def _shown_text(entry: dict[str, Any]) -> str:
    unit = entry.get("unit", entry)
    return f"{unit['text']} {unit['metadata']}" if "text" in unit else str(entry)


def active(run: Run, wanted: int | list[str]) -> None:
    """Memories that hold now: so many, or one for each of the key words and no other."""
    have = texts_of(run.stored())
    assert len(have) == (wanted if isinstance(wanted, int) else len(wanted)), have
    if isinstance(wanted, list):
        assert all(any(says(text, each) for text in have) for each in wanted), have


def invalidated(run: Run, wanted: list[str]) -> None:
    """Memories that gave way: kept, with what took their place."""
    history = [unit for unit in run.stored(include_invalid=True) if unit.get("superseded_by")]
    have = texts_of(history)
    assert len(have) == len(wanted), have
    assert all(any(says(text, each) for text in have) for each in wanted), have
    assert all(unit["valid_to"] and unit["superseded_by"] != unit["id"] for unit in history)


def with_flag(run: Run, wanted: dict[str, Any]) -> None:
    """The last search again with a flag."""
    last = run.of_operation("SearchMemories")[-1].body
    flags = {name: value for name, value in wanted.items() if name != "returns"}
    found = run.call("SearchMemories", {**last, **flags})
    assert len(found.entries) == wanted["returns"], found.short


def evidence(run: Run, wanted: int) -> None:
    found = run.of_operation("SearchMemories")[-1].answer["evidence"]
    assert len(found) == wanted, found


def order(run: Run, wanted: list[str]) -> None:
    """What the last listing or search shows, one key word each, in that order."""
    found = [str(entry) for entry in run.of_operation(*LISTS)[-1].entries]
    assert len(found) == len(wanted)
    assert all(says(text, each) for text, each in zip(found, wanted, strict=True)), found


OF_LISTS: dict[str, Check] = {
    "active": active,
    "asOf": hits_with("asOf", present=True),
    "count": count,
    "evidence": evidence,
    "firstHits": first_hits,
    "hits": hits,
    "invalidated": invalidated,
    "lastHits": hits,
    "listed": listed,
    "lost": lost,
    "mustNotReturn": must_not_return,
    "mustNotStore": must_not_store,
    "mustStore": must_store,
    "now": hits_with("asOf", present=False),
    "order": order,
    "pages": pages,
    "results": results,
    "stored": stored,
    "top1Contains": top1_contains,
    "uniqueItems": unique_items,
    "withFlag": with_flag,
}
