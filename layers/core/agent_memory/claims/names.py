"""The names in a text: of people, places and things, by their capital or by the Chinese word in front of them.

No dictionary: some that are none are found too (a verb behind 叫). They do no harm where two texts are compared, for
a word that both have is never a difference.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from agent_memory.claims.name_lists import AFTER_NAME, NOT_NAMES, NOT_SUBJECTS, PERSONS, PLACES, SURNAMES
from agent_memory.words.english import FUNCTION_STEMS

_WORD = re.compile(r"[^\W\d_\u3400-\u9fff]+(?:[-'][^\W\d_\u3400-\u9fff]+)*")
_STARTS = re.compile(r"(?:^|[.!?。:\n\"]|[-*>]\s)\W*\Z")
_HAN = "[\u3400-\u9fff]"
_VERB_BEHIND = re.compile(
    r"(?:[ ]+(?:is|was|has|had|will|can|could|does|did|would|and|said|not|[a-z]+[^s\W]s|[a-z]+ed|went|got|came)\b)"
)
_PERSON = re.compile(
    rf"(?:叫做?|姓|名字是|我是|他是|她是|跟|和|与|同|给|找|去|陪|问|向|让|请|约|见|带|帮|同事|朋友|室友|老婆|老公|哥哥|弟弟|姐姐|妹妹|同学|老师|经理|老板|^|(?<=[,.。;:!?|]))"
    rf"(?P<name>[{SURNAMES}]{_HAN}{{1,2}}?)(?=[{AFTER_NAME}]|$)"
)
_CALLED = re.compile(rf"(?:名字叫|名字是|名叫|叫做?|姓)(?P<name>{_HAN}{{1,4}}?)(?=[{AFTER_NAME}吧呢啊]|$)")
_NICKNAME = re.compile(rf"(?P<name>[小老阿][{SURNAMES}])(?!{_HAN}?[板])")
_HOME = re.compile(
    rf"(?:住在|住(?![院宿了过着])|搬到了?|搬去了?|搬来|来自|老家是?在?|出生在|定居)(?P<name>{_HAN}{{2,8}}?)"
    "(?=[了的,.。;!?|、 和工上生已]|$)"
)
_WORKPLACE = re.compile(rf"在(?P<name>{_HAN}{{2,6}}?)(?=上班|工作|上学|读书|实习|任职)")
_AREA = re.compile(rf"(?:在|去|到|回|飞)(?P<name>{_HAN}{{1,4}}?[市省区县镇村州国岛])(?![人家际])")
_PLACE = re.compile("|".join(PLACES))
_PLACE_PARTS = re.compile("[市省区县镇]")
_SHORTEST_ACRONYM = 2
_LOOK_BACK = 8  # characters, for the end of the sentence before


@dataclass(frozen=True, slots=True)
class Name:
    """`text` in lower case; `apposed` if it only says more of the name before it ("York, UK")."""

    text: str
    apposed: bool = False


def names(text: str) -> frozenset[Name]:
    """All of a plain text without its dates; the first word of an English sentence only where it must be one."""
    is_mixed = re.search(_HAN, text) is not None
    found = set(_chinese(text)) if is_mixed else set()
    before: re.Match[str] | None = None
    for match in _WORD.finditer(text):
        if _is_name(text, match, mixed=is_mixed):
            apposed = before is not None and text[before.end() : match.start()] in (", ", ",")
            found.add(Name(match[0].casefold().removesuffix("'s"), apposed))
            before = match
    return frozenset(found)


def subject(text: str) -> str | None:
    """Whom an English text begins with, if that is a name by its place: "Tom" of "Tom beats Anna"."""
    text = text.lstrip()
    match = _WORD.match(text)
    if match is None or not match[0][0].isupper():
        return None
    if not match[0].endswith("'s") and not _VERB_BEHIND.match(text, match.end()):
        return None
    word = match[0].casefold().removesuffix("'s")
    is_plain = word in NOT_SUBJECTS | NOT_NAMES | FUNCTION_STEMS or word.endswith(("ing", "ly"))
    return None if is_plain else word


def is_person(text: str) -> bool:
    """Whether an English text begins with a pronoun or "user"."""
    words = [word for word in re.findall(r"[a-z]+", text.casefold()[:40]) if word != "the"]
    return bool(words) and words[0] in PERSONS


def words_of(texts: Iterable[str]) -> tuple[frozenset[str], str]:
    """What a name is looked up in: the words of the plain texts in lower case, and all of it as one string."""
    joined = "\n".join(texts).casefold()
    words = {match[0].removesuffix("'s") for match in _WORD.finditer(joined)}
    return frozenset(words | {part for word in words for part in word.split("-")}), joined


def names_missing(of: frozenset[Name], within: tuple[frozenset[str], str]) -> list[Name]:
    """The names that the other text does not hold."""
    words, joined = within
    return [name for name in of if not (name.text in joined if re.match(_HAN, name.text) else name.text in words)]


def _is_name(text: str, match: re.Match[str], *, mixed: bool) -> bool:
    word = match[0]
    if word.casefold() in NOT_NAMES or word.casefold().split("'")[0] == "i":
        return False
    if word.isupper() and len(word) >= _SHORTEST_ACRONYM:
        return True
    if mixed and len(word) > 1:
        return True
    if not word[0].isupper():
        return any(character.isupper() for character in word[1:])
    if not _STARTS.search(text, max(0, match.start() - _LOOK_BACK), match.start()):
        return True
    following = _WORD.match(text, match.end() + 1)
    begins_two = following is not None and following[0][0].isupper() and following[0].split("'")[0] != "I"
    return begins_two and word.casefold() not in NOT_SUBJECTS and not word.endswith(("ing", "ly"))


def _chinese(text: str) -> Iterable[Name]:
    for pattern in (_PERSON, _CALLED, _NICKNAME, _WORKPLACE, _AREA, _HOME):
        for match in pattern.finditer(text):
            yield from (Name(part) for part in _PLACE_PARTS.split(match["name"]) if part)
    for match in _PLACE.finditer(text):
        yield Name(match[0])
