"""Which credentials a request carries, and what of them can be checked without knowing the key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from agent_memory.errors import AuthFailed, InvalidParameter
from agent_memory.requests.fields import INSTANCE_HEADER
from agent_memory.signin import signatures
from agent_memory.signin.credentials import KEY_ID, split_api_key
from agent_memory.text import has_control_characters
from agent_memory.times import format_seconds, parse_rfc3339

MAX_SKEW_MS = 15 * 60 * 1000
MAX_INSTANCE = 64
KEY_HEADER = "x-ots-accesskeyid"
SIGNED_HEADERS = (KEY_HEADER, signatures.V2_SIGNATURE, signatures.V4_SIGNATURE)
REFUSED = "the credentials are not accepted; check the id and the secret, and that nothing changes requests on the way"


@dataclass(frozen=True, slots=True)
class Call:
    """A request as it arrived: the operation without any base path, header names in lower case, the body's bytes."""

    operation: str
    headers: Mapping[str, str]
    body: bytes
    now_ms: int


@dataclass(frozen=True, slots=True)
class SignedWith:
    """An access key's signature; `sign_date` and `region` are None in version 2."""

    key_id: str
    signature: str
    sign_date: str | None = None
    region: str | None = None


@dataclass(frozen=True, slots=True)
class Carries:
    """An API key."""

    key_id: str
    secret: str = field(repr=False)


def credentials_of(call: Call) -> SignedWith | Carries | None:
    """The credentials, None without any; of several kinds a signature counts first, then the API key header.

    Raises AuthFailed for what no key could make right: a missing header, a changed body, a clock that is off.
    """
    if any(name in call.headers for name in SIGNED_HEADERS):
        return _signed(call)
    text = call.headers.get("x-ots-apikey", "").strip() or _bearer(call.headers.get("authorization", ""))
    if not text:
        return None
    parts = split_api_key(text)
    if parts is None:
        raise AuthFailed(REFUSED)
    return Carries(*parts)


def named_instance(call: Call) -> str:
    """The instance that the request names, empty without one; raises InvalidParameter for what can't be a name."""
    name = call.headers.get(INSTANCE_HEADER, "")
    if len(name) > MAX_INSTANCE or has_control_characters(name):
        raise InvalidParameter(INSTANCE_HEADER, f"must be at most {MAX_INSTANCE} characters")
    return name


def _signed(call: Call) -> SignedWith:
    # In the signed text a value with a line break could pass for two headers.
    if any("\n" in value for name, value in call.headers.items() if name.startswith(signatures.PREFIX)):
        raise AuthFailed("the x-ots- headers must not hold line breaks")
    key_id = _required(call, KEY_HEADER).strip()
    if not signatures.same(_required(call, "x-ots-contentmd5").strip(), signatures.content_md5(call.body)):
        raise AuthFailed("x-ots-contentmd5 is not the MD5 of the body; send the body as it was signed")
    _check_date(call)
    if not KEY_ID.fullmatch(key_id):
        raise AuthFailed(REFUSED)
    if signatures.V4_SIGNATURE not in call.headers:
        return SignedWith(key_id, _required(call, signatures.V2_SIGNATURE).strip())
    # The sign date is part of the key, and no freshness: clients offer to keep one key for days. x-ots-date is fresh.
    return SignedWith(
        key_id,
        call.headers[signatures.V4_SIGNATURE].strip(),
        _required(call, "x-ots-signdate").strip(),
        _required(call, "x-ots-signregion").strip(),
    )


def _required(call: Call, name: str) -> str:
    if name not in call.headers:
        raise AuthFailed(f"the header {name} is missing")
    return call.headers[name]


def _check_date(call: Call) -> None:
    try:
        sent_ms = parse_rfc3339(_required(call, "x-ots-date"))
    except ValueError as error:
        raise AuthFailed("x-ots-date must be a UTC time such as 2026-11-30T10:00:00.000Z") from error
    if abs(call.now_ms - sent_ms) > MAX_SKEW_MS:
        now = format_seconds(call.now_ms)
        raise AuthFailed(f"x-ots-date is more than 15 minutes off; here it is {now}: set the clock and sign again")


def _bearer(authorization: str) -> str:
    """The token of a Bearer header; other schemes are for whoever stands in front of the service."""
    scheme, _, token = authorization.strip().partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""
