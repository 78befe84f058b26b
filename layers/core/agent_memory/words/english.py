"""English endings, irregular forms and function words, for matching only: a stem need not be a word."""

from __future__ import annotations

import re

_VOWEL = re.compile("[aeiouy]")
_SHORT_END = re.compile("(?:[^aeiou][aeiouy][^aeiouwxy]|^[aeiouy][^aeiou])$")
_DOUBLE_END = re.compile(r"([^aeiouylsz])\1$")
_CONSONANT_AFTER_VOWEL = re.compile("[aeiouy][^aeiouy]")
_SHORTEST = 3  # letters of a word that has an ending
_BASE_FORMS = """
be:am is are was were been being; become:became; begin:began begun; break:broke broken; bring:brought;
build:built; buy:bought; catch:caught; child:children; choose:chose chosen; come:came; die:dying;
do:did does done; draw:drew drawn; drink:drank drunk; drive:drove driven; eat:ate eaten; fall:fell fallen;
feel:felt; fight:fought; find:found; fly:flew flown flies; foot:feet; forget:forgot forgotten; get:got gotten;
give:gave given; go:went gone goes; grow:grew grown; have:had has having; hear:heard; hold:held; keep:kept;
know:knew known; lead:led; leave:left; lend:lent; lie:lying; lose:lost; make:made; man:men; mean:meant;
meet:met; mouse:mice; pay:paid; person:people; ride:rode ridden; ring:rang rung; rise:risen; run:ran; say:said;
see:saw seen; sell:sold; send:sent; shoot:shot; sing:sang sung; sit:sat; sleep:slept; speak:spoke spoken;
spend:spent; stand:stood; steal:stole stolen; swim:swam swum; take:took taken; teach:taught; tell:told;
think:thought; throw:threw thrown; tooth:teeth; understand:understood; wake:woke woken; wear:wore worn;
win:won; woman:women; write:wrote written; wife:wives; knife:knives; life:lives
"""
_FUNCTION_WORDS = """
a about after all also am an and any are as at be because been before being but by can could did do does doing dont
during each for from had has have having he her here hers him his how i if in into is it its just me might more most
my no nor not of on or other our ours out over own s same she should so some such t than that the their them then
there these they this those through to too under until up us very was we were what when where which while who whom
why will with would you your yours im ive youre isnt wasnt didnt doesnt cant wont ca wo
"""
_IRREGULAR = {
    form: base.strip()
    for base, _, forms in (line.partition(":") for line in _BASE_FORMS.split(";"))
    for form in forms.split()
}


def stem(word: str) -> str:
    """The word without plural, -ed, -ing and a silent e; irregular forms become their base form.

    After steps 1a, 1b, 1c and 5a of M. F. Porter, "An algorithm for suffix stripping" (1980); the later steps, which
    join words of different meaning, are left out. Input is lower-case ASCII letters.
    """
    word = _IRREGULAR.get(word, word)
    if len(word) < _SHORTEST:
        return word
    return _without_final_e(_final_y_as_i(_without_ed_or_ing(_without_plural(word))))


def _without_plural(word: str) -> str:
    if word.endswith(("ies", "ied")):
        return word[:-1] if len(word) == len("dies") else word[:-2]
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _without_ed_or_ing(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _CONSONANT_AFTER_VOWEL.search(word[:-3]) else word
    for ending in ("ed", "ing"):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) > 1 and _VOWEL.search(rest):
            return _repaired(rest)
    return word


def _repaired(rest: str) -> str:
    if rest.endswith(("at", "bl", "iz")) or _is_short(rest):
        return rest + "e"
    return rest[:-1] if _DOUBLE_END.search(rest) else rest


def _final_y_as_i(word: str) -> str:
    return word[:-1] + "i" if word.endswith("y") and not _VOWEL.match(word[-2]) else word


def _without_final_e(word: str) -> str:
    if not word.endswith("e"):
        return word
    rest = word[:-1]
    syllables = len(_CONSONANT_AFTER_VOWEL.findall(rest))
    return rest if syllables > 1 or (syllables == 1 and not _SHORT_END.search(rest)) else word


def _is_short(rest: str) -> bool:
    return len(_CONSONANT_AFTER_VOWEL.findall(rest)) == 1 and _SHORT_END.search(rest) is not None


FUNCTION_STEMS = frozenset(map(stem, _FUNCTION_WORDS.split()))
