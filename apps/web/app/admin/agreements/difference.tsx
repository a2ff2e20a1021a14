import { compareParagraphs } from "../../shared/difference/text-difference.ts";
import { useTranslate } from "../../shared/language/use-language.ts";
import styles from "./agreements.module.css";

const paragraphsOf = (text: string): string[] =>
  text
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== "");

/** Two versions of a text: what was taken out and put in, told to screen readers in words. */
export function Difference({ before, after, lang }: { before: string; after: string; lang: "zh" | "en" }) {
  const t = useTranslate();
  const parts = compareParagraphs(paragraphsOf(before), paragraphsOf(after));
  const same = parts.every((paragraph) => paragraph.every(({ kind }) => kind === "same"));
  if (same) return <p>{t("没有不同")}</p>;
  return parts.map((paragraph, at) => (
    <p key={at} lang={lang === "zh" ? "zh-CN" : "en"}>
      {paragraph.map(({ kind, text }, place) => {
        const key = `${place}-${kind}`;
        if (kind === "same") return <span key={key}>{text}</span>;
        const Element = kind === "added" ? "ins" : "del";
        return (
          <Element key={key}>
            <span className="visually-hidden">{t(kind === "added" ? "新增：" : "删去：")}</span>
            {text}
          </Element>
        );
      })}
    </p>
  ));
}

/** A text as people read it. */
export function Body({ text, lang }: { text: string; lang: "zh" | "en" }) {
  return (
    <div className={styles.text} lang={lang === "zh" ? "zh-CN" : "en"}>
      {text.split(/\n{2,}/).map((paragraph, at) => (
        <p key={at}>{paragraph}</p>
      ))}
    </div>
  );
}
