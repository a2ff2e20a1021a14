import { useTranslate } from "../../shared/language/use-language.ts";
import type { DrawingProps } from "../kind/kind-view.ts";
import { FaultMark, Plate, ProcessPicture, useReadings, Words } from "./process.tsx";

/** Where the rail begins and ends in the picture, px. */
const railFrom = 96;
const railTo = 832;
/** Length of a rail whose route nobody told, m. */
const usualRailM = 60;
const pens = 6;

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
  const penWidth = (railTo - railFrom) / pens;
  return (
    <ProcessPicture
      title={t("轨道机器人")}
      note={state}
      width={960}
      height={300}
      focus={x}
      parts={[trolley, battery, camera, mean, scanned, blackbody]}
      judged={props.judged}
    >
      <path className="stroke" d="M10,286H950" />
      <rect x="60" y="40" width="820" height="240" className="face-top" opacity="0.6" />
      <path className="cut" d="M48,28H892v12H48zM60,40h8v240h-8zM872,40h8v240h-8zM60,276H880v8H60z" />
      {/* rail with its hangers, the charger where its metres begin and the blackbody at the other end */}
      <path className="stroke" d={[140, 260, 380, 500, 620, 740].map((at) => `M${at},40v22`).join("")} />
      <path d={`M${railFrom},62H${railTo}`} stroke="var(--d-line)" strokeWidth="7" strokeLinecap="round" />
      <rect x={railTo - 12} y="46" width="24" height="24" rx="4" fill="var(--d-deep)" />
      <path className="stroke-2" d={`M${railFrom - 11},86V128M${railTo},70V128`} />
      <rect x={railFrom - 26} y="42" width="30" height="44" rx="5" className="face-top outline" />
      <path
        d={`M${railFrom - 9},50l-7,14h6l-3,14 9,-17h-6z`}
        fill={props.device.readings.state?.value === "charging" ? "var(--d-water)" : "var(--d-line)"}
      />
      {/* what the camera sees */}
      {onRound && (
        <path
          d={`M${x - 10},102L${x - 74},266H${x + 74}L${x + 10},102z`}
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
      {Array.from({ length: pens + 1 }, (_, at) => (
        <path key={at} className="stroke" d={`M${railFrom + at * penWidth},190V276`} />
      ))}
      <path className="stroke" d={`M${railFrom},212H${railTo}M${railFrom},232H${railTo}`} opacity="0.5" />
      {Array.from({ length: pens }, (_, pen) =>
        [0.28, 0.72].map((place) => {
          const at = railFrom + (pen + place) * penWidth;
          return (
            <path
              key={at}
              className="pig"
              d={`M${at - 22},274c-3,-14 6,-24 20,-24h12c8,0 14,6 15,12l5,3v6l-6,1c-2,3 -5,5 -8,6h-24c-7,-1 -12,-1 -14,-4z`}
            />
          );
        }),
      )}
      {/* the values, before which the beam stays back */}
      <Plate x={76} y={128} width={136} name={nameOf("batt")} value={textOf("batt")} unit="%" state={battery.state} />
      <Plate
        x={712}
        y={128}
        width={156}
        name={t("黑体漂移")}
        value={textOf("bb_drift")}
        unit={unitOf("bb_drift")}
        state={blackbody.state}
      />
      <Plate
        x={232}
        y={128}
        width={150}
        name={t("发热比例")}
        value={textOf("fever_share")}
        unit="%"
        state={camera.state}
      />
      <Plate x={396} y={128} width={156} name={t("体温均值")} value={textOf("mean")} unit="℃" state={mean.state} />
      <Plate x={566} y={128} width={128} name={t("扫到")} value={textOf("scanned")} unit="%" state={scanned.state} />
    </ProcessPicture>
  );
}
