import { dosingFlowMeters, dosingPumps, dosingTanks, dosingValves } from "@herdwise/device-kinds/kinds/dosing-station";
import { useTranslate } from "../../shared/language/use-language.ts";
import type { DrawingProps } from "../kind/kind-view.ts";
import {
  faultState,
  Meter,
  type PartView,
  Pipe,
  Plate,
  ProcessPicture,
  Pump,
  useReadings,
  Valve,
  Vessel,
  Words,
} from "./process.tsx";

const tankX = (tank: number): number => 40 + (tank - 1) * 150;
const tankMiddle = (tank: number): number => tankX(tank) + 55;
const header = 318;

/** Three tanks with their valves above a header, a pump and a meter into the mixer, and out of it to where it is used. */
export function DosingStationDrawing(props: DrawingProps) {
  const t = useTranslate();
  const { numberOf, flagOf, textOf, saidOf, unitOf, nameOf, part } = useReadings(props);
  const valveAt = (valve: number): number => (valve <= 3 ? tankMiddle(valve) : 738);
  const tanks = dosingTanks.map((tank) =>
    part(`tank-${tank}`, tankMiddle(tank), {
      name: t("{number} 号罐", { number: tank }),
      keys: [`tank_${tank}`, `tank_${tank}_days_left`, `tank_${tank}_t`],
    }),
  );
  const { problems } = props.judged;
  const wrongAt = problems.findIndex(({ key }) => key === "valves_wrong");
  const valves = dosingValves.map((valve): PartView => {
    const others = dosingValves
      .filter((other) => other !== valve)
      .flatMap((other) => [`valve_${other}`, `valve_${other}_cmd`]);
    const alone = Object.fromEntries(others.map((key) => [key, false]));
    const verdict = props.judged.verdictOf("valves_wrong", alone);
    const wanted = flagOf(`valve_${valve}_cmd`);
    return {
      id: `valve-${valve}`,
      at: valveAt(valve),
      name: t("{number} 号阀", { number: valve }),
      said: textOf(`valve_${valve}`),
      verdicts: [verdict],
      rank: wrongAt < 0 ? problems.length : wrongAt,
      ...(verdict.standing === "over-limit" && {
        state: faultState(verdict),
        reason: wanted ? t("指令开，反馈关") : t("指令关，反馈开"),
      }),
    };
  });
  const pumps = dosingPumps.map((pump) =>
    part(`pump-${pump}`, pump === 1 ? 520 : 800, {
      name: t("{number} 号泵", { number: pump }),
      keys: [`pump_${pump}_hz`, `pump_${pump}_a`],
      // Which of the pumps runs is the one that nothing comes of.
      ...((numberOf(`pump_${pump}_hz`) ?? 0) > 0 && { rules: ["no_flow"] }),
    }),
  );
  const meters = dosingFlowMeters.map((meter) =>
    part(`meter-${meter}`, meter === 1 ? 585 : 868, {
      name: t("{number} 号流量计", { number: meter }),
      keys: [`flow_${meter}`],
      ...((numberOf(`flow_${meter}`) ?? 0) > 1 && { rules: ["flow_with_valves_closed"] }),
    }),
  );
  const flowing = (meter: number): boolean => (numberOf(`flow_${meter}`) ?? 0) > 1;
  const line = part("line", 868, { name: nameOf("p"), keys: ["p"] });
  const station = part("state", 480, { name: nameOf("state"), keys: ["state"] });
  const stateOf = (parts: readonly PartView[], at: number) => parts[at - 1]?.state;
  return (
    <ProcessPicture
      title={t("流程")}
      note={textOf("state")}
      width={960}
      height={410}
      parts={[station, ...tanks, ...valves, ...pumps, ...meters, line]}
      judged={props.judged}
    >
      <path className="stroke" d="M10,388H950" />
      <path className="cut" d="M24,238H474v8H24zM30,246h7v142h-7zM461,246h7v142h-7z" />
      {dosingTanks.map((tank) => (
        <Pipe
          key={tank}
          d={`M${tankMiddle(tank)},226V${header}`}
          flowing={flowing(1) && flagOf(`valve_${tank}`) === true}
        />
      ))}
      <Pipe d={`M${tankMiddle(1) - 4},${header}H648V96H690V130`} flowing={flowing(1)} />
      <Pipe d="M725,294V340H944" flowing={flowing(2) || (flowing(1) && flagOf("valve_4") === true)} />
      {dosingTanks.map((tank) => (
        <g key={tank}>
          <Words x={tankMiddle(tank)} y={40} strong>
            {t("{number} 号罐", { number: tank })}
          </Words>
          <Words x={tankMiddle(tank)} y={57}>
            {(numberOf(`tank_${tank}_days_left`) ?? 0) < 0
              ? t("已过期")
              : t("{count} 天后到期", { count: textOf(`tank_${tank}_days_left`) })}
          </Words>
          <Vessel
            x={tankX(tank)}
            y={68}
            width={110}
            height={162}
            hopper={34}
            share={numberOf(`tank_${tank}`)}
            state={stateOf(tanks, tank)}
          />
          {flagOf(`tank_${tank}_agitator`) && <path className="stroke" d={`M${tankMiddle(tank)},150V186m-16,0h32`} />}
          <Plate x={tankX(tank) + 14} y={96} width={82} name="" value={textOf(`tank_${tank}`)} unit="%" />
          <Words x={tankMiddle(tank)} y={142}>
            {saidOf(`tank_${tank}_l`)}
          </Words>
          <Valve x={tankMiddle(tank)} y={274} open={flagOf(`valve_${tank}`)} state={stateOf(valves, tank)} upright />
          <Words x={tankMiddle(tank) + 18} y={270} anchor="start">
            {`V${tank}`}
          </Words>
          <Words x={tankMiddle(tank) + 18} y={286} anchor="start" strong>
            {textOf(`valve_${tank}`)}
          </Words>
        </g>
      ))}
      <Pump x={520} y={header} on={(numberOf("pump_1_hz") ?? 0) > 0} state={stateOf(pumps, 1)} />
      <Words x={520} y={358}>{`P1　${saidOf("pump_1_hz")}`}</Words>
      <Meter x={585} y={header} state={stateOf(meters, 1)} />
      <Words x={596} y={375}>{`FM1　${saidOf("flow_1")}`}</Words>
      <Vessel x={660} y={130} width={130} height={164} hopper={28} share={undefined} />
      <Words x={704} y={118} anchor="start" strong>
        {t("混合罐")}
      </Words>
      <Plate x={668} y={146} width={114} name="EC" value={textOf("mix_ec")} unit={unitOf("mix_ec")} />
      <Plate x={668} y={180} width={114} name="pH" value={textOf("mix_ph")} />
      <Valve x={738} y={340} open={flagOf("valve_4")} state={stateOf(valves, 4)} />
      <Words x={738} y={370}>{`V4　${textOf("valve_4")}`}</Words>
      <Pump x={800} y={340} on={(numberOf("pump_2_hz") ?? 0) > 0} state={stateOf(pumps, 2)} />
      <Words x={796} y={312}>{`P2　${saidOf("pump_2_hz")}`}</Words>
      <Meter x={868} y={340} state={stateOf(meters, 2)} />
      <Words x={890} y={378}>{`FM2　${saidOf("flow_2")}`}</Words>
      <Plate x={810} y={240} width={136} name={t("压力")} value={textOf("p")} unit="MPa" state={line.state} />
      <path className="stroke-2" d="M830,268V336" />
      <Words x={944} y={308} anchor="end">
        {t("去用药处")}
      </Words>
    </ProcessPicture>
  );
}
