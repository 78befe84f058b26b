"""The courtesies of English and Chinese: words that, alone or in a row, tell nothing worth remembering.

Every formula must stay empty in any combination with others: no verbs, places, times, numbers or "not" among them.
"""

from __future__ import annotations

GREETINGS = frozenset({"hi", "hey", "hello", "hiya", "heya", "morning", "afternoon", "evening", "嗨", "嘿", "好"})
"""Last words of the formulas after which a capitalised word is somebody's name."""

TAKES_ADDRESS = GREETINGS | {"thanks", "you", "thx", "bye", "night", "cheers", "again", "much", "congrats", "谢", "见"}
"""Last words of the formulas after which one of `ADDRESSES` is no answer."""

ADDRESSES = frozenset(
    {"everyone", "everybody", "guys", "all", "folks", "man", "bro", "dude", "mate", "buddy", "dear", "friend", "sir"}
    | {"my friend", "madam", "ma'am", "team", "y'all", "there"}
    | {"老 师", "老 師", "朋 友", "各 位", "大 家", "同 学", "同 學", "亲"}
)

ALONE = frozenset({"no", "不", "没", "沒"})
"""Answers that say something only together with other words: "no good", 不好."""

_ENGLISH = """
hi | hey | hello | hiya | heya | howdy | yo | hi there | hey there | hello there | greetings | welcome
welcome back | good morning | good afternoon | good evening | good night | goodnight | morning | gm | gn
nighty night | sweet dreams | how are you | how are you doing | how're you | how're you doing | how are you today
how are things | how are u | how r u | how have you been | how've you been | how you doing | how's it going
how is it going | how's everything | how's life | how are ya | how ya doing | what's up | whats up | wassup | sup
what's new | what's going on | long time no see | long time no talk | nice to see you | good to see you
great to see you | so good to see you | nice to meet you | good to hear from you | great to hear from you
nice to hear from you | good to see you again | are you there | you there | anyone there | anybody there
hope you're well | hope you are well | hope all is well | hope you're doing well | just wanted to say hi
just saying hi | i'm good | i'm fine | i am good | i am fine | doing well | all good | and you | how about you
what about you | you too | u too | same to you | likewise | thanks | thank you | thank u | thx | thnx | tnx | tks
ty | tysm | cheers | thanks a lot | thanks a bunch | thanks so much | thank you so much | thank you very much
thanks very much | many thanks | thanks a million | thanks again | thank you again | much appreciated
appreciate it | i appreciate it | really appreciate it | i really appreciate it | thanks in advance
thanks for that | thanks for your help | thank you for your help | thanks for the help | you're welcome
you are welcome | youre welcome | ur welcome | yw | no problem | no prob | np | no worries | my pleasure | anytime
any time | don't mention it | of course | glad to help | glad i could help | happy to help | yes | yeah | yea | yep
yup | yah | ya | aye | no no | oh no | no sorry | no please | nope | nah | ok | okay | okey | okie | okey dokey | kk
k | alright | all right | sure | sure thing | certainly | absolutely | definitely | totally | exactly | indeed
right | true | correct | agreed | fine | got it | gotcha | i see | i understand | understood | noted | roger
roger that | copy that | makes sense | that makes sense | sounds good | sounds great | sounds like a plan
works for me | will do | you bet | you got it | for sure | yes please | please | no thanks | no thank you
never mind | nevermind | nvm | fair enough | i know | good to know | great | good | nice | cool | awesome | amazing
wonderful | perfect | excellent | brilliant | fantastic | lovely | super | sweet | wow | whoa | yay | hooray
woohoo | woo hoo | oh | ah | um | uh | hm | hmm | huh | lol | omg | oh my god | oh wow | that's great
that's awesome | that's amazing | that's wonderful | that's cool | that's nice | that's good | that's perfect
that's fantastic | that is great | that is awesome | that's so cool | that's so nice | so cool | so nice | very nice
very good | very cool | nice one | good job | great job | well done | good one | keep it up | way to go
good for you | congrats | congratulations | good luck | best of luck | best wishes | all the best | my bad | sorry
so sorry | i'm sorry | i'm so sorry | oops | my apologies | excuse me | pardon | no need to apologize | bye
bye bye | byebye | goodbye | good bye | bye for now | cya | see ya | see you | see u | see you later | see ya later
see you soon | see ya soon | see you around | see you then | later | laters | ttyl | talk later | talk soon
chat soon | talk to you later | talk to you soon | talk to ya later | talk to ya soon | catch you later
catch you soon | until next time | catch ya later | speak soon | take care | take care of yourself | stay safe
have a good one | have a great one | brb | have a good day | have a great day | have a nice day | have a good night
have a good evening | have a great evening | have a lovely day | have a good weekend | have a great weekend
have a nice weekend | have fun | enjoy | enjoy yourself | so | well | and | very much | so much | a lot | really
too | again | then | now | just
"""

_CHINESE = """
你好 您好 你们好 你們好 大家好 哈喽 哈囉 哈罗 嗨 喂 早 早啊 早安 早上好 上午好 中午好 午安 下午好 晚上好 晚安
好久不见 好久不見 在吗 在嗎 在么 在不在 在不 在 有人吗 有人嗎 在的 我在 你在吗 你在嗎 您在吗 最近好吗 最近好嗎
最近怎么样 最近怎麼樣 你最近怎么样 你最近怎麼樣 最近如何 你怎么样 你好吗 你好嗎 你呢 您呢 近来可好 很高兴见到你
很高興見到你 很高兴认识你 很高興認識你 见到你真好 谢谢 謝謝 谢谢你 謝謝你 谢谢您 謝謝您 谢谢你们 多谢 多謝 谢了 謝了
谢啦 谢 謝 非常感谢 非常感謝 感谢 感謝 感谢你 感谢您 十分感谢 太感谢了 太谢谢了 辛苦了 辛苦 您辛苦了 你辛苦了 麻烦了
麻煩了 麻烦你了 麻烦您了 拜托了 拜託了 不客气 不客氣 别客气 別客氣 不用谢 不用謝 不谢 没事 沒事 没事的 没事儿 没关系
沒關係 没问题 沒問題 应该的 應該的 小意思 好 好的 好的呢 好吧 好啊 好呀 好嘞 好滴 好哒 好哦 好喔 好啦 好了 好好
好好好 行 行吧 行啊 行的 行了 可以 可以的 可以啊 成 嗯 嗯嗯 嗯呢 嗯哼 是 是的 是啊 是呀 是吗 是嗎 对 對 对的 對的
对啊 對啊 对呀 没错 沒錯 当然 當然 当然可以 确实 確實 的确 的確 必须的 不是 不用 不谢谢 不用了 不要 不要了 不行 不对
不了 没有 沒有 算了 真的 真的吗 真的嗎 是这样啊 这样啊 這樣啊 原来如此 原來如此 果然 知道 知道了 我知道了 知道啦
晓得了 明白 明白了 我明白了 了解 了解了 瞭解 收到 收到了 懂了 我懂了 懂 没毛病 同意 赞同 一言为定 太好了 太棒了 真棒
真好 很好 挺好 挺好的 不错 不錯 真不错 很棒 好棒 棒 厉害 厲害 真厉害 太厉害了 赞 讚 酷 太酷了 完美 绝了 加油 恭喜
恭喜恭喜 恭喜你 祝你好运 祝好运 哈哈 哈哈哈 呵呵 嘿嘿 嘻嘻 哦 哦哦 噢 喔 啊 呀 哇 哎 唉 天哪 天啊 我的天 对不起
對不起 抱歉 不好意思 打扰了 打擾了 请问 請問 请 請 再见 再見 拜 拜拜 拜拜啦 回见 回头见 回頭見 下次见 下次見 回聊
回头聊 下次聊 改天聊 晚点聊 待会儿见 一会儿见 保重 慢走 好梦 多保重 祝你一切顺利 一切顺利 玩得开心 周末愉快 那 那好
那好吧 那就好 那行 那就这样 就这样 就这样吧 先这样 先这样吧 吧 呢 啦 哟 哒 滴 老师好 老師好 老师您好 老師您好
同学们好 同學們好 各位好 朋友们好
"""


def _spaced(characters: str) -> str:
    return " ".join(characters)


FORMULAS = frozenset(
    [formula.strip() for line in _ENGLISH.strip().splitlines() for formula in line.split("|")]
    + [_spaced(formula) for formula in _CHINESE.split()]
)
LONGEST = max(formula.count(" ") + 1 for formula in FORMULAS)
