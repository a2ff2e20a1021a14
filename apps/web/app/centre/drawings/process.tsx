import type { UnitState } from "@herdwise/contract/unit-states";
import type { Verdict } from "@herdwise/device-kinds";
import { problemSentence } from "@herdwise/device-kinds";
import { type ReactNode, useId } from "react";
import { markPaths } from "../../shared/icons/mark.tsx";
import { useJoin } from "../../shared/language/use-join.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { type DrawingProps, useDeclared, useKind, useLocalText } from "../kind/kind-view.ts";
import { StateMark } from "../kind/state-mark.tsx";
import { stateMarks } from "../kind/unit-states.ts";
import styles from "./process.module.css";
import { WidePicture } from "./wide-picture.tsx";

/* Pictures of a process: what flows where, with each value at its place. A fault shows on its part and in words below the picture. */

/** Keys of what opens and closes. */
const opens = /^(valve|door)_/;

/** A part of a drawing in words. */
export interface PartView {
  id: string;
  name: string;
  /** What it does or shows: "68 %", "开". */
  said: string;
  /** Absent where nothing is wrong with it. */
  state?: UnitState | undefined;
  /** Place of what is wrong among the problems of the device, the worst first. */
  rank: number;
  /** What is wrong. */
  reason?: string | undefined;
  /** Where it is in the drawing, px from its left side. */
  at: number;
  /** On what is measured at it, first on what it says. */
  verdicts: readonly Verdict[];
}

/** Whether all that is told of a part is good; what stands at it in the picture must be told. */
const isGood = ({ verdicts }: PartView): boolean =>
  verdicts.every(
    ({ standing }, at) => standing === "fine" || standing === "unjudged" || (at > 0 && standing === "unknown"),
  );

/** How bad a verdict is; undefined where no rule speaks. */
export const faultState = (verdict: Verdict | undefined): PartView["state"] =>
  verdict === undefined || verdict.state === "unknown" || verdict.state === "ok" ? undefined : verdict.state;

/** Values of a device as a drawing takes them. */
export function useReadings({ judged }: DrawingProps) {
  const t = useTranslate();
  const local = useLocalText();
  const { number } = useFormats();
  const { kind } = useKind();
  const declared = useDeclared();
  const held = (key: string) => judged.verdictOf(key).value;
  const numberOf = (key: string): number | undefined => {
    const value = held(key);
    return typeof value === "number" ? value : undefined;
  };
  const flagOf = (key: string): boolean | undefined => {
    const value = held(key);
    return typeof value === "boolean" ? value : undefined;
  };
  const textOf = (key: string): string => {
    const value = held(key);
    if (typeof value === "number") return number(value, declared(key).decimals);
    // A valve or a door is open, a pump is on.
    if (typeof value === "boolean") return opens.test(key) ? t(value ? "开着" : "关着") : t(value ? "开" : "关");
    if (typeof value !== "string") return "--";
    const word = kind.channels.find((channel) => channel.key === key)?.words?.find((one) => one.value === value);
    return word ? local(word.name) : value;
  };
  const problemOf = (keys: readonly string[], rules: readonly string[] = []) =>
    judged.problems.find(({ key, rule }) => keys.includes(key) || (rule !== undefined && rules.includes(rule.id)));
  return {
    numberOf,
    flagOf,
    textOf,
    nameOf: (key: string): string => declared(key).name,
    unitOf: (key: string): string => declared(key, held(key)).unit,
    /** A value with its unit. */
    saidOf: (key: string): string =>
      `${textOf(key)} ${held(key) === undefined ? "" : declared(key, held(key)).unit}`.trimEnd(),
    /** A part by the values that are measured at it, and the rules that speak of it. */
    part(
      id: string,
      at: number,
      { name, keys, rules, said }: { name: string; keys: readonly string[]; rules?: readonly string[]; said?: string },
    ): PartView {
      const problem = problemOf(keys, rules);
      const state = faultState(problem);
      const [first = ""] = keys;
      return {
        id,
        at,
        name,
        verdicts: keys.map((key) => judged.verdictOf(key)),
        said: said ?? `${textOf(first)} ${declared(first, held(first)).unit}`.trimEnd(),
        state,
        rank: problem ? judged.problems.indexOf(problem) : judged.problems.length,
        reason: problem && state ? local(problemSentence(problem)) : undefined,
      };
    },
  };
}

interface PictureProps {
  title: string;
  note?: string;
  width: number;
  height: number;
  parts: readonly PartView[];
  /** Where a narrow screen opens while nothing is wrong, px from the left; at the left side where it is left out. */
  focus?: number;
  /** What the device is known as: of one that is silent no part is called good. */
  judged: Pick<DrawingProps["judged"], "state">;
  children: ReactNode;
}

/** The picture with its parts in words. On a narrow screen it can be pushed sideways and opens at its worst fault. */
export function ProcessPicture({ title, note, width, height, parts, focus, judged, children }: PictureProps) {
  const t = useTranslate();
  const join = useJoin();
  const id = useId();
  const faulty = parts.filter(({ state }) => state !== undefined).toSorted((a, b) => a.rank - b.rank);
  const at = faulty[0]?.at ?? focus;
  const summary =
    faulty.length === 0
      ? t(
          judged.state === "silent"
            ? "尚无上报"
            : judged.state === "offline"
              ? "离线"
              : parts.every(isGood)
                ? "各部件都正常"
                : "没有部件超限",
        )
      : t("有问题的部件：{names}", { names: join(faulty.map(({ name }) => name)) });
  return (
    <section className="card" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {note && <span className="mut">{note}</span>}
      </header>
      <WidePicture
        label={t("{name}，图", { name: title })}
        alt={`${title} ${summary}`}
        viewBox={`0 0 ${width} ${height}`}
        className={styles.picture ?? ""}
        focus={at === undefined ? undefined : at / width}
      >
        {children}
      </WidePicture>
      <ul className={faulty.length > 0 ? styles.parts : "visually-hidden"} aria-label={t("部件")}>
        {[...faulty, ...parts.filter(({ state }) => state === undefined)].map(
          ({ id: part, name, said, state, reason, verdicts: [verdict] }) => (
            <li key={part} data-of={verdict?.key} data-state={state} className={state ? undefined : "visually-hidden"}>
              {state && <StateMark state={state} />}
              <b>{name}</b>
              <span className="num">{said}</span>
              {reason && <em>{reason}</em>}
            </li>
          ),
        )}
      </ul>
    </section>
  );
}

/** The mark of a fault beside its part. */
export function FaultMark({ x, y, state }: { x: number; y: number; state: UnitState | undefined }) {
  if (state === undefined) return null;
  const { mark, tone } = stateMarks[state];
  return (
    <g className={`${styles.mark} ${tone}`} data-state={state} transform={`translate(${x - 8},${y - 8}) scale(1.35)`}>
      <circle cx="6" cy="6" r="7" className={styles.halo} />
      <path d={markPaths[mark]} fillRule="evenodd" />
    </g>
  );
}

/** A value at its place. @param width px; as long as its name and value need */
export function Plate({
  x,
  y,
  width,
  name,
  value,
  unit = "",
  state,
}: {
  x: number;
  y: number;
  width: number;
  name: string;
  value: string;
  unit?: string;
  state?: UnitState | undefined;
}) {
  return (
    <g className={styles.part} data-state={state}>
      <rect x={x} y={y} width={width} height="28" rx="6" className={styles.plate} />
      <text x={x + 9} y={y + 19} className={styles.name}>
        {name}
      </text>
      <text x={x + width - 9} y={y + 19} className={styles.value} textAnchor="end">
        {value}
        <tspan className={styles.unit} dx="3">
          {unit}
        </tspan>
      </text>
      <FaultMark x={x + width} y={y} state={state} />
    </g>
  );
}

/** Words beside a part. */
export function Words({
  x,
  y,
  children,
  anchor = "middle",
  strong = false,
}: {
  x: number;
  y: number;
  children: string;
  anchor?: "start" | "middle" | "end";
  strong?: boolean;
}) {
  return (
    <text x={x} y={y} className={strong ? styles.strong : styles.name} textAnchor={anchor}>
      {children}
    </text>
  );
}

/** A pipe along a path; blue while something flows in it. */
export function Pipe({ d, flowing }: { d: string; flowing: boolean }) {
  return (
    <g fill="none" strokeLinejoin="round">
      <path d={d} stroke="var(--d-line)" strokeWidth="9" />
      <path d={d} stroke={flowing ? "var(--d-water)" : "var(--d-top)"} strokeWidth="6.5" />
      {flowing && <path d={d} className={styles.flow} />}
    </g>
  );
}

/** A vessel with its level. @param share 0–100 */
export function Vessel({
  x,
  y,
  width,
  height,
  share,
  state,
  hopper = 0,
}: {
  x: number;
  y: number;
  width: number;
  height: number;
  share: number | undefined;
  state?: UnitState | undefined;
  /** Height of the cone at its bottom. */
  hopper?: number;
}) {
  const id = useId();
  const middle = x + width / 2;
  const outline = `M${x},${y}V${y + height - hopper}L${middle - 8},${y + height}H${middle + 8}L${x + width},${y + height - hopper}V${y}z`;
  const top = y + height - (height * Math.max(0, Math.min(100, share ?? 0))) / 100;
  return (
    <g className={styles.part} data-state={state}>
      <clipPath id={id}>
        <path d={outline} />
      </clipPath>
      <path d={outline} className="face-top" />
      <g clipPath={`url(#${id})`}>
        <rect x={x} y={top} width={width} height={y + height - top} className={styles.liquid} />
        <path d={`M${x},${top}H${x + width}`} className={styles.surface} />
      </g>
      <path d={outline} className={styles.edge} fill="none" />
      <FaultMark x={x + width} y={y} state={state} />
    </g>
  );
}

/** A valve in a pipe: filled while it is open. @param upright in a pipe that runs down */
export function Valve({
  x,
  y,
  open,
  state,
  upright = false,
}: {
  x: number;
  y: number;
  open: boolean | undefined;
  state?: UnitState | undefined;
  upright?: boolean;
}) {
  return (
    <g className={styles.part} data-state={state} transform={`translate(${x},${y})${upright ? " rotate(90)" : ""}`}>
      <path
        d="M-15,-10V10L15,-10V10z"
        className={styles.edge}
        fill={open ? "var(--d-water)" : "var(--d-top)"}
        strokeLinejoin="round"
      />
      <g transform={upright ? "rotate(-90)" : undefined}>
        <FaultMark x={upright ? -20 : 18} y={upright ? -10 : -14} state={state} />
      </g>
    </g>
  );
}

/** A pump: filled while it runs. */
export function Pump({
  x,
  y,
  on,
  state,
}: {
  x: number;
  y: number;
  on: boolean | undefined;
  state?: UnitState | undefined;
}) {
  return (
    <g className={styles.part} data-state={state} transform={`translate(${x},${y})`}>
      <circle r="19" className={styles.edge} fill="var(--d-top)" />
      <path d="M-7,-10V10L12,0z" fill={on ? "var(--d-water)" : "var(--d-deep)"} stroke="var(--d-line)" />
      <FaultMark x={17} y={-17} state={state} />
    </g>
  );
}

/** A meter in a pipe. */
export function Meter({ x, y, state }: { x: number; y: number; state?: UnitState | undefined }) {
  return (
    <g className={styles.part} data-state={state} transform={`translate(${x},${y})`}>
      <circle r="15" className={styles.edge} fill="var(--d-top)" />
      <path d="M-9,5A10,10 0 1 1 9,5M0,2L6,-6" className="stroke" />
      <FaultMark x={15} y={-15} state={state} />
    </g>
  );
}
