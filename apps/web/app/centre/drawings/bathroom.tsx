import { useTranslate } from "../../shared/language/use-language.ts";
import type { DrawingProps } from "../kind/kind-view.ts";
import styles from "./process.module.css";
import { FaultMark, Plate, ProcessPicture, useReadings, Vessel, Words } from "./process.tsx";

/** Where a person is while the room is in a state, px from the left. */
const placeOf: Readonly<Record<string, number>> = { dirty_entry: 220, showering: 480, dressing: 740, clean_exit: 800 };

/** The shower room from the dirty to the clean side: doors, zones, whoever is inside, and what feeds the shower. */
export function BathroomDrawing(props: DrawingProps) {
  const t = useTranslate();
  const { numberOf, flagOf, textOf, saidOf, nameOf, part } = useReadings(props);
  const state = props.device.readings.state?.value;
  const inside = numberOf("occupancy") ?? 0;
  const wet = (numberOf("flow") ?? 0) > 1;
  const person = typeof state === "string" ? placeOf[state] : undefined;
  const doors = [
    part("door-a", 120, { name: t("门 A，脏区"), keys: ["door_a"], rules: ["both_doors"] }),
    part("door-b", 840, { name: t("门 B，净区"), keys: ["door_b"], rules: ["both_doors"] }),
  ] as const;
  const water = part("water", 480, {
    name: nameOf("water_t"),
    keys: ["water_t"],
    rules: ["water_temperature", "scald"],
  });
  const flow = part("flow", 480, { name: nameOf("flow"), keys: ["flow"] });
  const occupancy = part("occupancy", person ?? 480, {
    name: nameOf("occupancy"),
    keys: ["occupancy", "occupied_s"],
    rules: ["too_long"],
    said: saidOf("occupancy"),
  });
  const tank = part("tank", 560, { name: nameOf("tank"), keys: ["tank", "tank_t"], rules: [] });
  const disinfectant = part("disinfectant", 250, { name: nameOf("disinfectant"), keys: ["disinfectant"] });
  const cabinet = part("cabinet", 400, { name: nameOf("cabinet"), keys: ["cabinet", "cabinet_t"] });
  const minutes = Math.floor((numberOf("occupied_s") ?? 0) / 60);
  const seconds = String(Math.floor((numberOf("occupied_s") ?? 0) % 60)).padStart(2, "0");
  const doorPath = (x: number, open: boolean | undefined): string =>
    open ? `M${x},150L${x + 34},120` : `M${x},150V206`;
  return (
    <ProcessPicture
      title={t("谁在哪里")}
      note={textOf("state")}
      width={960}
      height={400}
      parts={[occupancy, ...doors, water, flow, tank, disinfectant, cabinet]}
      judged={props.judged}
    >
      <rect x="10" y="40" width="110" height="220" className="ground" />
      <rect x="840" y="40" width="110" height="220" className={styles.zone} />
      <rect x="120" y="40" width="230" height="220" className={styles.zone} />
      <rect x="350" y="40" width="260" height="220" className={styles.zone} data-wet />
      <rect x="610" y="40" width="230" height="220" className={styles.zone} />
      <rect x="120" y="268" width="720" height="112" className="ground" />
      <path
        className="cut"
        d="M116,36H844v8H116zM116,44h8v106h-8zM116,206h8v178h-8zM836,44h8v106h-8zM836,206h8v178h-8zM116,260H844v8H116zM116,380H844v6H116zM346,44h8v150h-8zM606,44h8v150h-8z"
      />
      <Words x={65} y={64} strong>
        {t("脏区，外")}
      </Words>
      <Words x={235} y={64} strong>
        {t("脏更衣")}
      </Words>
      <Words x={480} y={64} strong>
        {t("淋浴")}
      </Words>
      <Words x={725} y={64} strong>
        {t("净更衣")}
      </Words>
      <Words x={895} y={64} strong>
        {t("净区")}
      </Words>
      {doors.map((door, index) => {
        const x = index === 0 ? 120 : 840;
        const open = flagOf(index === 0 ? "door_a" : "door_b");
        return (
          <g key={door.id} className={styles.part} data-state={door.state}>
            <path d={doorPath(x, open)} className={styles.edge} fill="none" strokeLinecap="round" />
            <Words x={index === 0 ? x + 14 : x - 14} y={140} anchor={index === 0 ? "start" : "end"}>
              {`${index === 0 ? t("门 A") : t("门 B")} ${textOf(index === 0 ? "door_a" : "door_b")}`}
            </Words>
            <FaultMark x={x} y={178} state={door.state} />
          </g>
        );
      })}
      {/* shower */}
      <path className="stroke" d="M480,78v14m-14,0h28l-4,10h-20z" />
      {wet && <path className={styles.mist} d="M470,104l-16,50M476,104l-5,52M484,104l5,52M490,104l16,50" />}
      <Plate x={360} y={206} width={118} name={t("水温")} value={textOf("water_t")} unit="°C" state={water.state} />
      <Plate x={486} y={206} width={116} name={t("流量")} value={textOf("flow")} unit="L/min" state={flow.state} />
      <Plate x={630} y={206} width={110} name={t("室温")} value={textOf("room_t")} unit="°C" />
      {inside > 0 && person !== undefined && (
        <g className={styles.part} data-state={occupancy.state}>
          <circle cx={person} cy={166} r="16" className={styles.person} />
          <path
            className="stroke"
            d={`M${person},160m-4,0a4,4 0 1 0 8,0a4,4 0 1 0 -8,0M${person - 8},176q8,-12 16,0`}
          />
          <Words x={person} y={199} strong>
            {t("已 {minutes} 分 {seconds} 秒", { minutes, seconds })}
          </Words>
          <FaultMark x={person + 16} y={150} state={occupancy.state} />
        </g>
      )}
      {inside === 0 && (
        <Words x={235} y={171}>
          {t("没有人")}
        </Words>
      )}
      {/* what feeds it */}
      <Vessel x={150} y={290} width={120} height={76} share={numberOf("disinfectant")} state={disinfectant.state} />
      <Words x={210} y={334} strong>
        {saidOf("disinfectant")}
      </Words>
      <Words x={280} y={334} anchor="start">
        {nameOf("disinfectant")}
      </Words>
      <g className={styles.part} data-state={cabinet.state}>
        <rect x="410" y="292" width="130" height="72" rx="4" className={styles.edge} fill="var(--d-side)" />
      </g>
      <Words x={475} y={322} strong>
        {nameOf("cabinet")}
      </Words>
      <Words x={475} y={342}>{`${textOf("cabinet")} ${saidOf("cabinet_t")}`}</Words>
      <Vessel x={580} y={290} width={90} height={76} share={numberOf("tank")} state={tank.state} />
      <Words x={625} y={334} strong>
        {saidOf("tank")}
      </Words>
      <Words x={680} y={324} anchor="start">
        {nameOf("tank")}
      </Words>
      <Words x={680} y={342} anchor="start">
        {saidOf("tank_t")}
      </Words>
      <path className="stroke-2" d="M625,290V268M625,268V250H480V232" />
    </ProcessPicture>
  );
}
