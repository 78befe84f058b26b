"""Terms of texts: folding, stems, identifiers, scripts without spaces."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.retrieval.tokenizer import folded, is_pair, names_one_thing, query_terms, tokens
from agent_memory.words.english import stem


@given(st.text())
def test_any_text_gives_terms(text: str):
    """No text raises, and no term is empty or holds a space."""
    assert all(term and not any(map(str.isspace, term)) for term in tokens(text))


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_equivalent_forms_give_equal_terms(text: str):
    """Composed and decomposed spellings are the same text."""
    composed, decomposed = unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text)
    assert tokens(composed) == tokens(decomposed)


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=1))
def test_stem_is_never_empty(word: str):
    """Whatever the letters, something is left to match."""
    assert stem(word)


@given(st.text())
def test_query_terms_are_distinct_and_of_the_text(text: str):
    """A question's terms are terms of its text, each once, and there are some if the text has any."""
    terms = query_terms(text)
    assert len(terms) == len(set(terms))
    assert set(terms) <= set(tokens(text))
    assert bool(terms) == bool(tokens(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("AB-2093", ["ab-2093", "ab", "2093", "ab2093"]),
        ("BB_1000", ["bb_1000", "bb", "1000", "bb1000"]),
        ("2023-05-07", ["2023-05-07", "2023", "05", "07"]),
        ("ab2093", ["ab2093", "ab", "2093"]),
        ("v1.2.3", ["v1.2.3", "v1", "v", "1", "2", "3"]),
        ("wang.li92@example.com", ["wang.li92@example.com", "wang", "li92", "li", "92", "exampl", "com"]),
        ("/etc/hosts.conf", ["etc/hosts.conf", "etc", "host", "conf"]),
        ("foo_bar", ["foo_bar", "foo", "bar"]),
        ("1,234.5", ["1234.5", "1234", "5"]),
        ("C++ and C#", ["c++", "c", "and", "c#", "c"]),
        ("Melanie's", ["melani"]),
        ("2019\u20132021", ["2019-2021", "2019", "2021"]),
    ],
)
def test_identifiers_stand_whole_and_in_parts(text: str, expected: list[str]):
    """Codes, versions, addresses, paths and numbers are found as a whole and by any part."""
    assert tokens(text) == expected


def test_chinese_becomes_characters_and_pairs():
    """Han runs give every character and every two neighbours, beside words of other scripts."""
    assert tokens("我对虾过敏") == ["我", "对", "虾", "过", "敏", "我对", "对虾", "虾过", "过敏"]
    assert tokens("订单号AB-2093已发") == [
        *("订", "单", "号", "订单", "单号"),
        *("ab-2093", "ab", "2093", "ab2093"),
        *("已", "发", "已发"),
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("訂單號碼 對蝦過敏", "订单号码 对虾过敏"),
        ("２０２３年ＡＢ", "2023年ab"),
        ("Café", "cafe"),
        ("ｶﾞｷﾞ", "ガギ"),
        ("\u0663\u0664", "34"),
        ("don\u2019t", "don't"),
        ("co\u00adop\u200beration", "cooperation"),
        ("مُحَمَّد", "محمد"),
        ("STRASSE", "straße"),
    ],
)
def test_spellings_that_match(one: str, other: str):
    """Traditional and simplified, wide and narrow, accented and plain, marked and bare forms give the same terms."""
    assert tokens(one) == tokens(other)


def test_sound_marks_and_vowel_signs_stay():
    """か and が are different letters; a Hindi word stays one term with its vowel signs."""
    assert tokens("か") != tokens("が")
    assert tokens("हिन्दी") == ["हिन्दी"]
    assert tokens("서울") == ["서", "울", "서울"]


@pytest.mark.parametrize(
    "words",
    [
        "make makes making made",
        "study studies studied studying",
        "run runs running ran",
        "hope hopes hoped hoping",
        "hop hopped hopping",
        "leave leaves leaving left",
        "swim swims swimming swam",
        "allergy allergies",
        "box boxes",
        "child children",
        "try tries tried trying",
        "use used using uses",
        "agree agreed agreeing agrees",
        "die died dying dies",
    ],
)
def test_forms_of_a_word_share_a_stem(words: str):
    """Plural, past and -ing forms, regular or not, meet."""
    assert len({stem(word) for word in words.split()}) == 1


def test_different_words_keep_different_stems():
    """Words that only look alike stay apart."""
    words = "hop hope car care use us red bed glass this ring king feed fee"
    assert len({stem(word) for word in words.split()}) == len(words.split())


def test_question_drops_function_words_unless_there_is_nothing_else():
    """What every text holds is not asked for, in English and Chinese; a question of nothing else keeps its words."""
    assert query_terms("What is the shoe size?") == ["shoe", "size"]
    assert {"游", "泳", "游泳"} <= set(query_terms("我什么时候游泳？"))
    assert "什么" not in query_terms("我什么时候游泳？")
    assert query_terms("Who am I?") == ["who", "be", "i"]


def test_what_names_one_thing():
    """Identifiers, long numbers and addresses do; words, small numbers and times of day don't."""
    assert all(map(names_one_thing, ["ab-2093", "2093", "a@b.c", "v1.2.3"]))
    assert not any(map(names_one_thing, ["shrimp", "self-care", "7pm", "10", "虾"]))


def test_pairs_of_characters():
    """Two characters of a script without spaces are a pair; words and single characters are none."""
    assert all(map(is_pair, ["对虾", "べる", "서울"]))
    assert not any(map(is_pair, ["虾", "ab", "2093", "对虾过"]))


def test_hostile_texts_are_read_to_their_end():
    """Long runs of joiners, quotes and marks give terms: no pattern steps back over them."""
    for unit in ("a-", "a'", "a.", "1,", "_", "a:\\", "\u0301", "我"):
        assert isinstance(tokens(unit * 200_000), list)


def test_folding_is_stable():
    """Folding what is folded changes nothing for ordinary text."""
    text = folded("Ｃａｆé 訂單 AB\u20112093")
    assert text == "cafe 订单 ab-2093"
    assert folded(text) == text
