import { auditPersons, auditRows } from "@herdwise/contract";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { Said } from "../../shared/audit/audit-sentence.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import styles from "./audit.module.css";

interface Summary {
  key: string;
  name: ReactNode;
  note: ReactNode;
  entries: number;
  lastTime: string;
  onPress: (() => void) | undefined;
}

/** Summaries as they are loaded, or what is in their way. */
function Summaries<Row>({
  label,
  loaded,
  of,
}: {
  label: string;
  loaded: UseQueryResult<readonly Row[]>;
  of: (row: Row) => Summary;
}) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  if (loaded.error)
    return (
      <LoadingProblem error={asApiError(loaded.error)} onRetry={() => void loaded.refetch()} what={t("操作记录")} />
    );
  if (!loaded.data) return <TableSkeleton rows={8} />;
  const rows = loaded.data.map(of);
  if (rows.length === 0) return <p className={styles.none}>{t("还没有操作记录。")}</p>;
  return (
    <ul className={styles.summaries} aria-label={label}>
      {rows.map(({ key, name, note, entries, lastTime, onPress }) => (
        <li key={key}>
          <button type="button" disabled={onPress === undefined} onClick={onPress}>
            <b>{name}</b>
            <small>{note}</small>
            <span className="num">{t("{count} 条", { count: entries })}</span>
            <small className="num">{t("最近 {time}", { time: dayTime(parseWireDateTime(lastTime)) })}</small>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Who did how much; a person leads to all that they did. */
export function Persons({ onOpen }: { onOpen: (accountId: string) => void }) {
  const t = useTranslate();
  const loaded = useQuery({
    queryKey: ["audit", "persons"],
    queryFn: ({ signal }) => call(auditPersons, { signal, quiet: true }),
  });
  return (
    <Summaries
      label={t("按人")}
      loaded={loaded}
      of={({ accountId, actorName, entries, lastTime }) => ({
        key: accountId,
        name: actorName === "" ? t("系统") : <Translated text={actorName} />,
        note: accountId === "" ? t("到时间自动做的，和外部服务做的") : "",
        entries,
        lastTime,
        onPress: accountId === "" ? undefined : () => onOpen(accountId),
      })}
    />
  );
}

/** What was changed; a row leads to all that happened to it. */
export function ChangedRows({ onOpen }: { onOpen: (resource: string, rowId: string) => void }) {
  const t = useTranslate();
  const loaded = useQuery({
    queryKey: ["audit", "rows"],
    queryFn: ({ signal }) => call(auditRows, { signal, quiet: true }),
  });
  return (
    <Summaries
      label={t("按对象")}
      loaded={loaded}
      of={({ resource, rowId, rowTitle, thing, actorName, entries, lastTime }) => ({
        key: `${resource} ${rowId}`,
        name: rowTitle === "" || rowTitle === rowId ? <Said text={thing} /> : <Translated text={rowTitle} />,
        note: (
          <>
            <Said text={thing} />
            {" · "}
            {actorName === "" ? t("系统") : <Translated text={actorName} />}
          </>
        ),
        entries,
        lastTime,
        onPress: () => onOpen(resource, rowId),
      })}
    />
  );
}
