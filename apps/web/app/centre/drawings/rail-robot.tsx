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

/** The trolley on its rail above the pens, with blackbody and charger at the ends; what it saw last stands below it. */
export function RailRobotDrawing(props: DrawingProps) {
  const t = useTranslate();
  const { numberOf, textOf, saidOf, nameOf, part } = useReadings(props);
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
  const blackbody = part("blackbody", railFrom, {
    name: nameOf("bb_drift"),
    keys: ["bb_drift"],
    rules: ["blackbody_drift"],
  });
  const scanned = part("scanned", 480, {
    name: nameOf("scanned"),
    keys: ["scanned", "scanned_day"],
    rules: ["scan_coverage"],
  });
  const ambient = part("ambient", 700, { name: nameOf("t_amb"), keys: ["t_amb"] });
  const battery = part("battery", railTo, {
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
      height={330}
      parts={[trolley, camera, mean, blackbody, scanned, ambient, battery]}
      judged={props.judged}
    >
      <path className="stroke" d="M10,306H950" />
      <rect x="60" y="40" width="820" height="260" className="face-top" opacity="0.6" />
      <path className="cut" d="M48,28H892v12H48zM60,40h8v260h-8zM872,40h8v260h-8zM60,296H880v8H60z" />
      {/* rail with its hangers, the blackbody at one end and the charger at the other */}
      <path className="stroke" d={[140, 260, 380, 500, 620, 740].map((at) => `M${at},40v42`).join("")} />
      <path d={`M${railFrom},82H${railTo}`} stroke="var(--d-line)" strokeWidth="7" strokeLinecap="round" />
      <rect x={railFrom - 12} y="66" width="24" height="24" rx="4" fill="var(--d-deep)" />
      <FaultMark x={railFrom + 12} y={64} state={blackbody.state} />
      <Plate
        x={railFrom + 20}
        y={46}
        width={150}
        name={t("黑体漂移")}
        value={textOf("bb_drift")}
        unit="K"
        state={blackbody.state}
      />
      <rect x={railTo - 4} y="62" width="30" height="44" rx="5" className="face-top outline" />
      <path
        d={`M${railTo + 13},70l-7,14h6l-3,14 9,-17h-6z`}
        fill={props.device.readings.state?.value === "charging" ? "var(--d-water)" : "var(--d-line)"}
      />
      <Plate x={728} y={116} width={132} name={nameOf("batt")} value={textOf("batt")} unit="%" state={battery.state} />
      {/* what the camera sees */}
      {onRound && (
        <path
          d={`M${x - 10},122L${x - 74},286H${x + 74}L${x + 10},122z`}
          fill="var(--d-heat, #e0a063)"
          opacity="0.28"
        />
      )}
      <g transform={`translate(${x},82)`}>
        <rect x="-34" y="-4" width="68" height="34" rx="7" className="face-top outline" strokeWidth="1.6" />
        <circle cx="-18" cy="0" r="5" fill="var(--d-line)" />
        <circle cx="18" cy="0" r="5" fill="var(--d-line)" />
        <rect x="-9" y="30" width="18" height="11" rx="2" fill="var(--d-deep)" />
        <FaultMark x={34} y={-4} state={trolley.state} />
      </g>
      <Words x={x} y={104} strong>
        {position === undefined ? "--" : saidOf("position")}
      </Words>
      {Array.from({ length: pens + 1 }, (_, at) => (
        <path key={at} className="stroke" d={`M${railFrom + at * penWidth},210V296`} />
      ))}
      <path className="stroke" d={`M${railFrom},232H${railTo}M${railFrom},252H${railTo}`} opacity="0.5" />
      {Array.from({ length: pens }, (_, pen) =>
        [0.28, 0.72].map((place) => {
          const at = railFrom + (pen + place) * penWidth;
          return (
            <path
              key={at}
              className="pig"
              d={`M${at - 22},294c-3,-14 6,-24 20,-24h12c8,0 14,6 15,12l5,3v6l-6,1c-2,3 -5,5 -8,6h-24c-7,-1 -12,-1 -14,-4z`}
            />
          );
        }),
      )}
      <Plate
        x={250}
        y={148}
        width={176}
        name={t("发热比例")}
        value={textOf("fever_share")}
        unit="%"
        state={camera.state}
      />
      <Plate x={436} y={148} width={156} name={t("体温均值")} value={textOf("mean")} unit="℃" state={mean.state} />
      <Plate x={602} y={148} width={130} name={t("扫到")} value={textOf("scanned")} unit="%" state={scanned.state} />
      <Plate x={76} y={148} width={164} name={t("环境温度")} value={textOf("t_amb")} unit="℃" state={ambient.state} />
    </ProcessPicture>
  );
}
