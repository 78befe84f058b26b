"""Places that Chinese sentences name without saying that they are places."""

from __future__ import annotations

import re

_CITIES = (
    "北京|上海|天津|重庆|广州|深圳|杭州|南京|苏州|成都|武汉|西安"
    "|长沙|郑州|青岛|济南|大连|沈阳|哈尔滨|长春|石家庄|太原|合肥"
    "|南昌|福州|厦门|昆明|贵阳|南宁|海口"
    "|三亚|兰州|西宁|银川|乌鲁木齐|呼和浩特|拉萨|宁波|温州|无锡"
    "|常州|东莞|佛山|珠海|中山|惠州|汕头|桂林|洛阳|烟台|威海|绍兴"
    "|嘉兴|金华|台州|扬州|徐州"
    "|香港|澳门|台北|台中|高雄|台南|新竹|新北|桃园|东京|大阪|京都"
    "|首尔|新加坡|曼谷|伦敦|巴黎|柏林|慕尼黑|罗马|米兰|马德里|巴塞罗那"
    "|阿姆斯特丹|维也纳|纽约"
    "|洛杉矶|旧金山|西雅图|芝加哥|波士顿|多伦多|温哥华|悉尼|墨尔本|硅谷|莫斯科|迪拜"
)
_PROVINCES = (
    "河北|山西|辽宁|吉林|黑龙江|江苏|浙江|安徽|福建|江西|山东|河南"
    "|湖北|湖南|广东|海南|四川|贵州|云南|陕西|甘肃|青海|台湾|内蒙古"
    "|广西|西藏|宁夏|新疆|东北|潮汕"
)
_COUNTRIES = (
    "中国|美国|英国|法国|德国|日本|韩国|加拿大|澳大利亚|澳洲|新西兰"
    "|俄罗斯|意大利|西班牙|葡萄牙|荷兰|瑞士|瑞典|挪威|丹麦|芬兰"
    "|波兰|印度|泰国|越南|马来西亚"
    "|印尼|印度尼西亚|菲律宾|巴西|阿根廷|墨西哥|埃及|土耳其|希腊"
    "|爱尔兰|奥地利|比利时|乌克兰|以色列|伊朗|巴基斯坦|南非|新加坡"
)
_COUNTRY = re.compile(rf"(?:{_COUNTRIES})")
_PLACE = re.compile(
    rf"(?:{_COUNTRIES}|{_PROVINCES}|{_CITIES})[\u4e00-\u9fff]{{0,8}}"
    rf"|[\u4e00-\u9fff]{{1,8}}(?:省|市|县|区|镇|村|乡|州|郊|小区|新区"
    rf"|街道|[路街道]\d+号)"
)


def is_country(text: str) -> bool:
    """Whether the folded text is the name of a country."""
    return _COUNTRY.fullmatch(text) is not None


def is_place(text: str) -> bool:
    """Whether the folded text is a known city, province or country, maybe with a part of it, or ends like a place."""
    return _PLACE.fullmatch(text) is not None
