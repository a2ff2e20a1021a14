import type { WorkOrderSnapshot } from "@herdwise/contract";
import {
  type Channel,
  type DeviceKind,
  type LocalText,
  localUnit,
  rangeOf,
  shadedOf,
  verdictOf,
} from "@herdwise/device-kinds";
import { loadKind } from "@herdwise/device-kinds/kind-loader";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useMemo, useState } from "react";
import type { TimePanel } from "../chart/time-chart.tsx";
import { silencesOf } from "../chart/time-points.ts";
import { Mark, type MarkName } from "../icons/mark.tsx";
import { Button } from "../kit/button.tsx";
import { Translated, TranslatedLine } from "../language/translated.tsx";
import { useFormats, useLanguage, useTranslate } from "../language/use-language.ts";
import { Skeleton } from "../states/skeleton.tsx";
import styles from "./work-orders.module.css";

const TimeChart = lazy(() => import("../chart/time-chart.tsx").then((part) => ({ default: part.TimeChart })));

/** Curves that are drawn before somebody asks for all. */
const drawnAtFirst = 4;
/** A pause of half an hour between points of ten minutes is a silence. */
const silenceMs = 1_800_000;

const modeWords: Readonly<Record<string, string>> = { normal: "正常饲养", empty: "空舍", washing: "洗消" };
const severityWords = {
  CRITICAL: ["紧急", "critical"],
  MAJOR: ["严重", "major"],
  MINOR: ["一般", "minor"],
  WARN: ["提示", "notice"],
} as const satisfies Record<string, readonly [string, MarkName]>;

interface CurveProps {
  kind: DeviceKind;
  channel: Channel;
  points: readonly (readonly [number, number])[];
  snapshot: WorkOrderSnapshot;
  local: (text: LocalText) => string;
}

function Curve({ kind, channel, points, snapshot, local }: CurveProps) {
  const { number } = useFormats();
  const unit = local(localUnit(channel.unit));
  const panels = useMemo((): TimePanel[] => {
    const series = {
      // The caption names it.
      name: "",
      unit,
      decimals: channel.decimals,
      points: points.map(([atMs, value]) => ({ atMs, value })),
      step: channel.type === "boolean" || channel.step === true,
    };
    return [
      {
        unit,
        height: 120,
        series: [series],
        band: shadedOf(rangeOf(kind, channel.key, {}, { ageS: 0 })),
        valid: channel.valid,
      },
    ];
  }, [kind, channel, points, unit, local]);
  const last = points.at(-1);
  const state = last && verdictOf(kind, channel.key, { [channel.key]: last[1] }, { ageS: 0 }).state;
  const wrong = state === "minor" || state === "major" || state === "critical" ? state : undefined;
  return (
    <figure className={styles.curve}>
      <figcaption>
        <span>{local(channel.name)}</span>
        {last && (
          <b className={wrong ? `num state ${wrong}` : "num"}>
            {wrong && <Mark name={wrong} />}
            {number(last[1], channel.decimals)} <small>{unit}</small>
          </b>
        )}
      </figcaption>
      <Suspense fallback={<Skeleton width={12} />}>
        <TimeChart
          label={local(channel.name)}
          panels={panels}
          startMs={snapshot.startMs}
          endMs={snapshot.endMs}
          silences={silencesOf(
            points.map(([atMs]) => atMs),
            silenceMs,
          )}
          heardMs={last?.[0]}
        />
      </Suspense>
    </figure>
  );
}

function ValueTable({
  rows,
  local,
}: {
  rows: readonly { channel: Channel; points: readonly (readonly [number, number])[] }[];
  local: (text: LocalText) => string;
}) {
  const t = useTranslate();
  const { number } = useFormats();
  return (
    <section
      className={styles.values}
      aria-label={t("数据表")}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
      tabIndex={0}
    >
      <table className="tbl">
        <thead>
          <tr>
            <th scope="col">{t("数值")}</th>
            <th scope="col" className="numeric">
              {t("最低")}
            </th>
            <th scope="col" className="numeric">
              {t("平均")}
            </th>
            <th scope="col" className="numeric">
              {t("最高")}
            </th>
            <th scope="col" className="numeric">
              {t("提交时")}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ channel, points }) => {
            const values = points.map(([, value]) => value);
            const shown = (value: number | undefined) => (value === undefined ? "--" : number(value, channel.decimals));
            return (
              <tr key={channel.key}>
                <th scope="row">{`${local(channel.name)} ${local(localUnit(channel.unit))}`.trim()}</th>
                <td className="numeric">{shown(Math.min(...values))}</td>
                <td className="numeric">{shown(values.reduce((sum, one) => sum + one, 0) / values.length)}</td>
                <td className="numeric">{shown(Math.max(...values))}</td>
                <td className="numeric">{shown(values.at(-1))}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

function Body({ snapshot, kind }: { snapshot: WorkOrderSnapshot; kind: DeviceKind }) {
  const t = useTranslate();
  const language = useLanguage();
  const { dateTime } = useFormats();
  const local = useMemo(() => (text: LocalText) => text[language], [language]);
  const [asTable, setAsTable] = useState(false);
  const [all, setAll] = useState(false);
  const rows = snapshot.series.flatMap(({ key, points }) => {
    const channel = kind.channels.find((one) => one.key === key);
    return channel ? [{ channel, points }] : [];
  });
  const drawn = all ? rows : rows.slice(0, drawnAtFirst);
  return (
    <>
      <header>
        <h2 id="snapshot-title">{t("提交前 24 小时")}</h2>
        <span className="mut">{t("设备自带，提交时封存，两边看到的一样")}</span>
        <span className="spacer" />
        {rows.length > 0 && (
          <Button icon={asTable ? "board" : "table"} aria-pressed={asTable} onPress={() => setAsTable(!asTable)}>
            {t(asTable ? "看曲线" : "看数表")}
          </Button>
        )}
      </header>
      {rows.length === 0 && <p className="calm mut">{t("这段时间设备没有数据。")}</p>}
      {asTable ? (
        <ValueTable rows={rows} local={local} />
      ) : (
        <div className={styles.curves}>
          {drawn.map(({ channel, points }) => (
            <Curve key={channel.key} kind={kind} channel={channel} points={points} snapshot={snapshot} local={local} />
          ))}
        </div>
      )}
      {!asTable && rows.length > drawnAtFirst && (
        <p className={styles.more}>
          <Button kind="link" onPress={() => setAll(!all)}>
            {all ? t("只看主要的") : t("另有 {count} 条曲线", { count: rows.length - drawnAtFirst })}
          </Button>
        </p>
      )}
      <dl className={styles.facts}>
        <div>
          <dt>{t("这台设备")}</dt>
          <dd>
            <Translated text={snapshot.deviceName} />
            <small className="mut num">{snapshot.serialNumber}</small>
          </dd>
        </div>
        <div>
          <dt>{t("固件")}</dt>
          <dd className="num">{snapshot.firmwareVersion || "--"}</dd>
        </div>
        {modeWords[snapshot.mode] !== undefined && (
          <div>
            <dt>{t("模式")}</dt>
            <dd>{t(modeWords[snapshot.mode] ?? "")}</dd>
          </div>
        )}
        {snapshot.headCount !== undefined && (
          <div>
            <dt>{t("在养")}</dt>
            <dd className="num">{t("{count} 头", { count: snapshot.headCount })}</dd>
          </div>
        )}
      </dl>
      <ul className={styles.alarms}>
        {snapshot.alarms.map(({ ruleId, ruleName, severity, raisedMs, endedMs }) => {
          const [word, mark] = severityWords[severity];
          const name = kind.alarmRules.find(({ id }) => id === ruleId)?.name;
          return (
            <li key={`${ruleId} ${raisedMs}`}>
              <span className={`state ${endedMs === undefined ? mark : "ok"}`}>
                <Mark name={endedMs === undefined ? mark : "ok"} />
                {t(endedMs === undefined ? word : "已恢复")}
              </span>
              <span>{name ? local(name) : <TranslatedLine text={ruleName || ruleId} />}</span>
              <span className="age num">
                {endedMs === undefined
                  ? t("{time} 起，未恢复", { time: dateTime(raisedMs) })
                  : t("{from} 到 {to}", { from: dateTime(raisedMs), to: dateTime(endedMs) })}
              </span>
            </li>
          );
        })}
        {snapshot.alarms.length === 0 && <li className="mut">{t("这 24 小时没有告警")}</li>}
      </ul>
    </>
  );
}

/** How the device stood in the 24 hours before an order was raised. */
export function Snapshot({ snapshot }: { snapshot: WorkOrderSnapshot }) {
  const { data: kind } = useQuery({
    queryKey: ["kind", snapshot.kind],
    queryFn: () => loadKind[snapshot.kind](),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <section className={`card ${styles.snapshot}`} aria-labelledby="snapshot-title">
      {kind ? (
        <Body snapshot={snapshot} kind={kind} />
      ) : (
        <header>
          <Skeleton width={12} />
        </header>
      )}
    </section>
  );
}
