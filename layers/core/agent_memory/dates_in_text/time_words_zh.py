"""The pattern of Chinese time phrases. Its named groups say which kind was found and with what in it.

Chinese has no spaces, so what stands around a word can make it another one: 以前|天天, 今后|天气, 说明|天气, 晚上|周末,
日本|周边, 过去|年代, 这周一|起 and 这周|一起. The lookarounds hold those that are common; a doubtful one is left alone.
"""

from __future__ import annotations

import re

from agent_memory.dates_in_text.numerals_zh import DIGITS

_MONTH_NUMBER = "1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九]"
_DAY_NUMBER = rf"\d{{1,2}}|[{DIGITS}]{{1,3}}"
_WEEK = "(?: [周週] | 星期 | [礼禮]拜 )"
_THIS = "这 | 這 | (?<![日根基剧劇书書课課成资資原版样樣])本"
_PART_OF_DAY = """(?:
    早上 | 早晨 | 清晨 | 凌晨 | 上午 | 中午 | 下午 | 傍晚 | 晚上 | 夜里 | 半夜 | 一早
    | (?<=[早晚])上 (?![班课课学车街网台])
)?"""
_PART_OF_MONTH = "(?: 初(?![一二三中次级級恋]) | 底(?![层部]) | 末 | [上中下]旬 )?"

_DAY = rf"""(?P<day>
    大前天
    | (?<![以之目提当當眼午门門空从從睡饭飯课課]) 前[天晚] (?![气氣空色])
    | 昨[天日晚夜儿]
    | (?<![年月]的)(?<![如当當]) 今[天日晚早晨夜儿] (?!头条|頭條)
    | (?<![聪聰文光透]) 明[天日晚早] (?! [气氣](?!温|溫) | [空然堂真] )
    | 大[后後]天
    | (?<![先今以之然最日前午雨饭飯学學课課睡]) [后後]天 (?![气氣空色黑亮性赋賦])
) {_PART_OF_DAY}"""

_WEEKDAY = f"""(?P<weekday>
    一(?![起直定样樣共下些家]) | [二三四五六](?![天个個级級]) | 日(?![程期常记記子]) | 天(?![气氣])
) {_PART_OF_DAY}"""
_WEEKS = f"""(?P<week>
    上上 | 下下
    | (?<![以早晚马馬路楼樓手地网網线線身世加赶趕遇碰爱愛])上
    | (?<![以如楼樓天地底手乡鄉私当當之])下
    | {_THIS}
) 一?[个個]? {_WEEK} (?: {_WEEKDAY} | (?P<weekend>末) | (?![期年边邊围圍转轉全密折岁歲]) )"""

_MONTHS = rf"""(?P<month>
    (?: 上上 | 下下 | (?<![以早晚马馬网網])上一? | (?<![以如乡鄉])下一? )[个個]?
    | [这這][个個]
    | (?<![日根基剧劇书書课課成资資原版样樣])本
) 月 (?![亮球饼餅光色台牙经經]) (?: (?P<month_day>{_DAY_NUMBER})[号號日] | {_PART_OF_MONTH} )"""

_YEARS = rf"""(?P<year>
    大前年
    | (?<![以之目年从從生史空当當提]) 前年
    | (?<![过過死失]) 去年
    | (?<![如当當至]) 今年
    | 明年
    | (?<![以之今战戰年月建国國然最]) [后後]年
) (?![龄齡轻輕代纪紀]) (?:
    的?(?P<year_month>{_MONTH_NUMBER})月份? (?: (?P<year_day>{_DAY_NUMBER})[号號日] | {_PART_OF_MONTH} )
    | 年?(?: 底(?![层部]) | 初(?![一二三中次级級恋]) | 末 )
    | [春夏秋冬][天季]
)?"""

_COUNTED = rf"""(?<![\d.,第几幾数數多{DIGITS}])
(?P<count> \d{{1,3}} | [{DIGITS}]{{1,5}} )
(?P<unit> 天 | 年 | [个個]月 | [个個]?{_WEEK} ) [以之]?
(?P<way> 前(?![后後面边邊台]) | [后後](?![面边邊台悔]) )"""

PHRASE = re.compile(f"{_DAY} | {_WEEKS} | {_MONTHS} | {_YEARS} | {_COUNTED}", re.VERBOSE)
