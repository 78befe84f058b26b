"""The `SnapshotStore` in an S3 bucket, which encrypts what it gets by its own default.

Source for codes and limits: Amazon S3 API reference, "Error responses", DeleteObjects (1,000 keys a call).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING

from agent_memory.errors import ServerBusy, ServiceUnavailable

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

KEYS_PER_DELETE = 1_000
CONNECT_SECONDS = 3
READ_SECONDS = 20
ATTEMPTS = 4
CONNECTIONS = 16  # more than `retrieval.snapshot_reader` reads at once
_BUSY = frozenset({"SlowDown", "ThrottlingException", "RequestLimitExceeded", "TooManyRequests"})


def make_client(region: str | None = None, endpoint_url: str | None = None) -> S3Client:
    """An "s3" client that waits and retries within what a Lambda call can afford."""
    import boto3
    from botocore.config import Config

    config = Config(
        connect_timeout=CONNECT_SECONDS,
        read_timeout=READ_SECONDS,
        retries={"mode": "standard", "total_max_attempts": ATTEMPTS},
        max_pool_connections=CONNECTIONS,
        # An emulator on loopback has no host name per bucket.
        s3={"addressing_style": "path" if endpoint_url else "auto"},
    )
    return boto3.client("s3", region_name=region, endpoint_url=endpoint_url, config=config)


class S3Snapshots:
    """Objects of one bucket. Raises ServerBusy when throttled, ServiceUnavailable for everything else S3 refuses.

    S3 tells that a key is not there only to those who may list the bucket; to others it is ServiceUnavailable.
    """

    def __init__(self, client: S3Client, bucket: str) -> None:
        self._client = client
        self._bucket = bucket

    def read(self, name: str) -> bytes | None:
        """One GetObject."""
        with _named_errors():
            try:
                return self._client.get_object(Bucket=self._bucket, Key=name)["Body"].read()
            except self._client.exceptions.NoSuchKey:
                return None

    def write(self, name: str, data: bytes) -> None:
        """One PutObject: S3 shows it whole or not at all."""
        with _named_errors():
            self._client.put_object(Bucket=self._bucket, Key=name, Body=data)

    def delete(self, names: Iterable[str]) -> None:
        """A thousand keys a call."""
        rest = iter(names)
        while batch := list(islice(rest, KEYS_PER_DELETE)):
            with _named_errors():
                answer = self._client.delete_objects(
                    Bucket=self._bucket, Delete={"Objects": [{"Key": name} for name in batch], "Quiet": True}
                )
            if errors := answer.get("Errors"):
                raise ServiceUnavailable(f"S3 did not delete {len(errors)} objects: {errors[0].get('Code')}")

    def names(self, prefix: str) -> list[str]:
        """All pages of the listing."""
        with _named_errors():
            pages = self._client.get_paginator("list_objects_v2").paginate(Bucket=self._bucket, Prefix=prefix)
            return [found["Key"] for page in pages for found in page.get("Contents", [])]


@contextmanager
def _named_errors() -> Iterator[None]:
    from botocore.exceptions import BotoCoreError, ClientError

    try:
        yield
    except ClientError as error:
        code = error.response.get("Error", {}).get("Code", "unknown")
        if code in _BUSY:
            raise ServerBusy("S3 has too many requests") from error
        raise ServiceUnavailable(f"S3 refused: {code}") from error
    except BotoCoreError as error:
        raise ServiceUnavailable(f"S3 did not answer: {type(error).__name__}") from error
