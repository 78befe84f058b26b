"""Secrets with what must be gone of each, and texts that only look as if they held one."""

from __future__ import annotations

KEY = "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0"

SECRETS: tuple[tuple[str, str, str], ...] = (
    ("My key is sk-test-AAAAAAAAAAAAAAAAAAAAAAAA", "sk-test-AAAA", "api_key"),
    (f"sk-ant-api03-{KEY}", KEY, "api_key"),
    (f"set it to sk-proj-{KEY}, then restart", KEY, "api_key"),
    ("用这个 sk-1234567890abcdef1234567890abcdef 调用", "1234567890abcdef", "api_key"),
    (f"ghp_{KEY[:36]}", KEY[:36], "token"),
    (f"gho_{KEY[:36]}", KEY[:36], "token"),
    (f"github_pat_11ABCDEFG0abcdefghijkl_{KEY}", KEY, "token"),
    ("glpat-abcdefghij1234567890", "abcdefghij1234567890", "token"),
    (f"xoxb-123456789012-1234567890123-{KEY[:24]}", KEY[:24], "token"),
    ("AKIAIOSFODNN7EXAMPLE", "AKIAIOSFODNN7EXAMPLE", "api_key"),
    ("ASIAIOSFODNN7EXAMPLE", "ASIAIOSFODNN7EXAMPLE", "api_key"),
    ("aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "wJalrXUtnFEMI", "api_key"),
    ("AKIAIOSFODNN7EXAMPLE / wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "bPxRfiCYEXAMPLEKEY", "api_key"),
    ("LTAI5tFxyzABCDEF12345678", "LTAI5tFxyzABCDEF12345678", "api_key"),
    ("AIzaSyA-1234567890abcdefghijklmnopqrstu", "1234567890abcdef", "api_key"),
    ("hf_abcdefghijABCDEFGHIJklmnopqrst", "abcdefghijABCDEFGHIJ", "token"),
    ("sk_live_4eC39HqLyjWDarjtT1zdp7dc", "4eC39HqLyjWDarjtT1zdp7dc", "api_key"),
    (f"amk_abcd1234efgh5678_{KEY}", KEY, "api_key"),
    ("Authorization: Bearer abcdef1234567890abcdef", "abcdef1234567890", "token"),
    ("Authorization: Basic Ym9iOmh1bnRlcjI=", "Ym9iOmh1bnRlcjI", "token"),
    ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcDEF123_-x", "eyJzdWIiOiIxMjM0In0", "token"),
    ("-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nabc==\n-----END RSA PRIVATE KEY-----", "MIIEow", "private_key"),
    ("-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk", "b3BlbnNzaC1rZXk", "private_key"),
    ("https://hooks.slack.com/services/T000/B000/XXXXabcdef123", "XXXXabcdef123", "webhook"),
    ("https://oapi.dingtalk.com/robot/send?access_token=abcdef0123456789abcdef", "abcdef0123456789", "webhook"),
    ("https://discord.com/api/webhooks/123456789012345678/abcDEF_ghi-123", "abcDEF_ghi-123", "webhook"),
    ("https://open.feishu.cn/open-apis/bot/v2/hook/550e8400-e29b-41d4-a716-446655440000", "550e8400", "webhook"),
    ("https://bob:s3cr3t@example.com/x", "s3cr3t", "password"),
    ("postgres://user:p@ss/w0rd@db.internal:5432/app", "ss/w0rd", "password"),
    ("mongodb+srv://admin:hunter2@cluster0.mongodb.net", "hunter2", "password"),
    ("Server=db;User Id=sa;Password=Sup3r;Trusted=1", "Sup3r", "password"),
    ("AccountName=x;AccountKey=abcdEFGH1234567890abcdEFGH==", "abcdEFGH1234567890", "api_key"),
    ("the api key for the shop is 9f8e7d6c5b4a39281706", "9f8e7d6c5b4a", "api_key"),
    ("API_KEY=9f8e7d6c5b4a39281706f5e4", "9f8e7d6c5b4a", "api_key"),
    ('{"accessToken": "a8f5f167f44f4964e6c998dee827110c"}', "a8f5f167f44f", "token"),
    ("my client secret is Xk29fj3kd02mfk39", "Xk29fj3kd02mfk39", "secret"),
    ("密钥是 a8f5f167f44f4964e6c998", "a8f5f167f44f", "api_key"),
    ("令牌：x9Kd82mfk39dkf02", "x9Kd82mfk39dkf02", "token"),
    ("my password is hunter2", "hunter2", "password"),
    ("password: hunter2", "hunter2", "password"),
    ("pwd: hunter2", "hunter2", "password"),
    ("the wifi password is swordfish", "swordfish", "password"),
    ("my password for the bank is Tr0ub4dor&3, don't tell", "Tr0ub4dor", "password"),
    ("I changed my password to hunter2!", "hunter2", "password"),
    ("hunter2 is my password", "hunter2", "password"),
    ("passphrase: correct horse battery staple", "battery staple", "password"),
    ("the password is 'open sesame'", "open sesame", "password"),
    ("DB_PASSWORD=hunter2", "hunter2", "password"),
    ("mysql --password hunter2 -u bob", "hunter2", "password"),
    ("密码是abc123", "abc123", "password"),
    ("密码：hunter2", "hunter2", "password"),
    ("我的密码是 123456", "123456", "password"),
    ("我把密码改成了xyz789", "xyz789", "password"),
    ("WiFi密码 abcd1234，记一下", "abcd1234", "password"),
    ("银行卡密码是８８８８６６", "８８８８６６", "password"),
    ("口令：芝麻开门", "芝麻开门", "password"),
    ("abc123是我的密码", "abc123", "password"),
    ("passwords are hunter2 and swordfish1", "swordfish1", "password"),
    ("my password's hunter2", "hunter2", "password"),
    ("Password - hunter2", "hunter2", "password"),
    ("**Password:** hunter2", "hunter2", "password"),
    ("PIN is 4417", "4417", "pin"),
    ("my card's new pin is 4417", "4417", "pin"),
    ("PIN码是4417", "4417", "pin"),
    ("cvv 123", "123", "pin"),
    ("card 4111 1111 1111 1111", "4111", "card_number"),
    ("4111-1111-1111-1111", "1111", "card_number"),
    ("卡号5555555555554444", "5555555555554444", "card_number"),
    ("3782 822463 10005", "822463", "card_number"),
    ("４１１１ １１１１ １１１１ １１１１", "１１１１", "card_number"),
    ("4111 1111\n1111 1111", "1111", "card_number"),
    ("4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1", "1 1", "card_number"),
    ("银联 6222 0212 3456 7890 128", "3456", "card_number"),
    ("4222222222222", "4222222222222", "card_number"),
    ("GB82 WEST 1234 5698 7654 32", "5698", "bank_account"),
    ("DE89370400440532013000", "370400440532", "bank_account"),
    ("身份证号11010519491231002X", "19491231002", "id_number"),
    ("sk-te\u200bst-AAAAAAAAAAAAAAAAAAAAAAAA", "AAAA", "api_key"),
    ("sk-`test`-AAAAAAAAAAAAAAAAAAAAAAAA", "AAAA", "api_key"),
    ("ｓｋ－test-AAAAAAAAAAAAAAAAAAAAAAAA", "AAAA", "api_key"),
    ("sk-test-\nAAAAAAAAAAAAAAAAAAAAAAAA", "AAAA", "api_key"),
    ("pass\u200bword is hunter2", "hunter2", "password"),
    ("my password is hun\u2060ter2", "ter2", "password"),
    ("4111 11`11` 1111 1111", "1111", "card_number"),
)
"""(text, what must not be left of it, kind)"""

_LINES = """\
my password manager is 1Password
I forgot my password
my password is wrong
the password is incorrect
My password is not working
password is required
The password must be 8 characters
password is 8 characters long
Password should be changed every 90 days
reset your password: https://example.com/reset
my password expired yesterday
I keep my passwords in Bitwarden
my password is stored in 1Password
the password field is hidden
I changed my password to something stronger
the password was changed on 2024-01-02
My password is the same as before
password-protected
password: string
"password": "********"
password=${DB_PASSWORD}
password = getpass.getpass()
password = os.environ["PW"]
api_key=YOUR_API_KEY
OPENAI_API_KEY=<your-key-here>
api_key = process.env.API_KEY
order 1234567890123456
order number 4111 1111 1111 1112
order 4111111111111112
订单号 6222021234567890127
550e8400-e29b-41d4-a716-446655440000
commit 8929967abcdef0123456789abcdef0123456789a
sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
+86 138 0013 8000
+1 415 555 0100
call 13800138000
我的电话是13800138000
2024-03-01T12:30:00Z
20240301123000
1709251200000
2021 2022 2023 2024 2025
the token count is 128000
token limit: 4096
the secret is to rest the dough
The secret ingredient is cardamom
tokenizer: cl100k_base
the key is under the mat
primary key: 550e8400-e29b-41d4-a716-446655440000
my favourite key is C major
scikit sk-learn-pipeline-optimization
密码忘了
忘记密码了怎么办
我的密码管理器是1Password
密码是什么
密码是错的
密码是8位的
密码不对
密码学是一门有趣的课
令牌环网络
pin the tail on the donkey
the pin is 12 mm
PIN code 560034
pin 5 is connected to GPIO
Bearer of bad news
https://example.com:8080/path?x=1
http://user@example.com
git@github.com:org/repo.git
GB00 WEST 1234 5698 7654 32
110105194912310021
ISBN 9783161484100
978-3-16-148410-0
4006381333931
tracking 1Z999AA10123456784
version 1.2.3-beta.4
nextToken: eyJ2IjoxfQabcd1234
lat 40.741895, lon -73.989308
AKIA is a prefix"""
LOOK_ALIKES = tuple(_LINES.splitlines())
