"""Where somebody lives, comes from and has left, in Chinese."""

from __future__ import annotations

import re

from agent_memory.extraction.rules_zh.claim import Claim, Predicate
from agent_memory.extraction.rules_zh.folding import key
from agent_memory.extraction.rules_zh.places import is_country, is_place

_NOT = "(?P<not>已经不再|已经不|不再|早就不|不|没有?)?"
_LIVES = re.compile(rf"{_NOT}(?:居住|定居|住|生活|常住|长住|租住|租房|租)(?:在|于|到)(?P<where>.{{1,24}})\Z")
_LIVES_BARE = re.compile(r"(?P<not>不再|已经不|不)?住(?P<where>.{2,16})\Z")
_AT_HOME = re.compile(r"家(?:住)?(?:就)?在(?P<where>.{2,16})\Z|现居(?P<also>.{2,16})\Z")
_SETTLED = re.compile(rf"{_NOT}在(?P<where>.{{1,16}}?)(?:定居|生活|居住|租房|安了?家)着?\Z")
_MOVED = re.compile(
    r"家?(?:(?:从(?P<out>.{1,12}?))?(?:搬家|搬|移居|迁居|移民)(?:到"
    r"|去|来|回|至)|移民)了?(?P<where>[^了的].{0,16}?)(?:去|来)?(?:住"
    r"|生活|工作|上学|定居)?\Z"
)
_GONE = re.compile(r"(?:已经)?(?:搬离|搬出|离开)了?(?P<where>[^了].{0,12})\Z")
_FROM = re.compile(r"(?:来自|出生于|出生在|生于|生在|长在|土生土长在)(?P<where>.{2,16})\Z")
_HOME = re.compile(r"(?:的)?(?:老家|家乡|故乡|籍贯)(?:就)?(?:是|在)(?P<where>.{2,16})\Z")
_RAISED = re.compile(r"(?:出生(?:在|于)|生在|在)(?P<where>.{2,14}?)(?:出生|长大|出生长大|土生土长)(?:的)?\Z")
_NATIVE = re.compile(r"(?P<not>不)?(?:是)(?:地地道道的?|土生土长的?)?(?P<where>.{2,10}?)(?:本地)?人(?:的)?\Z")

_NOWHERE = re.compile(
    r"\A\d+\Z|的时|[层栋室间房]\Z|其中|一个|房间|客房|[这那它他她你您哪]"
    r"|酒店|宾馆|医院|民宿|旅馆|一起|一块|当下|现在|幻想|梦|恐惧"
    r"|痛苦|压力|过去|谎言|世界|阴影|心里|里面|外面|楼上|楼下\Z|隔壁"
    r"|对面|了|过\Z|[时候后前]\Z|附近\Z"
    r"|着|其中|一家|公司|集体|什么|(?<!自)己|当中|同一|不同|水深|第|一楼\Z|我"
)


def found(said: Predicate) -> list[Claim]:
    """The home that a predicate tells of its subject."""
    if not said.is_personal or "former" in said.kinds or "future" in said.kinds:
        return []
    return _lives(said.text) or _moved(said.text) or _left(said.text) or _origin(said.text)


def _lives(text: str) -> list[Claim]:
    if home := _AT_HOME.match(text):
        place = key(home["where"] or home["also"])
        return [Claim("profile", 9, "residence", place)] if is_place(place) else []
    match = _LIVES.match(text) or _SETTLED.match(text)
    if match is None:
        match = _LIVES_BARE.match(text)
        if match is None or not is_place(match["where"]):
            return []
    where = _where(match["where"])
    return [Claim("profile", 9, "residence", where, negated=bool(match["not"]))] if where else []


def _moved(text: str) -> list[Claim]:
    match = _MOVED.match(text)
    where = _where(match["where"]) if match else None
    return [Claim("profile", 9, "residence", where)] if where else []


def _left(text: str) -> list[Claim]:
    match = _GONE.match(text)
    where = _where(match["where"]) if match else None
    return [Claim("profile", 8, "residence", where, negated=True)] if where and is_place(where) else []


def _origin(text: str) -> list[Claim]:
    match = _FROM.match(text) or _HOME.match(text) or _RAISED.match(text)
    if match:
        where = _where(match["where"])
        return [Claim("profile", 8, "hometown", where)] if where and not re.search("家庭|农场主|年代", where) else []
    native = _NATIVE.match(text)
    if native is None or not is_place(native["where"]):
        return []
    attribute = "nationality" if is_country(native["where"]) else "hometown"
    return [Claim("profile", 8, attribute, key(native["where"]), negated=bool(native["not"]))]


def _where(text: str) -> str | None:
    place = key(re.sub(r"(?:市?里|这边|那边|不久)\Z", "", text))
    return None if len(place) < 2 or _NOWHERE.search(text) else place  # noqa: PLR2004  (one character is no place)
