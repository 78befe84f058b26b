"""The signatures of Tablestore's protocol, versions 2 and 4, over a request and over its answer.

Source: spec of the API, 1.3 and 1.4; the tests compare them byte for byte with the official clients' own. MD5 and SHA-1
are the protocol's choice, hence `usedforsecurity=False` (ruff S324): MD5 only names the body inside a text that is
signed, and HMAC does not need a hash without collisions.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Mapping

PREFIX = "x-ots-"
V2_SIGNATURE = "x-ots-signature"
V4_SIGNATURE = "x-ots-signaturev4"

_PRODUCT = b"ots"
_V4 = b"aliyun_v4"


def content_md5(body: bytes) -> str:
    """What `x-ots-contentmd5` says of the body."""
    return _text(hashlib.md5(body, usedforsecurity=False).digest())


def header_lines(headers: Mapping[str, str], without: str = "") -> str:
    """Every `x-ots-` header but `without` as `name:value`, sorted; those that a caller added count too."""
    lines = (f"{name.lower()}:{value.strip()}" for name, value in headers.items() if name.lower() != without)
    return "\n".join(sorted(line for line in lines if line.startswith(PREFIX)))


def request_text(operation: str, headers: Mapping[str, str], without: str) -> str:
    """What a client signs. The path is `/Operation` whatever base path was called; the query is always empty."""
    return f"/{operation}\nPOST\n\n{header_lines(headers, without)}\n"


def v2_key(secret: str) -> bytes:
    """The signing key of version 2: the secret itself."""
    return secret.encode()


def v4_key(secret: str, sign_date: str, region: str) -> bytes:
    """The signing key of version 4: the base64 text of the last digest, and not its bytes."""
    key = _V4 + secret.encode()
    for part in (_bytes(sign_date), _bytes(region), _PRODUCT, _V4 + b"_request"):
        key = hmac.digest(key, part, hashlib.sha256)
    return base64.b64encode(key)


def v2_signature(key: bytes, operation: str, headers: Mapping[str, str]) -> str:
    """What `x-ots-signature` must be."""
    text = request_text(operation, headers, V2_SIGNATURE)
    return _text(hmac.digest(key, _bytes(text), "sha1"))


def v4_signature(key: bytes, operation: str, headers: Mapping[str, str]) -> str:
    """What `x-ots-signaturev4` must be."""
    text = request_text(operation, headers, V4_SIGNATURE)
    return _text(hmac.digest(key, _bytes(text) + _PRODUCT, hashlib.sha256))


def response_signature(key: bytes, operation: str, headers: Mapping[str, str]) -> str:
    """The signature of an answer with these headers; `key` is the one that the request was signed with."""
    text = f"{header_lines(headers)}\n/{operation}"
    return _text(hmac.digest(key, _bytes(text), "sha1"))


def same(left: str, right: str) -> bool:
    """Whether two texts are equal, in a time that does not tell where they differ."""
    return hmac.compare_digest(_bytes(left), _bytes(right))


def _text(digest: bytes) -> str:
    return base64.b64encode(digest).decode("ascii")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
