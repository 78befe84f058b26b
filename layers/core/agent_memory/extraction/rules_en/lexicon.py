"""The words that the English rules know: kinship, occupations, nationalities, conditions, places of meaning."""

from __future__ import annotations


def _alternatives(words: str) -> str:
    """A regular expression for any of the words, the longest first."""
    return "|".join(sorted((word.strip() for word in words.split("|")), key=len, reverse=True))


SPOUSE = _alternatives("wife|husband|spouse")
PARTNER = _alternatives("girlfriend|boyfriend|partner|fiancé|fiancée|fiance|fiancee")
KIN = _alternatives(
    f"{SPOUSE}|{PARTNER}|brother|sister|mother|father|mum|mom|mummy|mommy|dad|daddy|son|daughter|kid|child|baby|toddler"
    "|grandma|grandmother|grandpa|grandfather|granny|nan|gran|granddad|grandad|aunt|auntie|uncle|cousin|niece|nephew"
    "|mother-in-law|father-in-law|brother-in-law|sister-in-law|mother in law|father in law|brother in law"
    "|sister in law"
    "|son-in-law|daughter-in-law|stepmother|stepfather|stepmum|stepmom|stepdad|stepson|stepdaughter|stepbrother"
    "|stepsister|half-brother|half-sister|godfather|godmother|grandson|granddaughter|twin|ex|ex-wife|ex-husband"
)
PERSON = _alternatives(
    f"{KIN}|best friend|friend|flatmate|flat mate|roommate|room mate|housemate|colleague|coworker|co-worker|boss"
    "|manager"
    "|supervisor|neighbour|neighbor|teacher|tutor|coach|landlord|landlady|doctor|dentist|therapist|teammate|classmate"
    "|mentor|assistant|intern|business partner|cofounder|co-founder|pen pal|trainer|bandmate|team lead|girl|boy"
)
PEOPLE = frozenset(
    {"kids", "children", "parents", "sons", "daughters", "brothers", "sisters", "siblings", "grandparents", "twins"}
    | {"grandkids", "grandchildren", "in-laws", "cousins", "nephews", "nieces", "boys", "girls", "flatmates"}
)
OCCUPATION = _alternatives(
    "nurse|doctor|teacher|engineer|developer|programmer|lawyer|solicitor|barrister|accountant|chef|cook"
    "|waiter|waitress"
    "|barista|bartender|paramedic|firefighter|police officer|pilot|driver|mechanic|electrician|plumber|carpenter"
    "|architect|designer|writer|author|journalist|editor|translator|interpreter|photographer|musician|singer|dancer"
    "|actor|actress|artist|painter|sculptor|scientist|researcher|professor|lecturer|librarian|pharmacist|dentist|vet"
    "|veterinarian|surgeon|therapist|counsellor|counselor|psychologist|psychiatrist|physiotherapist|consultant"
    "|analyst|manager|project manager|product manager|director|salesperson|sales rep|cashier|receptionist|secretary"
    "|administrator|clerk|farmer|gardener|florist|baker|butcher|tailor|hairdresser|barber|beautician|cleaner|janitor"
    "|security guard|soldier|officer|judge|politician|banker|economist|statistician|mathematician|physicist|chemist"
    "|biologist|geologist|technician|welder|builder|bricklayer|roofer|decorator|surveyor|estate agent|realtor"
    "|flight attendant|sailor|fisherman|social worker|midwife|carer|caregiver|nanny|babysitter|tutor|coach|trainer"
    "|instructor|personal trainer|yoga teacher|data scientist|software engineer|web developer|student|phd student"
    "|freelancer|entrepreneur|ceo|cto|founder|intern|apprentice|postman|courier|taxi driver|bus driver|truck driver"
    "|lorry driver|train driver|undertaker|zookeeper|lifeguard|stay-at-home mum|stay-at-home mom|stay-at-home dad"
    "|housewife|retiree|sysadmin|devops engineer|copywriter|illustrator|animator|recruiter|optician|radiographer"
)
DEMONYM = _alternatives(
    "American|British|English|Scottish|Welsh|Irish|Canadian|Australian|French|German|Italian|Spanish|Portuguese|Dutch"
    "|Belgian|Swiss|Austrian|Swedish|Norwegian|Danish|Finnish|Icelandic|Polish|Czech|Slovak|Hungarian|Romanian"
    "|Bulgarian|Greek|Turkish|Russian|Ukrainian|Serbian|Croatian|Slovenian|Bosnian|Albanian|Estonian|Latvian"
    "|Lithuanian|Chinese|Japanese|Korean|Vietnamese|Thai|Filipino|Indonesian|Malaysian|Singaporean|Indian|Pakistani"
    "|Bangladeshi|Nepali|Iranian|Persian|Iraqi|Israeli|Egyptian|Moroccan|Algerian|Tunisian|Nigerian|Ghanaian|Kenyan"
    "|Ethiopian|South African|Mexican|Brazilian|Argentinian|Chilean|Colombian|Peruvian|Venezuelan|Cuban|Taiwanese"
)
LANGUAGE = _alternatives(
    f"{DEMONYM}|Mandarin|Cantonese|Hindi|Urdu|Bengali|Punjabi|Tamil|Telugu|Arabic|Hebrew|Farsi|Swahili|Latin|Catalan"
    "|Basque|Gaelic|Esperanto|sign language|Tagalog|Malay|simplified Chinese|traditional Chinese"
)
DIET = _alternatives("vegan|vegetarian|pescatarian|flexitarian|veggie|omnivore|fruitarian|keto|gluten-free|gluten free")
CONDITION = _alternatives(
    "diabetes|asthma|epilepsy|coeliac disease|celiac disease|crohn's disease|arthritis|migraine|migraines|adhd|autism"
    "|dyslexia|depression|insomnia|hypertension|high blood pressure|low blood pressure|anaemia|anemia|eczema"
    "|psoriasis|hay fever|tinnitus|scoliosis|endometriosis|multiple sclerosis|ibs|ptsd|ocd|hypothyroidism|cancer"
    "|a heart condition|a pacemaker|sleep apnea|sleep apnoea|vertigo|osteoporosis|fibromyalgia|parkinson's"
)
CONDITION_ADJECTIVE = _alternatives(
    "diabetic|asthmatic|epileptic|coeliac|celiac|dyslexic|autistic|colour-blind|color-blind|colour blind|color blind"
    "|deaf|blind|pregnant|short-sighted|nearsighted|farsighted|bipolar|hypothyroid|anaemic|anemic"
)
PET = _alternatives(
    "dog|cat|puppy|kitten|rabbit|bunny|hamster|guinea pig|parrot|budgie|canary|tortoise|turtle|snake"
    "|lizard|gecko|horse"
    "|pony|goldfish|fish|ferret|chinchilla|hedgehog|pup|golden retriever|labrador|poodle|german shepherd|husky|corgi"
)
THING = _alternatives(
    f"{PET}|car|van|motorbike|motorcycle|bike|bicycle|scooter|boat|caravan|campervan|piano|guitar|violin|cello"
    "|drum kit|house|flat|apartment|cottage|garden|allotment|greenhouse|truck|cabin|telescope|3d printer|dishwasher"
)
NO_NAME = frozenset(
    """
    i i'm it he she we they you this that these those there here what who when where why how which everyone everybody
    someone somebody nobody anyone anybody people kids children nature life music art love time work family home
    nothing something everything anything one some many most all both each another others today tomorrow yesterday
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
    september october november december christmas easter god sure yes no thanks thank well so and but or also just
    my your his her its our their the a an if as in on at to for from with by not never always please maybe wow hey hi
    hello oh okay ok yeah yep good great nice cool sorry congrats happy sounds glad hope guess honestly actually
    lately recently currently now then after before since while because although though yoga running painting
    being having doing going looking getting making taking reading writing cooking dancing hiking camping swimming
    mum mom dad mother father nan grandma grandpa science history money food coffee tea water english math maths
    looks seems feels thinking trying unconditional sounded plus besides
    python java linux windows apple google internet society success winter summer spring autumn fall exercise
    google microsoft amazon meta facebook tesla netflix twitter openai ibm intel nvidia samsung sony toyota ford bmw
    nasa nato spacex uber docker kubernetes jenkins github gitlab postgres postgresql mysql redis kafka react rust go
    ruby swift kotlin javascript typescript chrome firefox safari excel slack zoom aws azure lambda terraform spotify
    youtube instagram tiktok whatsapp parliament congress champagne git node php scala perl emacs vim ubuntu debian
    fedora android ios mercury venus mars jupiter saturn looks seems feels thinking trying unconditional
    """.split()  # noqa: SIM905 - two hundred quoted words read worse
)
