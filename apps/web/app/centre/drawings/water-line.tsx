import { useTranslate } from "../../shared/language/use-language.ts";
import type { DrawingProps } from "../kind/kind-view.ts";
import { FaultMark, Meter, Pipe, Plate, ProcessPicture, Pump, useReadings, Vessel, Words } from "./process.tsx";

const drinkers = [694, 742, 790, 838, 886] as const;

/** The water line from the inlet over meter, dosing pump and mixer to the probes and the last drinker. */
export function WaterLineDrawing(props: DrawingProps) {
  const t = useTranslate();
  const { numberOf, textOf, saidOf, nameOf, unitOf, part } = useReadings(props);
  const flowing = (numberOf("flow") ?? 0) > 0.01;
  const dosing = (numberOf("pump") ?? 0) > 0;
  const at = (id: string, x: number, key: string, rules?: readonly string[]) =>
    part(id, x, { name: nameOf(key), keys: [key], ...(rules && { rules }) });
  // What a rule says of flow and pump together is about the pump.
  const aboutPump = ["no_dosing", "dosing_without_flow", "residual_danger"];
  const pump = at("pump", 250, "pump", aboutPump);
  const flow = at("flow", 140, "flow");
  const residual = at("residual", 430, "free_cl", ["residual_low", "residual_high", "residual_danger"]);
  const orp = at("orp", 430, "orp");
  const ph = at("ph", 560, "ph", ["ph_off"]);
  const turbidity = at("turbidity", 560, "turb");
  const stock = at("stock", 250, "stock", ["stock_low", "stock_empty"]);
  const acid = at("acid", 350, "acid");
  const pressure = at("pressure", 60, "p");
  const temperature = at("temperature", 640, "t");
  return (
    <ProcessPicture
      title={t("水线")}
      note={flowing && !dosing ? t("泵没有出药") : textOf("state")}
      width={960}
      height={400}
      parts={[residual, orp, ph, pump, flow, pressure, turbidity, temperature, stock, acid]}
      judged={props.judged}
    >
      <path className="stroke" d="M10,376H950" />
      {/* water room */}
      <rect x="20" y="60" width="370" height="316" className="floor" />
      <path className="cut" d="M14,52H396v9H14zM20,61h8v315h-8zM382,61h8v70h-8zM382,170h8v206h-8z" />
      <Words x={40} y={84} anchor="start" strong>
        {t("水处理间")}
      </Words>
      <Pipe d="M28,150H640" flowing={flowing} />
      <Plate x={40} y={98} width={140} name={t("压力")} value={textOf("p")} unit="MPa" state={pressure.state} />
      <Meter x={140} y={150} state={flow.state} />
      <Words x={140} y={188}>
        {saidOf("flow")}
      </Words>
      <Words x={140} y={206}>{`${nameOf("total")} ${saidOf("total")}`}</Words>
      <Pipe d="M250,240V150" flowing={dosing} />
      <Pump x={250} y={224} on={dosing} state={pump.state} />
      <Words x={276} y={220} anchor="start" strong>
        {nameOf("pump")}
      </Words>
      <Words x={276} y={238} anchor="start">
        {saidOf("pump")}
      </Words>
      <Vessel x={216} y={270} width={70} height={96} share={numberOf("stock")} state={stock.state} />
      <Words x={206} y={320} anchor="end" strong>
        {saidOf("stock")}
      </Words>
      <Words x={206} y={300} anchor="end">
        {nameOf("stock")}
      </Words>
      <Vessel x={316} y={270} width={58} height={96} share={numberOf("acid")} state={acid.state} />
      {/* Away from the surface of what is in it. */}
      <Words x={345} y={(numberOf("acid") ?? 0) > 50 ? 350 : 294} strong>
        {saidOf("acid")}
      </Words>
      <Words x={345} y={262}>
        {nameOf("acid")}
      </Words>
      {/* mixer */}
      <rect x="318" y="138" width="44" height="24" rx="4" className="face-top outline" />
      <path className="stroke-2" d="M324,156l8,-12 8,12 8,-12 8,12" />
      {/* house */}
      <path className="face-top" d="M410,130 660,70 930,130V376H410z" opacity="0.6" />
      <path className="cut" d="M404,126 660,62 936,126v10L660,72 404,136zM410,160h8v216h-8zM922,136h8v240h-8z" />
      <Pipe d="M386,150H896" flowing={flowing} />
      <path className="stroke" d="M450,150v28M560,150v28M670,150v28" />
      <Plate
        x={424}
        y={180}
        width={128}
        name={t("余氯")}
        value={textOf("free_cl")}
        unit="mg/L"
        state={residual.state}
      />
      <Plate x={424} y={214} width={128} name="ORP" value={textOf("orp")} unit="mV" state={orp.state} />
      <Plate x={424} y={248} width={128} name="ClO₂" value={textOf("clo2")} unit="mg/L" />
      <Plate x={562} y={180} width={116} name="pH" value={textOf("ph")} state={ph.state} />
      <Plate x={562} y={214} width={116} name={t("浊度")} value={textOf("turb")} unit="NTU" state={turbidity.state} />
      <Plate x={562} y={248} width={116} name="EC" value={textOf("ec")} unit={unitOf("ec")} />
      <Plate
        x={424}
        y={282}
        width={128}
        name={t("水温")}
        value={textOf("t")}
        unit={unitOf("t")}
        state={temperature.state}
      />
      {drinkers.map((x) => (
        <g key={x}>
          <path d={`M${x},154V296`} stroke={flowing ? "var(--d-water)" : "var(--d-line-3)"} strokeWidth="2.4" />
          <path className="stroke" d={`M${x - 4},296h8v8h-8z`} />
          <path
            className="pig"
            d={`M${x - 22},352c-3,-14 6,-24 20,-24h12c8,0 14,6 15,12l5,3v6l-6,1c-2,5 -5,7 -8,8v10h-5v-9h-14v9h-5v-9c-7,-1 -12,-3 -14,-7z`}
          />
        </g>
      ))}
      <FaultMark x={900} y={288} state={residual.state} />
      <Words x={916} y={322} anchor="end">
        {t("末端")}
      </Words>
    </ProcessPicture>
  );
}
