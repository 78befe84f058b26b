"""Words for numbers and units in both languages."""

from __future__ import annotations

_SMALL = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth"
SMALL = {word: value for value, word in enumerate(_SMALL.split())}
TENS = {word: 10 * value for value, word in enumerate(_TENS.split(), 2)}
SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000, "dozen": 12}
ORDINALS = {word: value for value, word in enumerate(_ORDINALS.split(), 1)}
TIMES = {"twice": "2", "thrice": "3"}

HAN_DIGITS = {character: value for value, character in enumerate("〇一二三四五六七八九")} | {"零": 0, "两": 2}
HAN_SCALES = {"十": 10, "百": 100, "千": 1_000}
HAN_MYRIADS = {"万": 10_000, "亿": 100_000_000}

MEASURES = (
    "个只次位名本件张条间层楼台部辆杯瓶口人家双对把颗份篇首站级班路倍成届盒包箱棵朵顿遍趟门节章页行列排栋座所匹头"
    "天月周年岁元块分秒米升克斤度种股套支根粒片场集季轮局票"
)
NOT_NUMBERS = (
    "千万(?=[别不要记])|万一|十分(?!钟|之)|统一|唯一|三明治|四川|九寨|百度|百货|一百万个|十全十美|千千万万|三心二意"
    "|一(?=[起直定样些般下共旦致切向会边时再方]|点(?![钟半整])|家人|次性|个人)"
)

_UNITS = """
km: km kilometre kilometres kilometer kilometers 公里 千米
m: m metre metres meter meters 米
cm: cm centimetre centimetres centimeter centimeters 厘米
mm: mm millimetre millimetres millimeter millimeters 毫米
mile: mile miles mi 英里
kg: kg kilo kilos kilogram kilograms 公斤 千克
g: g gram grams 克
mg: mg milligram milligrams 毫克
lb: lb lbs pound pounds 磅
jin: 斤
l: l litre litres liter liters 升
ml: ml millilitre millilitres milliliter milliliters 毫升
%: % percent per_cent
$: $ dollar dollars usd 美元 美金
€: € euro euros eur 欧元
£: £ gbp 英镑
¥: ¥ yuan rmb cny 元 块 块钱 人民币
h: h hr hrs hour hours 小时 个小时 钟头 个钟头
min: min mins minute minutes 分钟
s: s sec secs second seconds 秒 秒钟
d: d day days 天
week: week weeks 周 个星期 星期 个礼拜 礼拜
month: month months 个月
y: y yr yrs year years 年 岁
deg: degree degrees ° ℃ °c 度
kb: kb
mb: mb
gb: gb
tb: tb
"""
UNITS = {
    word.replace("_", " "): unit.strip()
    for unit, _, words in (line.partition(": ") for line in _UNITS.strip().splitlines())
    for word in words.split()
}
