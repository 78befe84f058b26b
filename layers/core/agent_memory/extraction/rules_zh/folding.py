"""Chinese text in the one form that the rules read, and the normalised form of what they find in it."""

from __future__ import annotations

import re
import unicodedata

from agent_memory.words.han_variants import simplified

_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}
_MORE_PAIRS = "郵邮姊姐傢家鬱郁癮瘾賬账銷销輯辑遊游髮发廣广妳你牠它糾纠癥症齋斋菸烟碩硕貼贴喫吃讚赞蔥葱薑姜"
_MORE = _WIDE | str.maketrans(_MORE_PAIRS[::2], _MORE_PAIRS[1::2])

PARTICLES = "了的啊呀哦喔噢哟呢吧嘛呐啦咯哈诶欸耶嘞"
_TAIL = re.compile(r"(?:[了啊呀哦喔噢哟嘛呐啦咯哈诶欸耶嘞~!.。)\]…]|\s|[^\w\s《》()\"'+#%@/.:-])+\Z")
_EDGES = " ,;:!?.~、，。《》“”\"'()*"
_MEASURE = re.compile(
    r"(?:(?:一|1)?个(?!人|性|股|别|体)|(?:一|1)(?:名|位|只|条|家"
    r"|间|辆|台|部|把|种|款|本|座|套|头|匹|双|首|所)|一(?:些|点)"
    r"|些)"
)
_MINE = re.compile(r"(?<!自)我们?的")


def fold(sentence: str) -> str:
    """The sentence in simplified characters and half-width forms, character for character."""
    return simplified(sentence.translate(_MORE))


def key(text: str) -> str:
    """A folded phrase as attributes and values hold it: no particles, quotation marks, articles or capitals."""
    bare = _TAIL.sub("", text.strip(_EDGES)).strip(_EDGES)
    measure = _MEASURE.match(bare)
    if measure and measure.end() < len(bare):
        bare = bare[measure.end() :]
    bare = bare.removesuffix("等等")
    bare = _MINE.sub("", bare).strip(_EDGES)
    return re.sub(r"\s+", " ", unicodedata.normalize("NFKC", bare)).casefold()


def without_tail(text: str) -> str:
    """The folded text without the particles, marks and emoji at its end; 的 and 呢 stay, for they change the sense."""
    return _TAIL.sub("", text)
