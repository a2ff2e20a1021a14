import { useTranslate } from "../../shared/language/use-language.ts";
import type { DrawingProps } from "../kind/kind-view.ts";
import styles from "./process.module.css";
import { Pipe, Plate, ProcessPicture, Pump, useReadings, Vessel, Words } from "./process.tsx";

const nozzles = [372, 412, 452, 492] as const;

/** The scrubber in section: air from the fans through the pack and up, wash water from the sump over the pack. */
export function ScrubberDrawing(props: DrawingProps) {
  const t = useTranslate();
  const { numberOf, flagOf, textOf, saidOf, nameOf, unitOf, part } = useReadings(props);
  const running = flagOf("pump") === true;
  const blowing = (numberOf("airflow") ?? 0) > 0;
  const part1 = (id: string, at: number, key: string, rules?: readonly string[]) =>
    part(id, at, { name: nameOf(key), keys: [key], ...(rules && { rules }) });
  const fans = part1("fans", 90, "airflow");
  const inlet = part1("nh3-in", 240, "nh3_in");
  const outlet = part1("nh3-out", 640, "nh3_out", ["outlet_high", "outlet_very_high"]);
  const removal = part1("removal", 560, "removal", ["removal_low"]);
  const pack = part(`pack`, 440, { name: t("填料"), keys: ["dp"], rules: ["clogged", "bypassed"] });
  const ph = part1("ph", 400, "ph", ["ph_off"]);
  const ec = part1("ec", 470, "ec", ["conductivity_high"]);
  const level = part1("level", 540, "level", ["level_low", "level_high"]);
  const pump = part("pump", 690, {
    name: t("循环泵"),
    keys: ["pump", "pump_a"],
    rules: ["pump_off"],
    said: `${textOf("pump")} ${saidOf("circ")}`,
  });
  const acid = part1("acid", 830, "acid", ["acid_low"]);
  const agent = part1("agent", 900, "agent");
  const discharge = part1("discharge", 740, "discharge", ["no_discharge"]);
  return (
    <ProcessPicture
      title={t("除臭塔剖面")}
      note={textOf("state")}
      width={960}
      height={420}
      parts={[removal, fans, inlet, outlet, pack, ph, ec, level, pump, acid, agent, discharge]}
      judged={props.judged}
    >
      <path className="stroke" d="M10,392H950" />
      {/* the house with its fans */}
      <rect x="14" y="120" width="130" height="272" className="floor" />
      <path className="cut" d="M10,112H152v9H10zM144,121h8v40h-8zM144,300h8v92h-8z" />
      {[178, 240].map((y) => (
        <g key={y} transform={`translate(148,${y})`}>
          <rect x="-7" y="-26" width="14" height="52" rx="3" className="face-top outline" />
          <ellipse rx="4" ry="21" fill={blowing ? "var(--d-air)" : "var(--d-deep)"} />
        </g>
      ))}
      <Words x={78} y={160} strong>
        {t("风机 {gear} 档", { gear: textOf("gear") })}
      </Words>
      <Plate x={22} y={176} width={112} name="" value={textOf("airflow")} unit="m³/h" />
      {/* plenum and tower */}
      <path className="face-top" d="M152,150H340V392H152z" opacity="0.5" />
      <path
        className="cut"
        d="M340,78h8v64h-8zM340,300h8v92h-8zM340,70H600v8H340zM592,78h8v314h-8zM340,388H600v6H340z"
      />
      <path className="cut" d="M540,20h8v52h-8zM592,20h8v52h-8z" />
      {blowing && (
        <>
          <path className="air" d="M160,190C230,190 280,210 380,210S520,200 568,120V30" />
          <path className="air slow" d="M160,250C240,250 290,240 380,240S540,230 574,130V30" />
        </>
      )}
      <Plate x={176} y={262} width={148} name="NH₃" value={textOf("nh3_in")} unit="ppm" state={inlet.state} />
      <Plate x={176} y={298} width={148} name="H₂S" value={textOf("h2s_in")} unit="ppm" />
      {/* pack */}
      <g className={styles.part} data-state={pack.state}>
        <rect x="400" y="130" width="80" height="170" className={styles.edge} fill="var(--d-top)" />
        <path
          className="stroke-3"
          d="M400,130l80,80M400,170l80,80M400,210l80,80M440,130l40,40M480,130l-80,80M480,170l-80,80M480,210l-80,80"
        />
      </g>
      <Words x={440} y={318}>
        {t("填料")}
      </Words>
      <Plate x={484} y={196} width={104} name={t("压差")} value={textOf("dp")} unit="Pa" state={pack.state} />
      {/* spray */}
      <Pipe d="M650,320V96H372" flowing={running} />
      {nozzles.map((x) => (
        <g key={x}>
          <path className="stroke" d={`M${x},100v10m-6,0h12`} />
          {running && <path className={styles.mist} d={`M${x},112l-12,22M${x},112v24M${x},112l12,22`} />}
        </g>
      ))}
      {/* sump */}
      <Vessel x={348} y={330} width={244} height={58} share={numberOf("level")} state={level.state} />
      <Plate x={350} y={338} width={66} name="pH" value={textOf("ph")} state={ph.state} />
      <Plate x={419} y={338} width={116} name="EC" value={textOf("ec")} unit={unitOf("ec")} state={ec.state} />
      <Words x={590} y={324} anchor="end">
        {nameOf("level")}
      </Words>
      <Plate x={538} y={338} width={53} name="" value={textOf("level")} unit="%" state={level.state} />
      <Pipe d="M596,360H650V330" flowing={running} />
      <Pump x={650} y={318} on={running} state={pump.state} />
      <Words x={676} y={312} anchor="start" strong>
        {t("循环泵")}
      </Words>
      <Words x={676} y={330} anchor="start">{`${textOf("pump_a")} A　${textOf("circ")} m³/h`}</Words>
      <Words x={676} y={368} anchor="start">{`${nameOf("discharge")} ${saidOf("discharge")}`}</Words>
      {/* outlet */}
      <Plate x={616} y={24} width={150} name="NH₃" value={textOf("nh3_out")} unit="ppm" state={outlet.state} />
      <Plate x={616} y={58} width={150} name="H₂S" value={textOf("h2s_out")} unit="ppm" />
      <Plate
        x={780}
        y={24}
        width={164}
        name={nameOf("removal")}
        value={textOf("removal")}
        unit="%"
        state={removal.state}
      />
      <Plate x={780} y={58} width={164} name={t("排风")} value={textOf("t_exhaust")} unit={unitOf("t_exhaust")} />
      {/* tanks */}
      <Words x={844} y={176} strong>
        {nameOf("acid")}
      </Words>
      <Words x={918} y={176} strong>
        {nameOf("agent")}
      </Words>
      <Vessel x={812} y={186} width={64} height={110} share={numberOf("acid")} state={acid.state} />
      <Words x={844} y={314}>
        {saidOf("acid")}
      </Words>
      <Vessel x={888} y={186} width={58} height={110} share={numberOf("agent")} state={agent.state} />
      <Words x={918} y={314}>
        {saidOf("agent")}
      </Words>
      <path className="stroke-2 dash" d="M812,240H720V150H656" />
    </ProcessPicture>
  );
}
