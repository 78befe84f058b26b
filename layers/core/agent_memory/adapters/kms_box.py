"""SecretBox on AWS KMS: each secret is encrypted under one symmetric key, with its name as encryption context."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from agent_memory.errors import ServerBusy, ServiceUnavailable

if TYPE_CHECKING:
    from mypy_boto3_kms import KMSClient

CONNECT_SECONDS = 3
READ_SECONDS = 5
ATTEMPTS = 3
MAX_OPENED = 1_000
PURPOSE = "agent-memory access key"
# Codes of a secret that this key did not encrypt under this name.
_FOREIGN = frozenset({"InvalidCiphertextException", "IncorrectKeyException"})
_BUSY = frozenset({"ThrottlingException", "Throttling", "LimitExceededException", "TooManyRequestsException"})


def make_client(region: str | None = None, endpoint_url: str | None = None) -> KMSClient:
    """A "kms" client that waits and retries within what a Lambda call can afford."""
    import boto3
    from botocore.config import Config

    config = Config(
        connect_timeout=CONNECT_SECONDS,
        read_timeout=READ_SECONDS,
        retries={"mode": "standard", "total_max_attempts": ATTEMPTS},
    )
    return boto3.client("kms", region_name=region, endpoint_url=endpoint_url, config=config)


class KmsBox:
    """`key_id` is the id, ARN or alias of a symmetric KMS key.

    An opened secret stays in the memory of the process, by the sealed bytes and the name, for as long as it is among
    the 1,000 last used: a call costs KMS nothing then. Whether the key still works is told by its record, not here.
    Raises ServerBusy when throttled, ServiceUnavailable for everything else that KMS refuses.
    """

    def __init__(self, client: KMSClient, key_id: str) -> None:
        self._client = client
        self._key_id = key_id
        self._opened: OrderedDict[tuple[bytes, str], bytes] = OrderedDict()

    def seal(self, secret: bytes, name: str) -> bytes:
        """KMS's ciphertext."""
        with _named_errors():
            return self._client.encrypt(KeyId=self._key_id, Plaintext=secret, EncryptionContext=_context(name))[
                "CiphertextBlob"
            ]

    def open(self, sealed: bytes, name: str) -> bytes:
        """The secret, from memory or from KMS."""
        secret = self._opened.pop((sealed, name), None) or self._decrypt(sealed, name)
        self._opened[sealed, name] = secret
        while len(self._opened) > MAX_OPENED:
            self._opened.popitem(last=False)
        return secret

    def _decrypt(self, sealed: bytes, name: str) -> bytes:
        with _named_errors():
            answer = self._client.decrypt(KeyId=self._key_id, CiphertextBlob=sealed, EncryptionContext=_context(name))
            return answer["Plaintext"]


def _context(name: str) -> dict[str, str]:
    return {"purpose": PURPOSE, "keyId": name}


@contextmanager
def _named_errors() -> Iterator[None]:
    from botocore.exceptions import BotoCoreError, ClientError

    try:
        yield
    except ClientError as error:
        code = error.response.get("Error", {}).get("Code", "unknown")
        if code in _BUSY:
            raise ServerBusy("KMS has too many requests") from error
        if code in _FOREIGN:
            raise ServiceUnavailable("a secret was not sealed with this KMS key; make a new access key") from error
        raise ServiceUnavailable(f"KMS refused: {code}") from error
    except BotoCoreError as error:
        raise ServiceUnavailable(f"KMS did not answer: {type(error).__name__}") from error
