import { documentProducts, type PublicService, partnerKinds, provinces, type SiteFormKind } from "@herdwise/contract";
import { Fragment, type ReactNode } from "react";
import { Mark } from "../shared/icons/mark.tsx";
import { type Told, tellIn } from "../shared/language/tell.ts";
import { useLanguage, useTranslate } from "../shared/language/use-language.ts";
import type { FormAnswer, FormValues } from "./send-form.ts";
import "./service.css";
import { tied } from "./tied.ts";

interface SiteFormProps {
  kind: SiteFormKind;
  /** Page that takes it. */
  path: string;
  answer: FormAnswer | undefined;
  /** Number of a form that was just taken. */
  sent: string | undefined;
  /** What is chosen from the start. */
  given?: FormValues;
  services?: readonly PublicService[];
}

/** What each form asks for beside name and phone, in order. */
const fieldsOf: Readonly<Record<SiteFormKind, readonly (keyof FormValues)[]>> = {
  service: ["service", "product", "organization", "regionCode", "contactEmail", "wishedOn"],
  solution: ["organization", "regionCode", "contactEmail"],
  partner: ["organization", "partnerKind", "regionCode", "contactEmail"],
  feedback: ["contactEmail"],
};
const sendWords: Readonly<Record<SiteFormKind, string>> = {
  service: "发送申请",
  solution: "请回电",
  partner: "发送申请",
  feedback: "提交意见",
};
const contentWords: Readonly<Record<SiteFormKind, string>> = {
  service: "说明：设备、现象、现场情况",
  solution: "说说你的猪场和想解决的事",
  partner: "你们做什么，想怎么合作",
  feedback: "意见或建议",
};

/** A form of the public site. It works without script; the page that holds it takes it. */
export function SiteForm({ kind, path, answer, sent, given = {}, services = [] }: SiteFormProps) {
  const t = useTranslate();
  const language = useLanguage();
  const values: FormValues = { ...given, ...answer?.values };
  const problems = answer?.problems ?? {};
  const inLanguage = language === "en" ? "?lang=en" : "";
  const captchaAlt = t("图中有 5 个字符，看不清可以换一张");
  // What stands in brackets is the link.
  const [before, policy, after] = t("同意按[隐私政策]使用这些信息，只用来办这件事。").split(/[[\]]/);
  if (sent)
    return (
      <div className="form-sent" id="form" role="status">
        <h3>
          <Mark name="ok" />
          {t("已收到，编号 {number}", { number: sent })}
        </h3>
        <p>{tied(t("1 个工作日内有人打电话来。打电话来问的时候，报这个编号就行。"))}</p>
        <p>
          <a href={`${path}${inLanguage}`}>{t("再填一份")}</a>
        </p>
      </div>
    );
  const field = (
    name: string,
    label: string,
    control: (shared: Shared) => ReactNode,
    { needed = false, wide = false } = {},
  ) => (
    <Field name={name} label={label} needed={needed} wide={wide} problem={problems[name]}>
      {control}
    </Field>
  );
  const choose =
    (name: keyof FormValues, options: readonly (readonly [string, string])[], none: string) => (shared: Shared) => (
      <select {...shared} className="input" name={name} defaultValue={values[name] ?? ""}>
        <option value="">{none}</option>
        {options.map(([value, word]) => (
          <option key={value} value={value}>
            {word}
          </option>
        ))}
      </select>
    );
  const write =
    (name: keyof FormValues, more: Readonly<Record<string, string | number | boolean>>) => (shared: Shared) => (
      <input {...shared} {...more} className="input" name={name} defaultValue={values[name] ?? ""} />
    );
  const parts: Readonly<Partial<Record<keyof FormValues, () => ReactNode>>> = {
    service: () =>
      field(
        "service",
        t("要哪项服务"),
        choose(
          "service",
          services.map(({ id, name }) => [id, name]),
          t("还没想好，请人建议"),
        ),
      ),
    product: () =>
      field(
        "product",
        t("所属产品"),
        choose(
          "product",
          documentProducts.map(([key, name]) => [key, t(name)]),
          t("请选择"),
        ),
      ),
    organization: () =>
      field(
        "organization",
        t(kind === "partner" ? "单位名称" : "单位或猪场"),
        write("organization", { maxLength: 80, autoComplete: "organization" }),
      ),
    regionCode: () =>
      field(
        "regionCode",
        t("所在省份"),
        choose(
          "regionCode",
          provinces.map(({ code, name }) => [code, t(name)]),
          t("请选择"),
        ),
      ),
    partnerKind: () =>
      field(
        "partnerKind",
        t("合作类别"),
        choose(
          "partnerKind",
          partnerKinds.map(([key, name]) => [key, t(name)]),
          t("请选择"),
        ),
      ),
    contactEmail: () =>
      field(
        "contactEmail",
        t("邮箱"),
        write("contactEmail", { type: "email", maxLength: 120, autoComplete: "email" }),
        // The last of an odd number would stand beside a hole.
        { wide: fieldsOf[kind].length % 2 === 1 },
      ),
    wishedOn: () => field("wishedOn", t("希望哪天来"), write("wishedOn", { type: "date" })),
  };
  return (
    <form
      className="site-form"
      id="form"
      method="post"
      action={`${path}${inLanguage}#form`}
      data-site-form={answer ? "answered" : "new"}
    >
      <input type="hidden" name="kind" value={kind} />
      {values.solution && <input type="hidden" name="solution" value={values.solution} />}
      {answer?.problem && (
        <p className="state critical form-wide" role="alert">
          <Mark name="critical" />
          {tellIn(t, answer.problem)}
        </p>
      )}
      {Object.keys(problems).length > 0 && !answer?.captcha && (
        <p className="state critical form-wide" role="alert">
          <Mark name="critical" />
          {t("有 {count} 项要改，改好再提交。", { count: Object.keys(problems).length })}
        </p>
      )}
      {field(
        "contactName",
        t("怎么称呼"),
        write("contactName", { maxLength: 40, required: true, autoComplete: "name" }),
        { needed: true },
      )}
      {field(
        "contactPhone",
        t("联系电话"),
        write("contactPhone", { type: "tel", inputMode: "tel", maxLength: 20, required: true, autoComplete: "tel" }),
        { needed: true },
      )}
      {fieldsOf[kind].map((name) => (
        <Fragment key={name}>{parts[name]?.()}</Fragment>
      ))}
      {field(
        "content",
        t(contentWords[kind]),
        (shared) => (
          <textarea
            {...shared}
            className="input"
            name="content"
            rows={4}
            maxLength={1000}
            required={kind === "feedback" || kind === "solution"}
            defaultValue={values.content ?? ""}
          />
        ),
        { wide: true, needed: kind === "feedback" || kind === "solution" },
      )}
      <div className="form-wide form-consent">
        <label>
          <input
            type="checkbox"
            name="consent"
            required
            defaultChecked={values.consent === "on"}
            aria-invalid={"consent" in problems}
          />
          <span>
            {before}
            <a href="/legal/privacy">{policy}</a>
            {after}
          </span>
        </label>
        {problems.consent && <p className="form-problem">{tellIn(t, problems.consent)}</p>}
      </div>
      {/* Shown by the script as soon as somebody writes; without it, by the server when the form was sent. */}
      <fieldset
        className="form-wide form-captcha"
        data-captcha=""
        hidden={!answer?.captcha}
        disabled={!answer?.captcha}
        data-alt={captchaAlt}
      >
        <legend>{t("最后一步")}</legend>
        <input type="hidden" name="captchaKey" defaultValue={answer?.captcha?.key ?? ""} />
        {answer?.captcha && <img src={answer.captcha.image} alt={captchaAlt} width={130} height={48} />}
        <div className="form-field">
          <label htmlFor="f-captchaCode">{t("图中的字符")}</label>
          <input
            className="input"
            id="f-captchaCode"
            name="captchaCode"
            maxLength={10}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            aria-invalid={"captchaCode" in problems}
            {...(problems.captchaCode && { "aria-describedby": "p-captchaCode" })}
          />
          {problems.captchaCode && (
            <p className="form-problem" id="p-captchaCode">
              {tellIn(t, problems.captchaCode)}
            </p>
          )}
        </div>
        <button className="btn" type="submit" name="again" value="1" formNoValidate>
          {t("换一张")}
        </button>
      </fieldset>
      <p className="form-wide form-send">
        <button className="btn primary large" type="submit">
          {t(answer?.captcha ? "确认提交" : sendWords[kind])}
        </button>
      </p>
    </form>
  );
}

interface Shared {
  id: string;
  "aria-invalid": boolean;
  "aria-describedby"?: string;
}

function Field({
  name,
  label,
  needed,
  wide,
  problem,
  children,
}: {
  name: string;
  label: string;
  needed: boolean;
  wide: boolean;
  problem: Told | undefined;
  children: (shared: Shared) => ReactNode;
}) {
  const t = useTranslate();
  const id = `f-${name}`;
  return (
    <div className={wide ? "form-field form-wide" : "form-field"}>
      <label htmlFor={id}>
        {label}
        {needed && (
          <span className="form-needed" aria-hidden="true">
            *
          </span>
        )}
      </label>
      {children({ id, "aria-invalid": problem !== undefined, ...(problem && { "aria-describedby": `p-${name}` }) })}
      {problem && (
        <p className="form-problem" id={`p-${name}`}>
          {tellIn(t, problem)}
        </p>
      )}
    </div>
  );
}
