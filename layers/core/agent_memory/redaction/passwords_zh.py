"""Passwords behind a word that names them, in Chinese: 密码是abc123, 把密码改成了……, 口令：芝麻开门."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent_memory.redaction.not_passwords import stands_in
from agent_memory.redaction.secret import Secret

_NAME = r"(?:密码|密碼|口令|暗号|暗號)"
_SAYS = (
    r"(?:分别|分別)?(?:我|你|它)?(?:就|还|還|都|也|现在|現在|目前|已经|已經|已|被|刚|剛|仍然?|一直|应该|應該|我|给|給)*"
    r"(?:改成了?|改为了?|改為了?|换成了?|換成了?|设成了?|設成了?|设为了?|設為了?|设置为|設置為|设置成|变成了?|變成了?|更新为|重置为|重設為|等于|等於|叫做?|是|为|為|:|=)"
    r"(?:了|这个|這個|以下|如下)*"
)
_BEHIND = re.compile(rf"{_NAME}(?P<says>[\"'”’)]{{0,2}}\s{{0,2}}{_SAYS})[\s:]{{0,3}}")
_NEXT_TO = re.compile(rf"{_NAME}\s{{0,2}}(?=[A-Za-z0-9!@#$%^&*])")
_AFTER = re.compile(
    r"[\s\"'”]{0,2}(?:就|才)?(?:是|为|作为|做|当|當)(?:我|我们|你|他|她|它|这个|那个"
    r"|家里)?(?:们)?(?:的)?[\u4e00-\u9fffA-Za-z]{0,6}?(?:密码|密碼|口令)(?!管理|本|器)"
)
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "「": "」", "『": "』", "`": "`", "《": "》"}
_TOKEN = re.compile(r"[!-~]{1,128}")
_BACK = re.compile(r"[A-Za-z0-9!@#$%^&*_+=.~?/-]{5,64}\Z")
_COUNTED = re.compile(r"\s?(?:位|个|個|字|天|次|年|月|周|分钟|小时|多|以上|至|到|-)")
_HAN = re.compile(r"[\u4e00-\u9fff]{2,12}(?![\u4e00-\u9fffA-Za-z0-9])")
_TALK = re.compile(
    r"[什么麼错錯对對不没沒无無我你他她它谁誰哪几幾位字同空過过了吗嗎呢吧啊很太在用由从從被給给让讓要会會能可得该該必需忘强強弱默这這那个個种種与與和]"
    r"|多少|一样|一樣|正确|正確|记得|記得|简单|簡單|复杂|複雜|安全|随机|隨機|加密|保存|保密|公开|公開|私人|重置|泄露|洩露|较|比较|生成|秘密|关键|重要"
)
_LEAST, _LEAST_DIGITS = 3, 4


def passwords_zh(text: str) -> Iterator[Secret]:
    """Spans of the values alone."""
    for found in _BEHIND.finditer(text):
        yield from _value(text, found.end(), beside=False)
    for found in _NEXT_TO.finditer(text):
        yield from _value(text, found.end(), beside=True)
    for found in _AFTER.finditer(text):
        low = max(0, found.start() - 64)
        value = _BACK.search(text[low : found.start()])
        if value and _mixed(value[0]) and not stands_in(value[0]):
            yield Secret(low + value.start(), found.start(), "password")


def _mixed(value: str) -> bool:
    return any(each.isdigit() for each in value) and any(each.isalpha() for each in value)


def _value(text: str, start: int, *, beside: bool) -> Iterator[Secret]:
    opening = text[start : start + 1]
    if opening and opening in _QUOTES:
        end = text.find(_QUOTES[opening], start + 1, start + 130)
        if end > start + 1 and "\n" not in text[start:end] and not stands_in(text[start + 1 : end]):
            yield Secret(start + 1, end, "password")
        return
    token = _TOKEN.match(text, start)
    if token is not None:
        value = re.split(r"[;\"'`<]|,(?=\D)", token[0], maxsplit=1)[0].rstrip(".,;:)]}>\"'")
        end = start + len(value)
        if _is_password(value, text, end, beside=beside):
            yield Secret(start, end, "password")
    elif not beside:
        words = _HAN.match(text, start)
        if words and not _TALK.search(words[0]):
            yield Secret(*words.span(), "password")


def _is_password(value: str, text: str, end: int, *, beside: bool) -> bool:
    if stands_in(value) or len(value) < _LEAST:
        return False
    if value.isdigit():
        return len(value) >= _LEAST_DIGITS and not _COUNTED.match(text, end)
    has_digit = any(each.isdigit() for each in value)
    return has_digit or not beside
