"""The language of a text as far as its script tells it, without a dictionary."""

from __future__ import annotations

import re

UNDETERMINED = "und"

# A letter of these scripts says more than a Latin one: the 4 characters of 服务重启 weigh as much as a 12-letter word.
_IDEOGRAPH_WEIGHT = 3

_HAN = re.compile("[\u2e80-\u2fdf\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_KANA = re.compile("[\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9d]")
_HANGUL = re.compile("[\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff]")
_ALPHABETS = {
    "en": re.compile(
        "[A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02af\u1e00-\u1eff\uff21-\uff3a\uff41-\uff5a]"
    ),
    "ru": re.compile("[\u0400-\u052f]"),
    "el": re.compile("[\u0370-\u03ff\u1f00-\u1fff]"),
    "ar": re.compile("[\u0600-\u06ff\u0750-\u077f\u08a0-\u08ff\ufb50-\ufdff\ufe70-\ufefc]"),
    "he": re.compile("[\u0590-\u05ff\ufb1d-\ufb4f]"),
    "hi": re.compile("[\u0900-\u097f]"),
    "th": re.compile("[\u0e00-\u0e7f]"),
}
# Japanese mixes both; a single の as decoration in a Chinese sentence stays below
_KANA_SHARE = 0.15


def language_of(text: str) -> str:
    """A primary BCP-47 tag: "zh", "ja", "ko", or the most common language of the alphabet ("en" for Latin letters).

    The script with the most weight wins in a mixed text; without any letter the answer is "und".
    """
    weights = {tag: len(letters.findall(text)) for tag, letters in _ALPHABETS.items()}
    han, kana = len(_HAN.findall(text)), len(_KANA.findall(text))
    weights["ko"] = _IDEOGRAPH_WEIGHT * len(_HANGUL.findall(text))
    weights["ja" if kana > _KANA_SHARE * (han + kana) else "zh"] = _IDEOGRAPH_WEIGHT * (han + kana)
    tag, weight = max(weights.items(), key=lambda entry: entry[1])
    return tag if weight else UNDETERMINED
