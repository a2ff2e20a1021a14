import { type CustomerDetail, type CustomerRule, contractRights, customerDetail } from "@herdwise/contract";
import { bankCardWords } from "@herdwise/contract/bank-card-rules";
import type { StateFace } from "@herdwise/contract/resource";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Link, useSearchParams } from "react-router";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { AuditTimeline } from "../../shared/audit/audit-timeline.tsx";
import { cancellationWords } from "../../shared/cancellation/words.ts";
import { useTitle } from "../../shared/contracts/contract-parts.tsx";
import { contractPaths, stateWords as contractWords } from "../../shared/contracts/words.ts";
import { ruleWords } from "../../shared/customers/rule-words.ts";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import rowStyles from "../../shared/kit/rows.module.css";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { Translated } from "../../shared/language/translated.tsx";
import { useJoin } from "../../shared/language/use-join.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { StateTag } from "../../shared/process/state-tag.tsx";
import { useRegionNames } from "../../shared/resource/regions.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { oneOfType, stateWords as orderWords } from "../../shared/work-orders/words.ts";
import styles from "./customers.module.css";
import { EditDialog } from "./edit-dialog.tsx";
import { findingParts } from "./finding-parts.ts";
import { Secret } from "./reveal.tsx";
import { authenticationWords, kindWords, stateWords } from "./words.ts";

const deviceWords: Readonly<Record<string, StateFace>> = {
  online: { word: "在线", mark: "ok" },
  fault: { word: "故障", mark: "major" },
  offline: { word: "离线", mark: "off" },
  unactivated: { word: "未激活", mark: "empty" },
  blocked: { word: "已停用", mark: "minor" },
};
const severities: readonly StateFace[] = [
  { word: "提示", mark: "notice" },
  { word: "一般", mark: "minor" },
  { word: "严重", mark: "major" },
  { word: "紧急", mark: "critical" },
];
const agreementWords: Readonly<Record<string, string>> = { user: "用户协议", privacy: "隐私政策" };
/** A part of the page; one line where there is nothing in it. */
function Part({
  id,
  title,
  more,
  none,
  children,
}: {
  id: string;
  title: string;
  more?: ReactNode;
  none?: string | undefined;
  children: ReactNode;
}) {
  return (
    <section className={none === undefined ? "card" : `card ${styles.empty}`} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        <span className="spacer" />
        {none === undefined ? more : <p>{none}</p>}
      </header>
      {none === undefined && children}
    </section>
  );
}

function Basic({ customer, onShown }: { customer: CustomerDetail; onShown: () => void }) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const regionOf = useRegionNames();
  const { id, proof } = customer;
  const at = (text: string): string => (text === "" ? "--" : dayTime(parseWireDateTime(text)));
  const facts: readonly (readonly [string, ReactNode])[] = [
    ["类型", t(kindWords[customer.kind])],
    [
      "客户编号",
      <span key="id" className="num">
        {id}
      </span>,
    ],
    ["登录名", customer.account || "--"],
    ["联系人", <Secret key="name" id={id} field="name" masked={customer.contactName} onShown={onShown} />],
    ["手机号", <Secret key="phone" id={id} field="phone" masked={customer.phone} onShown={onShown} />],
    ["邮箱", <Secret key="email" id={id} field="email" masked={customer.email} onShown={onShown} />],
    ["所在地区", regionOf(customer.regionCode) || "--"],
    [
      "地址",
      <Secret key="address" id={id} field="address" masked={customer.hasAddress ? "****" : ""} onShown={onShown} />,
    ],
    [
      "成为客户",
      <span key="since" className="num">
        {at(customer.createTime)}
      </span>,
    ],
    ...(customer.endTime === ""
      ? []
      : [
          [
            "注销时间",
            <span key="end" className="num">
              {at(customer.endTime)}
            </span>,
          ] as const,
        ]),
    ["备注", customer.remark || "--"],
  ];
  const proofs: readonly (readonly [string, ReactNode])[] = [
    ["状态", <StateTag key="state" plain {...authenticationWords[proof.state]} />],
    ["认证名称", <Translated key="title" text={proof.title} />],
    [
      "证件号",
      <Secret key="number" id={id} field="idNumber" masked={proof.hasNumber ? "****" : ""} onShown={onShown} />,
    ],
    [
      "有效期到",
      <span key="until" className="num">
        {proof.licenceUntil === "9999-12-31" ? t("长期") : proof.licenceUntil || "--"}
      </span>,
    ],
    [
      "提交于",
      <span key="sent" className="num">
        {at(proof.submitTime)}
      </span>,
    ],
    [
      "审结",
      <span key="done" className="num">
        {at(proof.decideTime)}
      </span>,
    ],
  ];
  const unknown: Readonly<Record<string, boolean>> = {
    登录名: customer.account === "",
    联系人: customer.contactName === "",
    手机号: customer.phone === "",
    邮箱: customer.email === "",
    所在地区: regionOf(customer.regionCode) === "",
    地址: !customer.hasAddress,
    备注: customer.remark === "",
    认证名称: proof.title === "",
    证件号: !proof.hasNumber,
    有效期到: proof.licenceUntil === "",
    提交于: proof.submitTime === "",
    审结: proof.decideTime === "",
  };
  // What nobody knows takes no line.
  const list = (of: typeof facts): ReactNode => (
    <dl className="facts">
      {of
        .filter(([name]) => unknown[name] !== true)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{t(name)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
  return (
    <>
      <Part id="basic" title={t("基本信息")}>
        {list(facts)}
      </Part>
      <Part id="proof" title={t("实名认证")}>
        {list(proofs)}
      </Part>
    </>
  );
}

function Work({ customer }: { customer: CustomerDetail }) {
  const t = useTranslate();
  const { dayTime, number } = useFormats();
  const { permissions } = useAccess();
  const titleOf = useTitle();
  const regionOf = useRegionNames();
  const at = (text: string): string => (text === "" ? "--" : dayTime(parseWireDateTime(text)));
  return (
    <>
      <Part
        id="alarms"
        title={t("没恢复的告警")}
        more={<span className="mut num">{t("{count} 条", { count: number(customer.openAlarms) })}</span>}
        none={customer.alarmList.length === 0 ? t("现在没有告警。") : undefined}
      >
        <ul className={rowStyles.rows}>
          {customer.alarmList.map((alarm) => (
            <li key={alarm.id}>
              <b>
                <Translated text={alarm.ruleName} />
              </b>
              <span className={rowStyles.end}>
                <StateTag plain {...(severities[alarm.severity - 1] ?? { word: "提示", mark: "notice" })} />
              </span>
              <small>
                <Translated text={alarm.deviceName} />
              </small>
              <small className={`num ${rowStyles.end}`}>{at(alarm.raiseTime)}</small>
            </li>
          ))}
        </ul>
      </Part>
      <Part id="orders" title={t("工单")} none={customer.orderList.length === 0 ? t("没有提交过工单。") : undefined}>
        <ul className={rowStyles.rows}>
          {customer.orderList.map((order) => (
            <li key={order.id}>
              <b>
                <Link className="link" to={`/customer/workOrder/detail?id=${order.id}`}>
                  <Translated text={order.title} />
                </Link>
              </b>
              <span className={rowStyles.end}>
                {order.overdue ? (
                  <StateTag plain word="超时" mark="major" />
                ) : (
                  <StateTag
                    plain
                    {...(orderWords[order.state as keyof typeof orderWords] ?? { word: order.state, mark: "off" })}
                  />
                )}
              </span>
              <small>
                {t(oneOfType[order.type as keyof typeof oneOfType] ?? "")} · <span className="num">{order.number}</span>
              </small>
              <small className={`num ${rowStyles.end}`}>{at(order.createTime)}</small>
            </li>
          ))}
        </ul>
      </Part>
      <Part
        id="contracts"
        title={t("合同")}
        none={customer.contractList.length === 0 ? t("还没有给这位客户起草过合同。") : undefined}
      >
        <ul className={rowStyles.rows}>
          {customer.contractList.map((contract) => (
            <li key={contract.id}>
              <b>
                {permissions.has(contractRights.desk) ? (
                  <Link className="link" to={`${contractPaths.deskDetail}?id=${contract.id}`}>
                    {titleOf(contract)}
                  </Link>
                ) : (
                  titleOf(contract)
                )}
              </b>
              <span className={rowStyles.end}>
                <StateTag plain {...contractWords[contract.state]} />
              </span>
              <small className="num">{contract.number}</small>
              {contract.until !== "" && (
                <small className={`num ${rowStyles.end}`}>{t("到 {day}", { day: contract.until })}</small>
              )}
            </li>
          ))}
        </ul>
      </Part>
      <Part id="farms" title={t("全部场区")} none={customer.farmList.length === 0 ? t("还没有建场区。") : undefined}>
        <ul className={rowStyles.rows}>
          {customer.farmList.map((farm) => (
            <li key={farm.id}>
              <b>
                <Translated text={farm.name} />
              </b>
              <span className={`num ${rowStyles.end}`}>{t("{count} 头", { count: number(farm.heads) })}</span>
              <small>{regionOf(farm.regionCode) || "--"}</small>
            </li>
          ))}
        </ul>
      </Part>
      <Part
        id="devices"
        title={t("设备")}
        more={<span className="mut num">{t("{count} 台", { count: number(customer.devices) })}</span>}
        none={customer.deviceList.length === 0 ? t("还没有绑定设备。") : undefined}
      >
        <div className={styles.counts}>
          {customer.deviceStates.map(({ status, count }) => (
            <span key={status}>
              <StateTag plain {...(deviceWords[status] ?? { word: status, mark: "off" })} />{" "}
              <b className="num">{number(count)}</b>
            </span>
          ))}
        </div>
        <ul className={rowStyles.rows}>
          {customer.deviceList.map((device) => (
            <li key={device.id}>
              <b>
                <Translated text={device.name} />
              </b>
              <span className={rowStyles.end}>
                <StateTag plain {...(deviceWords[device.status] ?? { word: device.status, mark: "off" })} />
              </span>
              <small className="num">{device.serialNumber}</small>
              <small className={`num ${rowStyles.end}`}>{at(device.reportTime)}</small>
            </li>
          ))}
        </ul>
      </Part>
    </>
  );
}

function People({ customer, onShown }: { customer: CustomerDetail; onShown: () => void }) {
  const t = useTranslate();
  const nameOf = useNames();
  const { permissions } = useAccess();
  const { dayTime } = useFormats();
  const at = (text: string): string => (text === "" ? "--" : dayTime(parseWireDateTime(text)));
  const closingOf = ({ kind, member }: CustomerDetail["closingList"][number]): string =>
    kind === "tenant" ? t("整个单位") : member;
  return (
    <>
      <Part
        id="members"
        title={t("全部成员")}
        none={customer.memberList.length === 0 ? t("已经没有成员。") : undefined}
      >
        <ul className={rowStyles.rows}>
          {customer.memberList.map((member) => (
            <li key={member.id}>
              <b>
                {member.contactName} <small>{member.account}</small>
              </b>
              <span className={rowStyles.end}>
                {member.status === 1 ? (
                  <Secret id={customer.id} field="phone" memberId={member.id} masked={member.phone} onShown={onShown} />
                ) : (
                  <StateTag plain {...stateWords.disabled} />
                )}
              </span>
              <small>{member.roles.split(",").filter(Boolean).map(nameOf).join(" · ") || "--"}</small>
              <small className={`num ${rowStyles.end}`}>
                {member.lastSeenAt === "" ? t("没登录过") : t("{time} 用过", { time: at(member.lastSeenAt) })}
              </small>
            </li>
          ))}
        </ul>
      </Part>
      <Part id="cards" title={t("银行卡")} none={customer.cardList.length === 0 ? t("还没有绑过银行卡。") : undefined}>
        <ul className={rowStyles.rows}>
          {customer.cardList.map((card) => (
            <li key={card.id}>
              <b>
                <Translated text={card.bankName} />
              </b>
              <span className={rowStyles.end}>
                <StateTag plain {...bankCardWords[card.state]} />
              </span>
              <small className="num">{t("尾号 {lastFour}", { lastFour: card.lastFour })}</small>
              {card.isDefault && <small className={rowStyles.end}>{t("默认收款卡")}</small>}
            </li>
          ))}
        </ul>
      </Part>
      {customer.closingList.length > 0 && (
        <Part id="closings" title={t("注销")}>
          <ul className={rowStyles.rows}>
            {customer.closingList.map((closing) => (
              <li key={closing.id}>
                <b>
                  {permissions.has("cancellation_desk") ? (
                    <Link className="link" to={`/customer/cancellation/detail?id=${closing.id}`}>
                      {closingOf(closing)}
                    </Link>
                  ) : (
                    closingOf(closing)
                  )}
                </b>
                <span className={rowStyles.end}>
                  <StateTag plain {...cancellationWords[closing.state]} />
                </span>
                <small className="num">{t("{time} 提出", { time: at(closing.askTime) })}</small>
                {closing.state === "waiting" && (
                  <small className={`num ${rowStyles.end}`}>{t("{time} 前答复", { time: at(closing.dueTime) })}</small>
                )}
              </li>
            ))}
          </ul>
        </Part>
      )}
      <Part
        id="sessions"
        title={t("登录中的设备")}
        none={customer.sessionList.length === 0 ? t("现在没有人登录着。") : undefined}
      >
        <ul className={rowStyles.rows}>
          {customer.sessionList.map((session) => (
            <li key={session.id}>
              <b>{session.device || t("未知设备")}</b>
              <small className={`num ${rowStyles.end}`}>{at(session.lastSeenAt)}</small>
              <small>{session.member}</small>
            </li>
          ))}
        </ul>
      </Part>
      <Part
        id="consents"
        title={t("同意的协议")}
        none={customer.consentList.length === 0 ? t("还没有同意记录。") : undefined}
      >
        <ul className={rowStyles.rows}>
          {customer.consentList.map((one) => (
            <li key={`${one.kind} ${one.version} ${one.member}`}>
              <b>
                {t(agreementWords[one.kind] ?? one.kind)} <small className="num">{one.version}</small>
              </b>
              <small className={`num ${rowStyles.end}`}>{at(one.agreeTime)}</small>
              <small>{one.member}</small>
            </li>
          ))}
        </ul>
      </Part>
      <Part
        id="history"
        title={t("资料的改动")}
        none={customer.history.length === 0 ? t("还没有人改过资料。") : undefined}
      >
        <AuditTimeline heading="h3" entries={customer.history} />
      </Part>
    </>
  );
}

/** Where what a rule finds is looked into. */
function ToRemedy({ rule, customer }: { rule: CustomerRule; customer: CustomerDetail }) {
  const t = useTranslate();
  const { permissions } = useAccess();
  const late = customer.orderList.find(({ type, overdue }) => type === "complaint" && overdue);
  const proof = {
    word: "看认证资料",
    right: "real_name_review",
    // A person's application bears the person's name.
    to: `/customer/realName?view=done${customer.kind === "enterprise" ? `&q=${encodeURIComponent(customer.name)}` : ""}`,
  };
  const ways: Partial<Record<CustomerRule, { word: string; right: string; to: string }>> = {
    licence_expired: proof,
    licence_expiring: proof,
    authentication_suspended: proof,
    ...(late && {
      complaint_overdue: {
        word: "去答复投诉",
        right: "work_order_desk",
        to: `/customer/workOrder/detail?id=${late.id}`,
      },
    }),
    owner_disabled: { word: "去用户管理", right: "user_view", to: "/system/user" },
  };
  const way = ways[rule];
  if (way === undefined || !permissions.has(way.right)) return null;
  return (
    <>
      <br />
      <Link className={`btn small ${styles.answer}`} to={way.to}>
        {t(way.word)}
      </Link>
    </>
  );
}

/** What is wrong with it, the worst first, and what to do. */
function Worst({ customer }: { customer: CustomerDetail }) {
  const t = useTranslate();
  const join = useJoin();
  const { dayTime } = useFormats();
  const { permissions } = useAccess();
  const asked = customer.closingList.find(({ state }) => state === "waiting");
  if (customer.findings.length === 0 && asked === undefined) return null;
  return (
    <section className={`card ${styles.worst}`} aria-label={t("为什么异常")}>
      <ul>
        {customer.findings.map((finding) => (
          <li key={finding.rule}>
            <span className={`state ${ruleWords[finding.rule].mark}`}>
              <Mark name={ruleWords[finding.rule].mark} />
              {t(ruleWords[finding.rule].word)}
            </span>
            <span>
              <span className="num">{join(findingParts(finding, t, dayTime(parseWireDateTime(finding.sinceAt))))}</span>
              <br />
              <small>{t(ruleWords[finding.rule].next)}</small>
              <ToRemedy rule={finding.rule} customer={customer} />
            </span>
          </li>
        ))}
        {asked && (
          <li>
            <span className="state notice">
              <Mark name="notice" />
              {t("申请了注销")}
            </span>
            <span>
              <span className="num">{t("{time} 前答复", { time: dayTime(parseWireDateTime(asked.dueTime)) })}</span>
              {permissions.has("cancellation_desk") && (
                <>
                  <br />
                  <Link className={`btn primary ${styles.answer}`} to={`/customer/cancellation/detail?id=${asked.id}`}>
                    {t("去答复")}
                  </Link>
                </>
              )}
            </span>
          </li>
        )}
      </ul>
    </section>
  );
}

/** One customer on one page. */
export function CustomerPage() {
  const t = useTranslate();
  const [search] = useSearchParams();
  const id = /^\d{6,12}$/.exec(search.get("id") ?? "")?.[0] ?? "";
  const { permissions } = useAccess();
  const mayEdit = permissions.has("customer_edit");
  const [editing, setEditing] = useState(false);
  const loaded = useQuery({
    queryKey: ["customers", "detail", id],
    queryFn: ({ signal }) => call(customerDetail, { query: { id }, signal, quiet: true }),
    enabled: id !== "",
  });
  const again = (): void => void loaded.refetch();
  const customer = loaded.data;
  // The wide column is for what there is: of a customer without work, its people.
  const isIdle =
    customer !== undefined &&
    [customer.alarmList, customer.orderList, customer.contractList, customer.farmList, customer.deviceList].every(
      ({ length }) => length === 0,
    );
  const people = customer && <People customer={customer} onShown={again} />;
  const error = loaded.error ? asApiError(loaded.error) : undefined;
  const back = (
    <Link className="btn" to="/customer/customer">
      {t("回到客户列表")}
    </Link>
  );
  if (id === "" || error?.reason === "customers.not_found")
    return (
      <>
        <Crumbs />
        <ExceptionView type="404" title={t("没有这位客户")} text={t("可能地址不完整，或客户已被清除。")} wholePage>
          {back}
        </ExceptionView>
      </>
    );
  return (
    <>
      <Crumbs />
      {error && <LoadingProblem error={error} onRetry={again} what={t("客户")} kept={customer !== undefined} />}
      {!customer && !error && (
        <>
          <div className="page-head">
            <h1>{t("客户详情")}</h1>
          </div>
          <section className="card">
            <TableSkeleton rows={8} />
          </section>
        </>
      )}
      {customer && (
        <>
          <div className={styles.head}>
            <h1>
              <Translated text={customer.name} />
            </h1>
            {(customer.state !== "active" || customer.findings.length === 0) && (
              <StateTag plain {...stateWords[customer.state]} />
            )}
            <StateTag plain {...authenticationWords[customer.authentication]} />
            <span className={styles.gap} />
            {permissions.has("tenant_view") && (
              <Link className="btn" to={`/system/tenant?tenant=${id}`}>
                {t("额度、期限和套餐")}
              </Link>
            )}
            {mayEdit && customer.state !== "cancelled" && (
              <Button icon="edit" onPress={() => setEditing(true)}>
                {t("修改资料")}
              </Button>
            )}
          </div>
          <Worst customer={customer} />
          <div className={styles.page}>
            <div>
              {isIdle && people}
              <Work customer={customer} />
            </div>
            <div>
              <Basic customer={customer} onShown={again} />
              {!isIdle && people}
            </div>
          </div>
          {editing && <EditDialog customer={customer} onClose={() => setEditing(false)} onSaved={again} />}
        </>
      )}
    </>
  );
}
