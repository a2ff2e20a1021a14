import type { DriverTrip } from "@herdwise/contract";
import { driverStep } from "@herdwise/contract/driver-step";
import type { ReactNode } from "react";
import { Icon } from "../shared/icons/icon.tsx";
import { Mark, type MarkName } from "../shared/icons/mark.tsx";
import { tellIn } from "../shared/language/tell.ts";
import { Translated } from "../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../shared/language/use-language.ts";
import styles from "./driver.module.css";
import type { Driver } from "./use-driver.ts";
import type { usePosition } from "./use-position.ts";

const actWords = {
  disinfect: "洗消证",
  quarantine: "检疫证",
  depart: "出发",
  arrive: "到达",
  position: "位置",
} as const;

const paperFaces = {
  ok: { word: "有效", mark: "ok" },
  missing: { word: "还没有", mark: "empty" },
  expired: { word: "过期", mark: "critical" },
  few: { word: "头数不够", mark: "major" },
} as const satisfies Record<string, { word: string; mark: MarkName }>;

/** A certificate that a driver takes a photo of. */
export type Paper = "disinfect" | "quarantine";

/** What keeps the vehicle out, in words, and what to do about it. */
export function Blocked({ trip }: { trip: DriverTrip }) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const { state, untilMs } = trip.disinfection;
  if (state === "ok" || trip.state === "departed" || trip.state === "arrived") return null;
  const expired = state === "expired";
  return (
    <section className={styles.blocked} aria-labelledby="blocked">
      <h2 id="blocked">
        <Mark name={expired ? "critical" : "major"} />
        {t(expired ? "洗消证过期，不能进场" : "没有洗消证，不能进场")}
      </h2>
      {expired && <p className="num">{t("{until} 到期。", { until: dayTime(untilMs) })}</p>}
      <ol>
        <li>{t(expired ? "去洗消点重洗" : "去洗消点洗消")}</li>
        <li>{t("拍新洗消证，四角都要拍到")}</li>
        <li>{t("等场里核对放行")}</li>
      </ol>
    </section>
  );
}

/** The steps of the trip: what is done, what is next, and what waits on the phone. */
export function Steps({ trip, waits }: { trip: DriverTrip; waits: (act: string) => boolean }) {
  const t = useTranslate();
  const { time } = useFormats();
  const step = driverStep(trip);
  const reached = ["planned", "ready", "loading", "departed", "arrived", "closed"].indexOf(trip.state);
  const rows: [key: string, word: string, done: boolean, atMs?: number | undefined][] = [
    ["disinfect", "洗消证", trip.disinfection.state === "ok"],
    ["quarantine", "检疫证", trip.quarantine.state === "ok"],
    ["clear", "场里放行", reached >= 1],
    ["load", "开始装车", reached >= 2],
    ["depart", "过磅后出发", reached >= 3, trip.departedMs],
    ["arrive", "到达", reached >= 4, trip.arrivedMs],
  ];
  const current = rows.findIndex(([key]) => key === step);
  return (
    <section className={styles.card} aria-labelledby="steps">
      <header>
        <h2 id="steps">{t("这一趟")}</h2>
        {current >= 0 && <span>{t("第 {at} 步，共 {of} 步", { at: current + 1, of: rows.length })}</span>}
      </header>
      <ol className={styles.rows}>
        {rows.map(([key, word, done, atMs], index) => (
          <li key={key} aria-current={index === current ? "step" : undefined}>
            {done ? (
              <span className="state ok">
                <Mark name="ok" />
                <span className="visually-hidden">{t("已完成")}</span>
              </span>
            ) : (
              <i aria-hidden="true" />
            )}
            <b>{t(word)}</b>
            <span className="num">
              {atMs === undefined ? (waits(key) ? t("等网络") : index === current ? t("现在") : "") : time(atMs)}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The certificates, each with the way to take it anew. */
export function Papers({
  trip,
  waits,
  onTake,
}: {
  trip: DriverTrip;
  waits: (act: string) => boolean;
  onTake: (of: Paper) => void;
}) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const open = ["planned", "ready", "loading"].includes(trip.state);
  const rows = [
    ["disinfect", trip.disinfection, trip.disinfection.untilMs],
    // Its last day is a day, not a moment.
    ["quarantine", trip.quarantine, trip.quarantine.untilMs && trip.quarantine.untilMs - 1],
  ] as const;
  return (
    <section className={styles.card} aria-labelledby="papers">
      <header>
        <h2 id="papers">{t("证件")}</h2>
      </header>
      <ul className={styles.rows}>
        {rows.map(([act, paper, untilMs]) => {
          const face = paperFaces[paper.state];
          return (
            <li key={act}>
              <span className={`state ${face.mark}`}>
                <Mark name={face.mark} />
              </span>
              <span>
                <b>{t(actWords[act])}</b>
                <small className="num">
                  {waits(act)
                    ? t("已存在手机里，有网就发")
                    : [t(face.word), paper.number, untilMs && t("至 {until}", { until: dayTime(untilMs) })]
                        .filter(Boolean)
                        .join(" · ")}
                </small>
              </span>
              {open && (
                <button type="button" className="btn" onClick={() => onTake(act)}>
                  {t(paper.state === "missing" ? "拍照" : "重拍")}
                  <span className="visually-hidden">{t(actWords[act])}</span>
                </button>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Where it loads, when, and where it goes. */
export function Way({ trip }: { trip: DriverTrip }) {
  const t = useTranslate();
  const facts: [string, ReactNode][] = [
    [t("装车场"), <Translated key="field" text={trip.field} />],
    [t("地址"), trip.place && <Translated key="place" text={trip.place} />],
    [t("装车日"), <span key="day">{[trip.day, trip.times.replaceAll(",", ", ")].filter(Boolean).join(" ")}</span>],
    [t("运往"), trip.destination && <Translated key="to" text={trip.destination} />],
    [t("转运单"), trip.number],
  ];
  return (
    <section className={styles.card} aria-labelledby="way">
      <header>
        <h2 id="way">{t("怎么走")}</h2>
      </header>
      <dl className={styles.facts}>
        {facts
          .filter(([, value]) => value)
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="num">{value}</dd>
            </div>
          ))}
      </dl>
    </section>
  );
}

/** Whether the place goes with each step, and why. */
export function Place({ of: { leave, locate } }: { of: ReturnType<typeof usePosition> }) {
  const t = useTranslate();
  const words = {
    asked: "允许后，每一步都带上位置；在途时页面开着，每 3 分钟记一次。不允许也能传证件。",
    granted: "位置随每一步发送；在途时页面开着，每 3 分钟记一次。",
    denied: "没有允许位置，不影响传证件。要打开，请在浏览器的网站设置里允许“位置”。",
    none: "这个浏览器给不出位置，不影响传证件。",
  } as const;
  return (
    <section className={styles.card} aria-labelledby="place">
      <header>
        <h2 id="place">{t("位置")}</h2>
        <span className={`state ${leave === "granted" ? "ok" : "off"}`}>
          <Mark name={leave === "granted" ? "ok" : "off"} />
          {t(leave === "granted" ? "发送" : "不发送")}
        </span>
      </header>
      <p>{t(words[leave])}</p>
      {leave === "asked" && (
        <button type="button" className="btn" onClick={() => void locate()}>
          <Icon name="pin" />
          {t("允许位置")}
        </button>
      )}
    </section>
  );
}

/** What the server said of what was sent. */
export function Outcomes({ driver }: { driver: Driver }) {
  const t = useTranslate();
  const { time } = useFormats();
  return (
    <div role="status">
      {driver.outcomes.length > 0 && (
        <section className={styles.card} aria-labelledby="sent">
          <header>
            <h2 id="sent">{t("刚发出的")}</h2>
          </header>
          <ul className={styles.rows}>
            {driver.outcomes.map(({ key, act, atMs, outcome, text, values }) => (
              <li key={key}>
                <span className={`state ${outcome === "done" ? "ok" : "major"}`}>
                  <Mark name={outcome === "done" ? "ok" : "major"} />
                </span>
                <span>
                  <b>{t(actWords[act])}</b>
                  <small>{outcome === "done" ? t("已送达") : tellIn(t, { text, values })}</small>
                </span>
                <span className="num">{time(atMs)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
