import type { AnalyticResult } from "@herdwise/contract";
import { shanghaiDay } from "@herdwise/contract/shanghai";
import { type Analytic, localUnit, shortfallOf } from "@herdwise/device-kinds";
import { Icon } from "../../shared/icons/icon.tsx";
import { useJoin } from "../../shared/language/use-join.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { type CsvCell, downloadCsv } from "../../shared/sheets/csv.ts";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { Waiting } from "../../shared/states/waiting.tsx";
import { useKind, useLocalText } from "./kind-view.ts";
import styles from "./parts.module.css";
import { StateMark } from "./state-mark.tsx";
import { Unreliable } from "./unreliable.tsx";
import { type AnalyticsDays, analyticsDays, useAnalytics } from "./use-analytics.ts";

/** The span that a card's figures are of. */
export function DaysChoice({ days, onChoose }: { days: AnalyticsDays; onChoose: (days: AnalyticsDays) => void }) {
  const t = useTranslate();
  return (
    <fieldset className="seg">
      <legend className="visually-hidden">{t("时间范围")}</legend>
      {analyticsDays.map((one) => (
        <button key={one} type="button" aria-pressed={one === days} onClick={() => onChoose(one)}>
          {one === 1 ? t("24 小时") : t("{count} 日", { count: one })}
        </button>
      ))}
    </fieldset>
  );
}

/** Decimals by size: 0.4 days are told with one, 3,118 pigs with none. */
const decimalsOf = (value: number): number =>
  Number.isInteger(value) || Math.abs(value) >= 100 ? 0 : Math.abs(value) < 1 ? 2 : 1;

/** A figure of an analytic with its unit; "--" where nothing was told to work it out of. */
export function useAnalyticText(): (value: number | undefined, unit: string) => string {
  const { number } = useFormats();
  const local = useLocalText();
  return (value, unit) =>
    value === undefined
      ? "--"
      : // 99.97 is told as 100, as the others that are full.
        `${number(value, decimalsOf(Math.round(value * 10) === 1000 ? 100 : value))} ${local(localUnit(unit, value))}`.trimEnd();
}

/** The name of a part: a word of the kind, "Tank 2", or what the device calls it. */
export function usePartName(): (analytic: Analytic, label: string) => string {
  const local = useLocalText();
  const nameOf = useNames();
  const { kind } = useKind();
  return ({ labels, words, part }, label) => {
    const field = kind.events
      .find(({ type }) => type === labels?.event)
      ?.fields.find(({ key }) => key === labels?.field);
    const word = [...(words ?? []), ...(field?.words ?? [])].find(({ value }) => value === label);
    if (word) return local(word.name);
    return part ? local(part).replace("{label}", label) : label.split(" · ").map(nameOf).join(" · ");
  };
}

const shownRows = 8;

/** Whether all parts of a figure reach 100 %: one sentence says so. */
export const isAllFull = ({ unit }: Analytic, { rows = [] }: AnalyticResult): boolean =>
  unit === "%" && rows.length > 1 && rows.every(({ value }) => value === 100);

/** Times the largest whole day that a day of which hours are missing may reach on the scale of both. */
const mostOfToday = 2;

/** What a full bar is. The first minutes of a day may be far off: they set the scale of whole days within reason alone. */
export function scaleOf(
  { unit }: Pick<Analytic, "unit">,
  rows: readonly { label: string; value: number }[],
  today: string,
): number {
  const most = (of: typeof rows): number => Math.max(1e-9, ...of.map(({ value }) => Math.abs(value)));
  const whole = rows.filter(({ label }) => label !== today);
  if (unit === "%") return 100;
  return whole.length === 0 ? most(rows) : Math.min(most(rows), mostOfToday * most(whole));
}

/** The parts of a figure as bars against the largest of them, or against 100 %. */
export function AnalyticRows({ analytic, result }: { analytic: Analytic; result: AnalyticResult }) {
  const t = useTranslate();
  const nameOf = usePartName();
  const text = useAnalyticText();
  const local = useLocalText();
  const join = useJoin();
  const { number } = useFormats();
  const today = shanghaiDay(Date.now());
  const rows = result.rows ?? [];
  const scale = scaleOf(analytic, rows, today);
  const named = rows.slice(0, shownRows).map((row) => ({ ...row, name: nameOf(analytic, row.label) }));
  // Several people may be shortened to the same letter: they are told apart by their place.
  const shown = named.map((row, at) => {
    const same = named.filter(({ name }) => name === row.name);
    return same.length > 1
      ? { ...row, name: `${row.name} ${named.slice(0, at + 1).filter(({ name }) => name === row.name).length}` }
      : row;
  });
  // Full bars beside each other say no more than one sentence does.
  const isAll = (share: number): boolean =>
    analytic.unit === "%" && rows.length > 1 && rows.every(({ value }) => value === share);
  const { counted } = analytic;
  // Parts that count for one each are the cases themselves: late tasks are named, not counted.
  if (isAll(0) && rows.every(({ count }) => count === 1))
    return (
      <p className={styles.allFull}>
        <StateMark state="notice">{t("没达到的：{names}", { names: join(shown.map(({ name }) => name)) })}</StateMark>
      </p>
    );
  // Seven days end with one that goes on: it is named, not counted.
  const hasToday = rows.length > 1 && rows.some(({ label }) => label === today);
  const whole = rows.length - Number(hasToday);
  const count = counted
    ? local(counted.rows).replace("{count}", number(whole))
    : t("{count} 项", { count: number(whole) });
  const what = hasToday ? t("{what}和今天", { what: count }) : count;
  const all = number(rows.reduce((sum, { count }) => sum + count, 0));
  if (isAll(100) || isAll(0))
    return (
      <p className={styles.allFull}>
        <StateMark state={isAll(0) && analytic.least !== undefined ? "minor" : isAll(0) ? "notice" : "ok"}>
          {isAll(0) ? t("{what}全部 0 %", { what }) : t("{what}全部 100 %", { what })}
        </StateMark>
        <small className="mut num">
          {counted ? local(counted.of).replace("{count}", all) : t("共 {count}", { count: all })}
        </small>
      </p>
    );
  // A long name stands above its bar, so that the bars keep their length.
  // What is to be reached is drawn where the bars go beyond it or nearly so.
  const least = analytic.least !== undefined && analytic.least < scale ? analytic.least : undefined;
  const isLong = shown.some(({ name }) => name.length > (/[一-鿿]/u.test(name) ? 12 : 20));
  const isSigned = rows.some(({ value }) => value < 0);
  return (
    <ul className={styles.rows} data-long={isLong || undefined}>
      {shown.map(({ label, name, value, count }, at) => (
        // Labels may repeat.
        <li key={`${at} ${label}`}>
          <span>
            {name}
            {label === today && <small className="mut"> {t("到现在")}</small>}
          </span>
          <i
            aria-hidden="true"
            data-running={label === today || undefined}
            data-signed={isSigned ? (value < 0 ? "less" : "more") : undefined}
          >
            <b
              style={{
                width: `${Math.max(0, Math.min(100, (Math.abs(value) / scale) * 100)) / (isSigned ? 2 : 1)}%`,
              }}
            />
            {least !== undefined && !isSigned && <s style={{ left: `${(least / scale) * 100}%` }} />}
          </i>
          <em className="num">{text(value, analytic.unit)}</em>
          {analytic.unit === "%" && (
            <small className="mut num">
              {counted
                ? local(counted.of).replace("{count}", number(count))
                : t("共 {count}", { count: number(count) })}
            </small>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Whether a result says anything: a figure, parts or a grid. */
const isTold = ({ value, rows = [], grid }: AnalyticResult): boolean =>
  value !== undefined || rows.length > 0 || grid !== undefined;

/** One analytic: its name, its figure, what it should be, and on request its formula. */
function AnalyticFigure({ analytic, result }: { analytic: Analytic; result: AnalyticResult }) {
  const t = useTranslate();
  const local = useLocalText();
  const text = useAnalyticText();
  const least = shortfallOf(analytic, result.value);
  return (
    <div className={styles.figure} data-analytic={analytic.id}>
      <dt>
        <details>
          <summary>{local(analytic.name)}</summary>
          <p>{local(analytic.formula)}</p>
        </details>
      </dt>
      <dd>
        <b className="num">{text(result.value, analytic.unit)}</b>
        {least !== undefined && (
          <StateMark state="minor">{t("低于 {limit}", { limit: text(least, analytic.unit) })}</StateMark>
        )}
      </dd>
    </div>
  );
}

/** Figures, parts and grids as rows of a sheet: what, of which part, how much, in which unit, and by which formula. */
export function useAnalyticSheet(): (
  shown: readonly { analytic: Analytic; result: AnalyticResult }[],
  of?: string,
) => CsvCell[][] {
  const t = useTranslate();
  const local = useLocalText();
  const partName = usePartName();
  return (shown, of) => {
    const before = of === undefined ? [] : [of];
    const rows = shown.flatMap(({ analytic, result }): CsvCell[][] => {
      const unit = local(localUnit(analytic.unit));
      const row = (part: string, value: number | undefined, unitOf = unit): CsvCell[] => [
        ...before,
        local(analytic.name),
        part,
        value,
        unitOf,
        local(analytic.formula),
      ];
      const { grid } = result;
      return [
        ...(result.value === undefined ? [] : [row("", result.value)]),
        ...(result.rows ?? []).map(({ label, value }) => row(partName(analytic, label), value)),
        ...(grid?.cells ?? []).flatMap((cells, line) =>
          cells.flatMap(({ value }, place) =>
            value === undefined
              ? []
              : [row(`${grid?.rows[line]} ${grid?.columns[place]}`, value, local(localUnit(grid?.unit ?? "")))],
          ),
        ),
      ];
    });
    const head = [t("指标"), t("部分"), t("数值"), t("计量单位"), t("公式")];
    return of === undefined ? [head, ...rows] : rows;
  };
}

/** What a device's records and values come to over days. */
export function AnalyticsCard({ deviceId }: { deviceId: string }) {
  const t = useTranslate();
  const local = useLocalText();
  const { kind } = useKind();
  const { value, error, reload, days, setDays } = useAnalytics(deviceId);
  const rowsOf = useAnalyticSheet();
  const results = value?.devices[0]?.results ?? [];
  const shown = results.flatMap((result) => {
    const analytic = kind.analytics.find(({ id }) => id === result.id);
    return analytic ? [{ analytic, result }] : [];
  });
  const figures = shown.filter(({ result }) => result.value !== undefined);
  // What cannot be told of this span stands there all the same, with what it would be worked out of.
  const untold = kind.analytics.filter(
    ({ id }) => !shown.some(({ analytic, result }) => analytic.id === id && isTold(result)),
  );
  const parted = shown.filter(({ result }) => (result.rows?.length ?? 0) > (result.value === undefined ? 0 : 1));
  return (
    <section className="card" aria-labelledby="analytics-title">
      <header>
        <h2 id="analytics-title">{t("统计分析")}</h2>
        <span className="spacer" />
        <DaysChoice days={days} onChoose={setDays} />
        <button
          type="button"
          className="btn icon-only"
          aria-label={t("导出统计分析")}
          title={t("导出统计分析")}
          disabled={shown.length === 0}
          onClick={() => downloadCsv(`${t("统计分析")} ${value?.devices[0]?.deviceName ?? ""}`, rowsOf(shown))}
        >
          <Icon name="download" small />
        </button>
      </header>
      {error && <LoadingProblem error={error} onRetry={reload} what={t("统计分析")} kept={value !== undefined} />}
      {!value && !error && <Waiting />}
      {value && figures.length === 0 && (
        <ExceptionView
          type="empty"
          title={t("还算不出结果")}
          text={t("这段时间的记录不够：等设备再上报一阵，或换一段更长的时间。")}
        />
      )}
      <Unreliable kind={kind} channels={value?.devices[0]?.unreliable} />
      {figures.length > 0 && (
        <dl className={styles.figures}>
          {figures.map(({ analytic, result }) => (
            <AnalyticFigure key={result.id} analytic={analytic} result={result} />
          ))}
        </dl>
      )}
      {parted.length > 0 && (
        <div className={styles.columns}>
          {parted.map(({ analytic, result }) => (
            <section
              key={result.id}
              className={styles.parted}
              aria-label={local(analytic.name)}
              data-analytic={analytic.id}
            >
              <h3>{local(analytic.name)}</h3>
              <AnalyticRows analytic={analytic} result={result} />
            </section>
          ))}
        </div>
      )}
      {value && untold.length > 0 && (
        <details className={styles.untold}>
          <summary>{t("这段时间算不出的指标：{count} 项", { count: untold.length })}</summary>
          <dl>
            {untold.map((analytic) => (
              <div key={analytic.id} data-analytic={analytic.id}>
                <dt>
                  {local(analytic.name)} <small>{local(localUnit(analytic.unit))}</small>
                </dt>
                <dd className="mut">{local(analytic.formula)}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </section>
  );
}
