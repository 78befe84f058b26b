"""Sentences and pieces: cut where a reader would, lose nothing, part no character."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.extraction.graphemes import break_offsets
from agent_memory.extraction.sentences import PIECE_BUDGET, chunk, cost, split_sentences

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=200)
WORDY_TEXT = st.lists(
    st.sampled_from(
        [
            "Mr. Li left. ",
            "We won! ",
            "好的。",
            "“走吧！”他说。",
            "a,b; c",
            "3.5 ",
            "\n",
            " ",
            "e\u0301",
            "👩‍👩‍👧",
            "🇩🇪🇫🇷",
            "한국",
            "x" * 9,
        ]
    ),
    max_size=40,
).map("".join)


def squeezed(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("I moved. Then I slept! Did you?", ["I moved.", "Then I slept!", "Did you?"]),
        ("Dr. Wu paid 3.50 to J. K. Rowling. Good.", ["Dr. Wu paid 3.50 to J. K. Rowling.", "Good."]),
        (
            "See https://a.example/x.y?z=1. Or mail l.m@a.example.",
            ["See https://a.example/x.y?z=1.", "Or mail l.m@a.example."],
        ),
        (
            "We eat fish, e.g. Cod. He came at 5 p.m. Then he left.",
            ["We eat fish, e.g. Cod.", "He came at 5 p.m.", "Then he left."],
        ),
        ("It took No. 5. No. I walked.", ["It took No. 5.", "No.", "I walked."]),
        ("Wait... what? So do I. Fine.", ["Wait... what?", "So do I.", "Fine."]),
        ('She said "Stop." Then "Go!" and ran.', ['She said "Stop."', 'Then "Go!"', "and ran."]),
        ("1. Milk\n2. Bread\n- tea", ["1. Milk", "2. Bread", "- tea"]),
        ("A line broken\nby its width", ["A line broken\nby its width"]),
        ("我对虾过敏。你呢？好！", ["我对虾过敏。", "你呢？", "好！"]),
        ("“走吧！”他说。我不知道……算了；再见", ["“走吧！”", "他说。", "我不知道……", "算了；", "再见"]),
        ("太好了!我们走吧.明天见", ["太好了!", "我们走吧.", "明天见"]),
        ("版本3.5已发布。价格￥9.9。", ["版本3.5已发布。", "价格￥9.9。"]),
        ("「はい。」と言った。「行こう！」", ["「はい。」と言った。", "「行こう！」"]),
        (" \n ", []),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text, sentences):
    """Abbreviations, decimals, addresses, initials and quotes in English; marks without spaces in Chinese, Japanese."""
    assert split_sentences(text) == sentences


@given(st.one_of(ANY_TEXT, WORDY_TEXT), st.integers(8, 120))
def test_chunk_loses_nothing_and_keeps_to_its_budget(text, budget):
    """The pieces in a row are the text but for white space; only a single grapheme may cost more than the budget."""
    pieces = chunk(text, budget)
    assert squeezed("".join(pieces)) == squeezed(text)
    assert all(piece == piece.strip() != "" for piece in pieces)
    assert all(cost(piece) <= budget or not break_offsets(piece) for piece in pieces)


@given(st.one_of(ANY_TEXT, WORDY_TEXT))
def test_sentences_lose_nothing(text):
    """The same holds for sentences, whatever the text."""
    assert squeezed("".join(split_sentences(text))) == squeezed(text)


@pytest.mark.parametrize(
    "unit", ["e\u0301", "👩‍👩‍👧", "👍🏽", "🇩🇪", "ก็", "क्षि", "ᄒ\u1161ᆫ", "1️⃣", "\ud83d\ude00", "か\u3099", "ｶﾞ"]
)
def test_a_hard_cut_parts_no_character(unit):
    """Marks, joined emoji, skin tones, flags, jamo, surrogate pairs: what reads as one stays in one piece."""
    pieces = chunk(unit * 40, 3 * cost(unit))
    assert len(pieces) > 1
    assert all(piece == unit * (len(piece) // len(unit)) for piece in pieces)


@pytest.mark.parametrize(("sentence", "longest"), [("This is a plain sentence. ", 800), ("我每周三晚上学游泳。", 300)])
def test_pieces_of_a_long_text_are_whole_sentences(sentence, longest):
    """About 800 Latin letters or 300 Chinese ones, cut at sentence ends only."""
    pieces = chunk(sentence * 200)
    assert all(piece.endswith(sentence.strip()) and piece.startswith(sentence[:4]) for piece in pieces)
    assert all(0.8 * longest < len(piece) <= longest for piece in pieces[:-1])


@pytest.mark.parametrize(
    ("part", "end"), [("一句没有句号的话，", "，"), ("no full stop here, ", ","), ("words ", "words")]
)
def test_an_endless_sentence_is_cut_at_commas_then_at_spaces(part, end):
    """Without a sentence end the next best place is taken."""
    assert all(piece.endswith(end) for piece in chunk(part * 400))


def test_a_short_text_is_one_piece():
    """No budget, no cut."""
    assert chunk("  One. Two.\nThree. ") == ["One. Two.\nThree."]
    assert cost("a" * 800) == PIECE_BUDGET == cost("一" * 300)


@pytest.mark.parametrize(
    "text", [" " * 20000 + "x", "." * 20000 + "x", "!" * 20000 + "x", "🇩🇪" * 5000, '。"と' * 5000, "Mr. " * 5000]
)
def test_hostile_texts_end(text):
    """Runs of marks and spaces are read once, not once for each of their characters."""
    assert squeezed("".join(chunk(text))) == squeezed(text)
