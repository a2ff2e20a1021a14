import { type PasswordRule, passwordRuleText, updatePassword } from "@herdwise/contract";
import { call } from "../api/call.ts";
import type { Translate } from "../language/use-language.ts";
import { md5 } from "../session/md5.ts";
import { type NewPassword, type NewPasswordProblems, newPasswordProblems } from "./new-password.tsx";

export type OwnPasswordProblems = NewPasswordProblems & { old?: string; form?: string };

/** What is wrong with a change of the own password, in words or as keys of the translations. */
export function ownPasswordProblems(
  old: string,
  value: NewPassword,
  rule: PasswordRule,
  t: Translate,
): OwnPasswordProblems {
  const found: OwnPasswordProblems = {
    ...(old === "" ? { old: "请输入原密码" } : {}),
    ...newPasswordProblems(value, { rule, different: "新密码与确认密码不一致", t }),
  };
  if (!found.password && value.password === old) found.password = "新密码不能与原密码相同";
  return found;
}

/** Changes the own password. @throws {ApiError} where the server refuses it */
export async function changeOwnPassword(old: string, { password }: NewPassword, rule: PasswordRule): Promise<void> {
  const newPassword = md5(password);
  await call(updatePassword, {
    body: { oldPassword: md5(old), newPassword, newPassword1: newPassword, passwordRule: passwordRuleText(rule) },
    quiet: true,
  });
}
