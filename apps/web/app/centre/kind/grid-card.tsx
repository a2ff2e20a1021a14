import type { AnalyticCell, AnalyticGrid } from "@herdwise/contract";
import { type Analytic, type KindPart, localUnit, shortfallOf, verdictOf } from "@herdwise/device-kinds";
import { useId } from "react";
import { HeatMap } from "../../shared/chart/heat-map.tsx";
import { ScrollTable } from "../../shared/kit/scroll-table.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { StateTag } from "../../shared/process/state-tag.tsx";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { Waiting } from "../../shared/states/waiting.tsx";
import { planStates } from "../vaccinations/plan-states.ts";
import { DaysChoice, usePartName } from "./analytics-card.tsx";
import styles from "./grids.module.css";
import { outsideOf } from "./hour-days.ts";
import { useKind, useLocalText } from "./kind-view.ts";
import { StateMark } from "./state-mark.tsx";
import { useAnalytics } from "./use-analytics.ts";

type GridPart = Extract<KindPart, { type: "grid" }>;
interface GridProps {
  analytic: Analytic;
  grid: AnalyticGrid;
  label: string;
}

/** The day of a label without its year. */
const shortDay = (label: string): string => label.slice(5);

/** Counts below this one do not fill the scale of colours. */
const leastScale = 5;

/** Days and hours as steps of colour. */
function Hours({ grid, label }: GridProps) {
  const t = useTranslate();
  const local = useLocalText();
  const { number } = useFormats();
  const unit = local(localUnit(grid.unit));
  const most = Math.max(0, ...grid.cells.flat().map(({ value = 0 }) => value));
  const isOutside = outsideOf(
    grid.rows.map((day, at) => ({ day, hours: (grid.cells[at] ?? []).map(({ value }) => value) })),
    Date.now(),
  );
  return (
    <HeatMap
      label={label}
      corner={t("日期")}
      rows={grid.rows.map((day) => ({ key: day, name: shortDay(day) }))}
      columns={grid.columns.map((hour) => ({
        key: hour,
        name: hour.padStart(2, "0"),
        shown: Number(hour) % 3 === 0,
      }))}
      cells={grid.cells.map((row, at) =>
        row.map(({ value }, hour) => ({
          value,
          isOutside: value === undefined && isOutside(grid.rows[at] ?? "", hour),
          title: `${shortDay(grid.rows[at] ?? "")} ${String(hour).padStart(2, "0")}:00　${
            value === undefined ? t("没有数据") : `${number(value)} ${unit}`
          }`,
        })),
      )}
      least="0"
      most={Math.max(most, leastScale)}
      highest={t("每小时 {figure}", { figure: `${number(Math.max(most, leastScale))} ${unit}`.trim() })}
      unknown={t("没有数据")}
    />
  );
}

/** The pens of a barn on both sides of its aisle, one barn for each day. */
function Pens({ grid, label }: GridProps) {
  const t = useTranslate();
  const { kind } = useKind();
  /** A pen by its share of fever, as the rules of the kind have it for a herd. */
  const penState = (value: number) => verdictOf(kind, "fever_share", { fever_share: value }, { ageS: 0 }).state;
  const { number } = useFormats();
  const half = Math.ceil(grid.columns.length / 2);
  return (
    <ul className={styles.barns} aria-label={label}>
      {grid.rows.map((day, at) => (
        <li key={day}>
          <p className="num">{shortDay(day)}</p>
          <div className={styles.barn}>
            {[grid.columns.slice(0, half), grid.columns.slice(half)].map((side, which) => (
              <ol key={side[0] ?? which} style={{ gridTemplateColumns: `repeat(${half}, minmax(0, 1fr))` }}>
                {side.map((pen, index) => {
                  const value = grid.cells[at]?.[which * half + index]?.value;
                  return (
                    <li key={pen} data-pen={value === undefined ? "none" : penState(value)}>
                      <span className="visually-hidden">{t("{label} 栏", { label: pen })}</span>
                      <small aria-hidden="true">{pen}</small>
                      <b className="num">{value === undefined ? "--" : number(value)}</b>
                    </li>
                  );
                })}
              </ol>
            ))}
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Whether nothing is known or planned. */
const isNone = (cell: AnalyticCell | undefined): boolean => cell?.value === undefined && cell?.day === undefined;

/** A square of the coverage: how much of a unit a vaccine reached, or when it is planned. */
function Square({ analytic, cell }: { analytic: Analytic; cell: AnalyticCell | undefined }) {
  const t = useTranslate();
  const { number } = useFormats();
  if (cell === undefined || isNone(cell)) return <span className="mut">--</span>;
  const state = planStates[cell.state ?? ""];
  const told = state && <StateTag mark={state.mark} word={state.word} plain />;
  const day = <small className="mut num">{shortDay(cell.day ?? "")}</small>;
  if (cell.value === undefined)
    return (
      <>
        {day}
        {told}
      </>
    );
  const { leastOfSquare } = analytic;
  const least = shortfallOf(leastOfSquare === undefined ? analytic : { least: leastOfSquare }, cell.value);
  return (
    <>
      <b className="num">{number(cell.value)} %</b>
      <i aria-hidden="true">
        <u style={{ width: `${Math.max(0, Math.min(100, cell.value))}%` }} />
      </i>
      {day}
      {least !== undefined && <StateMark state="minor">{t("低于 {limit}", { limit: `${number(least)} %` })}</StateMark>}
      {told}
    </>
  );
}

/** Two directions as a table: units and vaccines, or what is known of each event. */
function Squares({ grid, label, analytic, as }: GridProps & { as: GridPart["as"] }) {
  const t = useTranslate();
  const nameOf = useNames();
  const partName = usePartName();
  const { number } = useFormats();
  const columnName = (column: string): string => (as === "coverage" ? nameOf(column) : partName(analytic, column));
  // What is overdue for longest stands first.
  const overdueOf = (at: number): string =>
    (grid.cells[at] ?? []).flatMap(({ state, day }) => (state === "overdue" && day ? [day] : [])).toSorted()[0] ??
    "9999";
  const order = grid.rows
    .map((row, at) => ({ row, at }))
    .toSorted((a, b) => (as === "coverage" ? overdueOf(a.at).localeCompare(overdueOf(b.at), "en") : 0));
  return (
    <ScrollTable label={label} className={styles.squares} stacked={as === "coverage"}>
      <thead>
        <tr>
          <th scope="col">{as === "coverage" ? t("单元") : t("时间")}</th>
          {grid.columns.map((column) => (
            <th key={column} scope="col" className={as === "coverage" ? "" : "numeric"}>
              {columnName(column)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {order.map(({ row, at }) => (
          <tr key={row}>
            <th scope="row">{as === "coverage" ? row.split(" · ").map(nameOf).join(" · ") : row}</th>
            {grid.columns.map((column, index) => {
              const cell = grid.cells[at]?.[index];
              return as === "coverage" ? (
                <td key={column} data-name={columnName(column)} data-none={isNone(cell) || undefined}>
                  <span className={styles.square}>
                    <Square analytic={analytic} cell={cell} />
                  </span>
                </td>
              ) : (
                <td key={column} className="numeric">
                  {cell?.value === undefined ? "--" : number(cell.value, cell.value < 10 ? 2 : 0)}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </ScrollTable>
  );
}

/** The grid of an analytic as its kind draws it. */
export function Grid({ as, ...props }: GridProps & { as: GridPart["as"] }) {
  if (as === "hours") return <Hours {...props} />;
  if (as === "pens") return <Pens {...props} />;
  return <Squares {...props} as={as} />;
}

/** An analytic over two directions, of one device. */
export function GridCard({ part, deviceId }: { part: GridPart; deviceId: string }) {
  const t = useTranslate();
  const local = useLocalText();
  const { kind } = useKind();
  const titleId = useId();
  const { value, error, reload, days, setDays } = useAnalytics(deviceId);
  const analytic = kind.analytics.find(({ id }) => id === part.analytic);
  const grid = value?.devices[0]?.results.find(({ id }) => id === part.analytic)?.grid;
  const title = local(part.title);
  return (
    <section className="card" data-part data-analytic={grid && part.analytic} aria-labelledby={titleId}>
      <header>
        <h2 id={titleId}>{title}</h2>
        <span className="spacer" />
        <DaysChoice days={days} onChoose={setDays} />
      </header>
      {error && <LoadingProblem error={error} onRetry={reload} what={title} kept={value !== undefined} />}
      {!value && !error && <Waiting />}
      {value && !grid && (
        <ExceptionView
          type="empty"
          title={t("还算不出结果")}
          text={t("这段时间的记录不够：等设备再上报一阵，或换一段更长的时间。")}
        />
      )}
      {grid && analytic && (
        <Grid analytic={analytic} grid={grid} as={part.as} label={t("{name}，表", { name: title })} />
      )}
    </section>
  );
}
