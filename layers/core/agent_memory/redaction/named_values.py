"""Values that look random behind a word that says they are secret: keys, tokens and secrets of any maker."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent_memory.redaction.randomness import looks_random
from agent_memory.redaction.secret import Secret

_EDGE = r"(?:(?<![A-Za-z])|(?<=[a-z])(?=(?-i:[A-Z])))"
_OF_WHAT = (
    r"(?:api|access|auth(?:entication|orization)?|secret|private|encryption|signing|master|account|storage"
    r"|shared[ _-]?access|service|app|client"
    r"|session|bot|refresh|bearer|id|personal[ _-]?access|webhook|consumer|deploy|license|bearer|jwt|user"
    r"|admin|aws|azure|gcp|openai|github)"
)
_NAME = (
    rf"(?P<name>(?:{_OF_WHAT}[ _-]?){{0,4}}(?:keys?|tokens?|secrets?|credentials?)|apikey|密钥|密鑰|秘钥|祕鑰|令牌|权杖"
    rf"|私钥|私鑰|凭证|凭据|憑證|授权码|授權碼)"
)
_NOT_SECRET = re.compile(
    r"(?:primary|cache|partition|sort|foreign|idempotency|public|hash|row|dedup|object|s3|log|map|dict"
    r"|lookup|translation|i18n|next|page|pagination"
    r"|continuation|unique|surrogate|natural|composite|ssh-rsa|cursor|answer|client|continue|sync)[ _-]?\Z",
    re.IGNORECASE,
)
_SAYS = (
    r"[\"'`”’)\]]{0,2}\s{0,3}(?:(?:for|of|to|from|on|in|\() ?[^\n:=\0]{1,40}?\)?)?\s{0,2}"
    r"(?:\b(?:is|was|are|will be)\b|=>|->|:=|={1,2}|:|为|為|是|等于|改成了?|设为|换成了?|\s)"
    r"\s{0,3}(?:(?:now|still|currently|this|set to|就是)\b)?[\s:]{0,3}[\"'`“‘(\[<「]{0,2}"
)
_VALUE = r"(?P<value>[A-Za-z0-9_\-+/=.~!@#$%^&*?|\\]{8,512})"
_NAMED = re.compile(rf"{_EDGE}{_NAME}(?![A-Za-z]){_SAYS}{_VALUE}", re.IGNORECASE)
_REST = re.compile(r"[A-Za-z0-9_\-+/=]*")
_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)
_ELSE = re.compile(
    (
        r"[/.~]|\d{4}-\d\d-\d\d|[^@\s]+@[\w-]+\.\w|https?:|www\.|v?\d+(?:\.\d+)+|[\w-]+\.(?:com|org|net|io"
        r"|json|ya?ml|pem|txt|py|ts|js|env|md)\b"
    ),
    re.IGNORECASE,
)


def named_values(text: str) -> Iterator[Secret]:
    """Spans of the values alone."""
    at = 0
    while found := _NAMED.search(text, at):
        value = found["value"].rstrip(".,!?:;")
        start = found.start("value")
        at = found.end("name")
        before = text[max(0, found.start() - 24) : found.start()]
        if _is_secret(found["name"], before, value) and text[start + len(value) : start + len(value) + 1] != "(":
            more = _REST.match(text, start + len(value))
            at = more.end() if more else start + len(value)
            yield Secret(start, at, _kind(found["name"].casefold()))


def _is_secret(name: str, before: str, value: str) -> bool:
    if _NOT_SECRET.search(before) or _ELSE.match(value) or not looks_random(value):
        return False
    bare = name.casefold() in ("key", "keys")
    return not (bare and (_UUID.fullmatch(value) or len(value) < 16))  # noqa: PLR2004


def _kind(name: str) -> str:
    if "token" in name or name in ("令牌", "权杖"):
        return "token"
    return "api_key" if "key" in name or "钥" in name or "鑰" in name else "secret"
