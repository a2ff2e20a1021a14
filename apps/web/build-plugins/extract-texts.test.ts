import { describe, expect, it } from "vitest";
import { type ExtractedTexts, textsOfSource } from "./extract-texts.ts";

describe("extraction", () => {
  const extract = (source: string): ExtractedTexts => {
    const into: ExtractedTexts = { keys: new Set(), untranslatable: [], templates: new Set() };
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

  it("keeps templates as a whole", () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source text of a template is what is examined.
    expect([...extract("const b = `共 ${n} 台 ${m}`;").templates]).toEqual(["共 {} 台 {}"]);
  });

  it("leaves the brand alone", () => {
    const { keys, untranslatable } = extract('const a = "慧牧 Herdwise"; const b = <p>慧牧</p>;');
    expect([keys.size, untranslatable.length]).toEqual([0, 0]);
  });
});
