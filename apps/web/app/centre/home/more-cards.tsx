import {
  accountEventPage,
  type Device,
  deviceCounts,
  devicePage,
  type KindFarm,
  profileDetail,
  realNameDetail,
} from "@herdwise/contract";
import type { StateFace } from "@herdwise/contract/resource";
import { loadResource } from "@herdwise/contract/resource-loader";
import type { UnitState } from "@herdwise/contract/unit-states";
import { outlookOf, type PlacedUnit } from "@herdwise/device-kinds";
import { useQuery } from "@tanstack/react-query";
import { Fragment, type ReactNode } from "react";
import { Link } from "react-router";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { Mark } from "../../shared/icons/mark.tsx";
import rowStyles from "../../shared/kit/rows.module.css";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { StateTag } from "../../shared/process/state-tag.tsx";
import { callPage } from "../../shared/resource/resource-api.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { Skeleton } from "../../shared/states/skeleton.tsx";
import { DeviceStatusMark } from "../devices/device-status.tsx";
import { saidOf } from "../kind/overview-summary.tsx";
import { sumOf, unlistedIn } from "../kind/place-figures.ts";
import { stateCounts } from "../kind/unit-states.ts";
import styles from "./arrange.module.css";

const devicesPath = "/selfCenter/equipmentManage/allDevices";

/** A card with its heading and the way on. */
function Card({
  id,
  title,
  to,
  more,
  children,
}: {
  id: string;
  title: string;
  to?: string;
  more?: string;
  children: ReactNode;
}) {
  const t = useTranslate();
  return (
    <section className="card" aria-labelledby={`card-${id}`}>
      <header>
        <h2 id={`card-${id}`}>{t(title)}</h2>
        <span className="spacer" />
        {to && more && (
          <Link className="link" to={to}>
            {t(more)}
          </Link>
        )}
      </header>
      {children}
    </section>
  );
}

/** What to do first, where a card has nothing to show. */
function First({ text, to, action }: { text: string; to: string; action: string }) {
  const t = useTranslate();
  return (
    <p className={styles.first}>
      {t(text)}
      <br />
      {/^\/(selfCenter|order)\//.test(to) ? (
        <Link className="link" to={to}>
          {t(action)}
        </Link>
      ) : (
        <a className="link" href={to}>
          {t(action)}
        </a>
      )}
    </p>
  );
}

const useFaulty = () =>
  useQuery({
    queryKey: ["console", "exceptions"],
    queryFn: async ({ signal }) => {
      const [faults, offline] = await Promise.all(
        (["fault", "offline"] as const).map((status) =>
          call(devicePage, { query: { current: 1, size: 3, status }, signal, quiet: true }),
        ),
      );
      return {
        rows: [...(faults?.records ?? []), ...(offline?.records ?? [])].slice(0, 4),
        total: (faults?.total ?? 0) + (offline?.total ?? 0),
      };
    },
  });

/** The herd and the devices in figures. */
export function BoardCard({ farms, units }: { farms: readonly KindFarm[] | undefined; units: readonly PlacedUnit[] }) {
  const t = useTranslate();
  const { number } = useFormats();
  const devices = useQuery({
    queryKey: ["console", "device-totals"],
    queryFn: async ({ signal }) => {
      const { total, online } = await call(deviceCounts, { signal, quiet: true });
      return { all: total, online };
    },
  });
  const unlisted = sumOf(unlistedIn(farms ?? []));
  const heads = units.reduce((sum, { unit }) => sum + unit.headCount, unlisted.headCount);
  const calm = units.filter(({ state }) => state === "ok").length;
  const count = (of: UnitState): number => units.filter(({ state }) => state === of).length;
  const { attention } = outlookOf(units);
  // With those in order they are all units.
  const rest = saidOf([
    [attention, t("{count} 个需要关注", { count: attention })],
    [count("notice"), t("{count} 个有提示", { count: count("notice") })],
    ...(["silent", "bare", "washing", "empty"] as const).map(
      (state) => [count(state), t(stateCounts[state], { count: count(state) })] as const,
    ),
  ]);
  const figures: readonly { name: string; value: string | undefined; note: string }[] = [
    { name: "在养", value: farms && t("{count} 头", { count: number(heads) }), note: t("按存栏台账") },
    unlisted.units > 0
      ? // So many are not judged one by one; what is wrong stands in the warning centre.
        { name: "单元", value: number(units.length + unlisted.units), note: t("按猪舍汇总") }
      : {
          name: "单元正常",
          value: farms && `${number(calm)} / ${number(units.length)}`,
          note: rest || (units.length > 0 ? t("都在范围里") : ""),
        },
    {
      name: "设备在线",
      value: devices.data && `${number(devices.data.online)} / ${number(devices.data.all)}`,
      note: t("在报数据的"),
    },
    { name: "场区数", value: farms && number(farms.length), note: t("您能看到的") },
  ];
  return (
    <Card id="board" title="数据看板" to="/selfCenter/vet/report" more="养殖报告">
      {farms && farms.length === 0 ? (
        <First
          text="建好场区、舍与单元，绑上设备，这里就有数字。"
          to="/selfCenter/pigFarmArchitecture/factoryManagement"
          action="去建场区"
        />
      ) : (
        <dl className={styles.figures}>
          {figures.map(({ name, value, note }) => (
            <div key={name}>
              <dt>{t(name)}</dt>
              <dd className="num">{value ?? <Skeleton width={4} />}</dd>
              <dd>{note}</dd>
            </div>
          ))}
        </dl>
      )}
    </Card>
  );
}

/** Devices that are faulty or silent. */
export function ExceptionsCard() {
  const t = useTranslate();
  const { dayTime, number } = useFormats();
  const { data, error, refetch } = useFaulty();
  const lastOf = ({ reportAt }: Device): string =>
    reportAt === "" ? t("没有报过数据") : dayTime(parseWireDateTime(reportAt));
  return (
    <Card id="exceptions" title="异常" to={`${devicesPath}?f.status=fault`} more="全部异常">
      {error && !data && <LoadingProblem error={asApiError(error)} onRetry={() => void refetch()} what={t("异常")} />}
      {data && data.rows.length === 0 && <p className={styles.first}>{t("没有故障或离线的设备。")}</p>}
      <ul className={rowStyles.rows}>
        {data?.rows.map((device) => (
          <li key={device.id}>
            <b>
              <Translated text={device.name} />
            </b>
            <DeviceStatusMark status={device.status} />
            <small className="num">{lastOf(device)}</small>
          </li>
        ))}
      </ul>
      {data && data.total > data.rows.length && (
        <p className={styles.first}>{t("另有 {count} 台", { count: number(data.total - data.rows.length) })}</p>
      )}
    </Card>
  );
}

const realNameWords: Readonly<Record<string, StateFace>> = {
  none: { word: "未认证", mark: "minor" },
  passed: { word: "已通过", mark: "ok" },
  suspended: { word: "已暂停", mark: "major" },
  rejected: { word: "被退回", mark: "minor" },
};

const useProfile = () =>
  useQuery({
    queryKey: ["console", "profile"],
    queryFn: ({ signal }) => call(profileDetail, { signal, quiet: true }),
  });

/** How the own authentication stands. @param enabled false for who may not read it */
const useProof = (enabled: boolean) =>
  useQuery({
    queryKey: ["console", "real-name"],
    queryFn: ({ signal }) => call(realNameDetail, { signal, quiet: true }),
    enabled,
  });

function Facts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  const t = useTranslate();
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{t(name)}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Who is signed in. */
export function InfoCard() {
  const t = useTranslate();
  const { user, permissions } = useAccess();
  const { data } = useProfile();
  const mayVerify = user.tenant_type !== "group" && permissions.has("real_name_submit");
  const proof = useProof(mayVerify);
  const state = proof.data?.current?.state ?? (proof.data?.application ? proof.data.application.state : "none");
  const { word, mark } = realNameWords[state] ?? { word: "审核中", mark: "notice" as const };
  const wait = <Skeleton width={8} />;
  return (
    <Card id="info" title="我的信息" to="/selfCenter/basicInfo" more="修改">
      <Facts
        facts={[
          ["姓名", data ? <Translated text={data.realName || data.nickName || data.account} /> : wait],
          ["手机", data ? <span className="num">{data.phone || t("还没有")}</span> : wait],
          ["邮箱", data ? data.email || t("还没有") : wait],
          ...(mayVerify
            ? [
                [
                  "实名认证",
                  proof.data ? (
                    <Link className="link" to="/selfCenter/realName">
                      <span className={`state ${mark}`}>
                        <Mark name={mark} />
                        {t(word)}
                      </span>
                    </Link>
                  ) : (
                    wait
                  ),
                ] as const,
              ]
            : []),
        ]}
      />
    </Card>
  );
}

/** The organization, and when somebody signed in last. */
export function AccountCard() {
  const { dayTime } = useFormats();
  const { user } = useAccess();
  const { data } = useProfile();
  const visits = useQuery({
    queryKey: ["console", "log-ins"],
    queryFn: ({ signal }) =>
      call(accountEventPage, { query: { current: 1, size: 2, group: "log_in" }, signal, quiet: true }),
  });
  // The newest is this one.
  const last = visits.data?.records[1]?.createTime;
  const wait = <Skeleton width={8} />;
  return (
    <Card id="account" title="账户管理" to="/selfCenter/safeManage" more="安全设置">
      <Facts
        facts={[
          ["主体", data ? <Translated text={data.tenantName} /> : wait],
          ["登录名", user.account],
          ["开户", data ? <span className="num">{data.createTime.slice(0, 10)}</span> : wait],
          [
            "上次登录",
            visits.data ? <span className="num">{last ? dayTime(parseWireDateTime(last)) : "--"}</span> : wait,
          ],
        ]}
      />
    </Card>
  );
}

/** Newest rows that a card of a process shows. */
const mostQueued = 3;

/** Rows of a process: how many are in each state that is not over, and the newest of all. */
function QueueCard({
  id,
  title,
  resource,
  children,
}: {
  id: string;
  title: string;
  resource: string;
  /** What is said while there are none. */
  children: ReactNode;
}) {
  const t = useTranslate();
  const { number } = useFormats();
  const { user } = useAccess();
  const { data, error, refetch } = useQuery({
    queryKey: ["resource", resource, "console"],
    queryFn: async ({ signal }) => {
      const of = await loadResource(resource);
      if (!of?.process) throw new Error(`${resource} is no process`);
      const open = of.views?.find((view) => view.id === "open")?.where.state?.split(",") ?? [];
      const [newest, ...counts] = await Promise.all([
        callPage(of, { current: 1, size: mostQueued }, signal),
        ...open.map((state) => callPage(of, { state, current: 1, size: 1 }, signal)),
      ]);
      const menu = user.tenant_type === "group" ? of.menu : of.customerMenu;
      return {
        path: menu?.path ?? "",
        states: of.process.states,
        rows: newest.records,
        open: open.flatMap((state, at) => {
          const count = counts[at]?.total ?? 0;
          return count > 0 ? [{ state, count }] : [];
        }),
      };
    },
  });
  const rows = data?.rows ?? [];
  return (
    <Card id={id} title={title} {...(data && rows.length > 0 && { to: data.path, more: "全部" })}>
      {error && !data && <LoadingProblem error={asApiError(error)} onRetry={() => void refetch()} what={t(title)} />}
      {!error && !data && (
        <p className={styles.first}>
          <Skeleton width={12} />
        </p>
      )}
      {data && rows.length === 0 && children}
      {data && data.open.length > 0 && (
        <p className={styles.first}>
          {data.open.map(({ state, count }, at) => (
            <Fragment key={state}>
              {at > 0 && " · "}
              <Link className="link" to={`${data.path}?f.state=${state}`}>
                {t(data.states[state]?.word ?? state)} <span className="num">{number(count)}</span>
              </Link>
            </Fragment>
          ))}
        </p>
      )}
      <ul className={rowStyles.rows}>
        {rows.map((row) => {
          const face = data?.states[String(row.state)];
          return (
            <li key={row.id}>
              <Link className="link num" to={`${data?.path}?row=${row.id}`}>
                {String(row.number)}
              </Link>
              {face && <StateTag {...face} plain />}
              <small className={`num ${rowStyles.wide}`}>
                {t("{count} 头", { count: number(Number(row.heads)) })} · {t("{day} 装车", { day: String(row.day) })}
              </small>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

/** What somebody wishes to buy, and what came of it. */
export function DeclarationsCard() {
  const { permissions } = useAccess();
  const proof = useProof(permissions.has("real_name_submit"));
  return (
    <QueueCard id="declarations" title="我的申报" resource="declaration">
      {proof.data && proof.data.current?.state !== "passed" ? (
        <First text="还没有申报。实名认证通过后，就能申报购猪。" to="/selfCenter/realName" action="先看认证" />
      ) : (
        <First text="还没有申报。选一天和头数，就能申报购猪。" to="/order/declaration" action="去申报" />
      )}
    </QueueCard>
  );
}

export function DeclaredOrdersCard() {
  return (
    <QueueCard id="declared" title="申报成的订单" resource="sale_order">
      <First text="申报被接受后，订单从装车到结算都在这里。" to="/market" action="先看今天的行情" />
    </QueueCard>
  );
}

/** How many orders of pigs somebody has; orders of equipment are the mall's. */
export function OrdersCard() {
  const t = useTranslate();
  const { number } = useFormats();
  const { user } = useAccess();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["resource", "sale_order", "totals"],
    queryFn: async ({ signal }) => {
      const of = await loadResource("sale_order");
      if (!of?.process) throw new Error("sale_order is no process");
      const open = of.views?.find((view) => view.id === "open")?.where.state;
      const [all, running] = await Promise.all(
        [{}, { state: open }].map((where) => callPage(of, { ...where, current: 1, size: 1 }, signal)),
      );
      const menu = user.tenant_type === "group" ? of.menu : of.customerMenu;
      return { path: menu?.path ?? "", open, all: all?.total ?? 0, running: running?.total ?? 0 };
    },
  });
  const count = data?.all ?? 0;
  return (
    <Card id="orders" title="我的订单" {...(data && count > 0 && { to: data.path, more: "全部" })}>
      {error && !data && (
        <LoadingProblem error={asApiError(error)} onRetry={() => void refetch()} what={t("我的订单")} />
      )}
      {isPending && (
        <p className={styles.first}>
          <Skeleton width={12} />
        </p>
      )}
      {data && count > 0 && (
        <p className={styles.first}>
          <Link className="link" to={data.path}>
            {t("{count} 笔生猪订单", { count: number(count) })}
          </Link>
          {data.running > 0 && (
            <>
              {" · "}
              <Link className="link" to={`${data.path}?f.state=${data.open}`}>
                {t("{count} 笔在办", { count: number(data.running) })}
              </Link>
            </>
          )}
          <br />
          {t("设备和药剂的订单在商城里。")}
        </p>
      )}
      {!error && count === 0 && !isPending && (
        <First
          text="还没有订单。设备和药剂的用处，先看产品方案。"
          to="/solution/environmentalControl"
          action="看产品方案"
        />
      )}
    </Card>
  );
}

const solutions = [
  ["/solution/wisdom", "智慧猪场", "一栋一栋看温度、氨气与风机"],
  ["/solution/ammoniaDeodorization", "氨气除臭", "排出的风先洗一遍"],
  ["/solution/biosafety", "生物安全", "人、车、物、水一道道把关"],
] as const;

export function SolutionsCard() {
  const t = useTranslate();
  return (
    <Card id="solutions" title="解决方案">
      <ul className={styles.solutions}>
        {solutions.map(([href, name, text]) => (
          <li key={href}>
            <a href={href}>
              <b>{t(name)}</b>
              <small>{t(text)}</small>
            </a>
          </li>
        ))}
      </ul>
    </Card>
  );
}
