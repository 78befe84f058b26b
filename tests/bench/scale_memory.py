"""What an index holds in memory, by what it is for, and what its process does."""

from __future__ import annotations

import os
from pathlib import Path

from agent_memory.retrieval.rows import Rows
from agent_memory.retrieval.tenant_index import TenantIndex

GROUPS = {
    "vectors": ("vectors", "has_vector"),
    "ids": ("ids",),
    "places, links": ("places", "before", "after", "scope_codes", "speaker_codes"),
    "times": ("created_ms", "expires_ms", "valid_from_ms", "valid_to_ms"),
    "rest": ("born_life", "born_generation", "flags", "importance", "groups", "lengths", "alive"),
}


def column_groups(index: TenantIndex) -> dict[str, int]:
    """Bytes of the index by what they are for; the sum is its own estimate."""
    rows, parts = index.rows, index.rows.postings.parts
    groups = {name: sum(_held(rows, column) for column in columns) for name, columns in GROUPS.items()}
    groups["words"] = sum(part.postings.nbytes for part in parts)
    groups["ids"] += sum(part.id_keys.nbytes + part.id_rows.nbytes for part in parts)
    groups["names, metadata"] = index.size_bytes - sum(groups.values())
    return groups


def _held(rows: Rows, column: str) -> int:
    return int(getattr(rows, column).nbytes)


def resident() -> int:
    """Bytes of this process in memory, the snapshot's pages that it maps included."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def peak() -> int:
    """The most that `resident` ever was."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))
