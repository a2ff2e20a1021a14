import {
  type CustomerFigures,
  type CustomerRule,
  type CustomerView,
  customerAuthentications,
  customerFigures,
  customerKinds,
  customerPage,
  customerRules,
  customerViews,
  regionLazyTree,
} from "@herdwise/contract";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { Picker, WordField } from "../../shared/lists/filters.tsx";
import { known, readPaging, useListAddress } from "../../shared/lists/list-address.ts";
import { PageOf } from "../../shared/resource/pager.tsx";
import { useAccess } from "../../shared/session/access-context.ts";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { CustomerTable } from "./customer-table.tsx";
import styles from "./customers.module.css";
import { ExportDialog } from "./export-dialog.tsx";
import { authenticationWords, kindWords, ruleWords } from "./words.ts";

const titles: Readonly<Record<CustomerView, string>> = {
  all: "全部客户",
  abnormal: "异常客户",
  cancelled: "已注销的客户",
};
const dayForm = /^\d{4}-\d{2}-\d{2}$/;
const dayIn = (text: string | null): string | undefined => (text !== null && dayForm.test(text) ? text : undefined);

/** What each rule finds; pressing one shows its customers. */
function Rules({
  figures,
  rule,
  onChoose,
}: {
  figures: CustomerFigures;
  rule: CustomerRule | undefined;
  onChoose: (rule: CustomerRule | undefined) => void;
}) {
  const t = useTranslate();
  const { number } = useFormats();
  return (
    <section className={`card ${styles.rules}`} aria-label={t("为什么异常")}>
      {customerRules.map((name) => {
        const count = figures.rules.find((one) => one.rule === name)?.count ?? 0;
        const { word, mark } = ruleWords[name];
        return (
          <button
            key={name}
            type="button"
            aria-pressed={rule === name}
            onClick={() => onChoose(rule === name ? undefined : name)}
          >
            <b className="num">{number(count)}</b>
            <span className={count > 0 ? `state ${mark}` : "mut"}>
              {count > 0 && <Mark name={mark} />}
              {t(word)}
            </span>
          </button>
        );
      })}
    </section>
  );
}

/** Customers of the group: all, those with something abnormal, those who left. Which of them is the address's to say. */
export function Customers() {
  const t = useTranslate();
  const { number, dayTime } = useFormats();
  const mayExport = useAccess().permissions.has("customer_export");
  const [search, change] = useListAddress("id");
  const [exporting, setExporting] = useState(false);
  const view = known(search.get("view"), customerViews) ?? "all";
  const kind = known(search.get("kind"), customerKinds);
  const authentication = known(search.get("auth"), customerAuthentications);
  const rule = known(search.get("rule"), customerRules);
  const region = /^\d{2}$/.test(search.get("region") ?? "") ? (search.get("region") ?? "") : "";
  const [from, to] = [dayIn(search.get("from")), dayIn(search.get("to"))];
  const keyword = search.get("q") ?? "";
  const filter = {
    view,
    ...(kind && { kind }),
    ...(authentication && { authentication }),
    ...(rule && { rule }),
    ...(region && { region }),
    ...(from && { from }),
    ...(to && { to }),
    ...(keyword && { keyword }),
  };
  const query = { ...readPaging(search), ...filter };
  const loaded = useQuery({
    queryKey: ["customers", query],
    queryFn: ({ signal }) => call(customerPage, { query, signal, quiet: true }),
    placeholderData: keepPreviousData,
  });
  const { data: figures } = useQuery({
    queryKey: ["customers", "figures"],
    queryFn: ({ signal }) => call(customerFigures, { signal, quiet: true }),
  });
  const { data: provinces } = useQuery({
    queryKey: ["regions", "00"],
    queryFn: ({ signal }) => call(regionLazyTree, { query: { parentCode: "00" }, signal, quiet: true }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const page = loaded.data;
  const narrowed = Object.keys(filter).length > 1;
  const counts = { all: figures?.total, abnormal: figures?.abnormal, cancelled: figures?.cancelled };
  return (
    <>
      <Crumbs />
      <div className="page-head">
        <h1>{t(titles[view])}</h1>
        {view === "abnormal" && figures && figures.lookTime !== "" && (
          <span className="mut">{t("{time} 查过", { time: dayTime(parseWireDateTime(figures.lookTime)) })}</span>
        )}
        <span className="spacer" />
        {mayExport && page && page.total > 0 && (
          <Button icon="download" onPress={() => setExporting(true)}>
            {t("导出")}
          </Button>
        )}
      </div>
      <fieldset className={styles.views} aria-label={t("客户的列表")}>
        {customerViews.map((name) => (
          <button
            key={name}
            type="button"
            className="chip"
            aria-pressed={name === view}
            onClick={() => change({ view: name === "all" ? undefined : name, rule: undefined })}
          >
            {t(titles[name])}
            {counts[name] !== undefined && <em>{number(counts[name])}</em>}
          </button>
        ))}
      </fieldset>
      {view === "abnormal" && figures && (
        <Rules figures={figures} rule={rule} onChoose={(next) => change({ rule: next })} />
      )}
      {loaded.error && (
        <LoadingProblem
          error={asApiError(loaded.error)}
          onRetry={() => void loaded.refetch()}
          what={t(titles[view])}
          kept={page !== undefined}
        />
      )}
      <section className="card" aria-label={t(titles[view])}>
        <search className="filters">
          <WordField label={t("名称、登录名、整个手机号或证件号")} value={keyword} onChange={(q) => change({ q })} />
          <Picker
            label={t("类型")}
            value={kind ?? ""}
            options={customerKinds.map((name) => [name, t(kindWords[name])])}
            onChange={(next) => change({ kind: next })}
          />
          <Picker
            label={t("认证")}
            value={authentication ?? ""}
            options={customerAuthentications.map((name) => [name, t(authenticationWords[name].word)])}
            onChange={(next) => change({ auth: next })}
          />
          <Picker
            label={t("地区")}
            value={region}
            options={(provinces ?? []).map(({ value, title }) => [String(value), title])}
            onChange={(next) => change({ region: next })}
          />
          {view === "all" && (
            <Picker
              label={t("异常")}
              value={rule ?? ""}
              options={customerRules.map((name) => [name, t(ruleWords[name].word)])}
              onChange={(next) => change({ rule: next })}
            />
          )}
          {(["from", "to"] as const).map((end) => (
            <label key={end} className={styles.day}>
              <span>{t(end === "from" ? "从" : "到")}</span>
              <input
                className="chip"
                type="date"
                value={(end === "from" ? from : to) ?? ""}
                onChange={({ target }) => change({ [end]: target.value })}
              />
            </label>
          ))}
        </search>
        {!page && !loaded.error && <TableSkeleton rows={8} />}
        <div className={loaded.isPlaceholderData ? "dim" : ""}>
          {page && page.records.length > 0 && <CustomerTable customers={page.records} view={view} />}
        </div>
        {page && page.records.length === 0 && (
          <ExceptionView
            type="empty"
            title={t(narrowed ? "没有符合条件的客户" : view === "abnormal" ? "没有异常的客户" : "还没有客户")}
            text={t(
              narrowed
                ? "放宽条件再看，或清除全部条件。手机号和证件号要输完整。"
                : view === "abnormal"
                  ? "执照、认证、投诉、登录和设备都正常，每 10 分钟查一次。"
                  : "客户注册以后会出现在这里。",
            )}
          />
        )}
        {page && page.total > 0 && <PageOf page={page} change={change} />}
      </section>
      {exporting && page && (
        <ExportDialog filter={filter} total={number(page.total)} onClose={() => setExporting(false)} />
      )}
    </>
  );
}
