import {
  checkRealNameItem,
  licenceWithoutEnd,
  normalizeRealName,
  type RealNameItemRule,
  type RealNameKind,
} from "@herdwise/contract/real-name-checks";
import { shanghaiDay } from "@herdwise/contract/shanghai";
import { useState } from "react";
import { TextField } from "../../shared/forms/fields.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { CheckBox } from "../../shared/kit/check-box.tsx";
import { tellIn } from "../../shared/language/tell.ts";
import { useTranslate } from "../../shared/language/use-language.ts";
import { StateTag } from "../../shared/process/state-tag.tsx";
import { PictureField } from "./picture-field.tsx";
import styles from "./real-name.module.css";

const dayMs = 86_400_000;

/** Numbers that the server gives back shortened only. */
const masked: readonly string[] = ["idNumber", "phone", "bankAccount"];

interface ItemFieldProps {
  kind: RealNameKind;
  item: RealNameItemRule;
  /** As it was typed now; undefined while it is as kept. */
  typed: string | undefined;
  /** As the server keeps it, numbers of people and accounts shortened. */
  kept: string;
  /** From the server, in the chosen language. */
  problem: string | undefined;
  /** Of an enterprise, for the name of its account. */
  enterpriseName?: string;
  onChange: (value: string | undefined) => void;
}

/** One item of an application, in the way that fits what it holds, with what is wrong with it as soon as it is left. */
export function ItemField({ kind, item, typed, kept, problem, enterpriseName = "", onChange }: ItemFieldProps) {
  const t = useTranslate();
  const [left, setLeft] = useState(false);
  const { field, form, label, optional } = item;
  const id = `real-name-${field}`;
  const value = typed ?? kept;
  const required = optional !== true;
  if (form === "picture")
    return (
      <PictureField
        id={id}
        label={optional ? t("{label}（没有可以不传）", { label: t(label) }) : t(label)}
        required={required}
        value={value}
        problem={problem}
        onChange={onChange}
      />
    );
  if (masked.includes(form) && typed === undefined && kept !== "")
    return (
      <TextField
        id={id}
        label={t(label)}
        required={required}
        value={kept}
        disabled
        problem={problem}
        hint={t("已加密存好，屏幕上打码")}
        autoComplete="off"
        onChange={() => undefined}
        button={
          <Button aria-label={t("重填：{label}", { label: t(label) })} onPress={() => onChange("")}>
            {t("重填")}
          </Button>
        }
      />
    );
  const today = shanghaiDay(Date.now());
  const plain = normalizeRealName(form, value);
  const fault = plain === "" ? undefined : checkRealNameItem(kind, item, plain, today);
  const differs =
    field === "accountName" &&
    plain !== "" &&
    enterpriseName !== "" &&
    plain !== normalizeRealName("text", enterpriseName);
  const own = fault ? tellIn(t, fault) : differs ? t("开户名要与企业名称一样") : undefined;
  const shown = problem ?? (left ? own : undefined);
  const checked = (form === "idNumber" || form === "creditCode") && plain !== "" && !fault;
  const days =
    form === "date" && plain !== "" && !fault ? Math.round((Date.parse(plain) - Date.parse(today)) / dayMs) : 99;
  const hint = checked ? (
    <StateTag plain mark="ok" word="校验位正确" />
  ) : days <= 7 ? (
    <StateTag plain mark="minor" word="只剩 {count} 天，审核时可能退回" values={{ count: days }} />
  ) : (
    hints[field] && t(hints[field])
  );
  const change = (next: string): void => {
    setLeft(false);
    onChange(next);
  };
  if (form === "date") {
    const withoutEnd = value === licenceWithoutEnd;
    return (
      <div>
        <TextField
          id={id}
          label={t(label)}
          required
          type="date"
          autoComplete="off"
          disabled={withoutEnd}
          value={withoutEnd ? "" : value}
          problem={shown}
          hint={hint}
          onBlur={() => setLeft(true)}
          onChange={change}
        />
        <label className={styles.tick}>
          <CheckBox checked={withoutEnd} onChange={(event) => change(event.target.checked ? licenceWithoutEnd : "")} />
          {t("执照上写的是长期")}
        </label>
      </div>
    );
  }
  return (
    <div>
      <TextField
        id={id}
        label={t(label)}
        required={required}
        autoComplete="off"
        inputMode={form === "phone" ? "tel" : form === "bankCode" || form === "bankAccount" ? "numeric" : "text"}
        maxLength={form === "text" ? 200 : 40}
        value={value}
        problem={shown}
        hint={hint}
        onBlur={() => {
          setLeft(value !== "");
          if (typed !== undefined && plain !== typed) onChange(plain);
        }}
        onChange={change}
      />
      {differs && (
        <p className={styles.offer}>
          <Button onPress={() => change(enterpriseName)}>{t("用企业名称")}</Button>
        </p>
      )}
    </div>
  );
}

const hints: Readonly<Record<string, string>> = {
  personName: "2 到 5 个字，有间隔号（·）或字母的到 30 个字符；和身份证一致",
  enterpriseName: "和执照一致，一个字也不差",
  creditCode: "18 位，在执照的左上角",
  legalName: "2 到 5 个字，有间隔号（·）或字母的到 30 个字符",
  contactPhone: "审核员有疑问时打这个电话，座机带区号",
  bankCode: "12 位，在开户许可证上或问开户行",
  bankAccount: "提交后会往这里汇 0.01 元",
  branchName: "如：内乡县灌涨支行",
};
