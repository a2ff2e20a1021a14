import { pigstyTypes, unitModes } from "@herdwise/contract";
import { kindList } from "@herdwise/device-kinds/kind-list";
import { pageAddress } from "@herdwise/device-kinds/kind-pages";
import { lazy, Suspense, useMemo } from "react";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { Board } from "./board.tsx";
import { Connection } from "./connection.tsx";
import { FirstValues } from "./first-values.tsx";
import "./kind.css";
import { judgeFarms, type PlacedUnit } from "@herdwise/device-kinds";
import { figureLimit } from "./figure-limit.ts";
import { KindPage } from "./kind-page.tsx";
import { type KindView, useDeclared, useKind, useLocalText } from "./kind-view.ts";
import { KnownPlaces } from "./known-places.tsx";
import { kindViewAt, onOtherPath } from "./load-kind.ts";
import { inPlace, type OverviewFilter, passing, useOverviewFilter } from "./overview-filter.ts";
import { OverviewFilterBar } from "./overview-filter-bar.tsx";
import { BoardSkeleton, KindSummary } from "./overview-summary.tsx";
import { unlistedIn } from "./place-figures.ts";
import { PlaceSelect, PlaceTree } from "./place-tree.tsx";
import { overviewAhead, useJudgedAt, useOverview } from "./use-overview.ts";
import { modeNames, pigstyNames } from "./words.ts";

// Asked for by who prefers a list to the board.
const UnitList = lazy(() => import("./unit-list.tsx").then((module) => ({ default: module.UnitList })));
// Only tenants with more units than a page can list need them.
const FiguresSummary = lazy(() =>
  import("./place-figures-list.tsx").then((module) => ({ default: module.FiguresSummary })),
);
const FiguresList = lazy(() => import("./place-figures-list.tsx").then((module) => ({ default: module.FiguresList })));

interface FilterBarProps {
  filter: OverviewFilter;
  counted: readonly PlacedUnit[];
  onChange: (change: Record<string, string | undefined>) => void;
}

function FilterBar({ filter, counted, onChange }: FilterBarProps) {
  const t = useTranslate();
  return (
    <OverviewFilterBar
      filter={filter}
      counted={counted}
      onChange={onChange}
      searchName={t("查找单元")}
      placeholder={t("查找")}
    >
      <select
        className="chip"
        aria-label={t("猪舍类型")}
        value={filter.pigsty ?? ""}
        onChange={(event) => onChange({ pigsty: event.target.value })}
      >
        <option value="">{t("猪舍类型")}</option>
        {pigstyTypes.map((type) => (
          <option key={type} value={type}>
            {t(pigstyNames[type])}
          </option>
        ))}
      </select>
      <select
        className="chip"
        aria-label={t("单元模式")}
        value={filter.mode ?? ""}
        onChange={(event) => onChange({ mode: event.target.value })}
      >
        <option value="">{t("单元模式")}</option>
        {unitModes.map((mode) => (
          <option key={mode} value={mode}>
            {t(modeNames[mode])}
          </option>
        ))}
      </select>
    </OverviewFilterBar>
  );
}

function ViewSwitch({ view, onChange }: { view: OverviewFilter["view"]; onChange: FilterBarProps["onChange"] }) {
  const t = useTranslate();
  return (
    <fieldset className="seg">
      <legend className="visually-hidden">{t("显示方式")}</legend>
      <button type="button" aria-pressed={view === "board"} onClick={() => onChange({ view: undefined })}>
        {t("看板")}
      </button>
      <button type="button" aria-pressed={view === "list"} onClick={() => onChange({ view: "list" })}>
        {t("列表")}
      </button>
    </fieldset>
  );
}

/** What the figure of a tile is and what its bar reaches to; states are named above. */
function Legend({ units }: { units: readonly PlacedUnit[] }) {
  const t = useTranslate();
  const { kind, Scale } = useKind();
  const { number } = useFormats();
  const declared = useDeclared();
  const { name, unit, decimals } = declared(kind.pages?.figures[0] ?? "");
  const limits = new Set(units.flatMap((judged) => figureLimit(kind, judged) ?? []));
  const [limit] = limits;
  return (
    <div className="lgd">
      {Scale ? (
        <Scale />
      ) : (
        <span className="scale">
          {`${name} ${unit}`.trim()}
          {limits.size === 1 && limit !== undefined && (
            <span className="mut">{t("横条满格是 {limit}", { limit: number(limit, decimals) })}</span>
          )}
        </span>
      )}
    </div>
  );
}

const asJudged = (units: readonly PlacedUnit[] | undefined): readonly PlacedUnit[] | undefined => units;

/** All units of all farms: what needs a person first, then every house as a row of tiles. */
function Overview() {
  const t = useTranslate();
  const local = useLocalText();
  const view = useKind();
  const { Summary = KindSummary, useStates = asJudged } = view;
  const [filter, change] = useOverviewFilter();
  const { farms, error, loading, reload, stream, followed, newestAtMs } = useOverview(view.kind.kind, filter.place);
  const judgedAtMs = useJudgedAt();
  const judged = useMemo(
    () => (farms ? judgeFarms(view, farms, Math.max(judgedAtMs, Date.now()), stream === "open") : undefined),
    // Judged anew when values come and when five seconds have passed.
    [view, farms, stream, judgedAtMs],
  );
  const units = useStates(judged);
  const figured = useMemo(() => unlistedIn(farms ?? [], filter.place), [farms, filter.place]);
  const isEmpty = units?.length === 0 && farms !== undefined && unlistedIn(farms).length === 0;
  const counted = useMemo(() => passing(units ?? [], filter), [units, filter]);
  const shown = filter.states.length === 0 ? counted : counted.filter(({ state }) => filter.states.includes(state));
  const filtered =
    filter.word !== "" || filter.states.length > 0 || filter.pigsty !== undefined || filter.mode !== undefined;
  const clear = (): void => change({ q: undefined, state: undefined, pigsty: undefined, mode: undefined });

  return (
    <>
      <Crumbs />
      <div className="page-head">
        <h1>{view.kind.pages && local(view.kind.pages.title)}</h1>
        {followed && <Connection stream={stream} newestAtMs={newestAtMs} />}
        <span className="spacer" />
        {figured.length === 0 && <ViewSwitch view={filter.view} onChange={change} />}
      </div>
      {error && (farms || !loading) && (
        <LoadingProblem error={error} onRetry={reload} what={t("单元数据")} kept={farms !== undefined} />
      )}
      {!farms && loading && <BoardSkeleton />}
      {isEmpty && (
        <section className="card">
          <ExceptionView
            type="empty"
            title={t("还没有单元")}
            text={t("建好场区、舍与单元，并绑定设备后，这里会显示它们的实时数值。")}
          />
        </section>
      )}
      {farms && units && !isEmpty && (
        <>
          {figured.length > 0 ? (
            <Suspense>
              <FiguresSummary places={figured} />
            </Suspense>
          ) : (
            <Summary units={inPlace(units, filter.place)} />
          )}
          <div className="lay">
            <PlaceTree farms={farms} units={units} place={filter.place} onChoose={(place) => change({ place })} />
            <div>
              <PlaceSelect farms={farms} place={filter.place} onChoose={(place) => change({ place })} />
              <section className="card units-board" aria-label={t("单元")}>
                {figured.length > 0 && (
                  <Suspense>
                    <FiguresList places={figured} onChoose={(place) => change({ place })} />
                  </Suspense>
                )}
                {figured.length === 0 && <FilterBar filter={filter} counted={counted} onChange={change} />}
                {figured.length === 0 && filter.view === "board" && <Legend units={shown} />}
                {figured.length > 0 ? null : shown.length === 0 ? (
                  <ExceptionView
                    type="empty"
                    title={t("没有符合条件的单元")}
                    text={t("放宽条件再看，或清除全部条件。")}
                  >
                    {filtered && (
                      <button type="button" className="btn" onClick={clear}>
                        {t("清除条件")}
                      </button>
                    )}
                  </ExceptionView>
                ) : filter.view === "board" ? (
                  <Board units={shown} showAttention={!filtered} />
                ) : (
                  <Suspense>
                    <UnitList units={shown} />
                  </Suspense>
                )}
              </section>
            </div>
          </div>
        </>
      )}
    </>
  );
}

export const handle = {
  waiting: (
    <BoardSkeleton>
      <FirstValues as="board" />
    </BoardSkeleton>
  ),
} as const;
const loadDeviceOverview = () => import("./device-overview.tsx");
const DeviceOverview = lazy(async () => ({ default: (await loadDeviceOverview()).DeviceOverview }));

const isOfFarm = (path: string): boolean =>
  kindList.some(({ pages }) => pages?.ofFarm && pageAddress(pages, "overview") === path.replace(/\/+$/, ""));

// Side by side with the files of the kind, for the page that is opened first.
if (!import.meta.env.SSR && isOfFarm(location.pathname)) loadDeviceOverview().catch(() => undefined);

/** The kind, and what this screen draws it with, so that the switch to it shows nothing half. */
export async function clientLoader(args: { request: Request }): Promise<KindView> {
  const drawn = isOfFarm(new URL(args.request.url).pathname) ? loadDeviceOverview() : undefined;
  const [view] = await Promise.all([kindViewAt(args), drawn]);
  await overviewAhead(view.kind.kind);
  return view;
}
export const shouldRevalidate = onOtherPath;

/** Kinds whose devices stand in units have a board of units, the others a list of devices. */
function OverviewOfKind() {
  const { kind } = useKind();
  if (!kind.pages?.ofFarm) return <Overview />;
  return (
    <Suspense fallback={<BoardSkeleton />}>
      <DeviceOverview />
    </Suspense>
  );
}

function KnownOverview() {
  const { kind } = useKind();
  return (
    <KnownPlaces kind={kind.kind} afterMs={kind.pages?.ofFarm ? 0 : 2000}>
      <OverviewOfKind />
    </KnownPlaces>
  );
}

/** The overview of any kind. */
export default function KindOverview() {
  return (
    <KindPage>
      <KnownOverview />
    </KindPage>
  );
}
