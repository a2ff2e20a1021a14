import {
  type Desk,
  type DeskKey,
  desks,
  type FieldPlace,
  groupStart,
  type Outgoing,
  type GroupStart as Start,
} from "@herdwise/contract";
import { deskAge } from "@herdwise/contract/desk-age";
import { shanghaiMs } from "@herdwise/contract/shanghai";
import { type ReactNode, useEffect, useState } from "react";
import { Link } from "react-router";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { ruleDetail, ruleWords } from "../../shared/customers/rule-words.ts";
import { Mark, type MarkName } from "../../shared/icons/mark.tsx";
import { type Fact, Facts } from "../../shared/kit/facts.tsx";
import rows from "../../shared/kit/rows.module.css";
import { ScrollTable } from "../../shared/kit/scroll-table.tsx";
import { Segments } from "../../shared/kit/segments.tsx";
import { useDuration } from "../../shared/language/use-duration.ts";
import { useJoin } from "../../shared/language/use-join.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { calledOf } from "../../shared/session/access.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { useNow } from "../../shared/states/use-now.ts";
import { FirstDay } from "./first-day.tsx";
import styles from "./group-start.module.css";
import { WaitingCard, WaitingLead } from "./waiting-card.tsx";

/** Others answer meanwhile, ms. */
const renewMs = 60_000;
/** Desks at which a second person confirms what another one entered. */
const secondPerson: readonly DeskKey[] = ["price", "payment", "settlement"];
const overdueList: Readonly<Partial<Record<DeskKey, string>>> = { work_order: "/customer/workOrder?view=overdue" };

const lateList = (desk: DeskKey): string => overdueList[desk] ?? desks[desk].list;
const sumOf = (all: readonly Desk[], count: (one: Desk) => number): number =>
  all.reduce((sum, one) => sum + count(one), 0);
/** The one of those with the smallest moment; undefined where none has one. */
const firstBy = (all: readonly Desk[], moment: (one: Desk) => number | undefined): Desk | undefined =>
  all
    .filter((one) => moment(one) !== undefined)
    .toSorted((a, b) => (moment(a) ?? 0) - (moment(b) ?? 0))
    .at(0);

function Lead({ start, nowMs }: { start: Start; nowMs: number }) {
  const t = useTranslate();
  const { number, dayTime } = useFormats();
  const duration = useDuration();
  const late = firstBy(start.desks, ({ lateSinceMs }) => lateSinceMs);
  const next = firstBy(
    start.desks.filter(({ dueToday }) => dueToday > 0),
    ({ dueMs }) => dueMs,
  );
  const seconds = start.desks.filter(({ desk, waiting }) => secondPerson.includes(desk) && waiting > 0);
  const join = useJoin();
  const lateCount = sumOf(start.desks, (one) => one.late);
  const facts: Fact[] = [
    {
      name: t("超时没答"),
      value: number(lateCount),
      note: late
        ? t("{desk}，最久 {time}", {
            desk: t(desks[late.desk].name),
            time: duration(nowMs - (late.lateSinceMs ?? nowMs)),
          })
        : t("都在承诺的时间内"),
      bad: lateCount > 0,
    },
    {
      name: t("今天要答"),
      value: number(sumOf(start.desks, (one) => one.dueToday)),
      note: next?.dueMs
        ? t("{time} 前先答{desk}", { time: dayTime(next.dueMs), desk: t(desks[next.desk].name) })
        : t("今天没有到期的"),
    },
  ];
  if (start.unheard !== undefined)
    facts.push({
      name: t("现场紧急告警"),
      value: number(start.unheard),
      note: start.unheard > 0 ? t("还没有人确认") : t("都有人确认了"),
      bad: start.unheard > 0,
    });
  if (start.desks.some(({ desk }) => secondPerson.includes(desk)))
    facts.push({
      name: t("等第二人"),
      value: number(sumOf(seconds, ({ waiting }) => waiting)),
      note: seconds.length > 0 ? join(seconds.map(({ desk }) => t(desks[desk].name))) : t("没有等复核的"),
    });
  return <Facts label={t("现在")} facts={facts} />;
}

/** How much of the time that was promised the next one has used, as a bar, and in words how long the oldest waits. */
function Age({ desk, nowMs }: { desk: Desk; nowMs: number }) {
  const t = useTranslate();
  const duration = useDuration();
  const { dayTime } = useFormats();
  const { oldestMs, dueMs, lateSinceMs } = desk;
  if (oldestMs === undefined) return <span className="mut">--</span>;
  const { tone, share } = deskAge(desk, nowMs);
  return (
    <span className={styles.age}>
      <i aria-hidden="true" data-tone={tone}>
        <b style={{ width: `${share * 100}%` }} />
      </i>
      <span>
        {lateSinceMs === undefined
          ? t("最久 {time}", { time: duration(nowMs - oldestMs) })
          : t("已超时 {time}", { time: duration(nowMs - lateSinceMs) })}
        {dueMs !== undefined && <small>{t("下一个 {time} 到期", { time: dayTime(dueMs) })}</small>}
      </span>
    </span>
  );
}

function NextStep({ desk }: { desk: Desk }) {
  const t = useTranslate();
  const join = useJoin();
  const steps = [
    desk.late > 0 && t("{count} 件超时", { count: desk.late }),
    desk.unassigned && t("{count} 件没人接", { count: desk.unassigned }),
    desk.dueToday > 0 && t("{count} 件今天到期", { count: desk.dueToday }),
    secondPerson.includes(desk.desk) && desk.waiting > 0 && t("由第二人复核"),
  ].filter((step) => typeof step === "string");
  return steps.length > 0 ? (
    join(steps)
  ) : (
    <span className="mut">{desk.waiting > 0 ? t("按顺序办") : t("没有等着的")}</span>
  );
}

function Desks({ start, nowMs }: { start: Start; nowMs: number }) {
  const t = useTranslate();
  const { number } = useFormats();
  // What is late comes first, then what is due first.
  const urgency = ({ lateSinceMs, dueMs, waiting }: Desk): number =>
    lateSinceMs !== undefined ? lateSinceMs - 1e15 : (dueMs ?? (waiting > 0 ? 1e15 : 2e15));
  const sorted = start.desks.toSorted((a, b) => urgency(a) - urgency(b));
  return (
    <section className="card" aria-labelledby="desks-title">
      <header>
        <h2 id="desks-title">{t("各台在等什么")}</h2>
        <span className="mut">{t("数字点开就是那张单子")}</span>
      </header>
      <ScrollTable label={t("各台的表")} stacked className={styles.desks}>
        <thead>
          <tr>
            <th scope="col">{t("要答复的")}</th>
            <th scope="col" className={styles.end}>
              {t("等着")}
            </th>
            <th scope="col">{t("最久的")}</th>
            <th scope="col">{t("下一步")}</th>
            <th scope="col" className={styles.end}>
              {t("今天来的、办的")}
            </th>
            <th scope="col">{t("在做")}</th>
          </tr>
        </thead>
        <tbody>
          {sorted.map((desk) => (
            <tr key={desk.desk} data-late={desk.late > 0 || undefined} data-idle={desk.waiting === 0 || undefined}>
              <th scope="row">
                <Link className="link" to={desk.late > 0 ? lateList(desk.desk) : desks[desk.desk].list}>
                  {t(desks[desk.desk].name)}
                </Link>
              </th>
              <td className={`num ${styles.end}`} data-name={t("等着")}>
                <Link className={styles.count} to={desks[desk.desk].list}>
                  {number(desk.waiting)}
                </Link>
              </td>
              <td data-name={t("最久的")}>
                <Age desk={desk} nowMs={nowMs} />
              </td>
              <td data-name={t("下一步")}>
                <NextStep desk={desk} />
              </td>
              <td className={`num ${styles.end} ${styles.more}`} data-name={t("今天来的、办的")}>
                {`+${number(desk.came)} −${number(desk.dealt)}`}
              </td>
              <td className={styles.more} data-name={t("在做")}>
                <Hands names={desk.hands} />
              </td>
            </tr>
          ))}
        </tbody>
      </ScrollTable>
    </section>
  );
}

function Hands({ names }: { names: readonly string[] }) {
  if (names.length === 0) return <span className="mut">--</span>;
  return (
    <span className={styles.hands}>
      {names.map((name) => (
        <span key={name} title={name}>
          <span aria-hidden="true">{[...name][0]}</span>
          <span className="visually-hidden">{name}</span>
        </span>
      ))}
    </span>
  );
}

/** Alarms of the last days as bars; the table beside it has the numbers. */
function Trend({ counts }: { counts: readonly number[] }) {
  const t = useTranslate();
  const most = Math.max(1, ...counts);
  return (
    <span className={styles.trend} role="img" aria-label={t("近 7 天的告警：{counts}", { counts: counts.join(", ") })}>
      {counts.map((count, at) => (
        <i key={at} style={{ height: `${Math.max(6, (count / most) * 100)}%` }} data-none={count === 0 || undefined} />
      ))}
    </span>
  );
}

function Places({ start }: { start: Start }) {
  const t = useTranslate();
  const { number } = useFormats();
  const nameOf = useNames();
  const [by, setBy] = useState<"regions" | "departments">("regions");
  const places = start[by];
  if (start.regions.length === 0) return null;
  const stateOf = ({ critical, major }: FieldPlace): MarkName =>
    critical > 0 ? "critical" : major > 0 ? "major" : "ok";
  return (
    <section className="card" aria-labelledby="places-title">
      <header>
        <h2 id="places-title">{t("客户现场")}</h2>
        <span className="spacer" />
        <Segments
          label={t("按什么分")}
          values={[
            ["regions", t("按大区")],
            ["departments", t("按服务部")],
          ]}
          chosen={by}
          onChoose={setBy}
        />
        <Link className="link" to="/equipment/device">
          {t("全部设备")}
        </Link>
      </header>
      <ScrollTable label={t("客户现场的表")} stacked>
        <thead>
          <tr>
            <th scope="col">{by === "regions" ? t("大区") : t("服务部")}</th>
            <th scope="col" className={styles.end}>
              {t("设备")}
            </th>
            <th scope="col" className={styles.end}>
              {t("在报数据")}
            </th>
            <th scope="col" className={styles.end}>
              {t("紧急、严重")}
            </th>
            <th scope="col">{t("近 7 天")}</th>
            <th scope="col">{t("要看的")}</th>
          </tr>
        </thead>
        <tbody>
          {places.map((place) => (
            <tr key={place.name}>
              <th scope="row">
                {place.name === "" ? (by === "regions" ? t("没有大区") : t("附近没有服务部")) : nameOf(place.name)}
              </th>
              <td className={`num ${styles.end}`} data-name={t("设备")}>
                {number(place.devices)}
              </td>
              <td className={`num ${styles.end}`} data-name={t("在报数据")}>
                {place.devices === 0 ? "--" : `${number((place.online / place.devices) * 100, 1)} %`}
              </td>
              <td className={styles.end} data-name={t("紧急、严重")}>
                <span className={`state num ${stateOf(place)}`}>
                  <Mark name={stateOf(place)} />
                  {number(place.critical + place.major)}
                </span>
              </td>
              <td data-name={t("近 7 天")}>
                <Trend counts={place.trend} />
              </td>
              <td data-name={t("要看的")}>
                {place.silentFarms > 0 ? (
                  <span className="state major">
                    <Mark name="major" />
                    {t("{count} 场整场离线", { count: place.silentFarms })}
                  </span>
                ) : (
                  t("{count} 场", { count: place.farms })
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </ScrollTable>
    </section>
  );
}

const outgoingLinks: Readonly<Record<Outgoing["kind"], string>> = {
  price: "/trade/price",
  article: "/content/article",
  announcement: "/customer/announcement",
};

function Going({ start }: { start: Start }) {
  const t = useTranslate();
  const { time } = useFormats();
  return (
    <section className="card" aria-labelledby="going-title">
      <header>
        <h2 id="going-title">{t("今天要发出去的")}</h2>
      </header>
      {start.outgoing.length === 0 ? (
        <p className={styles.nothing}>{t("今天没有排定要发布的。")}</p>
      ) : (
        <ul className={`plain ${rows.rows}`}>
          {start.outgoing.map(({ kind, atMs, title, ready, waiting = 0 }) => (
            <li key={`${kind} ${atMs} ${title}`}>
              <Link className="link" to={outgoingLinks[kind]}>
                <span className="num">{time(atMs)}</span> {kind === "price" ? t("每日与区域价格") : title}
              </Link>
              {kind === "price" && (
                <span className={`state ${waiting > 0 ? "minor" : "ok"} ${rows.end}`}>
                  <Mark name={waiting > 0 ? "minor" : "ok"} />
                  {waiting > 0
                    ? t("{count} 项等第二人", { count: waiting })
                    : t("{count} 项可发布", { count: ready ?? 0 })}
                </span>
              )}
              {kind !== "price" && <small className={rows.end}>{kind === "article" ? t("文章") : t("公告")}</small>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Customers({ start, nowMs }: { start: Start; nowMs: number }) {
  const t = useTranslate();
  const nameOf = useNames();
  const duration = useDuration();
  const { permissions } = useAccess();
  if (!permissions.has("customer_view")) return null;
  return (
    <section className="card" aria-labelledby="customers-title">
      <header>
        <h2 id="customers-title">{t("要关心的客户")}</h2>
        <span className="spacer" />
        <Link className="link" to="/customer/customer?view=abnormal">
          {t("全部 {count} 家", { count: start.customersAtRisk })}
        </Link>
      </header>
      {start.customers.length === 0 ? (
        <p className={styles.nothing}>{t("没有发现异常的客户。")}</p>
      ) : (
        <ul className={`plain ${rows.rows}`}>
          {start.customers.map((one) => (
            <li key={one.tenantId}>
              <Link className="link" to={`/customer/detail?id=${one.tenantId}`}>
                {nameOf(one.name)}
              </Link>
              <span className={`state ${ruleWords[one.rule].mark} ${rows.end}`}>
                <Mark name={ruleWords[one.rule].mark} />
                {t(ruleWords[one.rule].word)}
              </span>
              <small className={styles.advice}>{t(ruleWords[one.rule].next)}</small>
              <small className={rows.end}>{ruleDetail(one, t) || duration(nowMs - one.sinceMs)}</small>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Ending({ count }: { count: number }) {
  const t = useTranslate();
  return (
    <section className={`card ${styles.ending}`}>
      <Link className="link" to="/customer/contract?view=ending">
        {count > 0 ? t("{count} 份合同 30 天内到期", { count }) : t("30 天内没有合同到期")}
      </Link>
    </section>
  );
}

const greetings = [
  [5, "夜里好，{name}"],
  [12, "早上好，{name}"],
  [18, "下午好，{name}"],
  [24, "晚上好，{name}"],
] as const;

/** The first page of the group's staff: what waits at each desk against its promise, customers' farms, and what leaves today. */
export function GroupStart(): ReactNode {
  const t = useTranslate();
  const nameOf = useNames();
  const { user } = useAccess();
  const { dateTime } = useFormats();
  const nowMs = useNow();
  const { value: start, error, reload } = useLoad("group-start", (signal) => call(groupStart, { signal, quiet: true }));
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === "visible" && reload(), renewMs);
    return () => clearInterval(timer);
  }, [reload]);
  const hour = new Date(nowMs + shanghaiMs).getUTCHours();
  const [, greeting] = greetings.find(([until]) => hour < until) ?? greetings[0];
  const first = start && firstBy(start.desks, ({ lateSinceMs, dueMs }) => lateSinceMs ?? dueMs);
  return (
    <>
      <Crumbs />
      <div className="page-head">
        <div>
          <h1>{t(greeting, { name: nameOf(calledOf(user)) })}</h1>
          <p className={styles.day}>{dateTime(nowMs)}</p>
        </div>
        <span className="spacer" />
        {first && (
          <Link className="btn primary" to={first.late > 0 ? lateList(first.desk) : desks[first.desk].list}>
            {t("从最急的开始")}
          </Link>
        )}
      </div>
      <FirstDay />
      {error && <LoadingProblem error={error} onRetry={reload} what={t("各台在等什么")} kept={start !== undefined} />}
      {!start && !error && (
        <>
          <WaitingLead />
          <WaitingCard />
        </>
      )}
      {start && (
        <div className={styles.page}>
          <Lead start={start} nowMs={nowMs} />
          {start.desks.length > 0 ? (
            <Desks start={start} nowMs={nowMs} />
          ) : (
            <section className="card">
              <ExceptionView
                type="empty"
                title={t("没有要您答复的")}
                text={t("您的角色没有任何一个台。需要时请管理员开通。")}
              />
            </section>
          )}
          <div className={styles.columns}>
            <div>
              <Places start={start} />
              <Going start={start} />
            </div>
            <div>
              <Customers start={start} nowMs={nowMs} />
              {start.contractsEnding !== undefined && <Ending count={start.contractsEnding} />}
            </div>
          </div>
        </div>
      )}
    </>
  );
}
