"""A table of what calls cost: how often AWS is asked, and for how many capacity units, with the audit apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tests.sam.aws_calls import Call

TITLE = f"{'':<44} calls   reads  writes | without audit        | (units; a request's sign-in is 1 call, 1 read)"


def cost_line(what: str, calls: Sequence[Call]) -> str:
    """A row: all of it, then all but the record of the call, then which calls they were."""
    counted = Counter(f"{call.service}:{call.operation}" for call in calls)
    names = ", ".join(f"{count} {name}" for name, count in sorted(counted.items()))
    return f"{what:<44} {_sums(calls)} | {_sums(without_audit(calls))} | {names}"


def without_audit(calls: Sequence[Call]) -> list[Call]:
    """All but the write of the call's record and the read of the store's uid that may come before it."""
    kept: list[Call] = []
    for call in calls:
        if _writes_record(call):
            if kept and kept[-1].operation == "BatchGetItem" and _of_a_store(kept[-1]):
                kept.pop()
        else:
            kept.append(call)
    return kept


def _writes_record(call: Call) -> bool:
    return call.operation == "BatchWriteItem" and all("/calls/" in partition for partition in call.partitions)


def _of_a_store(call: Call) -> bool:
    return all(partition.startswith("stores/") for partition in call.partitions)


def _sums(calls: Sequence[Call]) -> str:
    reads, writes = sum(call.read_units for call in calls), sum(call.write_units for call in calls)
    return f"{len(calls):>5} {reads:>7.1f} {writes:>7.1f}"
