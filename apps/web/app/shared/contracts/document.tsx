import type { ContractWords } from "@herdwise/contract";
import {
  type ContractForm,
  type ContractLanguage,
  clauseText,
  hasEnglish,
  paperOf,
  partyLine,
} from "@herdwise/contract/contract-text";
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { compareParagraphs, type DiffPart } from "../difference/text-difference.ts";
import { IconButton } from "../kit/button.tsx";
import { CheckBox } from "../kit/check-box.tsx";
import { useLanguage, useTranslate } from "../language/use-language.ts";
import { useNames } from "../language/use-names.ts";
import styles from "./contracts.module.css";

/** A clause as it is shown: its heading and paragraphs, each in parts that two versions share or don't. */
interface ShownClause {
  key: string;
  heading: DiffPart[];
  paragraphs: DiffPart[][];
  change: number | undefined;
}

const partsOf = (paragraphs: readonly string[]): DiffPart[][] => paragraphs.map((text) => [{ kind: "same", text }]);

/** Clauses of two versions beside each other, by their place; numbers of the changed ones from 1. */
function clausesOf(now: readonly string[][], before: readonly string[][] | undefined): ShownClause[] {
  let changes = 0;
  const length = Math.max(now.length, before?.length ?? 0);
  return Array.from({ length }, (_, index) => {
    const [mine = [], theirs] = [now[index], before && (before[index] ?? [])];
    const shown = theirs === undefined ? partsOf(mine) : compareParagraphs(theirs, mine);
    const changed = shown.some((parts) => parts.some(({ kind }) => kind !== "same"));
    if (changed) changes += 1;
    const [heading = [], ...paragraphs] = shown;
    return { key: `clause-${index}`, heading, paragraphs, change: changed ? changes : undefined };
  });
}

const chinese = /(\p{Script=Han}[\p{Script=Han}、，。（）]*)/u;

/** A text of the paper; names and values that have no English say which language they are. */
function InItsLanguage({ text, language }: { text: string; language: ContractLanguage }) {
  if (language === "zh") return text;
  let at = 0;
  return text.split(chinese).map((run) => {
    at += 1;
    return chinese.test(run) ? (
      <bdi key={at} lang="zh-CN">
        {run}
      </bdi>
    ) : (
      run
    );
  });
}

function Parts({ parts, language }: { parts: readonly DiffPart[]; language: ContractLanguage }) {
  let at = 0;
  return parts.map(({ kind, text }) => {
    at += 1;
    const key = `${at}`;
    const shown = <InItsLanguage text={text} language={language} />;
    if (kind === "added") return <ins key={key}>{shown}</ins>;
    if (kind === "removed") return <del key={key}>{shown}</del>;
    return <span key={key}>{shown}</span>;
  });
}

interface DocumentProps {
  words: Pick<ContractWords, "form" | "values" | "terms">;
  customer: string;
  group: string;
  number: string;
  /** An earlier version to compare with, and what says which. */
  before?: Pick<ContractWords, "form" | "values" | "terms"> | undefined;
  /** Chooses the version to compare with. */
  chooser?: ReactNode;
  /** At the end of the paper, such as who signed. */
  children?: ReactNode;
  /** The end was reached. */
  onRead?: () => void;
}

/** The words of a contract as a sheet of paper, with what another version says marked. */
export function ContractDocument({ words, number, before, chooser, children, onRead, ...parties }: DocumentProps) {
  const t = useTranslate();
  const nameOf = useNames();
  const preferred = useLanguage();
  const form = words.form as ContractForm;
  const bilingual = hasEnglish(form);
  const [chosen, setChosen] = useState<ContractLanguage>();
  const [marked, setMarked] = useState(true);
  const [at, setAt] = useState(0);
  const sheet = useRef<HTMLElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const read = useRef(onRead);
  read.current = onRead;
  useEffect(() => {
    if (!end.current) return;
    const watch = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) read.current?.();
    });
    watch.observe(end.current);
    return () => watch.disconnect();
  }, []);
  const language: ContractLanguage = bilingual ? (chosen ?? preferred) : "zh";
  // The translation is for reference, so that names and texts in it are those that other screens give them.
  const [customer, group] = [parties.customer, parties.group].map((name) =>
    language === "en" ? nameOf(name) : name,
  ) as [string, string];
  const filled = useCallback(
    ({ form, values }: Pick<ContractWords, "form" | "values">) => {
      const texts = (form as ContractForm).fields.filter(({ type }) => type === "text" || type === "party");
      const named = language === "en" ? texts.map(({ key }) => [key, nameOf(values[key] ?? "")] as const) : [];
      return { ...values, ...Object.fromEntries(named), customer, group };
    },
    [customer, group, language, nameOf],
  );
  const paper = useMemo(() => paperOf(form, filled(words), language, words.terms), [form, words, filled, language]);
  const clauses = useMemo(() => {
    const texts = (of: typeof paper) => of.clauses.map((clause, index) => clauseText(clause, index, language));
    const earlier =
      before && marked
        ? texts(paperOf(before.form as ContractForm, filled(before), language, before.terms))
        : undefined;
    return clausesOf(texts(paper), earlier);
  }, [paper, before, marked, filled, language]);
  const changes = clauses.filter(({ change }) => change !== undefined).length;
  const go = (step: number): void => {
    const next = ((at - 1 + step + changes) % changes) + 1;
    setAt(next);
    sheet.current?.querySelector(`[data-change="${next}"]`)?.scrollIntoView({ block: "center" });
  };
  return (
    <section className={`card ${styles.document}`} aria-label={t("合同正文")}>
      <div className={styles.bar}>
        {bilingual && (
          <fieldset className="seg" aria-label={t("正文语言")}>
            {(["zh", "en"] as const).map((one) => (
              <button key={one} type="button" aria-pressed={language === one} onClick={() => setChosen(one)}>
                {one === "zh" ? "中文" : "English"}
              </button>
            ))}
          </fieldset>
        )}
        <span className={styles.gap} />
        {before && (
          <>
            <label className={styles.tick}>
              <CheckBox checked={marked} onChange={(event) => setMarked(event.target.checked)} />
              {t("标出改动")}
            </label>
            {chooser}
            {marked && changes > 0 && (
              <>
                <IconButton small icon="up" label={t("上一处改动")} onPress={() => go(-1)} />
                <IconButton small icon="down" label={t("下一处改动")} onPress={() => go(1)} />
                <span className="num mut">
                  {at} / {changes}
                </span>
              </>
            )}
          </>
        )}
      </div>
      {/* A region that scrolls has to be reached by keys. */}
      <section
        className={styles.desk}
        aria-label={t("合同正文，可以滚动")}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by keys
        tabIndex={0}
      >
        <article ref={sheet} className={styles.paper} lang={language === "zh" ? "zh-CN" : "en"}>
          <h2>{paper.title}</h2>
          <p className={styles.number}>{number}</p>
          {language === "en" && <p className={styles.number}>Translation for reference; the Chinese text prevails.</p>}
          <p>
            <InItsLanguage text={partyLine("customer", customer, language)} language={language} />
          </p>
          <p>
            <InItsLanguage text={partyLine("group", group, language)} language={language} />
          </p>
          {clauses.map(({ key, heading, paragraphs, change }) => (
            <div key={key} data-change={change} className={styles.clause}>
              <h3>
                <Parts parts={heading} language={language} />
                {change !== undefined && (
                  <span className={styles.change} title={t("第 {count} 处改动", { count: change })}>
                    {change}
                  </span>
                )}
              </h3>
              {paragraphs.map((parts, index) => (
                // Paragraphs have no identity but their place.
                <p key={`${key}-${index}`}>
                  <Parts parts={parts} language={language} />
                </p>
              ))}
            </div>
          ))}
          {children}
          <div ref={end} />
        </article>
      </section>
    </section>
  );
}
