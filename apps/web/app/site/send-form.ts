import { captchaHeaders, type Problem, pictureCaptcha, siteFormSubmit } from "@herdwise/contract";
import type { ApiCaller } from "../shared/api/server-context.ts";
import type { Told } from "../shared/language/tell.ts";

/** Fields that forms of the site may have. */
const names = [
  "kind",
  "contactName",
  "contactPhone",
  "contactEmail",
  "organization",
  "regionCode",
  "service",
  "product",
  "solution",
  "partnerKind",
  "wishedOn",
  "content",
  "consent",
] as const;
export type FormValues = Partial<Record<(typeof names)[number], string>>;

/** A form that goes back to the person who sent it: to be mended, or for the characters of a picture. */
export interface FormAnswer {
  values: FormValues;
  problems: Readonly<Record<string, Told>>;
  /** What is wrong with it as a whole. */
  problem?: Told;
  /** The last step: characters that a program can't read. */
  captcha?: { key: string; image: string };
}

const mostCharacters = 5000;

interface Refused {
  reason?: string;
  text?: string;
  values?: Told["values"];
  problems?: Problem[];
}

/**
 * Takes what a form of a page sent, without any script. Nothing is kept between the steps: the page carries it along.
 * @returns the number under which it was taken, or the form with what is to be done
 */
export async function sendForm(
  form: FormData,
  api: ApiCaller,
  language: "zh" | "en",
): Promise<{ number: string } | FormAnswer> {
  const values: FormValues = {};
  for (const name of names) {
    const value = form.get(name);
    if (typeof value === "string" && value !== "") values[name] = value.slice(0, mostCharacters);
  }
  const key = String(form.get("captchaKey") ?? "").slice(0, 100);
  // Another picture is asked for by a button of its own.
  const code = form.has("again")
    ? ""
    : String(form.get("captchaCode") ?? "")
        .trim()
        .slice(0, 100);
  const challenge = async (): Promise<Pick<FormAnswer, "captcha" | "problem">> => {
    try {
      return { captcha: (await api(pictureCaptcha.path)) as { key: string; image: string } };
    } catch {
      return { problem: { text: "请求过于频繁，请稍后再试" } };
    }
  };
  const { consent, kind = "service", ...rest } = values;
  const body = { ...rest, kind, language, consent: consent === "on" };
  try {
    // Without the characters it is only looked at.
    const headers = key !== "" && code !== "" ? { [captchaHeaders.key]: key, [captchaHeaders.code]: code } : undefined;
    const answer = (await api(siteFormSubmit.path, { ...body, check: headers === undefined }, headers)) as {
      number: string;
    };
    return answer.number === "" ? { values, problems: {}, ...(await challenge()) } : { number: answer.number };
  } catch (error) {
    if (!(error instanceof Response) || error.status >= 500) throw error;
    const { data = {} } = (await error.json()) as { data?: Refused };
    if (data.reason === "captcha.wrong")
      return { values, problems: { captchaCode: { text: "验证码不正确" } }, ...(await challenge()) };
    const problems = Object.fromEntries(
      (data.problems ?? []).map(({ field, text, values: filled }) => [field, { text, values: filled }]),
    );
    const whole =
      Object.keys(problems).length === 0
        ? { text: data.text ?? "输入信息有误", ...(data.values && { values: data.values }) }
        : undefined;
    return { values, problems, ...(whole && { problem: whole }) };
  }
}
