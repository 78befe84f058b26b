"""Passwords and tokens inside URLs, and addresses that are secrets themselves: whoever has one may post there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent_memory.redaction.randomness import looks_random
from agent_memory.redaction.secret import Secret

_DATABASE = (
    r"(?:postgres(?:ql)?|mysql|mariadb|mongodb|redis|rediss|amqps?|mssql|sqlserver|clickhouse|oracle|cassandra"
    r"|ldaps?|smtps?|ftps?|sftp)"
)
_USER = re.compile(
    (
        r"(?P<scheme>[a-z][a-z0-9+.-]{1,20})://(?P<user>[^\s:/?#@'\"<>\0]{0,128}):(?P<password>[^\s/?#'\"<>\0]"
        r"{1,200})@(?=[A-Za-z0-9\[_.$-])"
    ),
    re.IGNORECASE,
)
_USER_OF_DATABASE = re.compile(
    rf"(?:{_DATABASE})(?:\+[a-z0-9]{{1,20}})?://(?:[^\s:/?#@'\"<>\0]{{0,128}}):(?P<password>[^\s?'\"<>\0]{{1,200}})@"
    r"(?=[A-Za-z0-9_-][A-Za-z0-9_.-]{0,100}(?::\d{1,5})?(?:[^A-Za-z0-9_.:-]|\Z))",
    re.IGNORECASE,
)
_DATABASE_SCHEME = re.compile(_DATABASE + r"(?:\+|\Z)", re.IGNORECASE)
_TOKEN_AS_USER = re.compile(r"https?://(?P<password>[A-Za-z0-9_-]{20,200})@(?=[A-Za-z0-9])", re.IGNORECASE)
_HOOKS = (
    r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<{0}>[A-Za-z0-9/_-]{{10,}})",
    r"discord(?:app)?\.com/api(?:/v\d+)?/webhooks/(?P<{0}>\d+/[A-Za-z0-9_-]{{10,}})",
    r"oapi\.dingtalk\.com/robot/send\?(?:[^\s]{{0,100}}?)access_token=(?P<{0}>[A-Za-z0-9_-]{{10,}})",
    r"qyapi\.weixin\.qq\.com/cgi-bin/webhook/send\?(?:[^\s]{{0,100}}?)key=(?P<{0}>[A-Za-z0-9_-]{{10,}})",
    r"open\.(?:feishu\.cn|larksuite\.com)/open-apis/bot/(?:v2/)?hook/(?P<{0}>[A-Za-z0-9_-]{{10,}})",
    r"[a-z0-9.-]{{0,100}}webhook\.office\.com/webhookb2/(?P<{0}>[A-Za-z0-9@/_-]{{20,}})",
    r"(?:api\.telegram\.org/bot)(?P<{0}>\d{{6,12}}:[A-Za-z0-9_-]{{20,}})",
    (
        r"hooks\.zapier\.com/hooks/catch/(?P<{0}>[A-Za-z0-9/]{{6,}})"
        r"|maker\.ifttt\.com/trigger/[^\s/]{{1,60}}/with/key/(?P<{0}b>[A-Za-z0-9_-]{{10,}})"
    ),
    r"chat\.googleapis\.com/v1/spaces/(?P<{0}>[^\s\"'<>)]{{10,400}})",
)
_HOOK = re.compile("|".join(each.format(f"hook{number}") for number, each in enumerate(_HOOKS)), re.IGNORECASE)
_PARAMETER = re.compile(
    r"[?&;#](?:access[_-]?token|refresh[_-]?token|id[_-]?token|auth[_-]?token|token|api[_-]?key|apikey|key"
    r"|secret|client[_-]?secret|password|passwd"
    r"|pwd|sig|signature|x-amz-signature|x-amz-security-token|x-goog-signature|sessionid|session|auth"
    r"|code)=(?P<value>[^\s&;#\"'<>\0]{6,})",
    re.IGNORECASE,
)
_SURE = re.compile(r"[?&;#](?:password|passwd|pwd|client[_-]?secret|secret)=", re.IGNORECASE)


def in_addresses(text: str) -> Iterator[Secret]:
    """The secret parts of URLs; host, path and the user's name stay."""
    for pattern in (_USER, _USER_OF_DATABASE, _TOKEN_AS_USER):
        for found in pattern.finditer(text):
            if pattern is _USER and _DATABASE_SCHEME.match(found["scheme"]):
                continue
            if not _stands_in(found["password"]):
                yield Secret(*found.span("password"), "password")
    for found in _HOOK.finditer(text):
        name = found.lastgroup or ""
        yield Secret(*found.span(name), "webhook")
    for found in _PARAMETER.finditer(text):
        sure = bool(_SURE.match(found[0])) and not _stands_in(found["value"])
        if sure or looks_random(found["value"]):
            end = found.start("value") + len(found["value"].rstrip(".,)]}!"))
            yield Secret(found.start("value"), end, "password" if sure else "token")


def _stands_in(password: str) -> bool:
    """Whether the place of a password holds none: a variable, asterisks, or the word itself."""
    return bool(re.match(r"[$<{\[%]|\*+\Z|x+\Z", password)) or password.casefold() in (
        "password",
        "pass",
        "pwd",
        "passwd",
    )
