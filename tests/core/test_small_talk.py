"""Small talk gives nothing; everything else is kept."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.extraction.small_talk import says_something


@pytest.mark.parametrize(
    "text",
    [
        *("", "   \n", "...", "？！", "👍", "👩‍👩‍👧 🎉!!", ";)", "<3", "Thanks! :D <3"),
        *("Hi", "Hey Mel!", "Hi Mel, how are you?", "Hello everyone!", "heyyy", "Good morning", "What’s up?"),
        *(
            "ok",
            "Yes.",
            "No",
            "Yep!",
            "okkk",
            "Sure, sounds good!",
            "No problem.",
            "Got it, thanks",
            "I see...",
            "ＯＫ",
        ),
        *("Ok, thanks! Talk to you soon", "Thanks, Melanie! You too! Take care.", "Thank you so much 🙏", "thx"),
        *("haha", "LOL", "Hmm", "Wow!", "That's great!", "Congrats!", "Bye! See you later", "Have a great day!"),
        *(
            "嗯嗯,好的,谢谢",
            "哈哈好的",
            "在吗",
            "你好！",
            "早上好",
            "谢谢你",
            "收到",
            "不客气～",
            "嗯",
            "好",
            "不",
            "是的",
            "哈哈哈哈哈",
        ),
        *(
            "好的，谢谢老师",
            "嘿 Mel！你最近怎么样？",
            "好的ok",
            "謝謝！",
            "太好了！",
            "晚安，好梦",
            "没问题，辛苦了",
            "知道了",
            "再见",
        ),
    ],
)
def test_courtesies_say_nothing(text):
    """Greetings, thanks, agreement, laughter, farewells, alone or several in a row, in both languages."""
    assert not says_something(text, ["Melanie", "Caroline"])


@pytest.mark.parametrize(
    "text",
    [
        *(
            "Thanks, I moved to York",
            "no, I'm allergic to nuts",
            "Hi, I'm Lena",
            "Yes, Paris.",
            "Ok, Tuesday",
            "Thanks, Tuesday",
        ),
        *(
            "Hello World project is done",
            "No good",
            "not great",
            "ok 5",
            "88",
            "Lena",
            "friend",
            "everyone",
            "I definitely will!",
        ),
        *(
            "See you tomorrow. Bye!",
            "Happy birthday!",
            "Good morning, my flight is late",
            "Hey, May works",
            "No nuts please",
        ),
        *(
            "好的,我周三去上海",
            "谢谢，我搬到北京了",
            "你好，我叫小林",
            "不好",
            "没在",
            "老师",
            "我对虾过敏",
            "嗯，三点",
            "哈哈我离职了",
        ),
        *("是的，我是素食者", "明天见", "不吃香菜", "行，北京", "ありがとう、東京に引っ越した", "Спасибо, я переехал"),
    ],
)
def test_whatever_adds_a_word_is_kept(text):
    """A word, name or number that no courtesy has makes the message worth keeping."""
    assert says_something(text, ["Melanie", "Caroline"])


def test_a_name_is_a_courtesy_only_for_those_present():
    """To call a participant by name or short form says nothing; another name may be the answer."""
    assert not says_something("Thanks, Mel! Bye Caroline", ["Melanie", "Caroline"])
    assert says_something("Thanks, Mel! Bye Caroline", ["Lena"])
    assert says_something("Caroline", ["Caroline"])
    assert says_something("Yes, car", ["Caroline"])


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_is_judged(text):
    """No text raises, and one without letters or digits never says anything."""
    assert says_something(text) in (True, False)
    assert not says_something("".join(character for character in text if not character.isalnum()))
