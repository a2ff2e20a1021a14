import { createHash } from "node:crypto";

/** Passwords that guessers try first, from public lists of leaked ones and from Chinese habits. */
const common = `
123456 password 12345678 qwerty 123456789 12345 1234 111111 1234567 dragon 123123 baseball abc123 football monkey letmein
696969 shadow master 666666 qwertyuiop 123321 mustang 1234567890 michael 654321 superman 1qaz2wsx 7777777 121212 000000
qazwsx 123qwe killer trustno1 jordan jennifer zxcvbnm asdfgh hunter buster soccer harley batman andrew tigger sunshine
iloveyou 2000 charlie robert thomas hockey ranger daniel starwars klaster 112233 george computer michelle jessica pepper
1111 zxcvbn 555555 11111111 131313 freedom 777777 pass maggie 159753 aaaaaa ginger princess joshua cheese amanda summer
love ashley nicole chelsea biteme matthew access yankees 987654321 dallas austin thunder taylor matrix admin admin123
Admin123 admin@123 Admin@123 admin888 admin1234 administrator root root123 root@123 toor test test123 test1234 guest
guest123 user user123 demo demo123 welcome welcome1 Welcome1 Welcome123 passw0rd Passw0rd P@ssw0rd P@ssword p@ssw0rd
Password1 Password123 Password@123 password1 password123 password! pass123 pass1234 qwe123 qwer1234 qwerty123 qwerty1
Qwerty123 Qwer1234 1q2w3e 1q2w3e4r 1q2w3e4r5t q1w2e3r4 1qaz@WSX !QAZ2wsx 1qaz!QAZ zaq12wsx zaq1@WSX abcd1234 Abcd1234
abc12345 abc123456 Abc123456 Abc@123 abcdef abcdefg a123456 a12345678 a1234567 aa123456 Aa123456 Aa@123456 aa123123 aaa111
asd123 asdf1234 asdfghjkl asdfgh123 123abc 123456a 123456q 123456aa 123456abc 123456Aa 1234qwer 123qweasd 12qwaszx 5201314
520520 520131 5211314 1314520 13145200 woaini woaini520 woaini1314 woaini521 iloveyou1 88888888 888888 66666666 99999999
00000000 12341234 11223344 147258 147258369 159357 789456 789456123 110110 119119 10086 123654 123698745 01234567
0123456789 9876543210 31415926 1357924680 2468013579 q123456 qq123456 qq123123 qaz123 wsx123 zxc123 zxcv1234 woshishui
nihao123 zhongguo beijing shanghai wang123 li123456 zhang123 huang123 yang123 taobao alibaba tencent baidu huawei xiaomi
pig123 pig12345 pigfarm pigfarm1 farm123 farm1234 muyuan muyuan123 Muyuan123 muyuan@123 herdwise herdwise1 herdwise123
Herdwise123 huimu123 zhuchang1 yangzhu1 yangzhu123 letmein1 monkey123 dragon123 superman1 batman123 sunshine1 princess1
football1 changeme changeme1 Changeme1 secret secret1 secret123 default internet server oracle mysql postgres
`
  .trim()
  .split(/\s+/);

const md5 = (text: string): string => createHash("md5").update(text).digest("hex");

const denied = new Set(["", ...common].map(md5));

/**
 * Whether a password must not be taken. The wire brings its MD5 only, so length and classes can't be seen here: what can be
 * recognized are the MD5s of common passwords and of what belongs to the person.
 * @param passwordMd5 hex, any case
 * @param personal login name and phone
 */
export function isDeniedPassword(passwordMd5: string, personal: readonly string[]): boolean {
  const given = passwordMd5.toLowerCase();
  if (denied.has(given)) return true;
  return personal
    .filter((text) => text !== "")
    .flatMap((text) => [
      text,
      text.toLowerCase(),
      text.slice(-6),
      text.slice(-8),
      `${text}123`,
      `${text}123456`,
      `${text}@123`,
      `${text}1`,
      `a${text}`,
    ])
    .some((text) => md5(text) === given);
}
