"""A conversation in two languages, where it is stored, and questions with words of the turns that answer them."""

from __future__ import annotations

STORE = {"memoryStoreName": "shop_mem"}
SCOPE = {"appId": "shop", "tenantId": "u42", "agentId": "bot", "runId": "s1"}
ANYWHERE = {**SCOPE, "agentId": "*", "runId": "*"}
SAID = [
    "I wear size 43 shoes",
    "Noted: size 43.",
    "我对虾过敏，点餐的时候请提醒我",
    "好的，我记住了您对虾过敏。",
    "我每周三晚上学游泳",
    "游泳课在哪个泳馆？",
    "在奥体中心的泳馆，教练姓周",
    "My order number is AB-2093 and it has not arrived",
    "I will ask the carrier about AB-2093.",
    "订单号 CD-7781 已经退货了",
    "退款三天内到账。",
    "Lena moves to Berlin in March for a new job",
    "Congratulations! What will she do there?",
    "She will teach chemistry at a school",
    "我的猫叫团子，今年三岁",
    "团子喜欢吃什么？",
    "它只吃鸡肉罐头",
    "My sister plays the cello in an orchestra",
    "Which orchestra is that?",
    "The city orchestra of Leipzig",
]
QUESTIONS = {
    "哪些海鲜不能吃？": "虾过敏",
    "学游泳是星期几？": "每周三",
    "AB-2093": "AB-2093",
    "Which city is Lena moving to?": "Berlin",
    "What instrument does my sister play?": "cello",
}


def turns(note: str = "") -> list[dict[str, str]]:
    """As messages, a minute apart; with a note they are other messages."""
    return [
        {
            "role": "user" if at % 2 == 0 else "assistant",
            "content": f"{text}{note}",
            "timestamp": f"2026-11-30T10:{at:02d}:00Z",
        }
        for at, text in enumerate(SAID)
    ]
