import {
  type Customer,
  type CustomerFigures,
  type CustomerRule,
  type CustomerView,
  customerAuthentications,
  customerFigures,
  customerKinds,
  customerPage,
  customerRules,
  customerViews,
} from "@herdwise/contract";
import { choice, list, moment, number, text } from "@herdwise/contract/resource";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useAddressValues, useFormerNames } from "../../shared/address/use-address.ts";
import { call } from "../../shared/api/call.ts";
import { ruleWords } from "../../shared/customers/rule-words.ts";
import { Mark } from "../../shared/icons/mark.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { Translated } from "../../shared/language/translated.tsx";
import { useJoin } from "../../shared/language/use-join.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { known } from "../../shared/lists/list-address.ts";
import { StateTag } from "../../shared/process/state-tag.tsx";
import type { Cells } from "../../shared/resource/cells.ts";
import type { Row } from "../../shared/resource/form-values.ts";
import { ListScreen } from "../../shared/resource/list-screen.tsx";
import { conditionPrefix, whereOf } from "../../shared/resource/list-state.ts";
import { countryCode, useRegions } from "../../shared/resource/regions.ts";
import { useList } from "../../shared/resource/use-list.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import styles from "./customers.module.css";
import { ExportDialog } from "./export-dialog.tsx";
import { findingParts } from "./finding-parts.ts";
import { authenticationWords, kindWords, stateWords } from "./words.ts";

const titles: Readonly<Record<CustomerView, string>> = {
  all: "全部客户",
  abnormal: "异常客户",
  cancelled: "已注销的客户",
};
const former = { auth: `${conditionPrefix}authentication` };
/** The list uses the parameter `view` for saved views, so `list` names the list that is shown. */
const formerWithView = { ...former, view: "list" };

const customerOf = (row: Row): Customer => row as unknown as Customer;

/** Why a customer is abnormal, and since when. */
function Findings({ customer }: { customer: Customer }) {
  const t = useTranslate();
  const join = useJoin();
  const { dayTime } = useFormats();
  return (
    <span className={styles.found}>
      {customer.findings.map((finding) => (
        <span key={finding.rule}>
          <StateTag plain {...ruleWords[finding.rule]} />
          <small className="num">{join(findingParts(finding, t, dayTime(parseWireDateTime(finding.sinceAt))))}</small>
        </span>
      ))}
    </span>
  );
}

const cells: Cells = {
  name: function Name({ row }) {
    const t = useTranslate();
    const { id, name, kind, account } = customerOf(row);
    return (
      <span className={styles.name}>
        <Translated text={name} />
        <small>
          {t(kindWords[kind])} · <span className="num">{id}</span>
          {account !== "" && ` · ${account}`}
        </small>
      </span>
    );
  },
  contactName: ({ row }) => (
    <>
      {customerOf(row).contactName || "--"} <span className="num">{customerOf(row).phone}</span>
    </>
  ),
  authentication: ({ row }) => <StateTag plain {...authenticationWords[customerOf(row).authentication]} />,
  state: ({ row }) => {
    const customer = customerOf(row);
    return customer.state !== "cancelled" && customer.findings.length > 0 ? (
      <Findings customer={customer} />
    ) : (
      <StateTag plain {...stateWords[customer.state]} />
    );
  },
};

/** One of the lists of customers, with its conditions. */
function useCustomerList(view: CustomerView) {
  const { data: provinces } = useRegions(countryCode);
  const of = useMemo(() => {
    const asked = { filter: true, single: true } as const;
    return list({
      name: "customer",
      path: "/api/muyuan-customer/customer",
      page: customerPage.path,
      given: { view },
      words: {
        one: view === "all" ? "客户" : titles[view],
        many: titles[view],
        search: "名称、登录名、整个手机号或证件号",
        searchShort: "名称、手机、证件号",
      },
      title: "name",
      card: ["state", "authentication", "contactName", "regionCode", "devices"],
      fields: {
        name: text("客户", { max: 36, column: true }),
        authentication: choice("认证", {
          options: customerAuthentications.map((name) => [name, authenticationWords[name].word]),
          column: true,
          ...asked,
        }),
        kind: choice("类型", { options: customerKinds.map((name) => [name, kindWords[name]]), ...asked }),
        state: text(view === "abnormal" ? "为什么异常" : "状态", { max: view === "cancelled" ? 36 : 60, column: true }),
        contactName: text("联系人与手机", { max: 28, column: true }),
        farms: number("场区数", { min: 0, max: 1_000_000, column: view !== "abnormal" }),
        devices: number("设备", { min: 0, max: 1_000_000, column: view !== "abnormal" }),
        // A long name, which gives way where there is little room.
        regionCode: text("所在地区", { max: 6, rule: "region", column: true }),
        createTime: moment("成为客户", { column: view !== "cancelled", filter: true, ends: ["from", "to"] }),
        endTime: moment("注销时间", { column: view === "cancelled" }),
      },
      conditions: {
        region: choice("所在地区", { options: provinces?.map(({ id, title }) => [id, title]) ?? [], ...asked }),
        ...(view !== "cancelled" && {
          rule: choice("异常", { options: customerRules.map((name) => [name, ruleWords[name].word]), ...asked }),
        }),
      },
    });
  }, [view, provinces]);
  return useList(of);
}

/** What each rule finds; pressing one shows its customers. */
function Rules({
  figures,
  rule,
  onChoose,
}: {
  figures: CustomerFigures;
  rule: string | undefined;
  onChoose: (rule: CustomerRule | "") => void;
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
            onClick={() => onChoose(rule === name ? "" : name)}
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
  const [search, go] = useAddressValues();
  useFormerNames(known(search.get("view"), customerViews) ? formerWithView : former);
  const view = known(search.get("list") ?? search.get("view"), customerViews) ?? "all";
  const customers = useCustomerList(view);
  const [exporting, setExporting] = useState(false);
  const { data: figures } = useQuery({
    queryKey: ["customers", "figures"],
    queryFn: ({ signal }) => call(customerFigures, { signal, quiet: true }),
  });
  const { state, total, change } = customers;
  const counts = { all: figures?.total, abnormal: figures?.abnormal, cancelled: figures?.cancelled };
  return (
    <>
      <ListScreen
        list={customers}
        cells={cells}
        untabbed
        linkOf={({ id }) => `/customer/detail?id=${id}`}
        nothing={
          view === "abnormal" ? "执照、认证、投诉、登录和设备都正常，每 10 分钟查一次。" : "客户注册以后会出现在这里。"
        }
        actionsOnAll={
          mayExport && total > 0
            ? [{ id: "export", icon: "download", name: t("导出"), onAction: () => setExporting(true) }]
            : []
        }
        note={
          view === "abnormal"
            ? figures &&
              figures.lookTime !== "" &&
              t("{time} 查过", { time: dayTime(parseWireDateTime(figures.lookTime)) })
            : view === "all" && (figures?.abnormal ?? 0) > 0 && t("异常的在前，最严重的最先")
        }
      >
        <fieldset className={styles.views} aria-label={t("客户的列表")}>
          {customerViews.map((name) => (
            <button
              key={name}
              type="button"
              className="chip"
              aria-pressed={name === view}
              onClick={() =>
                go({
                  list: name === "all" ? undefined : name,
                  [`${conditionPrefix}rule`]: undefined,
                  rule: undefined,
                  view: undefined,
                  page: undefined,
                })
              }
            >
              {t(titles[name])}
              {counts[name] !== undefined && <em>{number(counts[name])}</em>}
            </button>
          ))}
        </fieldset>
        {view === "abnormal" && figures && (
          <Rules
            figures={figures}
            rule={state.where.rule}
            onChoose={(rule) => change(({ where }) => ({ where: { ...where, rule } }))}
          />
        )}
      </ListScreen>
      {exporting && (
        <ExportDialog filter={{ view, ...whereOf(state) }} total={number(total)} onClose={() => setExporting(false)} />
      )}
    </>
  );
}
