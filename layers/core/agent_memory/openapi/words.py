"""What the document says about the whole API."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

ABOUT = """\
Long-term memory for AI agents, compatible with Tablestore Agentic Memory.

Every operation is a POST of a JSON object to its name. A field of `null` counts as absent, an unknown field is
refused. Texts are UTF-8; where a limit is in bytes, or two fields depend on each other, the description says so.
Times are RFC 3339 in UTC.

**Scope**: application, tenant, agent and run, from the widest to the narrowest. What is written goes to one scope;
where reading allows `*` in a level, every level after it is `*` too.

**Pages**: `nextToken` of an answer goes into the same request, unchanged but for it. A page may be short or empty and
still have one; the answer without one is the last.

**Filters** are trees of `{"op": "and" | "or", "conditions": [...]}`, `{"op": "not", "condition": {...}}` and conditions
on a `field`: `eq`, `prefix` and `wildcard` with a `value`, `in` with `values`, `range` with `gt`, `gte`, `lt` or `lte`,
and `exists`. At most 8 levels and 64 conditions. A field that is missing fulfils none of them.

**Signing in**: an API key, in `x-ots-apikey` or as a bearer token, or an access key that signs the request, which the
official clients do: `x-ots-accesskeyid`, `x-ots-date` (at most 15 minutes off), `x-ots-contentmd5` (base64 of the
body's MD5), `x-ots-instancename`, and `x-ots-signature` (version 2: HMAC-SHA1) or `x-ots-signaturev4` with
`x-ots-signdate` and `x-ots-signregion` (version 4: HMAC-SHA256), over path, method and all `x-ots-` headers. The
answer to a signed request is signed in the same way, in `authorization`. A server that listens for its own machine
alone may do without keys.

**Errors** have a `code` to decide on and a `message` to read. 503 is worth another try, and so is 409 where something
changed meanwhile. A gateway in front of the service may refuse a call before it is read, with a body of its own.
"""

SECURITY: Mapping[str, dict[str, str]] = MappingProxyType(
    {
        "ApiKey": {
            "type": "apiKey",
            "in": "header",
            "name": "x-ots-apikey",
            "description": "A key made by `agent-memory keys create --type api-key`.",
        },
        "Bearer": {"type": "http", "scheme": "bearer", "description": "The same key in the `authorization` header."},
    }
)
