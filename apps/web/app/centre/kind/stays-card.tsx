import { deviceEventPage } from "@herdwise/contract";
import type { KindPart } from "@herdwise/device-kinds";
import { useId } from "react";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { Waiting } from "../../shared/states/waiting.tsx";
import styles from "./grids.module.css";
import { useKind, useLocalText } from "./kind-view.ts";
import { StateMark } from "./state-mark.tsx";

const shown = 8;
const secondMs = 1000;

/** Stays of people one above the other, all from the same begin: how long they were inside, and the part of it that counts. */
export function StaysCard({ part, deviceId }: { part: Extract<KindPart, { type: "stays" }>; deviceId: string }) {
  const t = useTranslate();
  const local = useLocalText();
  const { number, dayTime, time } = useFormats();
  const { kind } = useKind();
  const titleId = useId();
  const title = local(part.title);
  const { value, error, reload } = useLoad(`stays ${deviceId} ${part.event}`, async (signal) => {
    const query = { id: deviceId, type: part.event, current: 1, size: shown };
    return (await call(deviceEventPage, { query, signal, quiet: true })).records;
  });
  const declared = kind.parameters.find(({ key }) => key === part.leastS);
  const leastS = declared?.type === "number" ? declared.default : 0;
  const stays = (value ?? []).flatMap(({ eventId, fields }) => {
    const [fromMs, toMs, partMs] = [part.from, part.to, part.partFrom].map((key) => Date.parse(String(fields[key])));
    const partS = fields[part.partS];
    if (fromMs === undefined || toMs === undefined || !(toMs > fromMs) || typeof partS !== "number") return [];
    const good = part.good.words.includes(String(fields[part.good.field]));
    const begin = partMs === undefined || Number.isNaN(partMs) ? fromMs : partMs;
    return [
      {
        id: eventId,
        who: String(fields[part.of] ?? ""),
        fromMs,
        toMs,
        seconds: (toMs - fromMs) / secondMs,
        offsetS: (begin - fromMs) / secondMs,
        partS,
        good,
      },
    ];
  });
  const longest = Math.max(1, ...stays.map(({ seconds }) => seconds));
  const at = (seconds: number): string => `${Math.max(0, Math.min(100, (seconds / longest) * 100))}%`;
  return (
    <section className="card" data-part aria-labelledby={titleId}>
      <header>
        <h2 id={titleId}>{title}</h2>
      </header>
      {error && <LoadingProblem error={error} onRetry={reload} what={title} kept={value !== undefined} />}
      {!value && !error && <Waiting />}
      {value && stays.length === 0 && <ExceptionView type="empty" text={t("设备还没有发来这类记录。")} />}
      {stays.length > 0 && (
        <>
          <ul className={styles.stays}>
            {stays.map(({ id, who, fromMs, toMs, seconds, offsetS, partS, good }) => (
              <li key={id}>
                <span>
                  {who || "--"}
                  <small className="num">{`${dayTime(fromMs)} – ${time(toMs)}`}</small>
                </span>
                <span className={styles.stay} aria-hidden="true">
                  <i style={{ width: at(seconds) }} />
                  <b data-bad={good ? undefined : true} style={{ left: at(offsetS), width: at(partS) }} />
                  {leastS > 0 && <u style={{ left: at(offsetS + leastS) }} />}
                </span>
                <em>
                  <span className="num">{number(partS)} s</span>
                  <StateMark state={good ? "ok" : "major"}>{good ? t("合格") : t("不合格")}</StateMark>
                </em>
              </li>
            ))}
          </ul>
          <p className={styles.staysKey}>
            {t("灰条是在里面的时间，彩条是水下时间；竖线是至少 {count} s。", { count: number(leastS) })}
          </p>
        </>
      )}
    </section>
  );
}
