"""English rules on sentences that were written down before the rules and never served to tune them."""

from agent_memory.extraction.rules_en.sentences import facts_in

_KEPT = """
I absolutely adore gardening. | preference user: likes gardening
I can't bear horror films. | preference user: not likes horror film
My favorite author is Ursula Le Guin. | preference user: favourite author = ursula le guin
Honestly, I'm not really a fan of reality TV. | preference user: not likes reality tv
I’m really into climbing these days. | preference user: likes climbing
I've always loved jazz. | preference user: likes jazz
I prefer tea to coffee. | preference user
My mum hates flying. | preference user's mum: not likes flying
Priya loves spicy food. | preference Priya: likes spicy food
I don't like mushrooms at all. | preference user: not likes mushroom
I no longer enjoy running. | preference user: not likes running
My name is Tomasz. | profile user: name = tomasz
I'm 42 years old. | profile user: age = 42
My birthday is on 14 March. | profile user: birthday = 14 march
I relocated to Cardiff in May. | profile user: residence = cardiff
I'm based in Lyon. | profile user: residence = lyon
I'm originally from Ghana. | profile user: hometown = ghana
I used to live in Madrid, but now I live in Porto. | profile user: residence = porto
I don't live in Boston anymore. | profile user: not residence = boston
I work as a paramedic. | profile user: job = paramedic
I started a new job at Siemens last month. | profile user: employer = siemens
I quit my job at the bakery. | profile user: not employer = bakery
I'm a pescatarian. | profile user: diet = pescatarian
I'm lactose intolerant. | profile user: allergic to lactose
My son is allergic to penicillin. | profile user's son: allergic to penicillin
I have type 1 diabetes. | profile user: condition type 1 diabetes
We have a cat called Miso. | profile user: pet miso = cat
I've got three kids. | profile user: children = three
I got divorced two years ago. | profile user: marital status = divorced
I'm 180 cm tall. | profile user: height = 180 cm
My email address is bo@example.org. | profile user: email = bo@example.org
My wifi network is called Orchard. | profile user: wifi network = orchard
I updated my phone number to 07700 900123. | profile user: phone = 07700 900123
My brother works at Nokia. | profile user's brother: employer = nokia
I drive an old red pickup. | profile user: car = old red pickup
I quit smoking in January. | profile user: not habit smoking
Marta is my sister. | relation user
My husband's name is Olek. | relation user: spouse = olek
I need to renew my passport before June. | task user: task renew passport [planned]
Remind me to water the plants tomorrow. | task user: task water plants [planned]
I'm planning to repaint the kitchen next weekend. | task user: task repaint kitchen [planned]
I've submitted the tax return. | task user: task submit tax return [done]
I cancelled the dentist appointment. | task user: task dentist appointment [cancelled]
From now on, answer in German. | agreement user: reply language = german
Please call me Jo. | agreement user: form of address = jo
Never use emojis in your replies. | agreement user
Before merging, wait for the review. | agreement user
I broke my wrist last Sunday. | event user
We visited my grandparents on Saturday. | event user
My cousin got engaged yesterday. | event user's cousin
Do you like sushi? |
I'd love a cup of tea. |
I love it! |
I love your new haircut. |
I like the idea of that. |
I might move to Oslo. |
If I lived in Rome, I'd eat pasta daily. |
I wish I had a dog. |
I could murder a curry. |
Oh great, I just love traffic jams, said nobody ever. |
Maybe I'm allergic to cats. |
I think I like chess. |
She said "I hate olives". |
He told me that he works at Intel. |
Can you remind me what my job is? |
I'm all over the place today. |
I'm dead tired. |
I feel like a zombie. |
Everyone loves pizza. |
People from Spain eat late. |
I hope to visit Peru one day. |
I've got to go now. |
I have to say, that was brilliant. |
I'll keep you posted. |
I can't wait! |
I'm so happy for you. |
Never mind. |
Always happy to help. |
I was kidding, I live on Mars. |
My goodness, that is lovely. |
My guess is that it will rain. |
You must be a great cook. |
I'm not sure I like olives. |
Show me how to sort a list. |
I went through your message. |
"""


def shown(sentence: str) -> list[str]:
    """The facts of a sentence as the tables write them."""
    lines = []
    for fact in facts_in(sentence, "user"):
        claim = f"{'not ' * fact.negated}{fact.attribute or ''}{f' = {fact.value}' if fact.value else ''}"
        line = f"{fact.kind} {fact.owner}{': ' * bool(claim)}{claim}{f' [{fact.state}]' if fact.state else ''}"
        lines.append(line)
    return lines


def counted(table: str) -> tuple[int, int, int, list[str]]:
    """Right, wrong and missed facts of a table, and a line for each sentence that is not as the table says."""
    right, wrong, missed, differences = 0, 0, 0, []
    for row in table.strip().splitlines():
        sentence, _, expected = (part.strip() for part in row.partition("|"))
        wanted = [claim.strip() for claim in expected.split(";")] if expected else []
        found = shown(sentence)
        right += len(set(found) & set(wanted))
        wrong += len(set(found) - set(wanted))
        missed += len(set(wanted) - set(found))
        if sorted(found) != sorted(wanted):
            differences.append(f"{sentence}: {found}, not {wanted}")
    return right, wrong, missed, differences


def test_kept_sentences_are_read_right():
    """At least as right and complete as first measured: 46 of 49 facts right, 46 of 50 found, none in 30 others."""
    right, wrong, missed, differences = counted(_KEPT)
    assert (right >= 46, wrong <= 3, missed <= 4) == (True, True, True), differences
