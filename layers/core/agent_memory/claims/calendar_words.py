"""Patterns of calendar words in both languages, and what part of a date each names."""

from __future__ import annotations

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")

# "march", "may", "sun" and the like are months and days only where a capital or the word before says so
MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|apr(?:il)?|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?"
    r"|dec(?:ember)?|(?-i:Mar(?:ch)?|May(?![ ](?:I|we|you)\b))"
    r"|(?<=\bin )(?:march|may)|(?<=\blast )(?:march|may)|(?<=\bnext )(?:march|may)|(?<=\d )(?:march|may))\b\.?"
)
WEEKDAY = (
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?-i:Mon|Tues?|Wed|Thur?s?|Fri|Sat|Sun)(?![ ](?:is|was)\b))\b"
)
HAN_NUMBER = "零〇一二两三四五六七八九十"

NUMBER_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")

HALVES = {
    **dict.fromkeys(("morning", "凌晨", "清晨", "早晨", "早上", "上午", "早"), "am"),
    **dict.fromkeys(("afternoon", "evening", "night", "中午", "下午", "傍晚", "晚上", "夜里", "深夜", "半夜"), "pm"),
}
PARTS = {
    **dict.fromkeys(("morning", "清晨", "早晨", "早上", "上午"), "morning"),
    **dict.fromkeys(("noon", "midday", "中午"), "noon"),
    **dict.fromkeys(("afternoon", "下午"), "afternoon"),
    **dict.fromkeys(("evening", "night", "傍晚", "晚上", "夜里", "深夜", "半夜", "凌晨", "midnight"), "evening"),
}
SEASONS = {"summer": "summer", "winter": "winter", "autumn": "autumn", "夏": "summer", "冬": "winter", "秋": "autumn"}
SEASONS |= {"春": "spring", "springtime": "spring"}
RELATIVE = {
    "today": "day 0", "tonight": "day 0", "tomorrow": "day 1", "yesterday": "day -1",
    "今天": "day 0", "今晚": "day 0", "今早": "day 0", "明天": "day 1", "明晚": "day 1", "明早": "day 1",
    "昨天": "day -1", "昨晚": "day -1", "前天": "day -2", "大前天": "day -3", "后天": "day 2", "大后天": "day 3",
    "今年": "year 0", "明年": "year 1", "后年": "year 2", "去年": "year -1", "前年": "year -2",
}  # fmt: skip
STEPS = {
    "last": "-1", "this": "0", "next": "1", "every": "every", "each": "every",
    "上上": "-2", "上": "-1", "这": "0", "本": "0", "下": "1", "下下": "2", "每": "every",
}  # fmt: skip
UNITS = {"周": "week", "星期": "week", "礼拜": "week", "月": "month", "年": "year", "天": "day", "晚": "evening"}
