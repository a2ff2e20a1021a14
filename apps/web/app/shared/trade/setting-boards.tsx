import {
  type BandRow,
  loadingSlots,
  type ModelRow,
  planBoard,
  plans,
  type SlotRow,
  saleCategories,
  saleModes,
  salesModels,
  weightBands,
} from "@herdwise/contract";
import { exactText, yuanText } from "@herdwise/contract/money";
import { permissionOf, type ResourceDeclaration } from "@herdwise/contract/resource";
import { bandsOf, type LoadingSlot, modelOf, slotsOf } from "@herdwise/contract/setting-rules";
import { shanghaiDay } from "@herdwise/contract/shanghai";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useAddressValues } from "../address/use-address.ts";
import { asApiError } from "../api/api-error.ts";
import { call } from "../api/call.ts";
import { Mark } from "../icons/mark.tsx";
import { IconButton } from "../kit/button.tsx";
import { ScrollTable } from "../kit/scroll-table.tsx";
import { Segments } from "../kit/segments.tsx";
import { TableSkeleton } from "../kit/table-skeleton.tsx";
import { Translated } from "../language/translated.tsx";
import { useJoin } from "../language/use-join.ts";
import { useFormats, useTranslate } from "../language/use-language.ts";
import type { Row } from "../resource/form-values.ts";
import { callPage, keysOf } from "../resource/resource-api.ts";
import { useAccess } from "../session/access-context.ts";
import { LoadingProblem } from "../states/loading-problem.tsx";
import { ladderOf } from "./ladder.ts";
import styles from "./setting-boards.module.css";
import { laterDay, mondayOf } from "./week.ts";

/** Most rows that are drawn together. */
const mostRows = 500;
const weekdays = ["周一", "周二", "周三", "周四", "周五", "周六", "周日"] as const;

/** Whether rows are shown as a list instead of a drawing, and the choice between both. */
export function useBoardChoice(drawing: string): { asList: boolean; choice: ReactNode } {
  const t = useTranslate();
  const [search, change] = useAddressValues();
  const asList = search.get("as") === "list";
  return {
    asList,
    choice: (
      <div className={styles.head}>
        <Segments
          label={t("怎么显示")}
          values={[
            ["board", t(drawing)],
            ["list", t("列表")],
          ]}
          chosen={asList ? "list" : "board"}
          onChoose={(as) => change({ as: as === "list" ? "list" : undefined })}
        />
      </div>
    ),
  };
}

/** All rows of settings at once, as far as a drawing of them is sensible. */
function Drawn({ of, children }: { of: ResourceDeclaration; children: (rows: readonly Row[]) => ReactNode }) {
  const t = useTranslate();
  const { data, error, refetch } = useQuery({
    queryKey: [...keysOf(of), "board"],
    queryFn: ({ signal }) => callPage(of, { current: 1, size: mostRows }, signal),
    staleTime: 0,
  });
  if (error && !data)
    return <LoadingProblem error={asApiError(error)} onRetry={() => void refetch()} what={t(of.words.many)} />;
  return <div className={styles.whole}>{data ? children(data.records) : <TableSkeleton rows={8} />}</div>;
}

/** Opens a row's drawer. */
function Open({ id, children }: { id: string; children: ReactNode }) {
  const [, change] = useAddressValues();
  return (
    <button type="button" className={styles.open} onClick={() => change({ row: id })}>
      {children}
    </button>
  );
}

const dateOf = (value: unknown): string => String(value ?? "").slice(0, 10);

/** How many of a day's vehicles are taken by sale plans. */
function Taken({ vehicles, capacity }: { vehicles: number; capacity: number }) {
  const t = useTranslate();
  const over = vehicles - capacity;
  return (
    <span className={styles.taken} data-over={over > 0 || undefined}>
      <i aria-hidden="true">
        <b style={{ width: `${Math.min(100, (vehicles / Math.max(1, capacity)) * 100)}%` }} />
      </i>
      <span className={over > 0 ? "state major num" : vehicles === 0 ? "num mut" : "num"}>
        {over > 0 && <Mark name="major" />}
        <span className={styles.words}>
          {over > 0
            ? t("满，超 {count} 辆", { count: over })
            : over === 0
              ? t("满")
              : vehicles === 0
                ? t("{count} 辆空", { count: capacity })
                : t("占 {taken} / {all}", { taken: vehicles, all: capacity })}
        </span>
        {/* The days of a week stand beside each other on a phone. */}
        <span className={styles.figures}>
          {vehicles}/{capacity}
        </span>
      </span>
    </span>
  );
}

/** The times and vehicles of slots, as cells with the same ones share them. */
const timesOf = (slots: readonly LoadingSlot[]): string =>
  slots.map(({ from, to, mostVehicles, headsPerVehicle }) => `${from}–${to} ${mostVehicles} ${headsPerVehicle}`).join();

/** Times of slots, and the vehicles of each. */
function Times({ slots }: { slots: readonly LoadingSlot[] }) {
  const t = useTranslate();
  return (
    <>
      {slots.map(({ from, to }) => (
        <span key={from} className={`num ${styles.slot}`}>
          {from}–{to}
        </span>
      ))}
      <small className="num">
        {t(slots.length > 1 ? "每段 {count} 辆 × {heads} 头" : "{count} 辆 × {heads} 头", {
          count: slots[0]?.mostVehicles ?? 0,
          heads: slots[0]?.headsPerVehicle ?? 0,
        })}
      </small>
    </>
  );
}

/** What is free of a farm's day; its slots where they are not the usual ones. */
function SlotDay({ slots, taken, usual }: { slots: readonly LoadingSlot[]; taken: number | undefined; usual: string }) {
  const t = useTranslate();
  const [first] = slots;
  if (first === undefined) return <span className="mut">{t("不装车")}</span>;
  const capacity = slots.reduce((sum, { mostVehicles }) => sum + mostVehicles, 0);
  return (
    <div className={styles.cell}>
      {/* Slots of one setting take as much as each other. */}
      {timesOf(slots) === usual ? (
        <Open id={first.rowId}>
          {taken === undefined ? (
            <span className="num">{t("{count} 辆", { count: capacity })}</span>
          ) : (
            <Taken vehicles={taken} capacity={capacity} />
          )}
        </Open>
      ) : (
        <>
          {[...Map.groupBy(slots, ({ rowId }) => rowId)].map(([rowId, own]) => (
            <Open key={rowId} id={rowId}>
              <Times slots={own} />
            </Open>
          ))}
          {taken !== undefined && <Taken vehicles={taken} capacity={capacity} />}
        </>
      )}
    </div>
  );
}

/** Vehicles that sale plans take in a week, by farm and day; undefined where the reader may not see plans. */
function useTaken(monday: string): ((field: string, day: string) => number) | undefined {
  const { permissions } = useAccess();
  const { data } = useQuery({
    queryKey: ["plan board", monday],
    queryFn: ({ signal }) => call(planBoard, { query: { from: monday }, signal, quiet: true }),
    enabled: permissions.has(permissionOf(plans, "view")),
  });
  if (data === undefined) return undefined;
  const taken = new Map(
    data.fields.flatMap(({ id, days }) => days.map(({ day, vehicles }) => [`${id} ${day}`, vehicles] as const)),
  );
  return (field, day) => taken.get(`${field} ${day}`) ?? 0;
}

/** When vehicles are loaded in a week, by farm and day. */
export function SlotWeek() {
  const t = useTranslate();
  const [search, change] = useAddressValues();
  const today = shanghaiDay(Date.now());
  const monday = mondayOf(search.get("week") ?? "", today);
  const days = weekdays.map((name, at) => ({ name, day: laterDay(monday, at) }));
  const taken = useTaken(monday);
  const go = (by: number): void => {
    const next = laterDay(monday, by * 7);
    change({ week: next === mondayOf(today, today) ? undefined : next });
  };
  return (
    <Drawn of={loadingSlots}>
      {(rows) => {
        const fields = [
          ...new Map(rows.map((row) => [String(row.fieldId), String(row.fieldIdName ?? row.fieldName ?? "")])),
        ];
        const farms = fields.map(([id, name]) => {
          const own = rows
            .filter(({ fieldId }) => String(fieldId) === id)
            .map((row) => ({ ...row, validFrom: dateOf(row.validFrom), onDay: dateOf(row.onDay) }));
          return { id, name, daily: days.map(({ day }) => slotsOf(day, own as unknown as SlotRow[])) };
        });
        // What most days have is told once.
        const alike = Map.groupBy(
          farms.flatMap(({ daily }) => daily).filter((slots) => slots.length > 0),
          timesOf,
        );
        const [usual = "", most = []] = [...alike].toSorted(([, a], [, b]) => b.length - a.length)[0] ?? [];
        return (
          <>
            <div className={styles.week}>
              <IconButton icon="left" label={t("上一周")} onPress={() => go(-1)} />
              <span className="num">
                {monday} – {laterDay(monday, 6)}
              </span>
              <IconButton icon="right" label={t("下一周")} onPress={() => go(1)} />
              {most[0] && (
                <p className={styles.usual}>
                  <b>{t("通常")}</b>
                  <Times slots={most[0]} />
                  <span className="mut">{t("别的时段写在那天")}</span>
                </p>
              )}
            </div>
            <ScrollTable label={t("一周的装车时段")} className={`${styles.board} ${styles.days}`} stacked>
              <thead>
                <tr>
                  <th scope="col">{t("场区")}</th>
                  {days.map(({ name, day }) => (
                    <th key={day} scope="col" aria-current={day === today ? "date" : undefined}>
                      {t(name)}
                      <small className="num">{day.slice(5)}</small>
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {farms.map(({ id, name, daily }) => {
                  const isIdle =
                    taken !== undefined &&
                    days.every(({ day }, at) => {
                      const slots = daily[at] ?? [];
                      return taken(id, day) === 0 && (slots.length === 0 || timesOf(slots) === usual);
                    });
                  return (
                    <tr key={id} data-idle={isIdle || undefined}>
                      <th scope="row">
                        <Translated text={name} />
                        <span className={`mut ${styles.idle}`}>{t("这周都空")}</span>
                      </th>
                      {days.map(({ name: weekday, day }, at) => (
                        <td
                          key={day}
                          data-name={`${t(weekday)}\n${day.slice(5)}`}
                          aria-current={day === today ? "date" : undefined}
                        >
                          <SlotDay slots={daily[at] ?? []} taken={taken?.(id, day)} usual={usual} />
                        </td>
                      ))}
                    </tr>
                  );
                })}
              </tbody>
            </ScrollTable>
          </>
        );
      }}
    </Drawn>
  );
}

/** Regions that settings name, all of them first. */
const regionsOf = (rows: readonly Row[]): [id: string, name: string][] =>
  [
    ...new Map(
      rows.map((row): [string, string] => {
        const id = String(row.saleRegion ?? "");
        return id === "0" || id === "" ? ["", ""] : [id, String(row.saleRegionName ?? "")];
      }),
    ),
  ].sort(([a], [b]) => (a < b ? -1 : 1));
/** Settings as the rules take them. */
const asVersions = (rows: readonly Row[]): Row[] =>
  rows.map((row) => ({
    ...row,
    validFrom: dateOf(row.validFrom),
    status: String(row.status),
    saleRegion: row.saleRegion === "0" ? "" : String(row.saleRegion ?? ""),
  }));

const signed = (fen: number): string => `${fen > 0 ? "+" : fen < 0 ? "−" : ""}${yuanText(Math.abs(fen))}`;
const kg = (grams: number): string => exactText(grams, 3);
/** Above this nothing is weighed: the band has no end. */
const endlessGrams = 900_000;

/** The weight bands that hold today as ladders, one for each category and region, with their gaps. */
export function BandLadders() {
  const t = useTranslate();
  const [, change] = useAddressValues();
  const today = shanghaiDay(Date.now());
  return (
    <Drawn of={weightBands}>
      {(all) => {
        const rows = asVersions(all);
        const ladders = saleCategories.flatMap(([category, name]) =>
          regionsOf(rows).flatMap(([region, regionName]) => {
            const own = rows.filter((row) => row.saleRegion === region && row.category === category);
            const bands = bandsOf(today, region, category, own as unknown as (BandRow & { id: string })[]);
            const later = own.map(({ validFrom }) => String(validFrom)).filter((day) => day > today);
            return own.length === 0 ? [] : [{ category, name, region, regionName, bands, later: later.toSorted()[0] }];
          }),
        );
        return (
          <div className={styles.ladders}>
            {ladders.map(({ category, name, region, regionName, bands, later }) => {
              const steps = ladderOf(bands);
              const faults = steps.filter(({ kind }) => kind !== "band").length;
              return (
                <section key={`${category} ${region}`} className={`card ${styles.ladder}`}>
                  <h2>
                    {t(name)}
                    <small>
                      {region === "" ? t("所有大区") : <Translated text={regionName} />}
                      {bands[0] && ` · ${t("{day} 起", { day: bands[0].validFrom })}`}
                      {later !== undefined && ` · ${t("{day} 起有新的一版", { day: later })}`}
                    </small>
                    <span className={faults === 0 && bands.length > 0 ? "state ok" : "state major"}>
                      <Mark name={faults === 0 && bands.length > 0 ? "ok" : "major"} />
                      {bands.length === 0
                        ? t("今天没有体重段")
                        : faults === 0
                          ? t("{from}–{to} kg 没有缺口", {
                              from: kg(bands[0]?.fromGrams ?? 0),
                              to: kg(bands.at(-1)?.toGrams ?? 0),
                            })
                          : t("{count} 处缺口或重叠", { count: faults })}
                    </span>
                  </h2>
                  <ol>
                    {steps.map((step) =>
                      step.kind === "band" ? (
                        <li key={step.row.id}>
                          <button
                            type="button"
                            className={styles.band}
                            data-sign={Math.sign(step.row.adjustmentFen)}
                            onClick={() => change({ row: step.row.id })}
                          >
                            <span className="num">
                              {step.row.toGrams >= endlessGrams
                                ? t("{from} kg 以上", { from: kg(step.row.fromGrams) })
                                : `${kg(step.row.fromGrams)}–${kg(step.row.toGrams)} kg`}
                            </span>
                            <b className="num">
                              {step.row.adjustmentFen === 0
                                ? t("基准价")
                                : `${signed(step.row.adjustmentFen)} ${t("元/kg")}`}
                            </b>
                          </button>
                        </li>
                      ) : (
                        <li key={`${step.kind} ${step.fromGrams}`}>
                          <div className={styles.band} data-kind="gap">
                            <span className="num">
                              {kg(step.fromGrams)}–{kg(step.toGrams)} kg
                            </span>
                            <span className="state major">
                              <Mark name="major" />
                              {t(step.kind === "gap" ? "没有价格" : "两段重叠")}
                            </span>
                          </div>
                        </li>
                      ),
                    )}
                  </ol>
                </section>
              );
            })}
          </div>
        );
      }}
    </Drawn>
  );
}

type Model = ModelRow & {
  id: string;
  participants: readonly string[];
  leastHeads: number;
  mostHeads: number;
  depositFen?: number;
  bidStepFen?: number;
};
const participantNames = new Map<string, string>(salesModels.fields.participants.options);

/** One model in a cell. */
function ModelCell({ model, regionName }: { model: Model; regionName: string }) {
  const t = useTranslate();
  const join = useJoin();
  const { number } = useFormats();
  return (
    <Open id={model.id}>
      {regionName !== "" && (
        <b>
          <Translated text={regionName} />
        </b>
      )}
      <b className="num">
        {t("{least}–{most} 头", { least: number(model.leastHeads), most: number(model.mostHeads) })}
      </b>
      <small>{join(model.participants.map((one) => t(participantNames.get(one) ?? one)))}</small>
      {Boolean(model.depositFen || model.bidStepFen) && (
        <small className="num">
          {[
            model.depositFen && t("保证金 {amount} 元/头", { amount: yuanText(model.depositFen) }),
            model.bidStepFen && t("加价 {amount} 元/kg", { amount: yuanText(model.bidStepFen) }),
          ]
            .filter(Boolean)
            .join(" · ")}
        </small>
      )}
    </Open>
  );
}

/** How each category is sold today, by ways of selling. */
export function ModelTable() {
  const t = useTranslate();
  const today = shanghaiDay(Date.now());
  return (
    <Drawn of={salesModels}>
      {(all) => {
        const rows = asVersions(all);
        const regions = regionsOf(rows);
        return (
          <ScrollTable label={t("销售模式")} className={`${styles.board} ${styles.models}`} stacked>
            <thead>
              <tr>
                <th scope="col">{t("类别")}</th>
                {saleModes.map(([mode, name]) => (
                  <th key={mode} scope="col">
                    {t(name)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {saleCategories.map(([category, name]) => (
                <tr key={category}>
                  <th scope="row">{t(name)}</th>
                  {saleModes.map(([mode, modeName]) => {
                    const held = regions.flatMap(([region, regionName]) => {
                      const own = rows.filter(({ saleRegion }) => saleRegion === region);
                      const model = modelOf(today, region, category, mode, own as unknown as Model[]);
                      return model ? [{ model, regionName }] : [];
                    });
                    return (
                      <td key={mode} data-name={t(modeName)}>
                        <div className={styles.cell}>
                          {held.map(({ model, regionName }) => (
                            <ModelCell key={model.id} model={model} regionName={regionName} />
                          ))}
                          {held.length === 0 && <span className="mut">{t("不采用")}</span>}
                        </div>
                      </td>
                    );
                  })}
                </tr>
              ))}
            </tbody>
          </ScrollTable>
        );
      }}
    </Drawn>
  );
}
