import {
  type DeviceStatus,
  deviceCounts,
  deviceStatuses,
  type FarmAlarms,
  groupStartCode,
  type KindFarm,
} from "@herdwise/contract";
import { type UnitState, unitStates } from "@herdwise/contract/unit-states";
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useMemo, useState } from "react";
import { Link } from "react-router";
import { type Screen, screens } from "../../screens.ts";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { Icon, type IconName } from "../../shared/icons/icon.tsx";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { prepareMall } from "../../shared/mall/mall.ts";
import { calledOf, nodeOfScreen } from "../../shared/session/access.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { Skeleton } from "../../shared/states/skeleton.tsx";
import { useNow } from "../../shared/states/use-now.ts";
import { severityOrder } from "../alarms/alarm-marks.ts";
import { useAlarmCounts } from "../alarms/use-alarm-counts.ts";
import { DeviceStatusMark } from "../devices/device-status.tsx";
import { climateFacts } from "../environment/climate.ts";
import { Attention, Outlook } from "../kind/board.tsx";
import { Connection } from "../kind/connection.tsx";
import { FirstValues } from "../kind/first-values.tsx";
import "../kind/kind.css";
import { judgeFarms, outlookOf, type PlacedUnit, placeState } from "@herdwise/device-kinds";
import { KindContext } from "../kind/kind-view.ts";
import { KnownPlaces } from "../kind/known-places.tsx";
import { stateOfCounts, sumOf, unlistedIn } from "../kind/place-figures.ts";
import { StateMark } from "../kind/state-mark.tsx";
import { overviewAhead, useOverview } from "../kind/use-overview.ts";
import { farmTypeNames } from "../kind/words.ts";
import type { CardId } from "./arrangement.ts";
import { Cards } from "./cards.tsx";
import { WaitingCard, WaitingLead } from "./waiting-card.tsx";
import "./console.css";

const FiguresOutlook = lazy(() =>
  import("../kind/figures-outlook.tsx").then((part) => ({ default: part.FiguresOutlook })),
);

type MoreCard = keyof typeof import("./more-cards.tsx");

const AlarmCountsCard = lazy(() =>
  import("../alarms/alarm-counts.tsx").then((part) => ({ default: part.AlarmCountsCard })),
);

const UnwokenBanner = lazy(() =>
  import("../alarms/unwoken-banner.tsx").then((part) => ({ default: part.UnwokenBanner })),
);

const GroupStart = lazy(() => import("./group-start.tsx").then((part) => ({ default: part.GroupStart })));

const TodoCard = lazy(() => import("../todos/todo-card.tsx").then((part) => ({ default: part.TodoCard })));

const moreCard = <Props extends object = object>(name: MoreCard) =>
  lazy(() => import("./more-cards.tsx").then((part) => ({ default: part[name] as ComponentType<Props> })));
const BoardCard = moreCard<Parameters<typeof import("./more-cards.tsx").BoardCard>[0]>("BoardCard");
const ExceptionsCard = moreCard("ExceptionsCard");
const DeclarationsCard = moreCard("DeclarationsCard");
const DeclaredOrdersCard = moreCard("DeclaredOrdersCard");
const OrdersCard = moreCard("OrdersCard");
const InfoCard = moreCard("InfoCard");
const AccountCard = moreCard("AccountCard");
const SolutionsCard = moreCard("SolutionsCard");

const judgeEveryMs = 5000;
/** States of units whose values alarm when they last. */
const badStates: ReadonlySet<UnitState> = new Set(["critical", "major", "minor"]);

/** How many devices there are in each state. */
const useDeviceCounts = () => useLoad("device-counts", (signal) => call(deviceCounts, { signal, quiet: true }));

function Devices() {
  const t = useTranslate();
  const { number } = useFormats();
  const { value, error, reload } = useDeviceCounts();
  const total = value?.total ?? 0;
  return (
    <section className="card" aria-labelledby="devices-title">
      <header>
        <h2 id="devices-title">{t("我的设备")}</h2>
        <span className="spacer" />
        <Link className="link" to="/selfCenter/equipmentManage/allDevices">
          {t("全部设备")}
        </Link>
      </header>
      {error && !value ? (
        <LoadingProblem error={error} onRetry={reload} what={t("设备数量")} />
      ) : value && total === 0 ? (
        <p className="calm">
          {t("还没有设备。按标签上的序列号绑定，读数和告警就到这里。")}
          <br />
          <Link className="link" to="/selfCenter/equipmentManage/allDevices">
            {t("去绑定设备")}
          </Link>
        </p>
      ) : (
        <>
          <p className="total">
            <b className="num">{value ? number(total) : <Skeleton width={2} />}</b> {t("台设备")}
          </p>
          <ul className="counts">
            {deviceStatuses
              .toSorted((a, b) => countOrder.indexOf(a) - countOrder.indexOf(b))
              .map((status) => (
                <li key={status}>
                  <Link to={`/selfCenter/equipmentManage/allDevices?f.status=${status}`}>
                    <DeviceStatusMark status={status} />
                    <svg className="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
                      <path d="M0,3H100" />
                      {value && total > 0 && value[status] > 0 && (
                        <path className={`state ${status}`} d={`M0,3H${(value[status] / total) * 100}`} />
                      )}
                    </svg>
                    <b className="num">{value ? number(value[status]) : "--"}</b>
                  </Link>
                </li>
              ))}
          </ul>
        </>
      )}
    </section>
  );
}

const countOrder: readonly DeviceStatus[] = ["fault", "offline", "online", "unactivated", "blocked"];

/**
 * Farms with their figures, the worst first. A farm is not called normal that has an open alarm of whatever device, or some units of
 * which never reported.
 */
function farmsByState(farms: readonly KindFarm[], units: readonly PlacedUnit[], alarms: readonly FarmAlarms[]) {
  return farms
    .map((farm) => {
      const inFarm = units.filter((judged) => judged.farm.id === farm.id);
      const unlisted = unlistedIn([farm]);
      const figures = sumOf(unlisted);
      const all = [...inFarm, ...unlisted.map(({ counts }) => ({ state: stateOfCounts(counts) }))];
      const open = alarms.find(({ farmId }) => farmId === farm.id);
      const count = (of: UnitState): number => inFarm.filter(({ state }) => state === of).length;
      return {
        farm,
        inFarm,
        figures,
        state: placeState(all, open),
        alarms: open ? severityOrder.reduce((sum, severity) => sum + open[severity], 0) : 0,
        attention: outlookOf(inFarm).attention,
        silent: count("silent") + figures.silent,
        offline: count("offline") + figures.offline,
      };
    })
    .sort((a, b) => unitStates.indexOf(a.state) - unitStates.indexOf(b.state));
}

function Farms({ farms, units }: { farms: readonly KindFarm[]; units: readonly PlacedUnit[] }) {
  const t = useTranslate();
  const { data } = useAlarmCounts();
  const { number } = useFormats();
  return (
    <section className="card" aria-labelledby="farms-title">
      <header>
        <h2 id="farms-title">{t("我的场区")}</h2>
        <span className="spacer" />
        <Link className="link" to="/selfCenter/vet/environment/overview">
          {t("环境控制总览")}
        </Link>
      </header>
      {farms.length === 0 ? (
        <ExceptionView type="empty" title={t("还没有场区")} text={t("建好场区、舍与单元后，这里会显示它们的情况。")} />
      ) : (
        <ul className="farm-rows">
          {farmsByState(farms, units, data?.farms ?? []).map(({ farm, inFarm, figures, state, ...of }) => {
            const all = inFarm.length + figures.units;
            // A farm is not as one of its units is: which of how many is said.
            const parts: Partial<Record<UnitState, string>> = {
              ...(of.offline > 0 && { offline: t("{all} 个单元里 {count} 个离线", { all, count: of.offline }) }),
              ...(of.silent > 0 && { silent: t("{all} 个单元里 {count} 个从未上报", { all, count: of.silent }) }),
            };
            const beside = [
              of.attention > 0 ? t("{count} 个需要关注", { count: of.attention }) : undefined,
              of.alarms > 0 ? t("{count} 条未结告警", { count: number(of.alarms) }) : undefined,
              ...Object.entries(parts).flatMap(([part, text]) => (part === state ? [] : [text])),
            ];
            return (
              <li key={farm.id}>
                <Link to={`/selfCenter/vet/environment/overview?place=${farm.id}`}>
                  <Icon name="farm" />
                  <span>
                    <b>
                      <Translated text={farm.name} />
                    </b>
                    <small>
                      {t(farmTypeNames[farm.type])} · <Translated text={farm.regionName} />
                    </small>
                  </span>
                  <span className="num">
                    {t("{houses} 栋 {units} 单元", {
                      houses: farm.houses.length,
                      units: all,
                    })}
                  </span>
                  <span className="num">
                    {t("{count} 头", {
                      count: number(inFarm.reduce((sum, { unit }) => sum + unit.headCount, figures.headCount)),
                    })}
                  </span>
                  <span className="standing">
                    <StateMark state={state}>{parts[state]}</StateMark>
                    {beside.map((text) => text && <small key={text}>{text}</small>)}
                  </span>
                  <Icon name="right" small />
                </Link>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}

const shortcuts: readonly { menuCode: string; icon: IconName; text: string }[] = [
  { menuCode: "env_overview", icon: "environment", text: "每一栋的温度、氨气与风机，最差的在最前" },
  { menuCode: "device_all", icon: "devices", text: "查找设备，看它最近一次说了什么" },
];

function Shortcuts() {
  const t = useTranslate();
  const { menu } = useAccess();
  const granted = shortcuts.flatMap((shortcut): { screen: Screen; icon: IconName; text: string }[] => {
    const screen = screens.find(({ menuCode }) => menuCode === shortcut.menuCode);
    return screen && nodeOfScreen(menu, screen) ? [{ screen, icon: shortcut.icon, text: shortcut.text }] : [];
  });
  return (
    <nav className="short" aria-label={t("常用入口")}>
      {granted.map(({ screen, icon, text }) => (
        <Link key={screen.path} to={screen.path} className="card">
          <Icon name={icon} />
          <b>{t(screen.title)}</b>
          <span>{t(text)}</span>
        </Link>
      ))}
    </nav>
  );
}

/** Its heading greets by name, which the server's drawing does not know. */
export const handle = {
  heading: <Skeleton width={6} />,
  waiting: (
    <div className="console">
      <WaitingLead>
        <FirstValues as="farms" />
      </WaitingLead>
      <WaitingCard />
      <WaitingCard />
    </div>
  ),
} as const;

/** The first picture has the values already, where their answer is here by then. */
export async function clientLoader(): Promise<null> {
  await overviewAhead("environment");
  return null;
}

/** The first page after log-in: of the group's staff what waits at their desks, of everybody else the own farms. */
export default function Console() {
  const { permissions } = useAccess();
  return permissions.has(groupStartCode) ? (
    <Suspense fallback={<WaitingLead />}>
      <GroupStart />
    </Suspense>
  ) : (
    <FarmConsole />
  );
}

/** What needs attention, the farms, the devices, and the way on. */
function FarmConsole() {
  const t = useTranslate();
  const nameOf = useNames();
  // Entering this screen signs the person in at the mall (product.md 4).
  useEffect(() => void prepareMall(), []);
  const { user, permissions } = useAccess();
  const { farms, error, loading, reload, stream, followed, newestAtMs } = useOverview("environment");
  const judgedAtMs = Math.floor(useNow() / judgeEveryMs) * judgeEveryMs;
  const units = useMemo(
    () => judgeFarms(climateFacts, farms ?? [], Math.max(judgedAtMs, Date.now()), stream === "open"),
    [farms, stream, judgedAtMs],
  );
  const figured = useMemo(() => unlistedIn(farms ?? []), [farms]);
  const [arranging, setArranging] = useState(false);
  const render = (id: CardId): ReactNode => {
    switch (id) {
      case "board":
        return <BoardCard farms={farms} units={units} />;
      case "farms":
        return farms ? <Farms farms={farms} units={units} /> : loading ? <WaitingCard /> : null;
      case "alarms":
        return <AlarmCountsCard bad={units.filter(({ state }) => badStates.has(state)).length} />;
      case "todo":
        return <TodoCard />;
      case "devices":
        return <Devices />;
      case "exceptions":
        return <ExceptionsCard />;
      case "declarations":
        return permissions.has("declaration_view") ? <DeclarationsCard /> : null;
      case "declared":
        return permissions.has("sale_order_view") ? <DeclaredOrdersCard /> : null;
      case "orders":
        return permissions.has("sale_order_view") ? <OrdersCard /> : null;
      case "info":
        return <InfoCard />;
      case "account":
        return <AccountCard />;
      case "solutions":
        return <SolutionsCard />;
      case "shortcuts":
        return <Shortcuts />;
    }
  };
  return (
    <>
      <Crumbs />
      <div className="page-head console-head">
        <h1>{t("{name}，您好", { name: nameOf(calledOf(user)) })}</h1>
        {farms && (followed || figured.length === 0) && <Connection stream={stream} newestAtMs={newestAtMs} />}
        <span className="spacer" />
        {!arranging && (
          <button type="button" className="btn" onClick={() => setArranging(true)}>
            <Icon name="grip" small />
            {t("布置")}
          </button>
        )}
      </div>
      <Suspense>
        <UnwokenBanner />
      </Suspense>
      {error && (farms || !loading) && (
        <LoadingProblem error={error} onRetry={reload} what={t("场区情况")} kept={farms !== undefined} />
      )}
      {!farms && loading && !arranging && <WaitingLead />}
      {farms && units.length > 0 && !arranging && (
        <div className="card console-lead">
          <KindContext value={climateFacts}>
            <KnownPlaces kind="environment">
              <Attention units={units} leads />
            </KnownPlaces>
          </KindContext>
          <Outlook units={units} />
        </div>
      )}
      {figured.length > 0 && !arranging && (
        <Suspense fallback={<WaitingLead />}>
          <div className="card console-lead">
            <KindContext value={climateFacts}>
              <FiguresOutlook places={figured} />
            </KindContext>
          </div>
        </Suspense>
      )}
      <Cards arranging={arranging} onArranged={() => setArranging(false)} render={render} />
    </>
  );
}
