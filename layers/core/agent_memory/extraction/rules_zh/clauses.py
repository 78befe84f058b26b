"""The clauses of a Chinese sentence and which of them can claim nothing: questions, guesses, wishes, hearsay, jokes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

LONGEST = 80  # characters; what is longer tells more than one simple thing

# A comma between digits cuts nothing; before a conjunction a clause begins without a mark.
_CUT = re.compile(
    r"(?<!\d),|,(?!\d)|[;。!?\n…~]+|——+|(?<=[\u3400-\u9fff])[ \t]+(?=[\u3400-\u9fff])"
    r"|(?=而且|并且|但是|可是|不过(?![敏来去了期关分])|然后|所以|因此(?!外))"
)

_JOKE = re.compile(
    r"哈哈|开(?:个|了个)?玩笑|逗你|骗你|才怪|呵呵|\[(?:doge|狗头)\]|狗头|🙄|🙃|😜|反话|(?i:\blol\b|\bjk\b)"
    r"|愚人节|角色扮演|假装|想象一下"
)
_CONDITION = re.compile(
    r"如果|要是|假如|假使|假设|倘若|倘使|若是|若(?=我|能|有)|万一|要不是|除非|即使|就算|哪怕|的话(?!题|剧)"
    r"|只要(?=我|你|他|她|能|有)|一旦|设想|换作|换成是我|有一天"
)
_GUESS = re.compile(
    r"可能|也许|或许|兴许|大概|说不定|好像|似乎|恐怕|估计|没准|搞不好"
    r"|应该|应当|大约|看来|看样子|貌似|差点|差一点|险些|几乎"
    r"|本来|原本|原打算|本想|本该|恨不得|希望|但愿|巴不得|假如|宁愿|梦见|梦到|梦里|幻想|想象|以为|感觉|似的|至少"
    r"|不知道|不确定|不清楚|不记得|忘了(?!提醒)|考虑|犹豫|纠结|怀疑|以防|要么|或者|听起来|看起来|(?<![预计结打])算是|不如|试试看?|考虑"
)
_HEARSAY = re.compile(
    r"听说|听讲|据说|据称|传闻|传说|俗话说|常言|有人说|人家说|都说"
    r"|(?<![我般的体人你家]来)(?<![话比如白的文语])(?:说|问|讲|喊)道?\s*:?\s*\Z|说过?[:“\"「『]"
    r"|(?:他|她|他们|她们|别人|你)[^,]{0,4}(?:说|讲|告诉)"
    r"|(?:老板|妈|爸|医生|老师|朋友|同事)(?:总|常|老)?(?:是)?(?:对我"
    r"|跟我)?(?:说|讲|告诉|问)(?!话)|[书文歌]里|电影里|小说里|剧里"
    r"|台词|歌词|文案|例句|翻译"
)
_QUESTION = re.compile(
    r"[吗么呢]\s*\Z|什么|(?<!不)怎么|怎样|哪(?!怕)|谁|(?<!好)几(?=个|岁"
    r"|点|号|次|年|天|月|位|口)|多少|多久|为何|如何|何时|是否|难道"
    r"|咋|凭啥|啥|要不要|好不好|([^\W\d_])[不没]\1"
)
_QUOTED = re.compile(r"[“”「」『』\"‘’]")
_TAG = re.compile(r"(?:你说)?(?:对|是|好|行|可以|没错|真的|怎么样|怎样|怎么了|为什么|对不对|是不是|好不好)[吗么吧呢]?")
_NO_JOKE = re.compile(r"(?:别|不要|不是在?|没在?|没有)[^,。;!?]{0,8}开(?:个|了个)?玩笑")
_OF_HEARER = re.compile(r"那?\s*[你您]")


class Clause(NamedTuple):
    """A stretch of a folded sentence. `doubt` says why it claims nothing: "" when it may."""

    start: int
    end: int
    text: str
    doubt: str = ""


def clauses(folded: str) -> list[Clause]:
    """The clauses in order, with their doubts; a joke or a condition anywhere leaves none of them free of doubt."""
    parts = list(_parts(folded))
    if _JOKE.search(_NO_JOKE.sub("", folded)) or _CONDITION.search(folded):
        return [part._replace(doubt="joke or condition") for part in parts]
    asked = _asked_from(folded, parts)
    quoted = [match.start() for match in _QUOTED.finditer(folded)]
    found, guess = [], ""
    for index, part in enumerate(parts):
        guess = guess or _lasting_doubt(part.text)
        doubt = guess or ("question" if index >= asked or _QUESTION.search(part.text) else "")
        if quoted and part.end > quoted[0] and part.start <= quoted[-1]:
            doubt = "quoted"
        found.append(part._replace(doubt=doubt))
    return found


def _parts(folded: str) -> Iterator[Clause]:
    start = 0
    for match in _CUT.finditer(folded):
        if folded[start : match.start()].strip():
            yield Clause(start, match.start(), folded[start : match.start()])
        start = match.end()
    if folded[start:].strip():
        yield Clause(start, len(folded), folded[start:])


def _lasting_doubt(text: str) -> str:
    """A doubt that holds for what follows in the sentence too."""
    if len(text) > LONGEST:
        return "long"
    return "guess" if _GUESS.search(text) or _HEARSAY.search(text) else ""


def _asked_from(folded: str, parts: list[Clause]) -> int:
    """The index from which on a question asks: its last clause if that is a question of its own, else the first."""
    if not parts or "?" not in folded:
        return len(parts)
    last = parts[-1].text.strip()
    is_own = _OF_HEARER.match(last) or (_QUESTION.search(last) and not _TAG.fullmatch(last))
    return len(parts) - 1 if is_own else 0
