"""Chinese sentences that claim something of somebody, and what the rules find in them."""

import pytest

from agent_memory.extraction.facts import Fact
from agent_memory.extraction.rules_zh.sentences import facts_in

FACTS = """
我叫李明,住在杭州,在阿里上班 => profile/user/name/李明 + profile/user/residence/杭州 + profile/user/employer/阿里
我叫莉娜 => profile/user/name/莉娜
我的名字是Anna Chen => profile/user/name/anna chen
我今年30岁了 => profile/user/age/30
我三十五岁,单身 => profile/user/age/35 + profile/user/marital status/单身
我生日是1990年5月20日 => profile/user/birthday/1990年5月20日
我住在上海浦东新区 => profile/user/residence/上海浦东新区
我搬到北京了 => profile/user/residence/北京
我已经不在腾讯上班了 => profile/user/employer/腾讯/not
我以前住在北京,现在住在深圳 => profile/user/residence/深圳
我不住北京,住在天津 => profile/user/residence/北京/not + profile/user/residence/天津
我離開了臺北 => profile/user/residence/台北/not
我是四川人 => profile/user/hometown/四川
我在谷歌当产品经理 => profile/user/employer/谷歌 + profile/user/job/产品经理
我现在是自由职业者 => profile/user/job/自由职业者
我不当老师了 => profile/user/job/老师/not
我退休了 => profile/user/job/退休
我换工作了 => event/user/-/-
我在复旦大学读研究生 => profile/user/school/复旦大学
我学计算机专业 => profile/user/major/计算机
我结婚了 => profile/user/marital status/已婚
我还没结婚 => profile/user/marital status/未婚
我對蝦過敏 => profile/user/allergic to 虾/-
我花粉过敏 => profile/user/allergic to 花粉/-
我对牛奶不过敏了 => profile/user/allergic to 牛奶/-/not
我有高血压 => profile/user/-/-
我是素食主义者 => profile/user/diet/素食
我不再吃素了 => profile/user/diet/素食/not
我血型是AB型 => profile/user/blood type/ab
我身高一米七五,体重70公斤 => profile/user/height/一米七五 + profile/user/weight/70公斤
我電話是0912345678 => profile/user/phone/0912345678
我开一辆蓝色的特斯拉 => profile/user/car/蓝色的特斯拉
我养了一只橘猫 => profile/user/-/-
我的SSH端口是22 => profile/user/ssh端口/22
我把SSH端口改成了2222 => profile/user/ssh端口/2222
我的门牌号是302 => profile/user/门牌号/302
我的微信号换成了lm_2024 => profile/user/微信号/lm_2024
我的订单号是 AB-2093,收货地址在杭州西湖区 => profile/user/订单号/ab-2093 + profile/user/收货地址/杭州西湖区
我把密码管理器换成1Password了 => profile/user/密码管理器/1password
我每周三晚上学游泳 => profile/user/-/-
我每天早上六点跑步 => profile/user/-/-
我母语是粤语 => profile/user/language/粤语
我怕狗 => profile/user/afraid of 狗/-
我不喜欢吃香菜 => preference/user/likes 香菜/-/not
现在我喜欢吃香菜了 => preference/user/likes 香菜/-
我最爱喝美式咖啡 => preference/user/likes 美式咖啡/-
我偏爱靠窗的座位 => preference/user/likes 靠窗的座位/-
我真的很讨厌开会 => preference/user/likes 开会/-/not
我對爵士樂沒興趣 => preference/user/likes 爵士乐/-/not
我不再喜欢吃辣了 => preference/user/likes 辣/-/not
我不吃猪肉 => preference/user/likes 猪肉/-/not
我喜欢跑步和游泳 => preference/user/likes 跑步/- + preference/user/likes 游泳/-
我喜欢和家人一起做饭 => preference/user/likes 和家人一起做饭/-
我最喜欢的颜色是绿色 => preference/user/favourite 颜色/绿色
我的爱好是摄影 => preference/user/likes 摄影/-
比起咖啡,我更喜欢茶 => preference/user/-/-
我戒酒了 => preference/user/likes 酒/-/not
我把咖啡戒了 => preference/user/likes 咖啡/-/not
我超爱吃火锅 => preference/user/likes 火锅/-
我迷上了攀岩 => preference/user/likes 攀岩/-
小李是我同事 => relation/user/-/-
Tom是我哥哥 => relation/user/-/-
我老婆叫王芳 => relation/user/spouse/王芳
我有两个女儿 => relation/user/-/-
我和小雅分手了 => relation/user/partner/小雅/not
我妈是护士 => profile/user的妈妈/job/护士
我室友受不了香菜 => preference/user的室友/likes 香菜/-/not
我媽媽對花粉過敏 => profile/user的妈妈/allergic to 花粉/-
莉娜对花生过敏 => profile/莉娜/allergic to 花生/-
我同事小张不吃辣 => preference/小张/likes 辣/-/not
张伟在北京工作 => profile/张伟/workplace/北京
我准备下个月去日本旅行 => task/user/task 去日本旅行/-/planned
我明天要交论文 => task/user/task 交论文/-/planned
我得在周五前提交简历 => task/user/task 提交简历/-/planned
提醒我明天下午三点开会 => task/user/task 开会/-/planned
别忘了提醒我买牛奶 => task/user/task 买牛奶/-/planned
我已经提交了签证申请 => task/user/task 提交签证申请/-/done
我把报告交了 => task/user/task 交报告/-/done
签证已经办好了 => task/user/task 办签证/-/done
我取消了去西藏的计划 => task/user/task 去西藏/-/cancelled
明天的会议取消了 => task/user/task 会议/-/cancelled
我不打算买车了 => task/user/task 买车/-/not/cancelled
我正在准备雅思考试 => task/user/task 准备雅思考试/-/doing
正在排查登录令牌过早过期的问题 => nothing
以后都用中文回答 => agreement/user/reply language/中文
从现在起叫我小王 => agreement/user/form of address/小王
叫我Bo就行 => agreement/user/form of address/bo
部署前先跑测试 => agreement/user/-/-
以后不要用表情符号 => agreement/user/-/-
每次提交代码前都要先跑lint => agreement/user/-/-
请始终用表格回答 => agreement/user/-/-
以後請用繁體中文回覆我 => agreement/user/reply language/繁体中文
昨天我跑了人生第一个半马 => event/user/-/-
我们领养了一只狗 => event/user/-/-
上周末,我去了黄山 => event/user/-/-
我去年从浙大毕业了 => profile/user/-/-
我爸爸上个月做了心脏手术 => event/user的爸爸/-/-
我昨天没去上班 => nothing
我喜歡爬山,但是不喜歡露營 => preference/user/likes 爬山/- + preference/user/likes 露营/-/not
其实,我是左撇子 => profile/user/-/-
我20岁,在华为实习 => profile/user/age/20 + profile/user/employer/华为
我在南京长大 => profile/user/hometown/南京
我是土生土长的北京人 => profile/user/hometown/北京
我刚搬来厦门不久 => profile/user/residence/厦门
我家住在海淀区 => profile/user/residence/海淀区
我现居伦敦 => profile/user/residence/伦敦
我在互联网公司做后端开发 => profile/user/employer/互联网公司 + profile/user/job/后端开发
我是个程序员 => profile/user/job/程序员
我的职业是律师 => profile/user/job/律师
我上大三 => nothing
我女朋友是韩国人 => profile/user的女朋友/nationality/韩国
我男朋友在银行上班 => profile/user的男朋友/employer/银行
我爸今年60岁 => profile/user的爸爸/age/60
我女儿叫小雨 => relation/user/-/-
我家猫叫团子 => nothing
我乳糖不耐受 => profile/user/-/-
我有哮喘 => profile/user/-/-
我被诊断出抑郁症 => profile/user/-/-
我对花生严重过敏 => profile/user/allergic to 花生/-
我不吃香菜 => preference/user/likes 香菜/-/not
我从来不喝酒 => preference/user/likes 酒/-/not
我超喜欢看科幻电影 => preference/user/likes 科幻电影/-
我对历史特别感兴趣 => preference/user/likes 历史/-
我特别爱喝奶茶 => preference/user/likes 奶茶/-
我现在不爱吃甜的了 => preference/user/likes 甜的/-/not
我有点讨厌下雨 => preference/user/likes 下雨/-/not
我更喜欢坐靠过道的位置 => preference/user/-/-
蓝色是我最喜欢的颜色 => preference/user/favourite 颜色/蓝色
我把手机换成iPhone 15了 => profile/user/手机/iphone 15
我的Wi-Fi密码是abc12345 => profile/user/wi-fi密码/abc12345
我的航班是MU5101 => profile/user/航班/mu5101
我的收货地址改成上海市徐汇区了 => profile/user/收货地址/上海市徐汇区
我下个月要去泰国旅游 => task/user/task 去泰国旅游/-/planned
我计划年底前考完驾照 => task/user/task 考完驾照/-/planned
明天提醒我给妈妈打电话 => task/user/task 给妈妈打电话/-/planned
我已经买好机票了 => task/user/task 买机票/-/done
我最近在学吉他 => task/user/task 学吉他/-/doing
我每天睡前看半小时书 => profile/user/-/-
我们每年春节都回老家 => profile/user/-/-
以后请叫我老张 => agreement/user/form of address/老张
以后回答我的问题都用英文 => agreement/user/-/-
以后别再给我推荐恐怖片了 => agreement/user/-/-
从今天开始,每次回答都要附上来源 => agreement/user/-/-
合并代码之前必须有两个人评审 => agreement/user/-/-
我昨天跟朋友去看了演唱会 => event/user/-/-
我上周丢了钱包 => event/user/-/-
我三年前去过冰岛 => event/user/-/-
我考上研究生了 => event/user/-/-
我儿子昨天过了五岁生日 => event/user的儿子/-/-
我去年结的婚 => nothing
我不再是学生了 => profile/user/job/学生/not
我和前妻离婚了 => relation/user/spouse/-/not
小王是我室友,他喜欢打游戏 => relation/user/-/-
陈老师是我的导师 => relation/user/-/-
我同事对猫毛过敏 => profile/user的同事/allergic to 猫毛/-
Lena不喜欢吃鱼 => preference/Lena/likes 鱼/-/not
我奶奶住在农村 => profile/user的奶奶/residence/农村
我住在杭州,不过下个月要搬到上海 => profile/user/residence/杭州 + task/user/task 搬到上海/-/planned
我的体重是65公斤 => profile/user/weight/65公斤
我戒糖了 => preference/user/likes 糖/-/not
我不养狗 => nothing
我以前养过一只猫 => event/user/-/-
"""


def rows(table: str) -> list[tuple[str, list[str]]]:
    """Sentences with what is expected of them, as `shown` writes it."""
    pairs = [line.split(" => ") for line in table.strip().splitlines()]
    return [(sentence, [] if wanted == "nothing" else wanted.split(" + ")) for sentence, wanted in pairs]


def shown(fact: Fact) -> str:
    """kind/owner/attribute/value, then what else holds."""
    flags = ["not"] * fact.negated + [fact.state] * (fact.state is not None)
    return "/".join([fact.kind, fact.owner, fact.attribute or "-", fact.value or "-", *flags])


@pytest.mark.parametrize(("sentence", "wanted"), rows(FACTS))
def test_a_sentence_yields_its_facts(sentence, wanted):
    """Kind, owner, attribute, value, negation and state of each."""
    assert [shown(fact) for fact in facts_in(sentence, "user")] == wanted
