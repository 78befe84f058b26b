"""Passwords behind a word that names them, in English and its neighbours: "my password is hunter2", `pwd=...`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent_memory.redaction.not_passwords import is_talk, stands_in
from agent_memory.redaction.secret import Secret

LONGEST = 128
_PHRASE = (
    r"pass[ -]?phrases?|seed[ -]?phrases?|(?:secret )?recovery[ -]?(?:phrases?|codes?|keys?)"
    r"|mnemonics?(?: phrase)?|backup[ -]codes?"
)
_NAME = (
    rf"(?:{_PHRASE}|passwords?|passwd|pass[ -]?codes?|pass[ -]?words?|pswd|psw|pwd|pw"
    rf"|pass(?=[\"'`]{{0,2}} ?[:=])|login pass"
    r"|contraseña|mot de passe|passwort|kennwort|senha|пароль|パスワード|暗証番号|비밀번호|wachtwoord|parola)"
)
_EDGE = r"(?:(?<![A-Za-z])|(?<=[a-z])(?=(?-i:[A-Z])))"
_ABOUT = r"(?:\s{1,2}(?:for|of|to|on|in|at|from|with|under|here|there)\b[^\n.;:=?!\0]{0,48}?)?"
_SAYS = (
    r"(?:(?:,? ?(?:which|that) )?\b(?:is|was|are|were|will be|equals|became|es|ist|est|lautet|é)\b"
    r"|\b(?:(?:has|have|had|was|were|is|got|gets|will)(?: been| be)? )?(?:now |just |recently )?(?:changed"
    r"|set|updated|reset|switched) (?:to|as)\b"
    r"|['’]s\b|は|[:=]|->|=>| - )"
)
_SOFT = (
    r"(?:\s{1,2}(?:now|still|currently|just|simply|probably|also|always|actually|set to|literally|this"
    r"|something like|as follows|the following))?"
)
_BEHIND = re.compile(
    (
        rf"{_EDGE}(?P<name>{_NAME})(?![A-Za-z])[\"'`”’)\]]{{0,2}}{_ABOUT}\s{{0,3}}{_SAYS}{_SOFT}[ \t:=]{{0,"
        rf"4}}\n?[ \t]{{0,3}}"
    ),
    re.IGNORECASE,
)
_CHANGED = re.compile(
    (
        rf"\b(?:chang|set|reset|updat|switch|mak|rotat)(?:e|es|ed|ing|ting"
        rf"|s)?\s(?:\w+\s){{0,4}}?(?P<name>{_NAME})(?![A-Za-z]){_ABOUT}\s(?:to|as|into|=)\s{{1,2}}(?:be )?"
    ),
    re.IGNORECASE,
)
_NEXT_TO = re.compile(rf"{_EDGE}(?P<name>{_NAME})(?![A-Za-z]),?\s{{1,2}}", re.IGNORECASE)
_AFTER = re.compile(
    (
        rf"\s(?:(?:is|was) (?:my|our|the|his|her|their|your)|as (?:my|our|the|a|his|her|their"
        rf"|your)) (?:[\w-]+ ){{0,3}}?{_NAME}(?![A-Za-z])"
    ),
    re.IGNORECASE,
)
_QUOTES = {'"': '"', "'": "'", "`": "`", "“": "”", "‘": "’", "「": "」", "『": "』", "«": "»"}
_TOKEN = re.compile(r"[!-~\u00a1-\u024f\u0400-\u04ff]{1,128}")
_BACK = re.compile(r"([A-Za-z0-9!@#$%^&*_+=.~?/-]{5,64})[\"'`,]{0,2}\Z")
_AND = re.compile(
    r"[\"']?(?: ?[,/&] ?| and | or |, and | ?[和、] ?)[\"']?(?P<value>[A-Za-z0-9!@#$%^&*_+=~?-]{4,64})", re.IGNORECASE
)
_TRAILING = ".,;:)]}>\"'`"
_WORDS = re.compile(r"[A-Za-z][A-Za-z'-]*(?:[ \t][A-Za-z][A-Za-z'-]*){0,30}")
_CLAUSE_END = re.compile(
    r"[ \t]*(?:[^\x00-\x7f]|[.,;!?)\n\"'。，；！？]|\Z)|[ \t]+(?:and|but|so|or|for|since|please|thanks)\b",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    (
        r"[ \t-]{0,2}(?:char|digit|letter|symbol|day|week|month|year|hour|minute|time|word|bit|attempt|people"
        r"|account|of |%)"
    ),
    re.IGNORECASE,
)
_IN_WORDS, _IN_LIST = 3, 11
_NEVER_IN_LISTS = frozenset(
    {"the", "and", "for", "not", "are", "was", "but", "has"}
)  # BIP-39 has none of them, nor any of two letters
_LEAST_WORD, _LEAST_MIX, _LEAST_DIGITS, _LEAST_BESIDE = 4, 4, 4, 5


def passwords(text: str) -> Iterator[Secret]:
    """Spans of the values alone; talk about a password has none."""
    for pattern in (_BEHIND, _CHANGED):
        for found in pattern.finditer(text):
            plural = found["name"].casefold().endswith("s") and not found["name"].casefold().startswith(
                ("seed", "backup", "recover")
            )
            end = _value_end(
                text, found.end(), words=not plural, phrase=bool(re.match(_PHRASE, found["name"], re.IGNORECASE))
            )
            if end is not None:
                yield _inside(text, found.end(), end)
                yield from _more(text, end) if plural else ()
    for found in _NEXT_TO.finditer(text):
        end = _value_end(text, found.end(), words=False, phrase=False)
        if end is not None and end - found.end() >= _LEAST_BESIDE and _is_mixed(text[found.end() : end]):
            yield _inside(text, found.end(), end)
    yield from _before_the_name(text)


def _more(text: str, end: int) -> Iterator[Secret]:
    """The others of a list of passwords."""
    while (other := _AND.match(text, end)) and _is_mixed(other["value"]) and not stands_in(other["value"]):
        end = other.end()
        yield Secret(*other.span("value"), "password")


def _inside(text: str, start: int, end: int) -> Secret:
    """The value without its quotes."""
    quoted = text[start] in _QUOTES and text[end - 1] == _QUOTES[text[start]] and end - start > 2  # noqa: PLR2004
    return Secret(start + quoted, end - quoted, "password")


def _before_the_name(text: str) -> Iterator[Secret]:
    """As in: hunter2 is my password, use hunter2 as the password."""
    for found in _AFTER.finditer(text):
        low = max(0, found.start() - LONGEST)
        value = _BACK.search(text[low : found.start()])
        if value and _is_mixed(value[1]) and not stands_in(value[1]):
            yield Secret(low + value.start(1), low + value.end(1), "password")


def _is_mixed(value: str) -> bool:
    return any(each.isdigit() for each in value) and any(each.isalpha() for each in value)


def _value_end(text: str, start: int, *, words: bool, phrase: bool) -> int | None:
    """Behind the password that begins there; None where something else does."""
    if start >= len(text) or (start and text[start - 1] == "\n" and not words):
        return None
    closing = _QUOTES.get(text[start])
    if closing is not None:
        return _quoted_end(text, start, closing)
    token = _TOKEN.match(text, start)
    if token is None:
        return None
    value = re.split(r"[;\"'`<]|&(?=\w+=)|,(?=[\"'\s\w]+[:=])", token[0], maxsplit=1)[0].rstrip(_TRAILING)
    end = start + len(value)
    if not value or stands_in(value) or stands_in(value.rstrip("!?")):
        return None
    if phrase or value.isalpha():
        spoken = _phrase_end(text, start, longest=30 if phrase else 8)
        if spoken is not None and words:
            return spoken
    return end if _is_password(value, text, end, words=words) else None


def _quoted_end(text: str, start: int, closing: str) -> int | None:
    end = text.find(closing, start + 1, start + 2 + LONGEST)
    value = text[start + 1 : end]
    if end < 0 or not value.strip() or "\n" in value or stands_in(value):
        return None
    return end + 1


def _is_password(value: str, text: str, end: int, *, words: bool) -> bool:
    bare = value.rstrip("!?")
    if value.isdigit():
        return len(value) >= _LEAST_DIGITS and not _COUNTED.match(text, end)
    if any(each.isdigit() for each in value):
        return len(value) >= _LEAST_MIX
    if re.search(r"[@#$%^&*_+=~|\\!?].", value) or re.search(r"[a-z][A-Z]", value):
        return not is_talk(bare)
    parts = bare.split("-")
    if len(parts) > _IN_WORDS:
        return True
    on_its_line = (
        text.rfind("\n", 0, end) < end - len(value) - 1 or "\n" not in text[max(0, end - len(value) - 2) : end]
    )
    return (
        words and on_its_line and len(bare) >= _LEAST_WORD and len(parts) == 1 and bare.isalpha()
        and not is_talk(bare) and _CLAUSE_END.match(text, end) is not None
    )  # fmt: skip


def _phrase_end(text: str, start: int, *, longest: int) -> int | None:
    """Behind three words or more, up to the end of the clause, none of which is talk."""
    found = _WORDS.match(text, start)
    said = found[0].split() if found else []
    for count, word in enumerate(said):
        if word.casefold() in ("and", "but", "so", "please", "thanks"):
            said = said[:count]
            break
    if found is None or not _IN_WORDS <= len(said) <= longest:
        return None
    end = start + len(" ".join(said))
    if text[start:end] != " ".join(said) or not _CLAUSE_END.match(text, end):
        return None
    if len(said) >= _IN_LIST:
        return end if all(len(word) > 2 and word.casefold() not in _NEVER_IN_LISTS for word in said) else None  # noqa: PLR2004
    talk = sum(is_talk(word) for word in said)
    return end if talk == 0 or (said[0].casefold() == "correct" and talk == 1 and len(said) > _IN_WORDS) else None
