import { type PasswordRule, passwordFault, passwordFaultWords, passwordRuleValues } from "@herdwise/contract";
import { type Translate, useTranslate } from "../language/use-language.ts";
import { PasswordField } from "./fields.tsx";
import type { CurrentPasswordRule } from "./password-rule.ts";
import { type Strength, strengthOf } from "./password-strength.ts";

const words: Readonly<Record<Strength, string>> = {
  unusable: "还不能用",
  weak: "弱，容易被猜到",
  fair: "中等",
  strong: "强",
};
const filled: Readonly<Record<Strength, number>> = { unusable: 0, weak: 1, fair: 2, strong: 3 };

/** The rule in words. */
export const passwordRuleHint = (rule: PasswordRule, t: Translate): string =>
  t("{least} 到 {most} 位，要有大写字母、小写字母、数字、标点中的 {kinds} 种", passwordRuleValues(rule));

/** How strong a password is, in words and in three bars. */
function StrengthLine({ password, rule: { rule, known } }: { password: string; rule: CurrentPasswordRule }) {
  const t = useTranslate();
  if (password === "" && !known) return "\u00a0";
  if (password === "") return passwordRuleHint(rule, t);
  const strength = strengthOf(password, rule);
  return (
    <span className="strength" data-strength={strength}>
      <span className="strength-bars" aria-hidden="true">
        {[1, 2, 3].map((bar) => (
          <i key={bar} data-on={bar <= filled[strength] ? "" : undefined} />
        ))}
      </span>
      {strength === "unusable"
        ? passwordProblem(password, rule, t)
        : t("密码强度：{word}", { word: t(words[strength]) })}
    </span>
  );
}

/** What breaks the rule in a password, in words; "" for nothing. */
export function passwordProblem(password: string, rule: PasswordRule, t: Translate): string {
  const fault = passwordFault(password, rule);
  return fault === undefined ? "" : t(passwordFaultWords[fault], passwordRuleValues(rule));
}

export interface NewPassword {
  password: string;
  confirmation: string;
}
export type NewPasswordProblems = Partial<Record<keyof NewPassword, string>>;

/**
 * What is wrong with a new password and its repetition, in words or as keys of the translations.
 * @param different the words for two that differ; product.md 5 has its own at registration
 */
export function newPasswordProblems(
  { password, confirmation }: NewPassword,
  { rule, different, t }: { rule: PasswordRule; different: string; t: Translate },
): NewPasswordProblems {
  const problem = password === "" ? "请输入密码" : passwordProblem(password, rule, t);
  return {
    ...(problem === "" ? {} : { password: problem }),
    ...(confirmation === password ? {} : { confirmation: different }),
  };
}

interface Props {
  value: NewPassword;
  onChange: (value: NewPassword) => void;
  problems: NewPasswordProblems;
  label: string;
  rule: CurrentPasswordRule;
}

/** A new password, twice. */
export function NewPasswordFields({ value, onChange, problems, label, rule }: Props) {
  const t = useTranslate();
  return (
    <>
      <PasswordField
        id="new-password"
        label={label}
        autoComplete="new-password"
        value={value.password}
        onChange={(password) => onChange({ ...value, password })}
        problem={problems.password && t(problems.password)}
        hint={<StrengthLine password={value.password} rule={rule} />}
      />
      <PasswordField
        id="confirm-password"
        label={t("再输入一次")}
        autoComplete="new-password"
        value={value.confirmation}
        onChange={(confirmation) => onChange({ ...value, confirmation })}
        problem={problems.confirmation && t(problems.confirmation)}
      />
    </>
  );
}
