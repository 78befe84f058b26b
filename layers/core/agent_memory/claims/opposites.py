"""Words that deny: on their own, or as the opposite of another word, in both languages."""

from __future__ import annotations

_NEGATIONS_TEXT = """
not never no none nobody nothing nowhere neither hardly barely scarcely rarely seldom formerly previously stop quit
ceas avoid lack
"""
NEGATIONS = frozenset(_NEGATIONS_TEXT.split())
"""Stems that deny the clause they stand in."""

_LOCAL_NEGATIONS_TEXT = """
without before below under except insteadof
"""
LOCAL_NEGATIONS = frozenset(_LOCAL_NEGATIONS_TEXT.split())
"""Words that deny what follows, up to the next preposition."""

_PAIRS = """
dislike:like hate:like detest:like loath:like despis:like forbid:allow forbad:allow forbidden:allow ban:allow
prohibit:allow disallow:allow refus:accept reject:accept declin:accept lose:win fail:pass sell:buy divorc:marri
unmarri:marri forget:remember closed:open shut:open disabl:enabl remov:add delet:add exclud:includ deni:admit
decreas:increas reduc:increas less:more fewer:more worst:best worse:better false:true bad:good cold:hot slow:fast
weak:strong cheap:expensiv absent:present empti:full dead:aliv minimum:maximum least:most unabl:abl
"""
OPPOSITES = dict(pair.split(":") for pair in _PAIRS.split())
"""Stem of the denying word, and the stem that it denies."""

SYNONYMS = {
    **dict.fromkeys(("love", "enjoy", "ador"), "like"),
    **dict.fromkeys(("permit", "let"), "allow"),
    **dict.fromkeys(("resid", "dwell"), "live"),
}
PREFIXES = ("un", "in", "im", "il", "ir", "dis", "non")

PHRASES = (
    (
        r"\b(?:do(?:es)? not|never) mind\b|\bnot (?:only|just|merely|least)\b|\bno (?:doubt|problem|worries|matter)\b",
        " ",
    ),
    (r"\bcan not (?:wait|help)\b|\bwhether or not\b|\bor not\b|\bwhy not\b|\bif not\b", " "),
    (r"\b(?:can|could) not (?:stand|bear|abide|tolerate)\b", " dislike "),
    (r"\b(?:not(?= (?:[\w']+ ){1,8}any ?(?:more|longer)\b)|no longer|no more)\b", " not "),
    (r"\bany ?(?:more|longer)\b", " "),
    (r"(?<!\bam )(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bget )(?<!\bgot )\bused to\b(?! it)", " not "),
    (r"\bin the past\b", " not "),
    (r"\b(?:give|gave|given|giving) up\b", " not "),
    (r"\b(turn|switch|is|are|was|keep|kept)(?:ed|ing|s)? off\b", r" \1 not "),
    (r"\b(?:instead of|rather than|other than|except for)\b", " insteadof "),
    (r"\b(?:bus|train|tram|a|the|next|full) stops?\b", " halt "),
    (r"(?:^|(?<=[.!?;]))\s*(?:no|nope|nah),", " "),
)

HAN_NEUTRAL = (
    "不错|不过|不仅|不但|不光|不只|不管|不论|不断|不久|不少|差不多|不好意思|对不起|没关系|不客气|没问题|没错|没事|说不定|了不起|"
    "特别|别人|别的|区别|分别|个别|级别|性别|告别|别墅|别名|辨别|派别|识别|类别|非常|非洲|除非|是非|非得|非要|南非|北非|无论|"
    "无锡|无所谓|无线|未来|未免|没准|不得不|不能不|不可不|不会不|无不|没有不|不由|不妨|不知不觉|动不动|时不时"
)
HAN_OPPOSITES = (
    ("(?:别|不要|没有?|勿)忘[了记]?", "记得"),
    ("讨厌|厌恶|反感|恨(?!不得)|受不了|不爱|不喜爱|不爱好", "\u0000喜欢"),
    ("热爱|喜爱|爱(?=[吃喝看听玩打去好做用])|爱好", "喜欢"),
    ("戒掉了?|戒了|戒(?=[烟酒糖])|停止|停了|放弃|取消|不再|再也[不没]|从[来]?[不没]", "\u0000"),
    ("以前|曾经|过去(?!了)|原来(?!是)", "\u0000"),
    ("禁止|严禁|不许|不准|不允许", "\u0000允许"),
    ("拒绝", "\u0000接受"),
    ("忘了|忘记", "\u0000记得"),
    ("失败", "\u0000成功"),
    ("离婚", "\u0000结婚"),
    ("分手", "\u0000交往"),
    ("卖(?:掉|了)?", "\u0000买"),
    ("输", "\u0000赢"),
    ("关闭|关掉|关了|关着", "\u0000打开"),
    ("删除|删掉|去掉", "\u0000添加"),
    ("减少|降低", "\u0000增加"),
    ("没有|没(?=[^有])", "\u0000有"),
    ("不|别|勿|莫|甭|无|未|非|没$", "\u0000"),
)
"""Patterns and what they mean, with a NUL for each denial; applied in order."""

HAN_LOCAL = ("前", "后")
HAN_SILENT = frozenset("的了吗呢吧啊呀嘛哦我你他她它们是在和与也都就很把被给对从这那着过得地还又再到去来用户曾已有")
"""Characters that tell nothing of what is denied."""
