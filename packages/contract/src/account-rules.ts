/** Rules for login names and passwords, as plain functions that both the forms and the server run. */

import { mobilePhonePattern, normalizePhone } from "./plain-text.ts";

/** What a new password must have. */
export interface PasswordRule {
  /** Fewest characters, 6 to 20. */
  readonly least: number;
  /** How many of capitals, small letters, digits and punctuation it must hold, 2 to 4. */
  readonly kinds: number;
}

/** The rule while nobody set another (product.md 5). */
export const usualPasswordRule: PasswordRule = { least: 6, kinds: 2 };
/** Most characters of a password (decisions.md 2). */
export const longestPassword = 20;

/** Kinds of characters, of which a password must hold some. */
const characterKinds = [/[A-Z]/, /[a-z]/, /[0-9]/, /[^A-Za-z0-9]/];
/** How many kinds of characters a text holds, up to 4. */
export const kindsIn = (text: string): number => characterKinds.filter((kind) => kind.test(text)).length;

/** What is wrong with a password. */
export type PasswordFault = "short" | "long" | "characters" | "kinds";

/** A fault in words, which are keys of the translations; `{least}`, `{most}` and `{kinds}` are filled from the rule. */
export const passwordFaultWords = {
  short: "密码至少 {least} 位",
  long: "密码最多 {most} 位",
  characters: "密码只能包含字母、数字和标点符号",
  kinds: "密码要有大写字母、小写字母、数字、标点中的 {kinds} 种",
} as const satisfies Record<PasswordFault, string>;

/** What the words of a fault are filled with. */
export const passwordRuleValues = ({ least, kinds }: PasswordRule) =>
  ({ least, most: longestPassword, kinds }) as const;

/**
 * The one judge of new passwords: forms ask it before they hash, and the server where it is given the password itself.
 * @param password in plain text
 * @returns undefined when the rule is kept
 */
export function passwordFault(password: string, { least, kinds }: PasswordRule): PasswordFault | undefined {
  if (password.length < least) return "short";
  if (password.length > longestPassword) return "long";
  if (!/^[\x21-\x7e]+$/.test(password)) return "characters";
  return kindsIn(password) < kinds ? "kinds" : undefined;
}

/** A rule as forms send it beside a hash, from which the server can't tell: `8-3` for 8 characters of three kinds. */
export const passwordRuleText = ({ least, kinds }: PasswordRule): string => `${least}-${kinds}`;
/** What `passwordRuleText` writes. */
export const passwordRulePattern = "^[0-9]{1,2}-[1-4]$";

/** Whether a password that was judged by one rule may break another. @param text of `passwordRuleText` */
export function judgedTooMildly(text: string, rule: PasswordRule): boolean {
  const [least = 0, kinds = 0] = text.split("-").map(Number);
  return least < rule.least || kinds < rule.kinds;
}

/** Length of a login name in characters. */
export const usernameLength = { min: 2, max: 32 } as const;
/** Characters of a login name. */
export const loginNamePattern = /^[\p{L}\p{N}_.@-]+$/u;

/**
 * Checks a login name at registration.
 * @param phone the proven phone number, which is the only number allowed as a login name, so that nobody takes another person's
 * @returns the problem in words (a key of the translations), or "" when there is none
 */
export function usernameProblem(username: string, phone = ""): string {
  const name = username.normalize("NFKC").trim();
  if (name.length < usernameLength.min || name.length > usernameLength.max) return "用户名长度为 2 到 32 个字符";
  if (!loginNamePattern.test(name)) return "用户名只能包含文字、数字和 _ . @ -";
  const number = normalizePhone(name);
  return mobilePhonePattern.test(number) && number !== phone ? "用户名不能是他人的手机号" : "";
}
