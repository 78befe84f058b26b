"""What Chinese names are made of, and the English words whose capital says nothing."""

from __future__ import annotations

SURNAMES = (
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎"
    "余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文"
)
AFTER_NAME = (
    "去来吃住说在是的了和跟与给打喜爱有会要想也都很不没做买看学到过搬结离今昨明后前每下上周从被把教让请问帮告"
    "借送家生养讲写开见陪带约,.。!?;:、 |"
)
_PLACES_TEXT = """
北京 上海 天津 重庆 广州 深圳 杭州 南京 苏州 成都 武汉 西安 长沙 青岛 大连 厦门 宁波 无锡
济南 郑州 合肥 福州 昆明 贵阳 南宁 海口 三亚 哈尔滨 长春 沈阳 太原 石家庄 兰州 西宁 银川
拉萨 乌鲁木齐 呼和浩特 南昌 温州 珠海 东莞 佛山 丽江 大理 桂林 洛阳 香港 澳门 台北 高雄 台湾
广东 广西 浙江 江苏 山东 河南 河北 湖南 湖北 四川 云南 贵州 福建 安徽 江西 陕西 山西 甘肃
青海 海南 辽宁 吉林 黑龙江 内蒙古 新疆 西藏 宁夏 浦东 朝阳 海淀 徐汇 西湖 中国 美国 英国
法国 德国 日本 韩国 泰国 越南 新加坡 马来西亚 印度 俄罗斯 意大利 西班牙 葡萄牙 荷兰 瑞士 瑞典
挪威 加拿大 澳大利亚 新西兰 巴西 埃及 土耳其 希腊 伦敦 巴黎 纽约 东京 大阪 京都 首尔 曼谷
柏林 罗马 悉尼 墨尔本 多伦多 洛杉矶 旧金山 西雅图 波士顿 芝加哥 温哥华 利兹 约克 曼彻斯特
爱丁堡 都柏林 慕尼黑 米兰 马德里 巴塞罗那 莫斯科 迪拜
"""
PLACES = _PLACES_TEXT.split()

_NOT_NAMES_TEXT = """
i ok okay mr mrs ms dr prof user assistant tv pm am a.m p.m hi hello dear yes no mum mom dad ps pps btw fyi
"""
NOT_NAMES = frozenset(_NOT_NAMES_TEXT.split())
_NOT_SUBJECTS_TEXT = """
work dinner lunch breakfast coffee tea food people everyone everybody nobody someone somebody anyone life family
school traffic weather this that there here what who which where when how why he she it they we you i the a an my your
his her its our their one some any each every all both most many nothing everything something and but so or if because
now then also maybe plus time money english chinese user users dogs cats kids children
"""
NOT_SUBJECTS = frozenset(_NOT_SUBJECTS_TEXT.split())
_PERSONS_TEXT = """
i we he she they you user me us him them
"""
PERSONS = frozenset(_PERSONS_TEXT.split())
