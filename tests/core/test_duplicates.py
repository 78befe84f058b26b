"""Which wordings are one memory, in English and Chinese, and which only look alike."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.settlement import differences
from agent_memory.settlement.duplicates import Duplicate, duplicate_of, same_but_for_polarity

ALIKE = """
I'm vegetarian. | I am a vegetarian
I like tea | I like tea!
I like tea | I really like tea
I live in York | I live in York, UK
user works night shifts | I work night shifts.
The user likes tea | I like tea
I like tea and coffee | I like tea
I like tea, and my brother likes coffee | I like tea
On Wednesdays I swim | I swim on Wednesdays
I drink tea in the morning | In the morning I drink tea
I like playing tennis | I like to play tennis
I have lived in York | I've lived in York
I hate coriander | I can't stand coriander
I no longer smoke | I quit smoking
I'm vegeterian | I'm vegetarian
I love hiking in the mountains | I really love hiking in mountains
I work nightshifts | I work night shifts
我不吃肉 | 我不吃肉的
我喜欢爬山 | 我很喜欢爬山
用户喜欢爬山 | 我喜欢爬山
我讨厌香菜 | 我不喜欢香菜
我每周三晚上学游泳 | 每週三晚上我學游泳
用户喜欢喝黑咖啡,不加糖 | 用户喜欢喝黑咖啡，不加糖。
我有一只猫 | 我有只猫
我有3只猫 | 我有三只猫
我住在北京 | 我住北京
早上我喝茶 | 我早上喝茶
我在一家互联网公司做产品经理 | 我在互联网公司做产品经理
我喜欢茶，我哥哥喜欢咖啡 | 我喜欢茶
My printer is a model X200. | my printer is a model x200
I am living in York | I live in York
部署前先跑测试，然后再上线 | 部署前先跑测试,然后再上线。
I use a standing desk in my office with two monitors | I use a wooden standing desk in my office with two monitors
"""
APART = """
I like tea | I like teak furniture
Tom beats Anna | Anna beats Tom
我打他 | 他打我
I live in Leeds | My sister lives in Leeds
我住在北京 | 我妹妹住在北京
I drink tea every day | I drink beer every day
我喜欢喝绿茶 | 我喜欢喝红茶
I like coffee | I like coffee cake
I was a teacher | I am a teacher
I will buy milk | I bought milk
我要买牛奶 | 我买了牛奶
My cat is black | My cat is blue
I have a cat | I have a car
I live in Leeds and my sister lives in York | I live in York and my sister lives in Leeds
I swim on Monday and run on Tuesday | I run on Monday and swim on Tuesday
I fly from Leeds to York | I fly from York to Leeds
Tom lives with Anna | Anna lives with Tom
If it rains, I drink tea | I drink tea
Tom said: I like tea | I like tea
我喜欢茶 | 我喜欢茶叶蛋
我喜欢茶 | 他喜欢茶
I like tea | He likes tea
He likes tea | She likes tea
I might move to the coast | I move to the coast
I want to learn piano | I learn piano
My flatmate can't stand coriander in soup or anywhere | My flatmate's sister can't stand coriander in soup or anywhere
如果下雨,我喝茶 | 我喝茶
我哥哥比我高 | 我比我哥哥高
I prefer tea to coffee | I prefer coffee to tea
I gave Anna the book | Anna gave me the book
猫追狗 | 狗追猫
I sold my car to Tom | I bought my car from Tom
I like dogs | My dogs like me
I'm comfortable with heights | I'm uncomfortable with heights
The dog bit the man | The man bit the dog
my boss likes me | I like my boss
My SSH port is 22 | My SSH port is 2222
I ran yesterday (2023-05-07) | I ran yesterday (2023-05-14)
我以前住在北京 | 我住在北京
我在学游泳 | 我在教游泳
He owes me money | I owe him money
"""
TEXTS = sorted({text for line in (ALIKE + APART).splitlines() if line for text in line.split(" | ")})


@pytest.mark.parametrize("line", ALIKE.strip().splitlines())
def test_other_words_for_the_same_are_duplicates(line):
    """Whichever of the two is held."""
    one, other = line.split(" | ")
    assert duplicate_of(one, [other])
    assert duplicate_of(other, [one])


@pytest.mark.parametrize("line", APART.strip().splitlines())
def test_what_only_looks_alike_is_no_duplicate(line):
    """However many letters they share."""
    one, other = line.split(" | ")
    assert (duplicate_of(one, [other]), duplicate_of(other, [one])) == (None, None)


@pytest.mark.parametrize(
    ("text", "held", "expected"),
    [
        ("I like tea!", ["I like TEA"], Duplicate(0, "exact")),
        ("我喜欢喝茶。", ["别的事", "我喜欢喝茶"], Duplicate(1, "exact")),
        ("I like tea", ["I like tea, and my brother likes coffee"], Duplicate(0, "contains")),
        ("I like tea, and my brother likes coffee", ["I like tea"], Duplicate(0, "contains", tells_more=True)),
        ("I drink tea with milk in bed", ["I run", "I drink tea in bed with milk"], Duplicate(1, "jaccard")),
        ("每周三晚上我去学游泳", ["我每周三晚上去学游泳。"], Duplicate(0, "contains")),
        ("I'm vegeterian", ["I'm vegetarian"], Duplicate(0, "levenshtein")),
        ("I like tea", ["I really like tea", "I like tea"], Duplicate(1, "exact")),
        ("", ["", "I like tea"], None),
        ("。。", ["!!"], None),
        ("I like tea", [], None),
    ],
)
def test_the_strictest_rule_that_holds_is_named(text, held, expected):
    """Of the first of the others for which it holds."""
    assert duplicate_of(text, held) == expected


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("I like coriander", "I don't like coriander", True),
        ("I smoke", "I quit smoking", True),
        ("I smoke", "I used to smoke", True),
        ("现在我喜欢吃香菜了", "我不喜欢吃香菜", True),
        ("我有车", "我没有车", True),
        ("I like tea", "I don't like coffee", False),
        ("I eat meat twice a week", "I don't eat meat", False),
        ("I like tea", "I really like tea", False),
        ("Tom likes tea", "Anna doesn't like tea", False),
    ],
)
def test_a_reversal_is_the_same_sentence_denied(one, other, expected):
    """And nothing else of it may differ."""
    assert same_but_for_polarity(one, other) is expected
    assert same_but_for_polarity(other, one) is expected


@given(st.sampled_from(TEXTS), st.sampled_from(TEXTS))
def test_duplicates_are_symmetric_and_never_differ(one, other):
    """Of any two texts; only which tells more depends on the order."""
    found, turned = duplicate_of(one, [other]), duplicate_of(other, [one])
    assert (found is None) == (turned is None)
    if found and turned:
        assert found.rule == turned.rule
        assert differences.differs(one, other) is None
        assert not (found.tells_more and turned.tells_more)


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=60))
def test_a_text_is_its_own_duplicate(text):
    """If it has a letter or digit at all."""
    found = duplicate_of(text, [text])
    assert found == (Duplicate(0, "exact") if found else None)
    assert found or not any(character.isalnum() for character in text)
