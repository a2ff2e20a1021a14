import type { UnitState } from "@herdwise/contract/unit-states";
import { attentionStates, figureOf, outlookOf, type PlacedDevice, type PlacedUnit } from "@herdwise/device-kinds";
import type { ReactNode } from "react";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { Skeleton } from "../../shared/states/skeleton.tsx";
import { useDeclared, useKind } from "./kind-view.ts";
import { stateCounts } from "./unit-states.ts";

/** A figure of the summary. */
export function Cell({ name, value, unit, note }: { name: string; value: ReactNode; unit: string; note: string }) {
  return (
    <dl>
      <dt>{name}</dt>
      <dd>
        {value}
        <small>{unit}</small>
      </dd>
      <dd className="note">{note || "　"}</dd>
    </dl>
  );
}

type Stated = readonly { state: UnitState }[];

/** How many are in each of some states, in words; those that are none are left out. */
function useCounted(): (of: Stated, states: readonly (keyof typeof stateCounts)[]) => string {
  const t = useTranslate();
  return (of, states) =>
    saidOf(
      states.map((state) => {
        const count = of.filter((one) => one.state === state).length;
        return [count, t(stateCounts[state], { count })];
      }),
    );
}

/** What stands below the number of those that need somebody: of which kind they are, or what is known of the others. */
function useAttentionNote(): (states: Stated) => string {
  const t = useTranslate();
  const counted = useCounted();
  return (states) => {
    const { silent, allGood } = outlookOf(states);
    if (allGood) return t("全部正常");
    return counted(states, attentionStates) || (silent > 0 ? t("有上报的都正常") : "");
  };
}

/** Counts that are not none, in words. */
export const saidOf = (parts: readonly (readonly [count: number, text: string])[]): string => {
  const told = parts
    .filter(([many]) => many > 0)
    // A number stays on the line of its word.
    .map(([, text]) => text.replaceAll(" ", "\u00a0"));
  return told.join(/[一-鿿]/.test(told.join()) ? "　" : ", ");
};

/** What can be told of the chosen units right now; nothing here is a guess over time. */
export function UnitCounts({ units }: { units: readonly PlacedUnit[] }) {
  const t = useTranslate();
  const { number } = useFormats();
  const counted = useCounted();
  const { attention } = outlookOf(units);
  const noteOf = useAttentionNote();
  return (
    <>
      <Cell
        name={t("在线单元")}
        value={number(units.filter(speaks).length)}
        unit={`/ ${number(units.filter(({ state }) => state !== "bare").length)}`}
        note={counted(units, ["offline", "silent", "empty", "washing", "bare"])}
      />
      <Cell
        name={t("需要关注")}
        value={number(attention)}
        unit={t("{count||}个单元", { count: attention })}
        note={noteOf(units)}
      />
    </>
  );
}

/** Pigs in the chosen units. */
export function Heads({ units }: { units: readonly PlacedUnit[] }) {
  const t = useTranslate();
  const { number } = useFormats();
  return (
    <Cell
      name={t("在养")}
      value={number(units.reduce((sum, { unit }) => sum + unit.headCount, 0))}
      unit={t("头")}
      note={t("{count} 个单元", { count: units.length })}
    />
  );
}

const speaks = ({ state }: Pick<PlacedUnit, "state">): boolean => !["offline", "silent", "bare"].includes(state);

const isIdle = (devices: readonly Pick<PlacedDevice, "verdictOf">[], figure: string): boolean =>
  devices.length > 0 && devices.every(({ verdictOf }) => verdictOf(figure).standing === "idle");

interface ToldFigure {
  value: number;
  /** Names of the place, from the larger to the smaller. */
  place: readonly string[];
}

/** How a figure stands over the devices that report it: what its kind declares for it; nothing of one device alone. */
function FigureCell({
  figure,
  told,
  known,
  idle,
}: {
  figure: string;
  told: readonly ToldFigure[];
  known: number;
  /** Whether all that report it stand still, so that it says nothing now. */
  idle: boolean;
}) {
  const t = useTranslate();
  const nameOf = useNames();
  const { number } = useFormats();
  const { kind } = useKind();
  const declared = useDeclared();
  const { name, unit, decimals } = declared(figure);
  if (known === 1) return null;
  const as = kind.pages?.summary?.[figure] ?? "mean";
  const names = {
    lowest: t("{name}，最低", { name }),
    highest: t("{name}，最高", { name }),
    sum: t("{name}，合计", { name }),
    mean: t("{name}，平均", { name }),
  };
  const sorted = told.toSorted((a, b) => b.value - a.value);
  const [highest] = sorted;
  const lowest = sorted.at(-1);
  if (!highest || !lowest) {
    return <Cell name={names[as]} value="--" unit={unit} note={t(idle ? "都停着" : "没有数据")} />;
  }
  const placeOf = ({ place }: ToldFigure): string => place.map((part) => nameOf(part)).join(" ");
  const sum = told.reduce((all, { value }) => all + value, 0);
  const value = { lowest: lowest.value, highest: highest.value, sum, mean: sum / told.length }[as];
  const isAlike = number(highest.value, decimals) === number(lowest.value, decimals);
  const note =
    isAlike || as === "sum"
      ? ""
      : as === "lowest"
        ? placeOf(lowest)
        : as === "highest"
          ? placeOf(highest)
          : t("最高 {value}，{place}", { value: number(highest.value, decimals), place: placeOf(highest) });
  return <Cell name={names[as]} value={number(value, decimals)} unit={declared(figure, value).unit} note={note} />;
}

const figureCells = 3;

/** Counts of units, pigs, and the first figures of the declaration. */
export function KindSummary({ units }: { units: readonly PlacedUnit[] }) {
  const t = useTranslate();
  const { kind } = useKind();
  return (
    <section className="card sum" aria-label={t("汇总")}>
      <UnitCounts units={units} />
      {(kind.pages?.figures ?? []).slice(0, figureCells).map((figure) => (
        <FigureCell
          key={figure}
          figure={figure}
          known={units.filter(({ state }) => state !== "bare").length}
          idle={isIdle(
            units.filter(speaks).flatMap((unit) => unit.devices),
            figure,
          )}
          told={units.filter(speaks).flatMap(({ devices, house, unit }) =>
            devices.flatMap(({ device, verdictOf }) => {
              const value = verdictOf(figure).standing === "idle" ? undefined : figureOf(kind, device.readings, figure);
              return value === undefined ? [] : [{ value, place: [house.name, unit.name] }];
            }),
          )}
        />
      ))}
      <Heads units={units} />
    </section>
  );
}

const deviceFigureCells = 4;

/** The same of devices that serve farms. */
export function DeviceSummary({ devices }: { devices: readonly PlacedDevice[] }) {
  const t = useTranslate();
  const { number } = useFormats();
  const { kind } = useKind();
  const { attention, allGood } = outlookOf(devices);
  const counted = useCounted();
  const noteOf = useAttentionNote();
  // One that stands still is not called fine.
  const still = allGood
    ? devices.filter(({ verdictOf }) => verdictOf(kind.pages?.figures?.[0] ?? "").standing === "idle").length
    : 0;
  // The row of the only device says it all.
  if (devices.length === 1) return null;
  return (
    <section className="card sum" aria-label={t("汇总")}>
      <Cell
        name={t("在线设备")}
        value={number(devices.filter(speaks).length)}
        unit={`/ ${number(devices.length)}`}
        note={counted(devices, ["silent"])}
      />
      <Cell
        name={t("需要关注")}
        value={number(attention)}
        unit={t("{count||}台设备", { count: attention })}
        note={still > 0 ? t("{count} 台停着", { count: still }) : noteOf(devices)}
      />
      {(kind.pages?.figures ?? []).slice(0, deviceFigureCells).map((figure) => (
        <FigureCell
          key={figure}
          figure={figure}
          known={devices.length}
          idle={isIdle(devices.filter(speaks), figure)}
          told={devices.filter(speaks).flatMap(({ device, verdictOf }) => {
            const value = verdictOf(figure).standing === "idle" ? undefined : figureOf(kind, device.readings, figure);
            return value === undefined ? [] : [{ value, place: [device.deviceName] }];
          })}
        />
      ))}
    </section>
  );
}

const sixCells = [0, 1, 2, 3, 4, 5];

/**
 * The overview at its final size, before its first values.
 * @param children what the values themselves are put into as soon as they are here
 */
export function BoardSkeleton({ children }: { children?: ReactNode }) {
  const t = useTranslate();
  return (
    <div aria-busy="true">
      <section className="card sum" aria-hidden="true">
        {sixCells.map((cell) => (
          <Cell key={cell} name="　" value={<Skeleton width={3} />} unit="" note="" />
        ))}
      </section>
      <div className="lay">
        <div className="card left wait" aria-hidden="true" />
        <section className="card units-board">
          {/* The server draws it, so it is read while the scripts come. */}
          <p className="board-wait" role="status">
            {t("正在取最新的数值。需要关注的会排在最前，数值一变就重新判断，不用刷新页面。")}
          </p>
          {children}
          {[0, 1, 2].map((row) => (
            <div key={row} className="farm-group still" aria-hidden="true">
              <div className="house-row">
                <div className="house-label">
                  <Skeleton width={6} />
                </div>
                <div className="tiles">
                  {[...sixCells, 6, 7].map((tile) => (
                    <div key={tile} className="tile wait">
                      <Skeleton width={3} />
                    </div>
                  ))}
                </div>
              </div>
            </div>
          ))}
        </section>
      </div>
    </div>
  );
}
