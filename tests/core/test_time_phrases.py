"""Time phrases: resolved against the message's own time, in UTC, and left alone where they are unclear."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.dates_in_text.numerals_zh import number
from agent_memory.dates_in_text.time_phrases import annotate, resolve
from agent_memory.times import FIRST_MS, LAST_MS, parse_rfc3339

MAY_8 = parse_rfc3339("2023-05-08T13:56:00Z")

MONDAY = parse_rfc3339("2023-05-08T13:56:00Z")


def dates(text, said=MONDAY):
    return [phrase.date for phrase in resolve(text, said)]


MEANINGS = """
today = 2023-05-08 | Tonight! = 2023-05-08 | this morning = 2023-05-08 | Yesterday's game = 2023-05-07
last night = 2023-05-07 | tomorrow night = 2023-05-09 | the day before yesterday = 2023-05-06
the day after tomorrow = 2023-05-10 | 3 days ago = 2023-05-05 | a month ago = 2023-04 | ten years ago = 2013
two weeks ago = 2023-04-24 to 2023-04-30 | two days from now = 2023-05-10 | I'll be back in two days = 2023-05-10
My exam is in a month = 2023-06 | last week = 2023-05-01 to 2023-05-07 | next month = 2023-06 | this year = 2023
last weekend = 2023-05-06 to 2023-05-07 | next weekend = 2023-05-20 to 2023-05-21 | last Friday = 2023-05-05
this Friday = 2023-05-12 | next friday = 2023-05-19 | last Monday = 2023-05-01 | last May = 2022-05
next May = 2024-05 | last March = 2023-03 | this May = 2023-05 | 我today去 = 2023-05-08 | 今天气温 = 2023-05-08
昨晚 = 2023-05-07 | 前天 = 2023-05-06 | 大前天 = 2023-05-05 | 我说明天去 = 2023-05-09 | 後天 = 2023-05-10
上周 = 2023-05-01至2023-05-07 | 下周末 = 2023-05-20至2023-05-21 | 本周 = 2023-05-08至2023-05-14
上周三 = 2023-05-03 | 下個禮拜五 = 2023-05-19 | 上上个星期天 = 2023-04-30 | 这周一起去 = 2023-05-08至2023-05-14
下周一开会 = 2023-05-15 | 三天前 = 2023-05-05 | 两周前 = 2023-04-24至2023-04-30 | 3个月前 = 2023-02
十年前 = 2013 | 一百二十天前 = 2023-01-08 | 三天后去上海 = 2023-05-11 | 去年 = 2022 | 明年三月 = 2024-03
去年3月5号 = 2022-03-05 | 大前年 = 2020 | 上个月 = 2023-04 | 下个月3号 = 2023-06-03 | 本月底 = 2023-05
2026-03-05 = 2026-03-05 | 5th of May 2023 = 2023-05-05 | May 5, 2023 = 2023-05-05 | in Sept. 2022 = 2022-09
3月5日 = 2023-03-05 | 2022年十二月 = 2022-12 | 2022年12月25日 = 2022-12-25 | 二月二十号 = 2023-02-20
"""
PRECISION_OF_LENGTH = {10: "day", 7: "month", 4: "year"}


@pytest.mark.parametrize("row", [row.strip() for line in MEANINGS.strip().splitlines() for row in line.split("|")])
def test_a_phrase_means_one_date(row):
    """Said on Monday, 8 May 2023; weeks are ranges without a precision."""
    text, date = row.split(" = ")
    expected = (date, PRECISION_OF_LENGTH.get(len(date)))
    assert [(phrase.date, phrase.precision) for phrase in resolve(text, MONDAY)] == [expected]


UNCLEAR = """
todayish | usa-today.com | @yesterday | #today | may | sun | second | Tomorrowland | on Monday | in May
in the next 5 minutes | over the last year | my last week at work | the last week of May | last may be
a few years ago | a couple of days ago | about two weeks ago | 2-3 days ago | two or three days ago
1.5 years ago | I read it in two days | more than ten years ago | 5000 years ago | 2023-13-45 | 05/03/2026
Feb 30, 2023 | this weekend was quiet | 这个周末很安静 | > Lena: I was ill yesterday | 以前天天跑步 | 今后天气
说明天气 | 晚上周末 | 日本周边 | 这周围 | 过去年代 | 如今天气 | 这个月亮 | 饭后天黑 | 半年前 | 几天前 | 三四天前
十几年前 | 大约三年前 | 2020年前 | 第三天前 | 两天前后 | 周三 | 三月 | 12月25日 | 手术三天后出院 | 三天后他就走了
聪明天真 | 提前天
"""


@pytest.mark.parametrize("text", [text.strip() for line in UNCLEAR.strip().splitlines() for text in line.split("|")])
def test_unclear_phrases_are_left_alone(text):
    """Other words that look like it, durations, rough counts, and dates whose year is open."""
    assert dates(text) == []


def test_the_day_is_that_of_the_message_in_utc():
    """Not the server's clock, and not the sender's offset."""
    assert dates("yesterday", parse_rfc3339("2026-03-29T01:30:00+02:00")) == ["2026-03-27"]


def test_dates_stand_behind_their_phrases():
    """English with a space, Chinese without; an absolute date and one that is dated already stay as they are."""
    english = "I ran my first half marathon yesterday, on May 7, 2023; last week's (2023-05-01) too."
    chinese = "我昨天去了医院，上周三上午也去了"
    assert annotate(english, resolve(english, MONDAY)) == english.replace("yesterday", "yesterday (2023-05-07)")
    assert annotate(chinese, resolve(chinese, MONDAY)) == "我昨天(2023-05-07)去了医院，上周三上午(2023-05-03)也去了"


@pytest.mark.parametrize(("said", "kept"), [(FIRST_MS, "tomorrow"), (LAST_MS, "yesterday")])
def test_dates_outside_the_calendar_are_skipped(said, kept):
    """Years before 1 and after 9999 have no date, other phrases of the same text do."""
    text = "yesterday tomorrow"
    assert [text[phrase.start : phrase.end] for phrase in resolve(text, said)] == [kept]
    assert dates("last week last month last year 上周 去年 in 3 weeks 99年前 三天前", FIRST_MS) == []
    assert dates("next week next month next year 下周 明年 next Friday 后天", LAST_MS) == []
    assert dates("yesterday", LAST_MS + 1) == dates("today", FIRST_MS - 1) == []


PARTS = st.sampled_from(
    [
        "yesterday",
        "last",
        "next",
        "this",
        "week",
        "May",
        "in",
        "two",
        "days",
        "ago",
        " ",
        "(",
        "-",
        ",",
        "'s",
        "İ",
        "ſ",
        "９９",
        "昨天",
        "上",
        "下",
        "个",
        "周",
        "三",
        "月",
        "年",
        "前",
        "后",
        "去年",
        "十",
        "百",
        "日",
        "号",
        "2023",
        "-02-",
        "30",
        "\n>",
    ]
)


@given(
    st.one_of(st.text(st.characters(exclude_categories=())), st.lists(PARTS, max_size=30).map("".join)),
    st.one_of(st.integers(FIRST_MS, LAST_MS), st.integers()),
)
def test_any_text_resolves_in_order(text, said):
    """Nothing raises; spans lie inside the text, in order, without overlap; annotating takes nothing away."""
    phrases = resolve(text, said)
    bounds = [bound for phrase in phrases for bound in (phrase.start, phrase.end)]
    assert bounds == sorted(bounds)
    assert all(0 <= phrase.start < phrase.end <= len(text) for phrase in phrases)
    rest = iter(annotate(text, phrases))
    assert all(character in rest for character in text)


@pytest.mark.parametrize(
    ("text", "value"),
    [("两", 2), ("十", 10), ("十二", 12), ("二十", 20), ("一百零三", 103), ("12", 12), ("１２", 12)]
    + [(text, None) for text in ("三四", "百", "十十", "零", "", "三零")],
)
def test_chinese_numerals(text, value):
    """Below a thousand; what is not one number is none."""
    assert number(text) == value


@pytest.mark.parametrize(
    ("text", "date", "precision"),
    [
        ("I moved here in 2015.", "2015", "year"),
        ("2015年我搬到这里", "2015", "year"),
        ("since 2019, we live here", "2019", "year"),
        ("The party is on May 30", "2023-05-30", "day"),
        ("We go on 3rd of June", "2023-06-03", "day"),
        ("Born 3 May 1990", "1990-05-03", "day"),
    ],
)
def test_years_and_days_of_the_year_are_dates(text, date, precision):
    """A day without a year is the near one; a year alone is as precise as it says."""
    (phrase,) = resolve(text, MAY_8)
    assert (phrase.date, phrase.precision, phrase.relative) == (date, precision, False)


@pytest.mark.parametrize(
    "text", ["I may 3 times", "March 5 miles", "90年代", "1990年代", "2026年前", "in 2015-16", "on December 24"]
)
def test_what_only_looks_like_a_date_is_none(text):
    """Nor is a day that may be of either year."""
    assert resolve(text, MAY_8) == []
