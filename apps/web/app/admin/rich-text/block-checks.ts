import { blocksIn, isEmptyBody } from "@herdwise/contract/article-blocks";
import type { Translate } from "../../shared/language/use-language.ts";
import type { Check } from "../publishing/publishing-frame.tsx";
import { blockLack, blockNames } from "./block-words.ts";

/** What the content blocks of a body lack before it can be published, in both languages. @param of what the body belongs to, where there are several */
export function blockChecks({ zh, en }: Readonly<Record<"zh" | "en", string>>, t: Translate, of?: string): Check[] {
  const [inChinese, inEnglish] = [blocksIn(zh), blocksIn(en)];
  const before = of === undefined ? "" : `${of} · `;
  const lacks = [
    ...inChinese.map((block) => ({ block, language: t("简体中文") })),
    ...inEnglish.map((block) => ({ block, language: t("英文") })),
  ].flatMap(({ block, language }): Check[] => {
    const lack = blockLack(block);
    if (lack === undefined) return [];
    const values = { language, kind: t(blockNames[block.kind]), lack: t(lack.text, lack.values) };
    return [{ mark: "critical", text: before + t("{language}的{kind}：{lack}", values) }];
  });
  const counts = { zh: inChinese.length, en: inEnglish.length };
  return [
    ...lacks,
    ...(lacks.length === 0 && counts.zh + counts.en > 0
      ? [{ mark: "ok", text: before + t("版块都写完了") } as const]
      : []),
    ...(!isEmptyBody(zh) && !isEmptyBody(en) && counts.zh !== counts.en
      ? [{ mark: "notice", text: before + t("中文有 {zh} 个版块，英文有 {en} 个", counts) } as const]
      : []),
  ];
}
