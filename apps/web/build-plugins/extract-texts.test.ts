import { readFileSync } from "node:fs";
import { join } from "node:path";
import { wireMessage } from "@herdwise/contract";
import { describe, expect, it } from "vitest";
import { type ExtractedTexts, extractTexts, textsOfSource } from "./extract-texts.ts";

const web = join(import.meta.dirname, "..");
const readDictionary = (language: string): Record<string, string> =>
  JSON.parse(readFileSync(join(web, `public/i18n/i18n_${language}.json`), "utf8"));

describe("dictionary", () => {
  const found = extractTexts(join(web, "app"));
  const needed = new Set([...found.keys, ...Object.values(wireMessage)]);
  const english = readDictionary("en");

  it("finds texts at all", () => {
    expect(found.keys.size).toBeGreaterThan(200);
  });

  it("has no Chinese outside of keys", () => {
    expect(found.untranslatable).toEqual([]);
  });

  it("translates every text of the interface", () => {
    expect([...needed].filter((key) => !english[key]).toSorted()).toEqual([]);
  });

  it("holds nothing that is not used", () => {
    expect(Object.keys(english).filter((key) => !needed.has(key))).toEqual([]);
  });

  it("keeps every placeholder", () => {
    const names = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name).toSorted();
    const differing = Object.entries(english).filter(([key, text]) => names(key).join() !== names(text).join());
    expect(differing).toEqual([]);
  });

  it("is empty for Chinese, whose keys are its texts", () => {
    expect(readDictionary("zh")).toEqual({});
  });
});

describe("extraction", () => {
  const extract = (source: string): ExtractedTexts => {
    const into: ExtractedTexts = { keys: new Set(), untranslatable: [] };
    textsOfSource("sample.tsx", source, into);
    return into;
  };

  it("takes literals, wherever they stand", () => {
    expect([...extract('const a = t("在线"); const b = { name: "离线" }; // 注释不算').keys]).toEqual(["在线", "离线"]);
  });

  it("refuses raw text and pieces of templates", () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source text of a template is what is examined.
    expect(extract("const a = <p>在线</p>; const b = `共 ${n} 台`;").untranslatable).toHaveLength(3);
  });

  it("leaves the brand alone", () => {
    const { keys, untranslatable } = extract('const a = "慧牧 Herdwise"; const b = <p>慧牧</p>;');
    expect([keys.size, untranslatable.length]).toEqual([0, 0]);
  });
});
