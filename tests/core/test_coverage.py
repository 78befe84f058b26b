"""Which sentences are told by facts already, in English and Chinese."""

import pytest

from agent_memory.extraction.coverage import uncovered

TOLD = """
I work night shifts. | user works night shifts | told
I work night shifts. | user works | open
I have two dogs. | user has dogs | open
I have two dogs. | user has 2 dogs | told
我每周三晚上学游泳 | 用户每周三晚上学游泳 | told
我每周三晚上学游泳 | 用户学游泳 | open
I love hiking with Tom. | user loves hiking | open
I ran yesterday. | user ran on 2023-05-07 | told
I don't eat meat. | user eats meat | open
我不吃肉 | 用户不吃肉 | told
我不吃肉 | 用户吃肉 | open
Hello! | user is nice | open
I like tea. | I like tea. | told
My printer is a model X200. | user's printer is a model X200 | told
My flight is BA123. | user's flight is BA124 | open
My flight leaves at 3 pm. | user's flight leaves at 15:00 | told
我住在北京。 | 用户住在北京 | told
我住在北京。 | 用户住在上海 | open
我有两只猫。 | 用户有三只猫 | open
我有两只猫。 | 用户有2只猫 | told
I moved to York last week, so I need a new dentist. | user moved to York last week | open
"""


@pytest.mark.parametrize("line", TOLD.strip().splitlines())
def test_a_sentence_is_told_if_its_facts_have_all_of_it(line):
    """Most of its content words, and each number, name and date."""
    sentence, fact, expected = line.split(" | ")
    assert uncovered([sentence], [fact]) == ([] if expected == "told" else [0])


def test_facts_cover_a_sentence_together():
    """And the positions are those of the sentences left over."""
    sentences = ["I have a cat named Mia and a dog named Rex.", "What a day!", "我不吃肉"]
    facts = ["user has a cat named Mia", "user has a dog named Rex", "用户不吃肉"]
    assert uncovered(sentences, facts) == [1]
    assert uncovered(sentences, facts[:1]) == [0, 1, 2]
    assert uncovered(sentences, []) == [0, 1, 2]
    assert uncovered([], facts) == []
