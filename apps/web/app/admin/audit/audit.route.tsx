import { type AuditEntry, auditExport, auditVerify } from "@herdwise/contract";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useMemo } from "react";
import { useAddressValues } from "../../shared/address/use-address.ts";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { AuditTimeline } from "../../shared/audit/audit-timeline.tsx";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { Segments } from "../../shared/kit/segments.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { tellIn } from "../../shared/language/tell.ts";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import type { Row } from "../../shared/resource/form-values.ts";
import { ListScreen } from "../../shared/resource/list-screen.tsx";
import { whereOf } from "../../shared/resource/list-state.ts";
import { useList } from "../../shared/resource/use-list.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { tellJobBegun } from "../../shared/session/job-begun.ts";
import { showToast } from "../../shared/states/toast-store.ts";
import styles from "./audit.module.css";
import { ChangedRows, Persons } from "./audit-summaries.tsx";
import { auditTrail } from "./audit-words.ts";

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

const views = ["day", "person", "row"] as const;

/** The entries of one person, of one row, or all, with what they are headed by. */
function Entries({ head, children }: { head: ReactNode; children: ReactNode }) {
  const t = useTranslate();
  const language = useLanguage();
  const { permissions } = useAccess();
  const [search, go] = useAddressValues({ isStep: true, fromTop: true });
  const accountId = /^\d{1,19}$/.exec(search.get("person") ?? "")?.[0];
  const row = /^([a-z_]{1,60}) (\d{1,19})$/.exec(search.get("thing") ?? "");
  const [, resource, rowId] = row ?? [];
  const of = useMemo(
    () => ({
      ...auditTrail,
      given: { ...(accountId && { accountId }), ...(resource && rowId && { resource, rowId }) },
    }),
    [accountId, resource, rowId],
  );
  const list = useList(of);
  const entriesOf = (rows: readonly Row[]) => rows as unknown as readonly AuditEntry[];
  const [first] = list.rows ? entriesOf(list.rows) : [];
  const take = (): void =>
    void call(auditExport, { body: { ...of.given, ...whereOf(list.state), language } }).then(
      () => {
        tellJobBegun();
        showToast({ kind: "ok", text: "导出已开始，完成后在顶栏和消息里下载" });
      },
      // A refusal shows as a toast.
      () => undefined,
    );
  return (
    <ListScreen
      list={list}
      rows={(rows) => (
        <AuditTimeline
          entries={entriesOf(rows)}
          heading="h2"
          onPerson={
            accountId
              ? undefined
              : (entry) =>
                  entry.accountId === ""
                    ? undefined
                    : () => go({ by: "person", person: entry.accountId, thing: undefined, page: undefined })
          }
          onRow={
            rowId
              ? undefined
              : ({ resource: thing, rowId: row }) =>
                  go({ by: "row", thing: `${thing} ${row}`, person: undefined, page: undefined })
          }
        />
      )}
      nothing="有人新增、修改、删除或授权后，会记在这里。"
      actionsOnAll={
        permissions.has("audit_export") && list.total > 0
          ? [{ id: "export", icon: "download", name: t("导出"), onAction: take }]
          : []
      }
      head={head}
    >
      {children}
      {(accountId || rowId) && (
        <div className={styles.by}>
          <Button small icon="left" onPress={() => go({ person: undefined, thing: undefined, page: undefined })}>
            {t(accountId ? "所有人" : "所有对象")}
          </Button>
          {first && accountId && (
            <p>
              {t("只看这个人做过的：")}
              <b>
                <Translated text={first.actorName} />
              </b>
            </p>
          )}
          {first && rowId && (
            <p>
              {t("只看它的改动：")}
              <b>
                <Translated text={first.rowTitle} />
              </b>
            </p>
          )}
        </div>
      )}
    </ListScreen>
  );
}

/** Who changed what, as sentences by day, by person or by row, and whether the trail itself is whole. */
export default function Audit() {
  const t = useTranslate();
  const verification = useVerification();
  const [search, go] = useAddressValues({ isStep: true, fromTop: true });
  const by = views.find((view) => view === search.get("by")) ?? "day";
  const chosen = search.get("person") || search.get("thing");
  const names = { day: t("按天"), person: t("按人"), row: t("按对象") };
  const verify = (
    <Button icon="shield" isDisabled={verification.isPending} onPress={() => verification.mutate()}>
      {t("核对完整性")}
    </Button>
  );
  const above = (
    <>
      <Verified verification={verification} />
      <div className={styles.by}>
        <Segments
          label={t("怎么看")}
          values={views.map((view) => [view, names[view]] as const)}
          chosen={by}
          onChoose={(view) =>
            go({ by: view === "day" ? undefined : view, person: undefined, thing: undefined, page: undefined })
          }
        />
      </div>
    </>
  );
  if (by === "day" || chosen) return <Entries head={verify}>{above}</Entries>;
  return (
    <>
      <Crumbs />
      <div className="page-head">
        <h1>{t("操作记录")}</h1>
        <span className="spacer" />
        {verify}
      </div>
      {above}
      <section className="card" aria-label={names[by]}>
        {by === "person" ? (
          <Persons onOpen={(person) => go({ person })} />
        ) : (
          <ChangedRows onOpen={(resource, rowId) => go({ thing: `${resource} ${rowId}` })} />
        )}
      </section>
    </>
  );
}
