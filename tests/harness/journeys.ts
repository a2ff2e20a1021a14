import { readFileSync } from "node:fs";
import type { BrowserContextOptions, Page } from "playwright-core";
import { type Fillings, fill } from "../../apps/web/app/shared/language/fill.ts";
import { inCentre, openPage, type Portal } from "./portal.ts";
import { dragPuzzle } from "./puzzle.ts";

/** How a journey is gone: in which language, and how wide the windows of the customer and of the group's desk are, px. */
export interface Way {
  lang: "zh" | "en";
  width: number;
  desk: number;
}

/** Both languages on a phone and at a desk, for either side. `npm test` goes the first of them, `npm run test:long` all. */
export const allWays: readonly Way[] = [
  { lang: "zh", width: 390, desk: 1440 },
  { lang: "en", width: 390, desk: 390 },
  { lang: "zh", width: 1440, desk: 390 },
  { lang: "en", width: 1440, desk: 1440 },
];

const english: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(new URL("../../apps/web/public/i18n/i18n_en.json", import.meta.url), "utf8"),
);

/** What pages say in a language, by its Chinese text. */
export function words(lang: Way["lang"]) {
  const say = (key: string, fillings: Fillings = {}): string => {
    const text = lang === "zh" ? key : english[key];
    if (text === undefined) throw new Error(`no English for ${key}`);
    return fill(text, fillings);
  };
  return {
    say,
    /** The same where a page fills in what the test does not know. */
    like: (key: string, fillings: Fillings = {}): RegExp =>
      new RegExp(
        say(key, fillings)
          .split(/\{[^}]+\}/)
          .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
          .join(".+"),
      ),
  };
}
export type Words = ReturnType<typeof words>;

/** A page in a window of this width and in this language, signed in unless nobody is named. */
export async function openAs(
  portal: Portal,
  account: string | undefined,
  { lang, width, ...options }: { lang: Way["lang"]; width: number } & BrowserContextOptions,
) {
  const how = { viewport: { width, height: 900 }, ...options };
  const context = await (account === undefined ? portal.newContext(how) : portal.signedIn(account, how));
  if (lang === "en") {
    await context.addCookies([{ name: "langType", value: "en", url: portal.address }]);
    await context.addInitScript(() => localStorage.setItem("langType", "en"));
  }
  return { context, ...(await openPage(context)) };
}

/** Registers as a person does, and logs in. @param phone one that no other test uses */
export async function register(
  portal: Portal,
  page: Page,
  { account, phone, password }: { account: string; phone: string; password: string },
  { say }: Pick<Words, "say"> = words("zh"),
): Promise<void> {
  await page.goto(`${portal.address}/register`);
  await page.locator("#username").fill(account);
  await page.locator("#phone").fill(phone);
  await page.getByRole("button", { name: say("获取验证码") }).click();
  await dragPuzzle(page);
  await page.locator("#sms-code").fill(await portal.codeSentTo(phone));
  await page.locator("#new-password").fill(password);
  await page.locator("#confirm-password").fill(password);
  await page.getByLabel(say("我已阅读并同意")).check();
  await page.getByRole("button", { name: say("注册"), exact: true }).click();
  await page.getByRole("heading", { name: say("注册成功") }).waitFor();
  await page.goto(`${portal.address}/login`);
  await page.getByRole("button", { name: say("个人"), exact: true }).click();
  await page.locator("#account").fill(account);
  await page.locator("#password").fill(password);
  await dragPuzzle(page);
  await page.getByLabel(say("我已阅读并同意")).check();
  await page.getByRole("button", { name: say("登录"), exact: true }).click();
  await inCentre(page);
}
