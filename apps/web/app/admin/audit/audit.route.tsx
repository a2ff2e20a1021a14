import { auditActions, auditPage, auditVerify } from "@herdwise/contract";
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { DayRange } from "../../shared/kit/day-range.tsx";
import { PopoverButton } from "../../shared/kit/popover.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { useMedia } from "../../shared/kit/use-media.ts";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { tellIn } from "../../shared/language/tell.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { Picker, WordField } from "../../shared/lists/filters.tsx";
import { known, readPaging, useListAddress } from "../../shared/lists/list-address.ts";
import { Paging } from "../../shared/lists/paging.tsx";
import { actionNames } from "../../shared/resource/change-list.tsx";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import styles from "./audit.module.css";
import { AuditCards, AuditTable } from "./audit-list.tsx";
import { knownDay, resourceTitles } from "./audit-words.ts";

/** Computes the chain of hashes anew and says whether the trail is whole. */
function useVerification() {
  return useMutation({ mutationFn: () => call(auditVerify, { quiet: true }) });
}

function Verified({ verification }: { verification: ReturnType<typeof useVerification> }) {
  const t = useTranslate();
  const { number, dayTime } = useFormats();
  const { data, error, isPending } = verification;
  if (!data && !error && !isPending) return null;
  const count = data ? number(data.entries) : "";
  return (
    <p className={styles.verified} role="status">
      {isPending && t("正在核对…")}
      {!isPending && error && (
        <span className="state major">
          <Mark name="major" />
          {t("没有核对成：{reason}", { reason: tellIn(t, asApiError(error)) })}
        </span>
      )}
      {!isPending && data && data.brokenId === undefined && (
        <span className="state ok">
          <Mark name="ok" />
          {t("核对过 {count} 条，都完整，没有改动或缺失。", { count })}
        </span>
      )}
      {!isPending && data?.brokenId !== undefined && (
        <span className="state critical">
          <Mark name="critical" />
          {t("从 {time} 的一条（编号 {id}）起对不上：它或它之前的一条被改动或删除过。对得上的有 {count} 条。", {
            time: data.brokenAt ? dayTime(parseWireDateTime(data.brokenAt)) : "--",
            id: data.brokenId,
            count,
          })}
        </span>
      )}
    </p>
  );
}

/** Which days, as a button with a calendar behind it. */
function Days({ from, to, onChange }: { from: string; to: string; onChange: (from: string, to: string) => void }) {
  const t = useTranslate();
  const words =
    from !== "" && to !== ""
      ? t("{from} 至 {to}", { from, to })
      : from !== ""
        ? t("{from} 起", { from })
        : to !== ""
          ? t("到 {to}", { to })
          : t("时间范围");
  return (
    <PopoverButton label={t("时间范围")} button={<Button icon="clock">{words}</Button>}>
      {(close) => (
        <div className={styles.editor}>
          <DayRange
            from={from}
            to={to}
            onChange={(nextFrom, nextTo) => {
              onChange(nextFrom, nextTo);
              close();
            }}
          />
        </div>
      )}
    </PopoverButton>
  );
}

/** Who changed what, and whether the trail itself is whole. */
export default function Audit() {
  const t = useTranslate();
  const narrow = useMedia("(max-width: 760px)");
  const [search, change] = useListAddress("row");
  const resource = known(search.get("resource"), [...resourceTitles.keys()]);
  const action = known(search.get("action"), auditActions);
  const keyword = (search.get("word") ?? "").slice(0, 64);
  const from = knownDay(search.get("from"));
  const to = knownDay(search.get("to"));
  const filtered = resource !== undefined || action !== undefined || keyword !== "" || from !== "" || to !== "";
  const query = {
    ...readPaging(search),
    ...(resource ? { resource } : {}),
    ...(action ? { action } : {}),
    ...(keyword === "" ? {} : { keyword }),
    ...(from === "" ? {} : { from }),
    ...(to === "" ? {} : { to }),
  };
  const loaded = useQuery({
    queryKey: ["audit", query],
    queryFn: ({ signal }) => call(auditPage, { query, signal, quiet: true }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const verification = useVerification();
  const shown = loaded.data;
  const clear = (): void =>
    change({ resource: undefined, action: undefined, word: undefined, from: undefined, to: undefined });
  return (
    <>
      <Crumbs />
      <div className="page-head">
        <h1>{t("操作记录")}</h1>
        <span className="spacer" />
        <Button icon="shield" isDisabled={verification.isPending} onPress={() => verification.mutate()}>
          {t("核对完整性")}
        </Button>
      </div>
      <Verified verification={verification} />
      {loaded.error && (
        <LoadingProblem
          error={asApiError(loaded.error)}
          onRetry={() => void loaded.refetch()}
          what={t("操作记录")}
          kept={shown !== undefined}
        />
      )}
      <section className="card" aria-label={t("操作记录")}>
        <search className="filters">
          <WordField label={t("操作人或对象")} value={keyword} onChange={(word) => change({ word })} />
          <Picker
            label={t("资源")}
            value={resource ?? ""}
            options={[...resourceTitles].map(([name, title]) => [name, t(title)])}
            onChange={(next) => change({ resource: next })}
          />
          <Picker
            label={t("动作")}
            value={action ?? ""}
            options={auditActions.map((name) => [name, t(actionNames[name])])}
            onChange={(next) => change({ action: next })}
          />
          <Days from={from} to={to} onChange={(nextFrom, nextTo) => change({ from: nextFrom, to: nextTo })} />
          {filtered && (
            <Button kind="link" onPress={clear}>
              {t("清除全部")}
            </Button>
          )}
        </search>
        <div className={loaded.isPlaceholderData ? "dim" : ""}>
          {!shown && !loaded.error && <TableSkeleton />}
          {shown &&
            shown.records.length > 0 &&
            (narrow ? <AuditCards entries={shown.records} /> : <AuditTable entries={shown.records} />)}
          {shown && shown.records.length === 0 && (
            <ExceptionView
              type="empty"
              title={filtered ? t("没有符合条件的记录") : t("还没有操作记录")}
              text={filtered ? t("放宽条件再看，或清除全部条件。") : t("有人新增、修改、删除或授权后，会记在这里。")}
            />
          )}
        </div>
        {shown && shown.total > 0 && (
          <Paging page={shown} change={change} words={(range) => t("第 {from}–{to} 条，共 {total} 条", range)} />
        )}
      </section>
    </>
  );
}
