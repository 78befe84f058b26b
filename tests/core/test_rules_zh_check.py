"""Chinese sentences written before the rules were, on which the rules were never tuned: how often they are right."""

from agent_memory.extraction.rules_zh.sentences import facts_in
from tests.core.test_rules_zh_facts import rows, shown

CHECK = """
我叫陈静,今年二十八岁,住在成都 => profile/user/name/陈静 + profile/user/age/28 + profile/user/residence/成都
我姓欧阳 => profile/user/surname/欧阳
我的生日是3月14日 => profile/user/birthday/3月14日
我们去年搬到了苏州 => profile/user/residence/苏州
我来自云南 => profile/user/hometown/云南
我老家在湖南长沙 => profile/user/hometown/湖南长沙
我是日本人 => profile/user/nationality/日本
我在一家游戏公司上班 => profile/user/employer/游戏公司
我是一名儿科医生 => profile/user/job/儿科医生
我在浙江大学读书 => profile/user/school/浙江大学
我离婚了 => profile/user/marital status/离婚
我对青霉素过敏 => profile/user/allergic to 青霉素/-
我吃素 => profile/user/diet/素食
我是O型血 => profile/user/blood type/o
我身高178厘米 => profile/user/height/178厘米
我的邮箱是 chen.jing@example.com => profile/user/email/chen.jing@example.com
我的手机号换成了13900001111 => profile/user/phone/13900001111
我养了两只仓鼠 => profile/user/-/-
我把默认浏览器改成Firefox了 => profile/user/默认浏览器/firefox
我的车牌号是浙A12345 => profile/user/车牌号/浙a12345
订单号是 ZX-77410 => profile/user/订单号/zx-77410
我喜歡喝烏龍茶 => preference/user/likes 乌龙茶/-
我特别讨厌下雨天 => preference/user/likes 下雨天/-/not
我受不了榴莲的味道 => preference/user/likes 榴莲的味道/-/not
我不太爱吃甜食 => preference/user/likes 甜食/-/not
我對攝影很感興趣 => preference/user/likes 摄影/-
我最喜欢的电影是《千与千寻》 => preference/user/favourite 电影/千与千寻
我以前喜欢打篮球,现在不喜欢了 => preference/user/likes 打篮球/-/not
我已经不再喝咖啡了 => preference/user/likes 咖啡/-/not
我喜欢猫,但不喜欢狗 => preference/user/likes 猫/- + preference/user/likes 狗/-/not
我戒烟了 => preference/user/likes 烟/-/not
我辞职了 => profile/user/employer/-/not
我不住在广州了 => profile/user/residence/广州/not
小周是我大学同学 => relation/user/-/-
我老公叫赵刚 => relation/user/spouse/赵刚
我室友受不了烟味 => preference/user的室友/likes 烟味/-/not
我妈妈对海鲜过敏 => profile/user的妈妈/allergic to 海鲜/-
莉娜住在柏林 => profile/莉娜/residence/柏林
我弟弟在深圳工作 => profile/user的弟弟/workplace/深圳
我打算明年考研 => task/user/task 考研/-/planned
下周五交季度报告 => task/user/task 交季度报告/-/planned
报告我已经交了 => task/user/task 交报告/-/done
记得提醒我周四去体检 => task/user/task 去体检/-/planned
我正在学日语 => task/user/task 学日语/-/doing
周末的聚餐取消了 => task/user/task 聚餐/-/cancelled
我每周二晚上打羽毛球 => profile/user/-/-
以后都用英文回复我 => agreement/user/reply language/英文
从现在起叫我阿哲 => agreement/user/form of address/阿哲
上线前先跑一遍回归测试 => agreement/user/-/-
请不要在晚上给我打电话 => agreement/user/-/-
昨天我参加了公司的年会 => event/user/-/-
我们上个月领养了一只小猫 => event/user/-/-
我喜欢爬山,你呢? => preference/user/likes 爬山/-
你喜欢吃什么 => nothing
我是不是该搬到上海 => nothing
要是我住在海边就好了 => nothing
如果我是医生,我会去支援 => nothing
我可能对芒果过敏 => nothing
他说他讨厌香菜 => nothing
听说小张辞职了 => nothing
我喜欢这个 => nothing
我很喜欢你的新发型 => nothing
我爱你 => nothing
祝你早日找到喜欢的工作 => nothing
我想我大概会喜欢那里 => nothing
开玩笑啦,我其实是外星人 => nothing
帮我查一下明天的天气 => nothing
请问怎么去火车站 => nothing
人们都喜欢听好话 => nothing
我觉得他喜欢你 => nothing
哈哈我最讨厌上班了 => nothing
我差点搬到北京 => nothing
我希望住在有花园的房子里 => nothing
我叫了外卖 => nothing
我梦见自己是一名宇航员 => nothing
老板说“我住在香港” => nothing
你住在哪里呢 => nothing
我本来打算去西藏 => nothing
别担心,一切都会好的 => nothing
我不知道我喜欢什么 => nothing
"""


def test_facts_of_unseen_sentences_are_right():
    """At least 95 % of the facts found are expected, and 95 % of the expected ones are found."""
    wanted = {(sentence, fact) for sentence, facts in rows(CHECK) for fact in facts}
    found = {(sentence, shown(fact)) for sentence, _ in rows(CHECK) for fact in facts_in(sentence, "user")}
    assert len(wanted & found) >= 0.95 * max(len(found), len(wanted))
