"""Chinese sentences that tell of a change, an end or a state, and more that claim nothing."""

import pytest

from agent_memory.extraction.rules_zh.sentences import facts_in
from tests.core.test_rules_zh_facts import rows, shown

FACTS = """
我不喜歡吃香菜 => preference/user/likes 香菜/-/not
現在我喜歡吃香菜了 => preference/user/likes 香菜/-
我以前讨厌香菜,但现在爱吃了 => preference/user/likes 香菜/-
我不怎么喜欢喝咖啡了 => preference/user/likes 咖啡/-/not
我搬家了,现在住在成都 => event/user/-/- + profile/user/residence/成都
我已经从上海搬到杭州了 => profile/user/residence/杭州
我上周搬到了约克,不再住利兹了 => profile/user/residence/约克
我不住在利兹了 => profile/user/residence/利兹/not
我的SSH端口改为2222 => profile/user/ssh端口/2222
SSH端口改成2222了 => profile/user/ssh端口/2222
我换手机号了,新号码是13800138000 => profile/user/phone/13800138000
我的储物柜密码这周是4417 => profile/user/储物柜密码/4417
我本周的取件码是8832 => profile/user/取件码/8832
我的打印机是X200型号 => profile/user/打印机/x200型号
我开一辆蓝色掀背车 => profile/user/car/蓝色掀背车
我每周三晚上學游泳 => profile/user/-/-
昨天我跑了人生第一個半程馬拉松 => event/user/-/-
我們領養了一隻狗 => event/user/-/-
我是素食者 => profile/user/diet/素食
莉娜對花生過敏 => profile/莉娜/allergic to 花生/-
我室友受不了香菜 => preference/user的室友/likes 香菜/-/not
我室友不吃香菜,我什么都吃 => preference/user的室友/likes 香菜/-/not
我叫王小明,英文名是Tom => profile/user/name/王小明 + profile/user/english name/tom
我朋友小陈是医生 => profile/小陈/job/医生
我下周三要去医院复查 => task/user/task 去医院复查/-/planned
我取消了周五的牙医预约 => task/user/task 牙医预约/-/cancelled
我不去北京出差了 => task/user/task 去北京出差/-/not/cancelled
报告还没交 => nothing
我已经把房租付了 => task/user/task 付房租/-/done
我不再抽烟了 => preference/user/likes 烟/-/not
我的邮箱是a@b.co,手机号收到了吗? => profile/user/email/a@b.co
我前年离婚了,别再拿这个开玩笑了 => profile/user/marital status/离婚
我住在杭州,对吗? => nothing
林海刚订婚 => nothing
我离职了,现在在家带孩子 => profile/user/employer/-/not
我升职为总监了 => profile/user/job/总监
我跟男朋友分手了 => relation/user/partner/-/not
我对乳制品过敏,所以不喝牛奶 => profile/user/allergic to 乳制品/- + preference/user/likes 牛奶/-/not
周会在周一上午十点 => fact/user/周会/周一上午十点
周会改到周二下午三点了 => fact/user/周会/周二下午三点
我的牙医预约在5月3日 => fact/user/牙医预约/5月3日
牙医预约改到5月10日了 => fact/user/牙医预约/5月10日
项目截止日期延到6月15日了 => fact/user/项目截止日期/6月15日
他的面试改到周五了 => nothing
会议是周一的事 => nothing
演出在北京 => nothing
我的经理现在是王芳 => relation/user/manager/王芳
我老板换成王芳了 => relation/user/manager/王芳
我的老板是好人 => nothing
我家搬到深圳了 => profile/user/residence/深圳
我的预算是5000元 => profile/user/预算/5000元
预算提高到8000元了 => profile/user/预算/8000元
服务器端口改成9090了 => profile/user/服务器端口/9090
我要去续签护照 => task/user/task 续签护照/-/planned
护照已经续签好了 => task/user/task 续签护照/-/done
我需要修改这段代码 => nothing
我得洗个澡 => nothing
我放弃学法语了 => task/user/task 学法语/-/cancelled
我抽烟 => preference/user/likes 烟/-
我开始吃肉了 => profile/user/diet/素食/not
我有两个孩子了 => relation/user/children/2
我现在挺喜欢下雨天的 => preference/user/likes 下雨天/-
我习惯早上六点起床 => profile/user/-/-
我们约定每周五发周报 => agreement/user/-/-
回答请简短 => nothing
"""

NOTHING = """
我喜欢你,真的
我喜欢一个人
你知道我喜欢什么颜色吗
我不是说我讨厌香菜
我讨厌你这样
我住这儿
我叫你别去
我在等你
我在家
我在路上
我在看电影
我在想我是不是该换工作
我打算怎么办
我决定不了
我要疯了
我要是你就辞职
我得说这很好
我最近很忙
我很好
我是认真的
我是说真的
我是来帮忙的
我是第一次来
我是你的粉丝
我是谁
我有个问题
我有一个朋友说他对花生过敏
我有点累
我有时候会想家
我没有不喜欢他
我不喜欢才怪
呵呵,我最爱加班了
我喜欢才怪
我爱咋地咋地
我爱国
如果你是我室友,你就知道我讨厌烟味
我妈妈可能对花粉过敏
我室友好像不喜欢我
小李是我同事吗
莉娜是不是对花生过敏
“我对花生过敏。”她说
王经理说下周五交报告
下周五交报告可以吗
提醒我的人是你
叫我怎么说呢
叫我去吃饭
别叫我
以后你会明白的
以后我会更努力
从现在起我要好好学习
每个人都喜欢钱
每天开心最重要
祝你和你老公幸福
要是能住在海边该多好
明天可能下雨
明天见
下周再聊
我上次说到哪了
我刚到家
我昨天没睡好
生活在继续
住在隔壁的人很吵
我的心碎了
我的孩子们很开心
我的生日快到了
我把这件事告诉他了
我把他当成朋友
我当你是朋友
我从来没想过
金鱼喜欢吃什么
马路对面住着一家人
高中生喜欢打游戏
白天喜欢睡觉
英国人喜欢喝茶
小狗对巧克力过敏
"""


@pytest.mark.parametrize(("sentence", "wanted"), rows(FACTS))
def test_a_change_is_told_by_its_facts(sentence, wanted):
    """The new value, the end of the old one, or the state of a task."""
    assert [shown(fact) for fact in facts_in(sentence, "user")] == wanted


@pytest.mark.parametrize("sentence", NOTHING.strip().splitlines())
def test_more_of_what_is_no_claim_yields_no_fact(sentence):
    """Names of animals and peoples, hearsay, vows, courtesies and half sentences."""
    assert facts_in(sentence, "user") == []
