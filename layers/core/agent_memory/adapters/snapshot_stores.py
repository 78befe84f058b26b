"""Which `SnapshotStore` the settings mean."""

from __future__ import annotations

from pathlib import Path

from agent_memory.settings import Settings
from agent_memory.snapshot_store import NoSnapshots, SnapshotStore

FOLDER = "snapshots"


def snapshot_store(settings: Settings) -> SnapshotStore:
    """A bucket where one is named, none for another table on AWS, else a folder beside the data."""
    if settings.snapshot_bucket:
        from agent_memory.adapters.s3_snapshots import S3Snapshots, make_client

        return S3Snapshots(make_client(endpoint_url=settings.aws_endpoint_url or None), settings.snapshot_bucket)
    if settings.table_name:
        return NoSnapshots()
    from agent_memory.adapters.file_snapshots import FileSnapshots

    return FileSnapshots(Path(settings.data_dir) / FOLDER)
