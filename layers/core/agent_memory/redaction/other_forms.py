"""Secrets in further forms: on command lines, behind words that are secret only with such a value, and sent codes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent_memory.redaction.not_passwords import stands_in
from agent_memory.redaction.secret import Secret

_VALUE = r"[\"'`“]?(?P<value>[^\s\"'`”,;。，；]{4,64})"
_WORD = r"(?<![A-Za-z])(?:password|passwd|passcode|passphrase|pwd|密码|密碼|口令)"
_CHANGED = "changed|reset|switched|updated"
_COMMANDS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n]{{0,80}}?\s-p(?=[^\s-]){_VALUE}",
        rf"\bsshpass\s{{1,3}}-p\s{{0,3}}{_VALUE}",
        rf"\b(?:curl|wget|http)\b[^\n]{{0,120}}?\s(?:-u|--user)[ =][\"']?[^\s:\"']{{1,64}}:{_VALUE}",
        rf"\s--pass(?:word|wd)?[ =]{_VALUE}",
    )
)
_BEHIND = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:my|our|the|your|his|her) pass (?:is|was)\s{{1,2}}{_VALUE}",
        rf"{_WORD}\s?\([^)\n]{{1,40}}\)\s?[:=]\s?{_VALUE}",
        rf"{_WORD}\s?[:：=][ \t]{{0,3}}\n[ \t]{{0,3}}\n?[ \t]{{0,3}}{_VALUE}",
        rf"{_WORD}s? used to be\s{{1,2}}{_VALUE}",
        rf"{_WORD}s?\s(?:\w{{2,4}}\s){{0,2}}(?:{_CHANGED}) from\s{{1,2}}{_VALUE}",
        rf"{_WORD}s?\s(?:\w{{2,4}}\s){{0,2}}(?:{_CHANGED}) from\s{{1,2}}\S{{4,64}} to\s{{1,2}}{_VALUE}",
        rf"{_WORD}\s(?:isn['’]t|is not|was not|wasn['’]t)\s{{1,2}}{_VALUE}",
        r"(?:口令|密码|密碼|暗号)[是为為:：]\s?(?P<value>[\u4e00-\u9fff]{1,8}[A-Za-z0-9]{2,16})",
        rf"\blog-?in:?\s{{1,2}}(?!page|screen|button|form|view)\S{{2,40}}\s?/\s?{_VALUE}",
        rf"\bsecret[ _-]?key\s?(?:is|:|=)\s?{_VALUE}",
    )
)
_CODES = re.compile(
    r"(?:\bpass ?code|验证码|驗證碼|动态码|(?:verification|one[- ]time|security|otp|2fa|login) (?:code|password)|\botp)"
    r"\s?(?:is|was|是|为|為|:|：)?\s?(?P<value>\d{4,8})(?!\d)",
    re.IGNORECASE,
)
_PASSPORTS = re.compile(
    r"(?:\bpassport|护照|護照)\s?(?:number|no\.?|#|号码?|號碼?)?\s?(?:is|was|是|为|為|:|：)?\s?"
    r"(?P<value>[A-Z]{1,2}\d{6,9}|\d{9})(?![A-Za-z0-9])",
    re.IGNORECASE,
)
_SPELT_OUT = re.compile(r"\bp ?a ?s ?s ?w ?o ?r ?d\s?[:=]\s?(?P<value>\S{4,64})", re.IGNORECASE)


def other_forms(text: str) -> Iterator[Secret]:
    """Spans of the values alone; behind a mere word only such as mix letters and digits."""
    for pattern in _COMMANDS:
        yield from _spans(pattern, text, "password")
    for pattern in (*_BEHIND, _SPELT_OUT):
        for found in pattern.finditer(text):
            if _is_mixed(found["value"]) and not stands_in(found["value"]):
                yield _trimmed(found, "password")
    yield from _spans(_CODES, text, "pin")
    yield from _spans(_PASSPORTS, text, "id_number")


def _spans(pattern: re.Pattern[str], text: str, kind: str) -> Iterator[Secret]:
    for found in pattern.finditer(text):
        if not found["value"].startswith(("$", "[SECRET")):
            yield _trimmed(found, kind)


def _trimmed(found: re.Match[str], kind: str) -> Secret:
    start, end = found.span("value")
    return Secret(start, start + len(found["value"].rstrip(".,!?:;)")) or end, kind)


def _is_mixed(value: str) -> bool:
    return any(each.isdigit() for each in value) and any(each.isalpha() for each in value)
