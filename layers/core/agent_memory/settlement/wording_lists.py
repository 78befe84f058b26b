"""Words that don't change what a sentence tells, words that do though they are small, and where phrases begin."""

from __future__ import annotations

_SILENT_TEXT = """
a an the do does did really very so just quite also actually indeed definitely totally absolutely truly well oh ah now
still already currently too honestly basically simply please hey hi ok okay yes yeah yep to of that every each
"""
SILENT = frozenset(_SILENT_TEXT.split())
"""English words left out before two texts are compared."""

SELF = {"i": "self", "me": "self", "user": "self", "my": "self's", "mine": "self's", "myself": "self"}
_PREPOSITIONS_TEXT = """
in on at by for from with about into over under without before after during near behind beside instead insteadof
between against among as
"""
PREPOSITIONS = frozenset(_PREPOSITIONS_TEXT.split())
TIME_WORDS = frozenset(("usual", "normal", "usualli", "normalli", "weekend"))
"""Stems that may stand at either end of a clause, as dates may."""

_SUBORDINATORS_TEXT = """
if when unless until because while although though since who which whose whether
"""
SUBORDINATORS = frozenset(_SUBORDINATORS_TEXT.split())
CONDITIONS = frozenset(("if", "when", "unless", "until", "whether"))
HAN_CONDITIONS = ("如果", "要是", "假如", "除非", "只要", "只有")
HAN_CONDITIONS_END = ("话", "时候")
_REPORTS_TEXT = """
say said tell told think thought ask repli reply write wrote claim hope wish
"""
REPORTS = frozenset(_REPORTS_TEXT.split())
HAN_REPORTS = ("说", "觉得", "认为", "以为", "问", "希望", "听说")

_TELLING_TEXT = """
friend sister brother mother father mom dad mum wife husband son daughter flatmat roommat colleagu boss neighbour
neighbor cousin uncl aunt partner girlfriend boyfriend grandmoth grandfath dog cat not no will would could should
might may must want plan hope wish try almost nearli onli sometim often alway never usual ex former self he she they
we you it her him them his their our your if when unless allergic fake toy
"""
TELLING = frozenset(_TELLING_TEXT.split())
"""Stems that change what a sentence tells, however long it is."""

HAN_SILENT = (
    "非常|特别|真的|真是|其实|一直|现在|目前|十分|比较|确实|已经|的|了|吗|呢|吧|啊|呀|嘛|哦|很|也|都|就|挺|蛮|超|还是|地|着"
    "|(?<=有)[个只位本件张间辆台把份](?=[^\\W])|一[个只次位名本件张条间辆杯瓶家双对把份]|是(?=\u0000)|(?<=住)在|那(?=[个只])|(?<=[\u3400-\u9fff]{2})(?<![超城夜股菜])市(?=$|[了工上生的])|有点|哈+|嗯+"
)
HAN_TIME = "平时|通常"
HAN_TELLING = frozenset("不没无未非别\u0000想要会打算可能也许只才差点常总偶妹姐哥弟妈爸妻夫儿女友同事老板前假")
HAN_DIGITS = str.maketrans("一二两三四五六七八九", "1223456789")
