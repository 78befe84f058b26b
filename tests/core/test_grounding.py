"""Facts that their evidence holds, and the reason why the others are refused, in English and Chinese."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.extraction.grounding import refusal

SPEAKERS = ["user", "Caroline"]
DATES = ["2023-05-07"]
FACTS = """
user works night shifts | I work night shifts. | kept
user adopted a dog | We adopted a dog. | kept
用户2024年5月去了巴黎 | 嗯嗯,好的,谢谢 | words
user lives in York | I moved to York last week, no longer in Leeds. | kept
user no longer lives in Leeds | I moved to York last week, no longer in Leeds. | kept
user moved from Leeds to York | I moved to York last week, no longer in Leeds. | kept
user eats meat | I don't eat meat | polarity
user eats fish and meat | I eat fish but not meat | polarity
user is a vegetarian | I'm vegetarian. | kept
用户吃肉 | 我不吃肉 | polarity
用户不吃肉 | 我不吃肉 | kept
用户每周三晚上学习游泳 | 我每周三晚上学游泳 | kept
用户每周四晚上学游泳 | 我每周三晚上学游泳 | date
user learns swimming on Wednesday evenings | 我每周三晚上学游泳 | language
用户住在约克 | I live in York | language
user has a cat named Mia | My cat Mia is sick | kept
user has a cat named Leo | My cat Mia is sick | name
User's name is Bo | Call me Bo | kept
user has 3 cats | I have three cats | kept
user has 4 cats | I have three cats | number
user is 30 years old | I'm thirty | kept
user's SSH port is 2222 | I changed my SSH port to 2222. | kept
user's SSH port is 22 | I changed my SSH port to 2222. | number
Lena is allergic to peanuts | > Lena: I'm allergic to peanuts // Please remind me of that | kept
Tom is allergic to peanuts | > Lena: I'm allergic to peanuts // Please remind me of that | name
user ran a half marathon on 2023-05-07 | I ran my first half marathon yesterday. | kept
user ran a half marathon on May 7, 2023 | I ran my first half marathon yesterday. | kept
user ran a half marathon on 2023-06-07 | I ran my first half marathon yesterday. | date
user likes sushi | I like hiking in the mountains | words
用户的室友讨厌香菜 | 我室友受不了香菜 | kept
用户叫张伟 | 我叫张伟,是一名医生 | kept
用户是医生 | 我叫张伟,是一名医生 | kept
用户叫李娜 | 我叫张伟,是一名医生 | words
Caroline enjoys painting | I love painting | kept
user prefers tea over coffee | I prefer tea to coffee | kept
user has a meeting at 15:00 | I have a meeting at 3 pm | kept
user is not vegetarian | I'm vegetarian | polarity
user's flatmate hates coriander | My flatmate can't stand coriander | kept
user smokes | I quit smoking last year | polarity
user quit smoking | I gave up smoking last year | kept
用户養了兩隻貓 | 我养了两只猫 | kept
用户住在上海 | 我住在北京 | words
user's parrot is called Pickwick | I work night shifts. | words
user's dog is called Pickwick | My dog is a beagle | name
用户的鹦鹉叫皮皮 | 我每天上夜班 | words
user eats fish | I eat fish but not meat | kept
user has a meeting on Sunday | I have a meeting tomorrow. | kept
user has a meeting on Monday | I have a meeting tomorrow. | date
用户昨天跑了半程马拉松 | 我昨天跑了半程马拉松 | kept
用户在2023年5月7日跑了半程马拉松 | 我昨天跑了半程马拉松 | kept
用户在2023年5月8日跑了半程马拉松 | 我昨天跑了半程马拉松 | date
我很喜欢 Amy Ellis Nutt 写的书 | 我很喜欢 Amy Ellis Nutt 写的《Becoming Nicole》。 | kept
user doesn't like it | I like it | words
user is happy | 我很高兴 | language
"""


@pytest.mark.parametrize("line", FACTS.strip().splitlines())
def test_a_fact_is_kept_if_its_evidence_holds_it(line):
    """Fact, evidence and what becomes of it; the evidence's phrases resolve to 7 May 2023, a Sunday."""
    fact, evidence, expected = line.split(" | ")
    assert (refusal(fact, "user", [evidence.replace(" // ", "\n")], SPEAKERS, DATES) or "kept") == expected


def test_evidence_may_be_several_messages():
    """A fact may join them, and each may be in its own language."""
    messages = ["I have a cat.", "Her name is Mia.", "她三岁了"]
    assert refusal("user has a cat named Mia", "user", messages, SPEAKERS) is None
    assert refusal("用户的猫三岁了", "user", messages, SPEAKERS) is not None
    assert refusal("user has a cat named Mia", "user", messages[:1], SPEAKERS) == "name"


def test_the_owner_and_the_speakers_need_no_evidence():
    """Their names come from the message, not from its text."""
    assert refusal("Caroline works night shifts", "Caroline", ["I work night shifts."], ["Caroline"]) is None
    assert refusal("Melanie works night shifts", "user", ["I work night shifts."], ["user"]) == "name"


@pytest.mark.parametrize("evidence", [[], [""], ["ok"], ["嗯嗯,好的,谢谢"]])
def test_nothing_is_grounded_in_nothing(evidence):
    """Nor in a courtesy."""
    assert refusal("user went to Paris in May 2024", "user", evidence, SPEAKERS) is not None
    assert refusal("用户2024年5月去了巴黎", "user", evidence, SPEAKERS) is not None


SENTENCES = [line.split(" | ")[1] for line in FACTS.strip().splitlines() if " // " not in line]


@given(st.sampled_from(SENTENCES))
def test_a_sentence_is_grounded_in_itself(sentence):
    """Verbatim facts are never refused."""
    assert refusal(sentence, "user", [sentence], SPEAKERS) is None
