import type { ComparisonAnswer } from "@herdwise/contract";
import { Mark } from "../../shared/icons/mark.tsx";
import { useJoin } from "../../shared/language/use-join.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import styles from "./compare.module.css";
import type { Comparison } from "./comparison.ts";
import type { Measure } from "./measures.ts";
import type { ComparedLine, ComparedLines } from "./use-comparison.ts";

/** Hours of the night and of the day that a difference is told for when it lies in one of them. */
const isNight = (hour: number): boolean => hour >= 22 || hour < 6;
const isMidday = (hour: number): boolean => hour >= 10 && hour < 16;
/** A difference lies in one part of the day when there it is larger by this share of the whole. */
const unevenShare = 0.4;
const leastDays = 5;

const testNames: Readonly<Record<ComparisonAnswer["test"], string>> = {
  "paired-t": "配对 t 检验",
  "welch-t": "Welch t 检验",
  "mann-whitney": "Mann–Whitney 检验",
};

const meanOf = (of: readonly (readonly [number, number])[]): number =>
  of.reduce((sum, [, size]) => sum + size, 0) / Math.max(1, of.length);

/** A size in the measure's unit, with a decimal more than its values where it would read as nothing. */
export function useSizeText(): (size: number, measure: Pick<Measure, "decimals">) => string {
  const { number } = useFormats();
  return (size, { decimals }) => {
    const shown = Math.max(1, decimals);
    return number(size, size !== 0 && Math.abs(size) < 10 ** -shown ? shown + 1 : shown);
  };
}

/** The sentences of an answer: what it says, where in the day it lies, and how sure that is. */
function useAnswerTexts(
  { lines }: ComparedLines,
  comparison: Comparison,
  nameOf: (line: ComparedLine) => string,
): (answer: ComparisonAnswer, measure: Measure, of: number) => { head: string; day: string; sure: string } {
  const t = useTranslate();
  const { number } = useFormats();
  const sizeText = useSizeText();
  const join = useJoin("clauses");
  const { earlier, align, days } = comparison;
  return (answer, measure, of) => {
    const [first, other] = [lines[answer.first], lines[answer.other]];
    if (!first || !other) return { head: "", day: "", sure: "" };
    const { unit } = measure;
    const size = answer.size ?? 0;
    const isPeriod = first.isEarlier;
    const [high, low] = size >= 0 ? [other, first] : [first, other];
    const values = {
      measure: measure.name,
      unit,
      size: sizeText(Math.abs(size), measure),
      place: nameOf(first),
      high: nameOf(high),
      low: nameOf(low),
      first: nameOf(first),
      other: nameOf(other),
      count: days,
      days: Math.min(...answer.days),
      least: leastDays,
      before: earlier === "year" ? t("一年前的同一段") : t("再往前 {count} 日", { count: days }),
    };
    if (answer.verdict === "too-few") {
      const head = isPeriod
        ? t("{place}的{measure}：天数太少，还看不出和{before}差多少", values)
        : t("{first}和{other}的{measure}：天数太少，还看不出差多少", values);
      return { head, day: "", sure: t("两边能比的整天只有 {days} 个，至少要 {least} 个。换一段更长的时间。", values) };
    }
    const head =
      answer.verdict === "noise"
        ? isPeriod
          ? t("{place}的{measure}和{before}差 {size} {unit}，分不出是变了还是波动", values)
          : t("{first}和{other}的{measure}差 {size} {unit}，分不出是差别还是波动", values)
        : isPeriod
          ? size > 0
            ? t("{place}近 {count} 日的{measure}比{before}高 {size} {unit}，不像是波动", values)
            : t("{place}近 {count} 日的{measure}比{before}低 {size} {unit}，不像是波动", values)
          : t("{high}的{measure}比{low}高 {size} {unit}，不像是波动", values);
    const sign = isPeriod || size >= 0 ? 1 : -1;
    const part = (within: (hour: number) => boolean): number =>
      sign * meanOf((answer.hours ?? []).filter(([hour]) => within(hour)));
    const [night, midday] = [part(isNight), part(isMidday)];
    const isUneven = answer.hours !== undefined && Math.abs(night - midday) > unevenShare * Math.abs(size);
    const parts = { night: sizeText(night, measure), midday: sizeText(midday, measure), unit };
    const day =
      answer.verdict !== "different" || !isUneven
        ? ""
        : night > midday
          ? t("差在夜里：22 点到 6 点差 {night} {unit}，10 点到 16 点差 {midday} {unit}。", parts)
          : t("差在白天：10 点到 16 点差 {midday} {unit}，22 点到 6 点差 {night} {unit}。", parts);
    const [from, to] = [answer.low ?? 0, answer.high ?? 0].map((end) => end * sign).sort((a, b) => a - b) as [
      number,
      number,
    ];
    const p = answer.p ?? 1;
    const sure = join([
      t("95 % 区间 {from} 到 {to} {unit}", { from: sizeText(from, measure), to: sizeText(to, measure), unit }),
      t(testNames[answer.test]),
      align === "time" && !isPeriod && answer.test === "paired-t"
        ? t("{days} 个共同的整天，按日均配对", values)
        : t("{a} 个整天对 {b} 个", { a: answer.days[0], b: answer.days[1] }),
      p < 0.001 ? "p < 0.001" : `p = ${number(p, 3)}`,
      ...(of > 1 ? [t("按 {count} 个比较做了 Holm 校正", { count: of })] : []),
    ]);
    return { head, day, sure };
  };
}

/** Answers with what is more than noise first; within these, in the order of the measures and places. */
export const clearestFirst = (answers: readonly ComparisonAnswer[]): ComparisonAnswer[] =>
  answers.toSorted((a, b) => Number(b.verdict === "different") - Number(a.verdict === "different"));

/** The answer of a comparison: how much its places differ, whether that is more than noise, and by which test. */
export function AnswerCard({
  value,
  measures,
  comparison,
  nameOf,
}: {
  value: ComparedLines;
  measures: readonly Measure[];
  comparison: Comparison;
  nameOf: (line: ComparedLine) => string;
}) {
  const t = useTranslate();
  const textsOf = useAnswerTexts(value, comparison, nameOf);
  const told = clearestFirst(value.answers).flatMap((answer) => {
    const measure = measures.find(({ key }) => key === answer.key);
    return measure ? [{ answer, measure }] : [];
  });
  const counted = told.filter(({ answer }) => answer.verdict !== "too-few").length;
  const [lead, ...more] = told.map(({ answer, measure }) => ({
    answer,
    measure,
    ...textsOf(answer, measure, counted),
  }));
  if (!lead)
    return (
      <section className={`card ${styles.answer}`} aria-label={t("答案")}>
        <p className={styles.hint}>{t("再加一个场区、栋、单元或设备，或选“和以前比”，这里就说差多少、是不是波动。")}</p>
      </section>
    );
  return (
    <section className={`card ${styles.answer}`} aria-label={t("答案")} data-verdict={lead.answer.verdict}>
      <h2>{lead.head}</h2>
      {lead.day !== "" && <p>{lead.day}</p>}
      <p className="mut">{lead.sure}</p>
      {more.length > 0 && (
        <ul>
          {more.map(({ answer, measure, head, sure }) => (
            <li key={`${measure.key} ${answer.first} ${answer.other}`} data-verdict={answer.verdict}>
              <Mark name={answer.verdict === "different" ? "notice" : "aside"} />
              <span>
                {head}
                <small className="mut">{sure}</small>
              </span>
            </li>
          ))}
        </ul>
      )}
      <details>
        <summary>{t("怎么算的")}</summary>
        <p>
          {t(
            "每个整天（至少 16 小时有数）算一个日均值，缺的不补。同一段日历里按天配对，做差的 t 检验；不同时段或按日龄比，用 Welch t 检验；次数和死亡这类偏斜的计数用 Mann–Whitney 检验，区间是 Hodges–Lehmann 位移的区间。相邻的天彼此相像，按一阶自相关折算成较少的独立天数。p 小于 0.05 才说不像是波动；一次比几个时用 Holm 校正。",
          )}
        </p>
      </details>
    </section>
  );
}
