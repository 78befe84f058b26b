"""The texts and owners of facts in Chinese sentences, and sentences of any length."""

import pytest

from agent_memory.extraction.facts import IMPORTANCE
from agent_memory.extraction.rules_zh.sentences import facts_in


@pytest.mark.parametrize(
    ("sentence", "texts"),
    [
        ("我叫李明，住在杭州。", ["我叫李明", "我住在杭州"]),
        ("其实，我喜歡喝烏龍茶！", ["我喜歡喝烏龍茶！"]),
        ("我喜欢爬山，你呢？", ["我喜欢爬山"]),
        ("上周末，我去了黄山，天气很好。", ["上周末，我去了黄山，天气很好。"]),
        ("但是我妈妈对花粉过敏", ["我妈妈对花粉过敏"]),
        ("我住在杭州，我在阿里上班", ["我住在杭州", "我在阿里上班"]),
        ("我喜欢跑步和游泳", ["我喜欢跑步和游泳", "我喜欢跑步和游泳"]),
    ],
)
def test_a_text_is_a_part_of_the_sentence_with_its_subject(sentence, texts):
    """It is all of the sentence only where that claims one thing and asks nothing."""
    found = [fact.text for fact in facts_in(sentence, "user")]
    assert found == texts
    assert all(text in sentence or text.removeprefix("我") in sentence for text in found)


def test_the_speaker_owns_what_is_said_of_me_and_names_their_kin():
    """我 is the speaker by name; 我室友 is the speaker's flatmate; a third party is called as written."""
    owners = [facts_in(text, "Caroline")[0].owner for text in ("我喜欢陶艺", "我室友喜欢陶艺", "莉娜喜欢陶艺")]
    assert owners == ["Caroline", "Caroline的室友", "莉娜"]


def test_full_width_and_traditional_forms_have_the_keys_of_the_common_ones():
    """Attributes and values meet whatever the writing."""
    ours, theirs = (facts_in(text, "user")[0] for text in ("我把ＳＳＨ端口改成２２２２了", "我把SSH端口改成2222了"))
    assert (ours.attribute, ours.value) == (theirs.attribute, theirs.value) == ("ssh端口", "2222")


def test_importance_stays_in_the_range_of_the_kind_and_health_is_at_its_top():
    """An allergy matters more than a car."""
    allergy, car = (facts_in(text, "user")[0] for text in ("我对花生过敏", "我开一辆蓝色的特斯拉"))
    assert allergy.importance == IMPORTANCE["profile"][1]
    assert car.importance in range(IMPORTANCE["profile"][0], allergy.importance)


@pytest.mark.parametrize(
    "unit", ["我", "的", "我的", "我住在杭州，", "以后都", "李", "莉", "过 ", "“", "…", "😀", " ", "1,"]
)
def test_a_long_sentence_is_read_without_facts_longer_than_a_memory(unit):
    """8,000 characters of anything."""
    assert all(len(fact.text) <= 200 for fact in facts_in(unit * (8000 // len(unit)), "user"))


@pytest.mark.parametrize("sentence", ["", " ", "。", "，，，", "\n", "\u0000", "\ud83d", "我", "我是", "我的是"])
def test_a_sentence_of_nothing_yields_nothing(sentence):
    """Empty, broken and cut-off ones."""
    assert facts_in(sentence, "user") == []
