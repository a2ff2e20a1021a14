import { passwordProblem } from "@herdwise/contract";
import { useTranslate } from "../language/use-language.ts";
import { PasswordField } from "./fields.tsx";
import { type Strength, strengthOf } from "./password-strength.ts";

const words: Readonly<Record<Strength, string>> = {
  unusable: "还不能用",
  weak: "弱，容易被猜到",
  fair: "中等",
  strong: "强",
};
const filled: Readonly<Record<Strength, number>> = { unusable: 0, weak: 1, fair: 2, strong: 3 };

/** How strong a password is, in words and in three bars. */
function StrengthLine({ password }: { password: string }) {
  const t = useTranslate();
  if (password === "") return t("6 到 20 位，至少含大写字母、小写字母、数字、标点中的两种");
  const strength = strengthOf(password);
  return (
    <span className="strength" data-strength={strength}>
      <span className="strength-bars" aria-hidden="true">
        {[1, 2, 3].map((bar) => (
          <i key={bar} data-on={bar <= filled[strength] ? "" : undefined} />
        ))}
      </span>
      {strength === "unusable" ? t(passwordProblem(password)) : t("密码强度：{word}", { word: t(words[strength]) })}
    </span>
  );
}

export interface NewPassword {
  password: string;
  confirmation: string;
}
export type NewPasswordProblems = Partial<Record<keyof NewPassword, string>>;

/**
 * What is wrong with a new password and its repetition, as keys of the translations.
 * @param different the words for two that differ; product.md 5 has its own at registration
 */
export function newPasswordProblems({ password, confirmation }: NewPassword, different: string): NewPasswordProblems {
  const problem = password === "" ? "请输入密码" : passwordProblem(password);
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
}

/** A new password, twice. */
export function NewPasswordFields({ value, onChange, problems, label }: Props) {
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
        hint={<StrengthLine password={value.password} />}
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
