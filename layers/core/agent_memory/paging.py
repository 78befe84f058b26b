"""`nextToken`: opaque, sealed, and good only for the call that it continues.

A token holds the position behind the last item of the page, in the words of the operation, unreadable and under a MAC
over operation, store, scope and filter. A changed or borrowed token is refused with 400.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from typing import Any

from agent_memory.errors import InvalidParameter

_MAC_BYTES = 16


def seal(position: dict[str, Any], binding: tuple[Any, ...], key: bytes) -> str:
    """The token that continues behind `position`."""
    payload = json.dumps(position, ensure_ascii=False, separators=(",", ":")).encode()
    mac = _mac(payload, binding, key)
    return _text(mac + _veiled(payload, mac, key))


def unseal(token: str, binding: tuple[Any, ...], key: bytes) -> dict[str, Any]:
    """The position in the token; InvalidParameter when it was made for another call or was changed."""
    try:
        raw = base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True)
    except ValueError:
        raw = b""
    mac, payload = raw[:_MAC_BYTES], _veiled(raw[_MAC_BYTES:], raw[:_MAC_BYTES], key)
    if _text(raw) != token or not payload or not hmac.compare_digest(mac, _mac(payload, binding, key)):
        raise InvalidParameter("nextToken", "does not belong to this operation, scope and filter")
    position: dict[str, Any] = json.loads(payload)
    return position


def _veiled(data: bytes, mac: bytes, key: bytes) -> bytes:
    """The data under a key stream that follows from the MAC, or back: what is sealed is not to be read either.

    The construction is that of a synthetic IV (RFC 5297), with HMAC for the cipher: the MAC of the text is the nonce.
    """
    stream = bytearray()
    while len(stream) < len(data):
        stream += hmac.digest(key, b"veil" + mac + len(stream).to_bytes(8, "big"), hashlib.sha256)
    return bytes(byte ^ mask for byte, mask in zip(data, stream, strict=False))


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def _mac(payload: bytes, binding: tuple[Any, ...], key: bytes) -> bytes:
    bound = json.dumps(binding, ensure_ascii=True, sort_keys=True).encode()
    return hmac.digest(key, len(bound).to_bytes(8, "big") + bound + payload, hashlib.sha256)[:_MAC_BYTES]
