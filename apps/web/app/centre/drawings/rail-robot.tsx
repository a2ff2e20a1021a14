import { verdictOf } from "@herdwise/device-kinds";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { type DrawingProps, useKind } from "../kind/kind-view.ts";
import { useAnalytics } from "../kind/use-analytics.ts";
import styles from "./process.module.css";
import { FaultMark, faultState, Plate, ProcessPicture, useReadings, Words } from "./process.tsx";

/** Where the rail begins and ends in the picture, px. */
const railFrom = 96;
const railTo = 832;
/** Length of a rail whose route nobody told, m. */
const usualRailM = 60;
/** Pens of a house that no round has told of yet. */
const usualPens = 6;

/** Days back to which a pen's share of fever still stands for now: of the day before, until today's round has passed. */
const mostDays = 2;

/** The pens of a house, each with its newest share of fever of today or the day before. */
function usePens(deviceId: string): readonly { name: string; share: number | undefined }[] {
  const { value } = useAnalytics(deviceId);
  const grid = value?.devices[0]?.results.find(({ id }) => id === "pen_map")?.grid;
  const newest = grid?.cells.slice(-mostDays) ?? [];
  if (!grid || grid.columns.length === 0)
    return Array.from({ length: usualPens }, (_, at) => ({ name: String(at + 1), share: undefined }));
  return grid.columns.map((name, at) => ({
    name,
    share: newest.findLast((cells) => cells[at]?.value !== undefined)?.[at]?.value,
  }));
}

/** The farthest place of the route that the device runs with, m. */
function railLengthM(route: unknown): number {
  const places = Array.isArray(route)
    ? route.flatMap((row: unknown) => {
        const at = (row as { position_m?: unknown } | null)?.position_m;
        return typeof at === "number" ? [at] : [];
      })
    : [];
  return places.length === 0 ? usualRailM : Math.max(...places, 1);
}

/** The trolley on its rail above the pens, with charger and blackbody at the ends; what it saw last stands below it. */
export function RailRobotDrawing(props: DrawingProps) {
  const t = useTranslate();
  const { number } = useFormats();
  const { kind } = useKind();
  const { numberOf, textOf, saidOf, nameOf, unitOf, part } = useReadings(props);
  const lengthM = railLengthM(props.device.attributes.route);
  const position = numberOf("position");
  const share = Math.max(0, Math.min(1, (position ?? 0) / Math.max(lengthM, position ?? 0)));
  const x = railFrom + 40 + (railTo - railFrom - 80) * share;
  const state = textOf("state");
  const onRound = props.device.readings.state?.value === "round";
  const trolley = part("trolley", x, {
    name: t("轨道车"),
    keys: ["state", "position"],
    rules: ["rail_jam"],
    said: [state, position === undefined ? "" : saidOf("position")].filter((words) => words !== "").join(" · "),
  });
  const camera = part("camera", x, {
    name: nameOf("fever_share"),
    keys: ["fever_share"],
    rules: ["fever_share", "fever_share_high", "fever_share_outbreak", "individual_fever"],
  });
  const mean = part("mean", x, {
    name: nameOf("mean"),
    keys: ["mean", "p50", "p95"],
    rules: ["mean_above_week", "chill"],
  });
  const blackbody = part("blackbody", railTo, {
    name: nameOf("bb_drift"),
    keys: ["bb_drift"],
    rules: ["blackbody_drift"],
  });
  const scanned = part("scanned", 480, {
    name: nameOf("scanned"),
    keys: ["scanned", "scanned_day"],
    rules: ["scan_coverage"],
  });
  const battery = part("battery", railFrom, {
    name: nameOf("batt"),
    keys: ["batt"],
    rules: ["battery_low", "battery_empty"],
  });
  const pens = usePens(props.device.deviceId);
  const penWidth = (railTo - railFrom) / pens.length;
  // In a house of many pens there is room for the number and the share alone.
  const isNarrow = pens.length > 10;
  const pigScale = Math.min(1, (penWidth - 6) / 54);
  return (
    <ProcessPicture
      title={t("轨道机器人")}
      note={state}
      width={960}
      height={264}
      focus={x}
      parts={[trolley, battery, camera, mean, scanned, blackbody]}
      judged={props.judged}
    >
      <path className="stroke" d="M10,256H950" />
      <rect x="60" y="40" width="820" height="210" className="face-top" opacity="0.6" />
      <path className="cut" d="M48,28H892v12H48zM60,40h8v210h-8zM872,40h8v210h-8zM60,246H880v8H60z" />
      {/* rail with its hangers, the charger where its metres begin and the blackbody at the other end */}
      <path className="stroke" d={[140, 260, 380, 500, 620, 740].map((at) => `M${at},40v22`).join("")} />
      <path d={`M${railFrom},62H${railTo}`} stroke="var(--d-line)" strokeWidth="7" strokeLinecap="round" />
      <rect x={railTo - 12} y="46" width="24" height="24" rx="4" fill="var(--d-deep)" />
      <path className="stroke-2" d={`M${railFrom - 11},86V100M${railTo},70V100`} />
      <rect x={railFrom - 26} y="42" width="30" height="44" rx="5" className="face-top outline" />
      <path
        d={`M${railFrom - 9},50l-7,14h6l-3,14 9,-17h-6z`}
        fill={props.device.readings.state?.value === "charging" ? "var(--d-water)" : "var(--d-line)"}
      />
      {/* what the camera sees */}
      {onRound && (
        <path
          d={`M${x - 10},102L${x - 74},246H${x + 74}L${x + 10},102z`}
          fill="var(--d-heat, #e0a063)"
          opacity="0.28"
        />
      )}
      <g transform={`translate(${x},62)`}>
        <rect x="-34" y="-4" width="68" height="34" rx="7" className="face-top outline" strokeWidth="1.6" />
        <circle cx="-18" cy="0" r="5" fill="var(--d-line)" />
        <circle cx="18" cy="0" r="5" fill="var(--d-line)" />
        <rect x="-9" y="30" width="18" height="11" rx="2" fill="var(--d-deep)" />
        <FaultMark x={34} y={-4} state={trolley.state} />
      </g>
      <Words x={x} y={84} strong>
        {position === undefined ? "--" : saidOf("position")}
      </Words>
      {pens.map(({ name, share: fever }, at) => {
        const left = railFrom + at * penWidth;
        const middle = left + penWidth / 2;
        const state =
          fever === undefined
            ? undefined
            : faultState(verdictOf(kind, "fever_share", { fever_share: fever }, { ageS: 0 }));
        return (
          <g key={name} className={styles.part} data-state={state}>
            <rect
              x={left}
              y={136}
              width={penWidth}
              height={110}
              className={styles.pen}
              data-told={fever !== undefined || undefined}
            />
            <Words x={middle} y={156}>
              {isNarrow ? name : t("{label} 栏", { label: name })}
            </Words>
            <Words x={middle} y={180} strong>
              {fever === undefined ? "--" : `${number(fever, 1)}${isNarrow ? "" : " %"}`}
            </Words>
            <path
              className="pig"
              transform={`translate(${middle},240) scale(${pigScale})`}
              d={`M-22,0c-3,-14 6,-24 20,-24h12c8,0 14,6 15,12l5,3v6l-6,1c-2,3 -5,5 -8,6h-24c-7,-1 -12,-1 -14,-4z`}
            />
            <FaultMark x={left + penWidth} y={136} state={state} />
          </g>
        );
      })}
      {isNarrow && (
        <Words x={railTo} y={126} anchor="end">
          {t("各栏发热 %")}
        </Words>
      )}
      {/* what is measured at the ends of the rail */}
      <Plate x={76} y={100} width={136} name={nameOf("batt")} value={textOf("batt")} unit="%" state={battery.state} />
      {blackbody.state && (
        <Plate
          x={712}
          y={100}
          width={156}
          name={t("黑体漂移")}
          value={textOf("bb_drift")}
          unit={unitOf("bb_drift")}
          state={blackbody.state}
        />
      )}
    </ProcessPicture>
  );
}
