"""Who is calling: what the rest of the service knows of the credentials of a request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from agent_memory.scopes import Scope, ScopePattern
from agent_memory.signin.limits import NO_LIMITS, Limits
from agent_memory.signin.signatures import content_md5, response_signature
from agent_memory.times import format_ms


@dataclass(frozen=True, slots=True)
class Caller:
    """A signed-in key, or anybody (`key_id` empty). `instance` is the name space of the whole call."""

    instance: str
    key_id: str = ""
    limits: Limits = NO_LIMITS
    response_key: bytes = field(default=b"", repr=False)  # only of a signed request

    def may_use_store(self, name: str) -> bool:
        """Whether the store is the caller's to use; ListMemoryStores shows only those."""
        return self.limits.allows_store(name)

    def may_see(self, scope: Scope | ScopePattern) -> bool:
        """Whether a record of that scope is the caller's; to a caller it is not, the record does not exist."""
        return self.limits.allows_scope(scope.levels)

    def sign(self, headers: Mapping[str, str], operation: str, body: bytes, now_ms: int) -> dict[str, str]:
        """The answer's headers with what signing clients check; for all others as they are.

        `body` is what goes out, byte for byte. Every `x-ots-` header must be there already, since all of them are
        signed, and `x-ots-requestid` must be among them.
        """
        if not self.response_key:
            return dict(headers)
        full = {
            **headers,
            "x-ots-contentmd5": content_md5(body),
            "x-ots-contenttype": "application/json",
            "x-ots-date": format_ms(now_ms),
        }
        signature = response_signature(self.response_key, operation, full)
        return {**full, "authorization": f"OTS {self.key_id}:{signature}"}


ANYBODY = Caller("default")
