import { readFileSync } from "node:fs";
import { join } from "node:path";
import { resources as declared, wireMessage } from "@herdwise/contract";
import type { ResourceDeclaration } from "@herdwise/contract/resource";
import { settingList } from "@herdwise/contract/setting-declarations";
import { alarmSentences } from "@herdwise/device-kinds";
import { kindList } from "@herdwise/device-kinds/kind-list";
import { describe, expect, test } from "vitest";
import { personalColumns, pseudonym, tenantPseudonym } from "../apps/server/src/database/personal-columns.ts";
import { demoAccounts } from "../apps/server/src/database/seeds/demo.ts";
import { demoMessages } from "../apps/server/src/database/seeds/demo-messages.ts";
import { dictionaryTexts } from "../apps/server/src/database/seeds/dictionaries.ts";
import { flatMenuSeeds } from "../apps/server/src/database/seeds/foundation.ts";
import { customerRoles, groupRoles } from "../apps/server/src/database/seeds/menus.ts";
import { serverPatterns } from "../apps/web/app/shared/language/server-patterns.ts";
import { extractTexts } from "../apps/web/build-plugins/extract-texts.ts";
import { wordFaults } from "./harness/plain-words.ts";

const root = join(import.meta.dirname, "..");
const dictionaryOf = (language: string): Record<string, string> =>
  JSON.parse(readFileSync(join(root, `apps/web/public/i18n/i18n_${language}.json`), "utf8"));

const web = extractTexts(join(root, "apps/web/app"));
/** As clients of the API family know them. */
const prescribedTexts: ReadonlySet<string> = new Set([
  "登录错误次数过多,请稍后再试",
  "缺失令牌,鉴权失败",
  "check接口请求次数超限，请稍后再试!",
  "get接口请求次数超限，请稍后再试!",
  "verify请求次数超限!",
  "原密码不正确!",
  "请输入正确的确认密码!",
  "无权配置管理员角色!",
  "不能停用本账号!",
  "不能删除本账号!",
  "当前用户 [{name}] 已存在!",
  "请先删除子节点!",
  "父节点不可选择自身!",
  "菜单名或编号已存在!",
  "父节点只可选择菜单类型!",
  "当前字典键值已存在!",
  "请上传正确的excel文件!",
  "不可删除管理租户!",
  "当前租户已到最大账号额度!",
  "请上传文件!",
  "租户授权已过期,请联系管理员",
]);

/** What stands on the paper of contracts, settings, and sentences of the audit trail say themselves in both languages. */
const contract = extractTexts(join(root, "packages/contract/src"), [
  "audit-sentence.ts",
  "contract-text.ts",
  "setting-declarations.ts",
  "trade/price-term-text.ts",
]);
/** Pages of both languages, and the words that the translation begins with. */
const bilingual = [
  "analytics/comparison/sentence.ts",
  "service-logs/operation-words.ts",
  "audit-trail/device-words.ts",
  "outbox/outbox.routes.ts",
  "trade/pay-sandbox-page.ts",
  "languages/glossary.ts",
  "reports/report-words.ts",
  "contracts/contract-pdf.ts",
  "product-documents/write-paper.ts",
  "personal-data/my-data-words.ts",
  "personal-data/my-data-page.ts",
  "settings/setting-trials.ts",
  "health/judge.ts",
  "telemetry/download.service.ts",
];
const modules = extractTexts(join(root, "apps/server/src/modules"), bilingual);
const http = extractTexts(join(root, "apps/server/src/http"));
const resources = extractTexts(join(root, "apps/server/src/resources"));
const seeded = [
  ...demoAccounts.map(({ note }) => note),
  ...[...customerRoles, ...groupRoles].map(({ name }) => name),
  // Hidden ones as well: whoever grants menus reads them.
  ...flatMenuSeeds().map(({ seed }) => seed.name),
  ...demoMessages.flatMap(({ title, content }) => [title, content]),
  ...dictionaryTexts.filter((text) => /\p{Script=Han}/u.test(text)),
  // Settings that are seeded among the parameters.
  ...settingList.flatMap(({ kind, env, words, hint }) =>
    kind === "number" && env === undefined ? [words.zh, ...(hint ? [hint.zh] : [])] : [],
  ),
  "用户协议",
  "隐私政策",
  pseudonym,
  tenantPseudonym,
  // What the report of an erasure counts.
  ...personalColumns.flatMap(({ shown }) => (shown ? [shown.title] : [])),
];

/** What is put together from the wire's own words. */
const composed = [`${wireMessage.serverError} ({})`];

/** The page that a browser gets when an application's request is wrong says everything twice. */
const isPage = (template: string): boolean => template.startsWith("<!doctype html>");
const isFileName = (template: string): boolean => template.endsWith(".xlsx");
const withoutNames = (pattern: string): string => pattern.replace(/\{\w+\}/g, "{}");

const english = dictionaryOf("en");
/** Kinds say their names and titles themselves; the dictionary has them from there. */
const ofKinds = kindList.flatMap(({ name, pages }) => [name.zh, ...(pages ? [pages.title.zh] : [])]);
const needed = new Set([
  ...ofKinds,
  ...[web, contract, modules, http, resources].flatMap(({ keys }) => [...keys]),
  ...seeded,
  ...serverPatterns,
]);

describe("every text has a translation", () => {
  test("texts are found at all, in the web app and in the server", () => {
    expect(web.keys.size).toBeGreaterThan(400);
    expect(modules.keys.size).toBeGreaterThan(30);
  });

  test("the web app has no Chinese outside of keys", () => {
    expect(web.untranslatable).toEqual([]);
  });

  test("of the interface, of what the server says, and of what is seeded", () => {
    expect([...needed].filter((key) => !english[key]).toSorted()).toEqual([]);
  });

  test("one row is called by another word than many of them, which Chinese does not tell apart", () => {
    const same = declared.filter(({ words: { one, many, oneEn } }: ResourceDeclaration) =>
      oneEn === undefined ? english[one] === english[many] : oneEn === english[many],
    );
    expect(same.map(({ name }: ResourceDeclaration) => name)).toEqual([]);
    const invoices = declared.find(({ name }) => name === "invoice") as ResourceDeclaration;
    expect([invoices.words.oneEn, english[invoices.words.many]]).toEqual(["Invoice", "Invoices"]);
  });

  test("what the server says with something of the moment in it fits a pattern", () => {
    const patterns = new Set(serverPatterns.map(withoutNames));
    const said = [
      ...[modules, http, resources, contract].flatMap(({ templates }) => [...templates]),
      ...composed,
      ...Object.values(alarmSentences).map(({ zh }) => withoutNames(zh)),
    ].filter((text) => !isPage(text) && !isFileName(text));
    expect(said.length).toBeGreaterThan(3);
    expect(said.filter((text) => !patterns.has(text))).toEqual([]);
    expect([...patterns].filter((pattern) => !said.includes(pattern))).toEqual([]);
  });

  test("the dictionary holds nothing that nobody says", () => {
    expect(Object.keys(english).filter((key) => !needed.has(key))).toEqual([]);
  });

  test("a translation keeps every placeholder", () => {
    const names = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name).toSorted();
    const differing = Object.entries(english).filter(([key, text]) => names(key).join() !== names(text).join());
    expect(differing).toEqual([]);
  });

  test("a count in English tells one from many", () => {
    // What is a bound ("at most {count}") is never one.
    const counted = /(?<!\bmost )\{(?:count|left)\} (?!(?:was|is|has|this|as)\b)[a-z]+s\b/;
    expect(counted.test("{count} rows") && !counted.test("{count} {count|row|rows}")).toBe(true);
    expect(Object.values(english).filter((text) => counted.test(text))).toEqual([]);
  });

  test("each is plain: short sentences, one word for one thing, the typography of its language", () => {
    const planted: readonly (readonly [text: string, language: "zh" | "en"])[] = [
      ["请登陆后再试", "zh"],
      ["温度偏高,请检查", "zh"],
      ["请先先选场区，再再选选猪舍，请选猪舍猪舍", "zh"],
      ["按Enter键确认", "zh"],
      [`${"一二三四五六七八九十".repeat(7)}。`, "zh"],
      ["The the alarm is over", "en"],
      ["1 units report", "en"],
      ["Enter your email", "en"],
      ["31.5°C inside", "en"],
      [`${"word ".repeat(36)}.`, "en"],
      ["{count} of them", "en"],
    ];
    for (const [text, language] of planted) expect(wordFaults(text, language), text).not.toEqual([]);
    const faulty = (texts: readonly string[], language: "zh" | "en") =>
      texts.flatMap((text) => wordFaults(text, language).map((fault) => `${text}: ${fault}`));
    // What a placeholder stands for is long at times, and is no word of the text.
    const said = (text: string) => text.replaceAll(/\{\w+\|([^|}]*)\|?[^}]*\}/g, "$1").replaceAll(/\{+\w+\}+/g, "X");
    expect(faulty(Object.values(english).map(said), "en")).toEqual([]);
    const ours = Object.keys(english).filter((text) => !prescribedTexts.has(text));
    expect(faulty(ours.map(said), "zh")).toEqual([]);
    expect([...prescribedTexts].filter((text) => english[text] === undefined)).toEqual([]);
  });

  test("Chinese needs no dictionary: its keys are its texts", () => {
    expect(dictionaryOf("zh")).toEqual({});
  });
});
