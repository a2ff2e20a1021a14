import { type PriceCorrection, type PriceDesk, type Province, priceBreeds } from "@herdwise/contract";
import type { ReactNode } from "react";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { signedPercent, yuan } from "../../shared/prices/price-words.ts";
import { TileMap } from "../../shared/prices/tile-map.tsx";
import { useAreaName } from "../../shared/prices/use-area-name.ts";
import styles from "./desk.module.css";
import type { DeskCell } from "./use-price-desk.ts";

/** Province and breed in words. */
export function useCellName(): (of: { regionCode: string; breed: string }) => string {
  const t = useTranslate();
  const nameOf = useAreaName();
  return ({ regionCode, breed }) =>
    `${nameOf(regionCode)} ${t(priceBreeds.find(([known]) => known === breed)?.[1] ?? "")}`;
}

function Card({ title, note, children }: { title: string; note: string; children: ReactNode }) {
  return (
    <section className="card" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <span className="mut">{note}</span>
      </header>
      {children}
    </section>
  );
}

interface ReviewProps {
  cells: readonly DeskCell[];
  busy: boolean;
  mayConfirm: boolean;
  onConfirm: (cells: readonly DeskCell[]) => void;
  onReturn: (cell: DeskCell) => void;
}

/** Outliers that wait for a second person; nobody confirms the own one. */
export function Review({ cells, busy, mayConfirm, onConfirm, onReturn }: ReviewProps) {
  const t = useTranslate();
  const cellName = useCellName();
  const personOf = useNames();
  const { dayTime } = useFormats();
  const others = cells.filter(({ own }) => !own);
  return (
    <Card title={t("待复核")} note={t("与昨日差超过 5 %")}>
      {cells.length === 0 && <p className={styles.nothing}>{t("没有要复核的价格。")}</p>}
      <ul className={styles.items}>
        {cells.map((cell) => (
          <li key={cell.key}>
            <p className={styles.line}>
              <b>{cellName(cell)}</b>
              <span className="state minor">
                <Mark name="minor" />
                {cell.beforeFen === undefined || cell.fen === undefined
                  ? t("没有以前的价可比")
                  : signedPercent(cell.fen, cell.beforeFen, 1)}
              </span>
            </p>
            <p className="num">
              <b>
                {cell.beforeFen === undefined ? "—" : yuan(cell.beforeFen)} →{" "}
                {cell.fen === undefined ? "—" : yuan(cell.fen)}
              </b>{" "}
              <span className="mut">
                {t("{name} {time} 录入", {
                  name: cell.own ? t("我") : personOf(cell.enteredBy),
                  time: dayTime(parseWireDateTime(cell.enteredAt)),
                })}
              </span>
            </p>
            {cell.note !== "" && (
              <p className="mut">
                <Translated text={cell.note} />
              </p>
            )}
            {cell.own ? (
              <p className="mut">{t("您录的，须由他人复核")}</p>
            ) : (
              mayConfirm && (
                <p className={styles.actions}>
                  <Button isDisabled={busy} onPress={() => onReturn(cell)}>
                    {t("退回")}
                  </Button>
                  <Button kind="primary" isDisabled={busy} onPress={() => onConfirm([cell])}>
                    {t("确认 {price}", { price: cell.fen === undefined ? "" : yuan(cell.fen) })}
                  </Button>
                </p>
              )
            )}
          </li>
        ))}
      </ul>
      {mayConfirm && others.length > 1 && (
        <p className={styles.all}>
          <Button kind="link" isDisabled={busy} onPress={() => onConfirm(others)}>
            {t("确认全部 {count} 个", { count: others.length })}
          </Button>
        </p>
      )}
    </Card>
  );
}

interface CorrectionsProps {
  corrections: readonly PriceCorrection[];
  busy: boolean;
  mayConfirm: boolean;
  onDecide: (correction: PriceCorrection, confirmed: boolean) => void;
}

/** Corrections of what was published: those that wait, and the newest that were decided. */
export function Corrections({ corrections, busy, mayConfirm, onDecide }: CorrectionsProps) {
  const t = useTranslate();
  const cellName = useCellName();
  const personOf = useNames();
  const { dayTime } = useFormats();
  const price = (fen: number | undefined): string => (fen === undefined ? "—" : yuan(fen));
  return (
    <Card title={t("更正")} note={t("确认后对外一直可见")}>
      {corrections.length === 0 && <p className={styles.nothing}>{t("还没有更正。点已发布的价格提出。")}</p>}
      <ul className={styles.items}>
        {corrections.map((correction) => (
          <li key={correction.id}>
            <p className={styles.line}>
              <b>
                {cellName(correction)} <span className="mut num">{correction.day.slice(5)}</span>
              </b>
              <b className="num">
                {price(correction.oldFen)} → {price(correction.newFen)}
              </b>
            </p>
            <p>
              <Translated text={correction.reason} />
            </p>
            <p className="mut">
              {t("{name} {time} 提出", {
                name: correction.own ? t("我") : personOf(correction.enteredBy),
                time: dayTime(parseWireDateTime(correction.enteredAt)),
              })}
              {correction.state !== "waiting" && (
                <>
                  {" · "}
                  {t(correction.state === "confirmed" ? "{name}复核" : "{name}退回", {
                    name: personOf(correction.decidedBy),
                  })}
                </>
              )}
            </p>
            {correction.state === "waiting" && correction.own && (
              <p className={styles.actions}>
                <span className="mut">{t("您提的，须由他人复核")}</span>
                <Button isDisabled={busy} onPress={() => onDecide(correction, false)}>
                  {t("收回")}
                </Button>
              </p>
            )}
            {correction.state === "waiting" && !correction.own && mayConfirm && (
              <p className={styles.actions}>
                <Button isDisabled={busy} onPress={() => onDecide(correction, false)}>
                  {t("退回")}
                </Button>
                <Button kind="primary" isDisabled={busy} onPress={() => onDecide(correction, true)}>
                  {t("确认更正")}
                </Button>
              </p>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

const tones = ["c1", "c2", "c3", "c4", "c5"] as const;

/** How the map will look when the day is published. */
export function Preview({ desk, cells }: { desk: PriceDesk; cells: ReadonlyMap<string, DeskCell> }) {
  const t = useTranslate();
  const nameOf = useAreaName();
  const publishable = (cell: DeskCell | undefined): number | undefined =>
    cell !== undefined && (cell.state === "ready" || cell.state === "published") ? cell.fen : undefined;
  const prices = [...cells.values()].flatMap((cell) => (cell.breed === "outer" ? (publishable(cell) ?? []) : []));
  const [low, high] = prices.length === 0 ? [0, 1] : [Math.min(...prices), Math.max(...prices)];
  const toneOf = (fen: number): string =>
    tones[Math.min(4, Math.floor(((fen - low) / Math.max(1, high - low)) * 5))] ?? "c1";
  const tileOf = ({ code }: Province) => {
    const cell = cells.get(`${code}.outer`);
    const area = nameOf(code);
    const fen = publishable(cell);
    if (fen !== undefined)
      return { tone: toneOf(fen), lines: [yuan(fen)], words: t("{area}：{price} 元/kg", { area, price: yuan(fen) }) };
    if (cell?.beforeFen === undefined) return { tone: "no", lines: ["—"], words: t("{area}：无报价", { area }) };
    return {
      tone: "old",
      lines: [yuan(cell.beforeFen)],
      words: t("{area}：沿用 {price} 元/kg，标“今日未更新”", { area, price: yuan(cell.beforeFen) }),
    };
  };
  return (
    <Card title={t(desk.publishedAt === "" ? "发布预览" : "已发布的样子")} note={t("外三元，元/kg")}>
      <div className={styles.preview}>
        <TileMap label={t("各省外三元价格分布")} tileOf={tileOf} compact />
        <p className="mut">{t("底色越浓的省价越高；灰格到点沿用以前的价，标“今日未更新”。")}</p>
      </div>
    </Card>
  );
}
