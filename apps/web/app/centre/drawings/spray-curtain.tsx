import { useTranslate } from "../../shared/language/use-language.ts";
import type { DrawingProps } from "../kind/kind-view.ts";
import styles from "./process.module.css";
import { FaultMark, Pipe, Plate, ProcessPicture, Pump, useReadings, Vessel, Words } from "./process.tsx";

const nozzles = [74, 112, 150, 188] as const;

/** The fan end of the house from the side: its air through the spray curtain to the boundary, agent from the tank to the nozzles. */
export function SprayCurtainDrawing(props: DrawingProps) {
  const t = useTranslate();
  const { numberOf, flagOf, textOf, saidOf, nameOf, unitOf, part } = useReadings(props);
  const spraying = flagOf("pump") === true;
  const blowing = (numberOf("gear") ?? 0) > 0;
  const at = (id: string, x: number, key: string, rules?: readonly string[]) =>
    part(id, x, { name: nameOf(key), keys: [key], ...(rules && { rules }) });
  const before = at("before", 280, "nh3_before");
  const after = at("after", 560, "nh3_after");
  const removal = at("removal", 560, "removal", ["removal_low"]);
  const curtain = at("curtain", 430, "curtain_ok", ["curtain_torn"]);
  const pump = part("pump", 300, {
    name: nameOf("pump"),
    keys: ["pump", "pump_a", "flow"],
    rules: ["no_flow"],
    said: `${textOf("pump")} ${saidOf("flow")}`,
  });
  const pressure = at("pressure", 330, "p", ["pressure_off"]);
  const tank = at("tank", 200, "tank", ["tank_low"]);
  const frost = at("line", 330, "t_water", ["frost"]);
  const ammonia = at("ammonia", 800, "nh3_boundary", ["boundary_ammonia"]);
  const sulfide = at("sulfide", 800, "h2s_boundary", ["boundary_sulfide"]);
  const odour = at("odour", 800, "odour", ["boundary_odour"]);
  return (
    <ProcessPicture
      title={t("喷淋幕")}
      note={textOf("state")}
      width={960}
      height={330}
      focus={431}
      parts={[removal, before, after, curtain, pump, pressure, frost, tank, ammonia, sulfide, odour]}
      judged={props.judged}
    >
      <path className="stroke" d="M10,306H950" />
      {/* the end of the house with its fans */}
      <rect x="14" y="60" width="130" height="246" className="floor" />
      <path className="cut" d="M10,52H152v9H10zM144,61h8v20h-8zM144,196h8v110h-8z" />
      {[108, 166].map((y) => (
        <g key={y} transform={`translate(148,${y})`}>
          <rect x="-7" y="-26" width="14" height="52" rx="3" className="face-top outline" />
          <ellipse rx="4" ry="21" fill={blowing ? "var(--d-air)" : "var(--d-deep)"} />
        </g>
      ))}
      <Words x={78} y={134} strong>
        {t("风机 {gear} 档", { gear: textOf("gear") })}
      </Words>
      {blowing && (
        <>
          <path className="air" d="M160,104C260,104 300,110 430,110S620,100 740,92" />
          <path className="air slow" d="M160,168C260,168 300,160 430,160S620,150 740,140" />
        </>
      )}
      <Plate
        x={196}
        y={60}
        width={160}
        name="NH₃"
        value={textOf("nh3_before")}
        unit={unitOf("nh3_before")}
        state={before.state}
      />
      {/* the curtain with the line of nozzles before it */}
      <g className={styles.part} data-state={curtain.state}>
        <rect x="426" y="52" width="10" height="166" rx="3" className={styles.edge} fill="var(--d-side)" />
        <FaultMark x={431} y={52} state={curtain.state} />
      </g>
      <Words x={431} y={40} strong>
        {`${t("喷淋幕")} ${flagOf("curtain_ok") === false ? t("破损") : ""}`.trimEnd()}
      </Words>
      <Pipe d="M236,268H392V66" flowing={spraying} />
      {nozzles.map((y) => (
        <g key={y}>
          <path className="stroke" d={`M396,${y}h8m0,-5v10`} />
          {spraying && <path className={styles.mist} d={`M408,${y}l14,-10M408,${y}h14M408,${y}l14,10`} />}
        </g>
      ))}
      <Plate
        x={470}
        y={60}
        width={160}
        name="NH₃"
        value={textOf("nh3_after")}
        unit={unitOf("nh3_after")}
        state={after.state}
      />
      <Plate
        x={470}
        y={168}
        width={160}
        name={nameOf("removal")}
        value={textOf("removal")}
        unit="%"
        state={removal.state}
      />
      {/* agent and pump */}
      <Vessel x={172} y={212} width={64} height={86} share={numberOf("tank")} state={tank.state} />
      <Words x={204} y={262} strong>
        {saidOf("tank")}
      </Words>
      <Pump x={300} y={268} on={spraying} state={pump.state} />
      <Words x={300} y={242}>
        {saidOf("flow")}
      </Words>
      <Plate
        x={410}
        y={254}
        width={172}
        name={nameOf("p")}
        value={textOf("p")}
        unit={unitOf("p")}
        state={pressure.state}
      />
      <Plate
        x={594}
        y={254}
        width={166}
        name={nameOf("t_water")}
        value={textOf("t_water")}
        unit={unitOf("t_water")}
        state={frost.state}
      />
      {/* the boundary of the farm */}
      <path className="stroke-2 dash" d="M790,60V306" />
      <path className="stroke" d="M790,306V226m-9,0h18v-18h-18z" />
      <Words x={802} y={76} anchor="start" strong>
        {t("场界")}
      </Words>
      <Plate
        x={802}
        y={88}
        width={146}
        name="NH₃"
        value={textOf("nh3_boundary")}
        unit={unitOf("nh3_boundary")}
        state={ammonia.state}
      />
      <Plate
        x={802}
        y={124}
        width={146}
        name="H₂S"
        value={textOf("h2s_boundary")}
        unit={unitOf("h2s_boundary")}
        state={sulfide.state}
      />
      <Plate x={802} y={160} width={146} name={t("臭气")} value={textOf("odour")} state={odour.state} />
      <Words x={814} y={222} anchor="start">
        {`${nameOf("wind")} ${saidOf("wind")}`}
      </Words>
    </ProcessPicture>
  );
}
