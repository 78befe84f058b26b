"""Polarity, numbers, dates and names that two texts differ in, in English and Chinese, and paraphrases that don't."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.settlement.differences import differences, differs

SAME = """
I'm vegetarian. | I am a vegetarian
我不吃肉 | 我不吃肉的
我不吃肉 | 我是不吃肉的
I don't like tea | I dislike tea
I do not dislike tea | I like tea
I hate coriander | I can't stand coriander
I no longer smoke | I quit smoking
I no longer smoke | I don't smoke anymore
I eat no meat | I don't eat meat
我讨厌香菜 | 我不喜欢香菜
我不是不喜欢香菜 | 我喜欢香菜
我没有车 | 我没车
我有一只猫 | 我有只猫
I have a dog | I have one dog
I have 3 cats | I have three cats
我有3只猫 | 我有三只猫
我每周三晚上学游泳 | 我每週三晚上學游泳
I swim on Wednesday | On Wednesday I swim
I swim on wednesdays | I swim every Wednesday
The meeting is at 3 pm | The meeting is at 15:00
会议在下午三点 | 会议在15点
I live in York | I live in York, UK
我住在北京 | 我住北京
我住在北京市 | 我住在北京
user works night shifts | I work night shifts.
I'm 30 | I am thirty years old
My SSH port is ２２２２ | my ssh port is 2222
Tom likes tea | tom likes tea
我叫张伟 | 我的名字是张伟
Don't forget to buy milk | Remember to buy milk
I love hiking | I really love hiking
我很喜欢爬山 | 我喜欢爬山
No, I like tea | I like tea
我不得不去 | 我必须去
The order AB-2093 shipped | the order AB2093 shipped
Usually I drink tea | I usually drink tea
他特别喜欢猫 | 他喜欢猫
I don't smoke and I drink | I drink and I don't smoke
I started running | I run
我开始跑步了 | 我跑步
I'm not only tired but hungry | I'm tired and hungry
I live in Leeds. | i live in leeds
My name is Bo | my name is Bo.
User is allergic to peanuts | I'm allergic to peanuts.
I don't eat pork or beef | I do not eat pork or beef.
I haven't been to Paris | I have not been to Paris
I can't swim | I cannot swim
I cant swim | I can't swim
Nobody in my family smokes | No one in my family smokes
我沒有養貓 | 我没有养猫
我的生日是3月5日 | 我的生日是三月五号
我的生日是三月五日 | 我的生日是3月5號
My birthday is March 5 | My birthday is 5 March
My birthday is March 5th | my birthday is on the 5th of March
meeting at 2:30pm | meeting at 14:30
我每天早上七点起床 | 我每天早上7点起床
我早上7:00起床 | 我早上七点起床
I get up at seven in the morning | I get up at 7 am
I earn $5,000 | I earn 5000 dollars
我有１００块 | 我有100块
I weigh 70 kg | I weigh 70 kilograms
I have a twelve-year-old son | I have a 12-year-old son
别忘了买牛奶 | 记得买牛奶
我不能不去 | 我得去
我没问题 | 没问题
我喜欢吃辣 | 我爱吃辣
我受不了香菜 | 我讨厌香菜
I avoid gluten | I don't eat gluten
My sister Anna is a nurse | My sister, Anna, is a nurse.
I use VS Code | i use vs code
Nothing beats coffee | nothing beats coffee
I'm not a smoker | I am no smoker
我是素食主义者 | 我是素食主义者。
他叫王小明 | 他的名字是王小明
我不是很喜欢运动 | 我不喜欢运动
The shop isn't open | The shop is closed
I'm not married | I'm unmarried
I am used to cold weather | I'm used to cold weather
I still live in York | I live in York now
I don't mind spicy food | I don't mind spicy food at all
I prefer tea to coffee | I prefer tea over coffee
I like tea more than coffee | I like tea more than coffee!
"""
DIFFERENT = """
I eat meat | I don't eat meat | polarity
I live in Leeds | I no longer live in Leeds | polarity
I like tea | I dislike tea | polarity
I love coriander | I can't stand coriander | polarity
I like tea | I hate tea | polarity
I don't eat meat but I eat fish | I eat meat but I don't eat fish | polarity
I like tea, not coffee | I like coffee, not tea | polarity
I like tea but not coffee | I like coffee but not tea | polarity
tea with sugar | tea without sugar | polarity
I started smoking | I stopped smoking | polarity
Dogs are allowed | Dogs are forbidden | polarity
I never drink | I drink | polarity
I smoke | I used to smoke | polarity
The light is on | The light is off | polarity
It is safe | It is unsafe | polarity
I take pills before meals | I take pills after meals | polarity
我喜欢香菜 | 我不喜欢香菜 | polarity
现在我喜欢吃香菜了 | 我不喜欢吃香菜 | polarity
我喜歡香菜 | 我討厭香菜 | polarity
我抽烟 | 我不再抽烟 | polarity
我抽烟 | 我戒烟了 | polarity
我有车 | 我没有车 | polarity
别给我打电话 | 给我打电话 | polarity
未婚 | 已婚 | polarity
无糖可乐 | 有糖可乐 | polarity
我喜欢茶不喜欢咖啡 | 我喜欢咖啡不喜欢茶 | polarity
我喜欢茶,讨厌咖啡 | 我喜欢咖啡,讨厌茶 | polarity
饭前吃药 | 饭后吃药 | polarity
允许养狗 | 禁止养狗 | polarity
我非素食者 | 我是素食者 | polarity
I ran 5 km | I ran 5 m | number
AB-2093 | AB-2094 | number
My SSH port is 22 | I changed my SSH port to 2222 | number
I have two cats | I have three cats | number
I have a dog | I have two dogs | number
我三十岁 | 我三十一岁 | number
我有两只猫 | 我有三只猫 | number
门牌号是３０ | 门牌号是31 | number
第一名 | 第二名 | number
I go on Monday | I go on Tuesday | date
我周三游泳 | 我周四游泳 | date
两点半开会 | 三点半开会 | date
两点半开会 | 两点开会 | date
I moved in May | I moved in June | date
born in 1990 | born in 1991 | date
The meeting is at 3 pm | The meeting is at 3 am | date
我上周去了 | 我下周去 | date
I live in Leeds | I live in York | name
Tom beats Anna | Lena beats Anna | name
I live in Leeds | Tom lives in Leeds | name
My friend Tom Smith | My friend Tom Jones | name
我叫张伟 | 我叫李娜 | name
我住在北京 | 我住在上海 | name
我搬到杭州了 | 我搬到苏州了 | name
我去王小明家 | 我去王小红家 | name
小李喜欢茶 | 小王喜欢茶 | name
我用Vim | 我用Emacs | name
我跟张伟去吃饭 | 我跟李娜去吃饭 | name
I use SSH | I use FTP | name
York is nice | New York is nice | name
Don't call me Bob | Call me Bob | polarity
Do not deploy on Fridays | Deploy on Fridays | polarity
I have never been to Japan | I have been to Japan | polarity
I'm allergic to nuts | I'm not allergic to nuts | polarity
None of my friends smoke | All of my friends smoke | polarity
I lost the match | I won the match | polarity
I passed the exam | I failed the exam | polarity
I sold my car | I bought a car | polarity
I'm married | I'm divorced | polarity
I'm married | I am not married | polarity
I accepted the offer | I declined the offer | polarity
I can swim | I can't swim | polarity
I don't think I like tea | I think I like tea | polarity
I hardly ever drink | I often drink | polarity
我会游泳 | 我不会游泳 | polarity
我同意 | 我不同意 | polarity
我结婚了 | 我离婚了 | polarity
我能吃辣 | 我不能吃辣 | polarity
我从不喝酒 | 我喝酒 | polarity
我还没吃饭 | 我吃饭了 | polarity
我不想去 | 我想去 | polarity
我是医生 | 我不是医生 | polarity
我从来没去过日本 | 我去过日本 | polarity
周末不用加班 | 周末要加班 | polarity
我考试通过了 | 我考试没通过 | polarity
別打給我 | 打給我 | polarity
我勿食猪肉 | 我食猪肉 | polarity
房间未打扫 | 房间已打扫 | polarity
我房子卖了 | 我房子买了 | polarity
I have two brothers | I have 3 brothers | number
My flat is on the second floor | My flat is on the third floor | number
The password hint is 0042 | The password hint is 0043 | number
I wake at 6:30 | I wake at 6:45 | date
I was born in May 1990 | I was born in May 1991 | date
My flight is BA123 | My flight is BA124 | number
I drink three cups | I drink 4 cups | number
10% off | 20% off | number
version 1.2.3 | version 1.2.4 | number
I run 5 km | I run 5 miles | number
192.168.0.1 | 192.168.0.2 | number
call me at 555-1234 | call me at 555-1235 | number
我住三楼 | 我住四楼 | number
我有两个孩子 | 我有三个孩子 | number
我每天跑五公里 | 我每天跑十公里 | number
工资八千 | 工资九千 | number
我的门牌号是12号 | 我的门牌号是13号 | date
我今年二十五岁 | 我今年二十六岁 | number
房租3000元 | 房租3500元 | number
早上七点起床 | 早上八点起床 | date
下午三点 | 上午三点 | date
一月 | 二月 | date
星期一 | 星期二 | date
2023年 | 2024年 | date
去年 | 今年 | date
明天开会 | 后天开会 | date
My birthday is in June | My birthday is in July | date
I moved last year | I moved this year | date
see you tomorrow | see you today | date
I swim in the morning | I swim in the evening | date
I swim on Mon | I swim on Tue | date
Next Monday | Last Monday | date
on 5 March 2024 | on 6 March 2024 | date
My sister Anna | My sister Lena | name
I work at Google | I work at Amazon | name
Anna likes jazz | Lena likes jazz | name
Tom's dog is ill | Anna's dog is ill | name
I was born in China | I was born in Japan | name
my manager is Priya | my manager is Rahul | name
我老家在四川 | 我老家在湖南 | name
我在腾讯上班 | 我在阿里上班 | name
我来自广州 | 我来自深圳 | name
我姓王 | 我姓李 | name
我同事张伟 | 我同事李强 | name
我跟小王吃饭 | 我跟小李吃饭 | name
我男朋友叫阿杰 | 我男朋友叫阿明 | name
我的猫叫咪咪 | 我的猫叫花花 | name
我去东京出差 | 我去大阪出差 | name
我搬到了海淀区 | 我搬到了朝阳区 | name
My dog is called Rex | My dog is called Max | name
I speak French | I speak German | name
I like Python | I like Java | name
"""
PAIRS = [tuple(line.split(" | ")) for line in (SAME + DIFFERENT).splitlines() if line]
TEXTS = sorted({text for pair in PAIRS for text in pair[:2]})
NUMBERED = sorted(text for text in TEXTS if any(character in "0123456789" for character in text))


@pytest.mark.parametrize("line", SAME.strip().splitlines())
def test_a_paraphrase_does_not_differ(line):
    """Whichever of the two comes first."""
    one, other = line.split(" | ")
    assert (differences(one, other), differences(other, one)) == ((), ())


@pytest.mark.parametrize("line", DIFFERENT.strip().splitlines())
def test_another_fact_differs(line):
    """In what the table says, whichever of the two comes first."""
    one, other, what = line.split(" | ")
    assert (differs(one, other), differs(other, one)) == (what, what)


@given(st.sampled_from(TEXTS), st.sampled_from(TEXTS))
def test_differences_are_symmetric(one, other):
    """Of any two texts."""
    assert differences(one, other) == differences(other, one)


@given(st.text(max_size=80))
def test_nothing_differs_from_itself(text):
    """Whatever the text, and in full-width letters too."""
    assert differs(text, text) is None


@given(st.data())
def test_another_digit_always_differs(data):
    """One digit of a number, date or identifier."""
    text = data.draw(st.sampled_from(NUMBERED))
    place = data.draw(st.sampled_from([place for place, character in enumerate(text) if character in "0123456789"]))
    digit = data.draw(st.sampled_from([each for each in "0123456789" if each != text[place]]))
    assert differs(text, text[:place] + digit + text[place + 1 :]) is not None


@given(st.from_regex("[A-Z]{2,4}-[0-9]{3,6}", fullmatch=True), st.from_regex("[A-Z]{2,4}-[0-9]{3,6}", fullmatch=True))
def test_identifiers_differ_unless_equal(one, other):
    """In both languages."""
    assert (differs(f"我的订单号是{one}", f"我的订单号是{other}") is None) == (one == other)
    assert (differs(f"My order is {one}.", f"My order is {other}.") is None) == (one == other)


@pytest.mark.parametrize("digits", ["9" * 40, "零" * 9_000, "九亿" * 3_000, "1,000" * 2_000])
def test_very_long_numbers_are_compared_as_well(digits):
    """Without a limit to their length."""
    assert differs(f"code {digits}", f"code {digits}") is None
    assert differs(f"code {digits}", "code 7") == "number"


def test_a_last_digit_counts_in_a_long_number():
    """Nothing is rounded."""
    assert differs(f"code {'9' * 40}", f"code {'9' * 39}8") == "number"
    assert differs("card 4111111111111111", "card 4111111111111112") == "number"
