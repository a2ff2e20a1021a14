import {
  inventoryExport,
  inventoryHistory,
  inventoryPage,
  type Movement,
  type Page,
  type ReplyOf,
  type StructureNode,
} from "@herdwise/contract";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { type ApiError, asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { Icon } from "../../shared/icons/icon.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { tellJobBegun } from "../../shared/session/job-begun.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { showToast } from "../../shared/states/toast-store.ts";
import styles from "./farms.module.css";
import { Counts } from "./inventory-counts.tsx";
import { categoryNames, movementNames, signed } from "./inventory-words.ts";
import { MovementForm } from "./movement-form.tsx";
import { inventoryKey, useInventory } from "./use-inventory.ts";

const TimeChart = lazy(async () => ({ default: (await import("../../shared/chart/time-chart.tsx")).TimeChart }));

/** Kinds that the ledger shows together. */
const filters = [
  { id: "", name: "全部" },
  { id: "arrival,transfer", name: "转入转出" },
  { id: "death,cull", name: "死淘" },
  { id: "sale", name: "出售" },
  { id: "correction", name: "更正" },
] as const;
const pageSize = 10;
const shownDays = 180;

/** Place whose inventory is shown, as the wire names it. */
type Place = { farmId?: string; houseId?: string; unitId?: string };
const placeOf = ({ kind, id }: StructureNode): Place => ({ [`${kind}Id`]: id });

/** Heads over time. The ledger below is the table of the same numbers. */
function Curve({ place, name }: { place: Place; name: string }) {
  const t = useTranslate();
  const loaded = useQuery<ReplyOf<typeof inventoryHistory>, ApiError>({
    queryKey: [...inventoryKey, "history", place],
    queryFn: ({ signal }) => call(inventoryHistory, { query: { ...place, days: shownDays }, signal, quiet: true }),
  });
  if (loaded.error)
    return <LoadingProblem error={loaded.error} onRetry={() => void loaded.refetch()} what={t("存栏曲线")} />;
  if (!loaded.data) return <div className="chart wait" />;
  const { end, points } = loaded.data;
  const [first] = points;
  if (!first) return null;
  return (
    <Suspense fallback={<div className="chart wait" />}>
      <TimeChart
        label={t("{name}的存栏", { name })}
        panels={[
          {
            unit: t("头"),
            height: 180,
            series: [
              {
                name: t("存栏"),
                unit: t("头"),
                decimals: 0,
                step: true,
                points: points.map(([atMs, value]) => ({ atMs, value })),
              },
            ],
          },
        ]}
        startMs={first[0]}
        endMs={end}
        silences={[]}
        heardMs={end}
      />
    </Suspense>
  );
}

/** Movements of a place, newest first. */
function Ledger({ place, ofUnit }: { place: Place; ofUnit: boolean }) {
  const t = useTranslate();
  const nameOf = useNames();
  const { number, dayTime } = useFormats();
  const [kind, setKind] = useState("");
  const [size, setSize] = useState(pageSize);
  const loaded = useQuery<Page<Movement>, ApiError>({
    queryKey: [...inventoryKey, "page", place, kind, size],
    queryFn: ({ signal }) => call(inventoryPage, { query: { ...place, kind, current: 1, size }, signal, quiet: true }),
    placeholderData: keepPreviousData,
  });
  const rows = loaded.data?.records;
  const more = (loaded.data?.total ?? 0) - (rows?.length ?? 0);
  return (
    <>
      <fieldset className={`seg ${styles.filters}`}>
        <legend className="visually-hidden">{t("变动")}</legend>
        {filters.map(({ id, name }) => (
          <button
            key={id}
            type="button"
            aria-pressed={kind === id}
            onClick={() => {
              setKind(id);
              setSize(pageSize);
            }}
          >
            {t(name)}
          </button>
        ))}
      </fieldset>
      {loaded.error && !rows && (
        <LoadingProblem error={loaded.error} onRetry={() => void loaded.refetch()} what={t("存栏台账")} />
      )}
      {!loaded.error && !rows && <TableSkeleton rows={4} />}
      {rows?.length === 0 && <p className={styles.none}>{t("还没有这样的变动。")}</p>}
      {rows && rows.length > 0 && (
        // A table that is wider than a phone is scrolled by keys, too.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable
        <section className={styles.ledger} aria-label={t("存栏台账")} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t("何时")}</th>
                {!ofUnit && <th scope="col">{t("单元")}</th>}
                <th scope="col">{t("变动")}</th>
                <th scope="col">{t("类别")}</th>
                <th scope="col" className={styles.right}>
                  {t("增减")}
                </th>
                <th scope="col" className={styles.right}>
                  {t("之后")}
                </th>
                <th scope="col">{t("原因与登记人")}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.id} data-kind={row.kind}>
                  <td className="num">{dayTime(parseWireDateTime(row.happenTime))}</td>
                  {!ofUnit && (
                    <td>
                      {nameOf(row.unitName)}
                      <small>{nameOf(row.houseName)}</small>
                    </td>
                  )}
                  <td>
                    <b>{t(row.kind === "transfer" && row.heads < 0 ? "转出" : movementNames[row.kind])}</b>
                    {row.otherUnitName !== "" && (
                      <small>
                        {t(row.heads < 0 ? "到 {name}" : "来自 {name}", { name: nameOf(row.otherUnitName) })}
                      </small>
                    )}
                  </td>
                  <td>{t(categoryNames[row.category])}</td>
                  <td className={`num ${styles.right}`}>
                    <b>{signed(row.heads, number)}</b>
                  </td>
                  <td className={`num ${styles.right}`}>{number(row.headsAfter)}</td>
                  <td>
                    {row.reason !== "" && <Translated text={row.reason} />}
                    <small>{row.actorName || t("系统")}</small>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {more > 0 && (
        <p className={styles.more}>
          <Button kind="link" onPress={() => setSize(Math.min(500, size + 50))}>
            {t("再看 {count} 条", { count: number(Math.min(more, 50)) })}
          </Button>
        </p>
      )}
    </>
  );
}

/** Heads of the chosen place: how many, how that came, and the form that writes down what happened. */
export function InventoryPanel({ node, path }: { node: StructureNode; path: string }) {
  const t = useTranslate();
  const { permissions } = useAccess();
  const isUnit = node.kind === "unit";
  const loaded = useInventory(isUnit ? node.id : undefined);
  const place = placeOf(node);
  const exportLedger = async (): Promise<void> => {
    try {
      await call(inventoryExport, { body: place });
      tellJobBegun();
      showToast({ kind: "ok", text: "导出已开始，完成后在顶栏和消息里下载" });
    } catch (error) {
      // It was told by a toast.
      asApiError(error);
    }
  };
  const title = t("{name}，存栏", { name: path });
  return (
    <section aria-labelledby="inventory-title">
      <div className={styles.head2}>
        <div>
          <h2 id="inventory-title">{title}</h2>
          <p className="mut">{t("头数是变动加出来的，不能直接改；错了就登记一条更正")}</p>
        </div>
        <span className={styles.space} />
        {permissions.has("inventory_export") && (
          <button type="button" className="btn" onClick={() => void exportLedger()}>
            <Icon name="download" small />
            {t("导出台账")}
          </button>
        )}
      </div>
      <div className={styles.inventory} data-alone={!isUnit || undefined}>
        <section className={`card ${styles.book}`} aria-label={t("存栏")}>
          {loaded.error && (
            <LoadingProblem error={loaded.error} onRetry={() => void loaded.refetch()} what={t("存栏")} />
          )}
          {loaded.data && <Counts unit={loaded.data} />}
          <div className={styles.curve}>
            <Curve place={place} name={path} />
          </div>
          <Ledger key={node.id} place={place} ofUnit={isUnit} />
        </section>
        {isUnit && loaded.data && permissions.has("inventory_edit") && (
          <MovementForm key={node.id} unit={loaded.data} />
        )}
      </div>
    </section>
  );
}
