/** Rules for login names and passwords, as plain functions that both the forms and the server run. */

import { mobilePhonePattern, normalizePhone } from "./plain-text.ts";

/** Password length in characters at registration; fewer than 6 is always refused (product.md 5, decisions.md 2). */
export const passwordLength = { min: 6, max: 20 } as const;

/**
 * Checks a password in plain text, as forms do before they hash it.
 * @returns the problem in words (a key of the translations), or "" when there is none
 */
export function passwordProblem(password: string): string {
  if (password.length < passwordLength.min) return "密码至少 6 位";
  if (password.length > passwordLength.max) return "密码最多 20 位";
  if (!/^[\x21-\x7e]+$/.test(password)) return "密码只能包含字母、数字和标点符号";
  const classes = [/[A-Z]/, /[a-z]/, /[0-9]/, /[^A-Za-z0-9]/].filter((kind) => kind.test(password)).length;
  return classes < 2 ? "密码至少包含大写字母、小写字母、数字、标点中的两种" : "";
}

/** Length of a login name in characters. */
export const usernameLength = { min: 2, max: 32 } as const;

/**
 * Checks a login name at registration.
 * @param phone the proven phone number, which is the only number allowed as a login name, so that nobody takes another person's
 * @returns the problem in words (a key of the translations), or "" when there is none
 */
export function usernameProblem(username: string, phone = ""): string {
  const name = username.normalize("NFKC").trim();
  if (name.length < usernameLength.min || name.length > usernameLength.max) return "用户名长度为 2 到 32 个字符";
  if (!/^[\p{L}\p{N}_.@-]+$/u.test(name)) return "用户名只能包含文字、数字和 _ . @ -";
  const number = normalizePhone(name);
  return mobilePhonePattern.test(number) && number !== phone ? "用户名不能是他人的手机号" : "";
}
