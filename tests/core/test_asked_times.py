"""The times that a question names: what is read, what is left alone, and that no text is too much."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.retrieval.asked_times import AskedTime, asked_times
from agent_memory.times import FIRST_MS, LAST_MS
from tests.core.little_index import NOW


def written(time: AskedTime) -> str:
    if time.first is not None:
        return f"{time.first}..{time.last}"
    if time.month is None:
        return str(time.year)
    day = "" if time.day is None else f"-{time.day:02d}"
    return f"{time.year or 'any'}-{time.month:02d}{day}"


def asked(question: str, now_ms: int = NOW) -> list[str]:
    return [written(time) for time in asked_times(question, now_ms)]


MEANINGS = """
What happened in March? = any-03 | since early june = any-06 | mid-June = any-06 | september = any-09
march 3 = any-03-03 | on 5 May = any-05-05 | the 5th of March = any-03-05 | Jan. 5 = any-01-05 | jan 5 = any-01-05
may 2022 = 2022-05 | sept 3rd, 2022 = 2022-09-03 | Sept. 2022 = 2022-09 | May 5th, 2022 = 2022-05-05
2023-05-07 = 2023-05-07 | 2023/05/07 = 2023-05-07 | in June 2019 or 2020 = 2019-06
December 2021 and January 2022 = 2021-12 2022-01 | May 5 or May 5 = any-05-05
in 2019 = 2019 | from 2019 to 2021 = 2019 2021 | in the summer of 2022 = 2022
yesterday = 2023-05-07 | last May = 2022-05 | last week = 2023-05-01..2023-05-07
two weeks ago = 2023-04-24..2023-04-30
三月去了哪里 = any-03 | 三月份 = any-03 | 十一月 = any-11 | 十二月 = any-12 | 3月5日 = any-03-05 | 3月5號 = any-03-05
五月五日 = any-05-05 | 二月二十号 = any-02-20 | 2022年3月 = 2022-03 | 2022 年 3 月 5 日 = 2022-03-05
去年 = 2022 | 去年三月 = 2022-03 | 上个月 = 2023-04 | 上周 = 2023-05-01..2023-05-07 | 2019年的夏天 = 2019
２０２３年５月１０日 = 2023-05-10 | ５月 = any-05 | Ｍａｙ　５ = any-05-05 | １９９９ = 1999
Feb 30 = any-02-30 | 2月30日 = any-02-30 | 3月99日 = any-03 | May 0 = any-05 | 32 May = any-05 | 2023年13月 = 2023
"""


@pytest.mark.parametrize("row", [row.strip() for line in MEANINGS.strip().splitlines() for row in line.split("|")])
def test_what_a_phrase_means(row: str) -> None:
    """On Monday, 8 May 2023. Without a year every year fits; a year alone counts where nothing closer is named."""
    question, times = row.split(" = ")
    assert asked(question) == times.split()


NONE = """
May I ask | you may go | we march on | the march | janet 5 | mark 5 | room 2023-7 | version 1999.2 | order 20231 | 18999
3个月 | 3個月 | 三个月 | 三四月 | 13月 | 0月 | 十三月 | 二十月 | 岁月 | 月亮 | 2023-02-30 | 你好 |
"""


@pytest.mark.parametrize("question", [text.strip() for line in NONE.strip().splitlines() for text in line.split("|")])
def test_what_names_no_time(question: str) -> None:
    """Words and numbers that only look like a month, a year or a date, and dates that no calendar has."""
    assert asked(question) == []


def test_phrases_count_from_the_moment_of_the_question() -> None:
    """Outside of the years 1 to 9999 only dates are left."""
    assert asked("yesterday", NOW - 86_400_000) == ["2023-05-06"]
    for moment in (FIRST_MS - 1, LAST_MS + 1):
        assert asked("last week, yesterday, 昨天 or in May 2022", moment) == ["2022-05"]
    assert asked("yesterday", FIRST_MS) == asked("tomorrow", LAST_MS) == []


WORDS = """
2023 2024 -02- 30 / . , 年 月 日 号 個 十 三 二十 12 ９９ May march Sept. 5th of in last next week ago 上 周 去年 前
yesterday 3月5日 2023-05-07
"""
PIECES = st.sampled_from([*WORDS.split(), " ", "\n> ", "\u3000"])


@given(st.text(st.characters(exclude_categories=())) | st.lists(PIECES, max_size=30).map("".join), st.integers())
def test_any_text_can_be_asked(question: str, now_ms: int) -> None:
    """Nothing raises; what is found is distinct, and its months and days exist."""
    times = asked_times(question, now_ms)
    assert len(set(times)) == len(times)
    for time in times:
        assert (time.first is None) == (time.last is None)
        assert time.first is None or time.last is None or time.first <= time.last
        assert time.month is None or 1 <= time.month <= 12
        assert time.day is None or 1 <= time.day <= 31


HOSTILE = {
    "digits": "1" * 8_192,
    "days": "1 " * 4_096,
    "days of": "1 of " * 1_638,
    "spaces": "in" + " " * 8_187 + "may",
    "day and spaces": "3" + " " * 8_190 + "x",
    "year and spaces": "2023" + " " * 8_188,
    "prepositions": "in " * 2_730,
    "months": "may " * 2_048,
    "dates": "3 march 2023, " * 585,
    "last": "last " * 1_638,
    "years": "2020 年 " * 1_170,
    "chinese dates": "2020年1月1日" * 910,
    "counts": "一" * 8_192,
    "tens": "十" * 8_192,
    "months ago": "3个月前" * 1_638,
    "up": "上" * 8_192,
    "ligatures": "\ufdfa" * 8_192,
}


@pytest.mark.parametrize("question", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_questions_end(question: str) -> None:
    """Of the greatest length allowed, made of what patterns begin with; one that backtracks would never be done."""
    assert len(asked_times(question, NOW)) < 10
