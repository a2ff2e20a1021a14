import {
  environment,
  fanNumbers,
  gearTable,
  type JudgedUnit,
  numberIn,
  variableFanCount,
} from "@herdwise/device-kinds";
import { type ReactNode, useId, useState } from "react";
import { useJoin } from "../../shared/language/use-join.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { WidePicture } from "../drawings/wide-picture.tsx";
import type { UnitNow } from "../kind/use-unit.ts";
import { Chip, Fan, type FanView, Inlet, Pig, steps } from "./section-parts.tsx";

/* Section along the house: filter, attic, inlets, pens, exhaust; beside it the exhaust gable, unfolded. Pixels. */
const room = { left: 214, right: 832, ceiling: 206, floor: 394, pit: 482, ground: 436 };
const inletXs = [300, 452, 604, 756] as const;
const probeXs = [340, 492, 640, 762] as const;
const gableX = 1038;
const fanRows = [
  { y: 382, xs: steps(4, 945, 62), first: 1 },
  { y: 298, xs: steps(4, 945, 62), first: 5 },
  { y: 214, xs: steps(3, 976, 62), first: 9 },
] as const;
const mostPigs = 9;
/** Gears in which fan 1 cycles instead of running through. */
const cyclingGears = gearTable(20).filter((row) => row.cycle_on_s > 0).length;

const layers = ["air", "temperature", "water", "numbers"] as const;
type Layer = (typeof layers)[number];
const layerNames: Readonly<Record<Layer, string>> = { air: "气流", temperature: "温度", water: "水", numbers: "编号" };

/** Whether this fan alone would make the rules speak about its current. */
const isFaulty = (unit: UnitNow, { verdictOf }: JudgedUnit, fan: number): boolean =>
  unit.readings[`fan_${fan}`]?.value === true &&
  verdictOf("fan_current_deviation", Object.fromEntries(fanNumbers.map((number) => [`fan_${number}`, number === fan])))
    .standing === "over-limit";

/** What the fans do, as reported. */
function fanViews(unit: UnitNow, judged: JudgedUnit): FanView[] {
  const drive = numberIn(environment, unit.readings, "vfd");
  return fanNumbers.map((number) => {
    const running = unit.readings[`fan_${number}`]?.value;
    return {
      number,
      running: typeof running === "boolean" ? running : undefined,
      drive: number <= variableFanCount ? drive : undefined,
      faulty: isFaulty(unit, judged, number),
    };
  });
}

function Shell({ id }: { id: string }) {
  const { left, right, ground } = room;
  return (
    <>
      <rect x="0" y={ground} width="880" height="58" fill={`url(#${id}-earth)`} opacity=".7" />
      <path className="stroke" d={`M0,${ground}H126M${right + 10},${ground}H880`} />
      <rect x={left} y="404" width={right - left} height="78" className="floor" />
      <rect x={left} y="446" width={right - left} height="36" className="pit" opacity=".75" />
      <path d={`M${left},446${"q10,-4 20,0t20,0".repeat(15)}t18,0`} fill="none" stroke="var(--d-line-2)" />
      <path className="cut" d={`M${left - 10},404h10v78h${right - left}v-78h10v90H${left - 10}z`} />
      <path d={`M120,214V150Q120,128 ${left},104V214z`} className="floor" />
      <rect x={left} y="104" width={right - left} height="100" className="floor" opacity=".8" />
      <rect x={left} y="212" width={right - left} height="182" className="face-top" />
      <rect x="120" y="214" width={left - 120} height="222" className="floor" />
      <path className="cut" d={`M206,92H852v11H${left}L122,142v-11z`} />
      <path
        className="stroke-3"
        d={steps(10, 240, 60)
          .map((x) => `M${x},92V84`)
          .join("")}
      />
      <path className="stroke-2" d="M206,84H852M206,84L122,123" />
      <rect x={left} y="194" width={right - left} height="12" fill={`url(#${id}-wool)`} />
      {[left, ...inletXs.map((x) => x + 20)].map((x, index) => (
        <rect
          key={x}
          className="cut"
          x={x}
          y="206"
          width={(inletXs[index] === undefined ? right : inletXs[index] - 20) - x}
          height="6"
        />
      ))}
      <rect x={left} y="394" width={right - left} height="10" fill={`url(#${id}-slats)`} />
      <rect className="cut" x="206" y="214" width="8" height="180" />
      <rect className="cut" x="204" y="394" width="10" height="10" />
      <rect className="cut" x={right} y="103" width="10" height="170" />
      <rect className="cut" x={right} y="366" width="10" height="40" />
      <rect className="cut" x="118" y="142" width="8" height="72" />
      <rect className="cut" x="118" y="404" width="8" height="32" />
      <path className="stroke" d="M126,436H204" />
      {/* folded filter in the intake */}
      <path
        d={`M122,214${"l18,23.75l-18,23.75".repeat(4)}`}
        fill="none"
        stroke="var(--d-line)"
        strokeWidth="5"
        strokeLinejoin="round"
        opacity=".18"
      />
      <path d={`M122,214${"l18,23.75l-18,23.75".repeat(4)}`} className="stroke" />
      {steps(4, 344, 152).map((x) => (
        <path key={x} className="stroke-2" d={`M${x},394V358`} />
      ))}
    </>
  );
}

function Patterns({ id }: { id: string }) {
  return (
    <defs>
      <pattern id={`${id}-earth`} width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <path d="M0,0V9" stroke="var(--d-line-3)" />
      </pattern>
      <pattern id={`${id}-slats`} width="14" height="10" patternUnits="userSpaceOnUse">
        <rect width="10" height="10" fill="var(--d-cut)" />
      </pattern>
      <pattern id={`${id}-wool`} width="16" height="12" patternUnits="userSpaceOnUse">
        <path d="M0,12C4,12 4,0 8,0S12,12 16,12" fill="none" stroke="var(--d-line-2)" strokeWidth=".8" />
      </pattern>
      <pattern id={`${id}-pad`} width="8" height="10" patternUnits="userSpaceOnUse">
        <path d="M0,10L4,0 8,10M0,0L4,10 8,0" fill="none" stroke="var(--d-air)" strokeWidth=".7" opacity=".7" />
      </pattern>
    </defs>
  );
}

function Water({ spraying, padWet }: { spraying: boolean; padWet: boolean }) {
  return (
    <>
      <path className="pipe" d="M222,352H824" />
      {steps(9, 250, 64).map((x) => (
        <g key={x}>
          <path className="pipe2" d={`M${x},352v12`} />
          <path className="stroke" d={`M${x - 3},364h6l-1,5h-4z`} />
        </g>
      ))}
      <path className="pipe2" d="M222,236H824" opacity=".75" />
      {steps(12, 246, 50).map((x) => (
        <g key={x}>
          <path d={`M${x - 3},237h6l-3,5z`} fill="var(--d-water)" />
          {spraying && <path className="mist" d={`M${x},244l-13,34M${x},244v38M${x},244l13,34`} />}
        </g>
      ))}
      <path className="pipe2" d="M176,230h18M185,230v-8" />
      {padWet && <path className="mist" d="M180,236v156M185,236v156M190,236v156" />}
    </>
  );
}

function Air() {
  return (
    <>
      <path className="air" d="M8,250C60,250 92,262 130,267S160,300 161,250S162,176 230,160S700,150 812,154" />
      <path className="air slow" d="M8,310C60,312 92,321 132,322S168,330 167,260S178,187 250,172S600,166 800,172" />
      <path className="air slow" d="M8,374C60,374 92,367 134,360S171,340 170,280" />
      {inletXs.map((x, index) => (
        <g key={x}>
          <path
            className="air"
            d={`M${x - 40},166C${x - 12},168 ${x},186 ${x},206C${x + 2},236 ${x + 34},236 ${Math.min(x + 86, 806)},252`}
          />
          {index < 3 && <path className="air slow" d={`M${x},226C${x},250 ${x - 24},256 ${x - 50},262`} />}
        </g>
      ))}
      <path className="air" d="M330,300C460,318 640,322 824,322" />
      <path className="air slow" d="M250,332C400,345 640,340 824,334" />
      <path className="air slow" d="M620,288C700,300 760,306 824,308" />
      <path className="air" d="M852,312C868,312 874,306 894,300" />
      <path className="air slow" d="M852,334C868,338 876,344 894,350" />
    </>
  );
}

function Gable({ fans, named, moving }: { fans: readonly FanView[]; named: boolean; moving: boolean }) {
  return (
    <>
      <path className="stroke-3 dash" d="M852,92H908M850,404H908" />
      <path className="face-front outline" d={`M910,${room.ground}V196L${gableX},92L1166,196V${room.ground}z`} />
      {steps(31, 918, 8).map((x) => (
        <path
          key={x}
          className="stroke-3"
          opacity=".5"
          d={`M${x},${92 + Math.abs(x - gableX) * 0.8125 + 2}V${room.ground}`}
        />
      ))}
      <path d={`M898,206L${gableX},92L1178,206`} fill="none" stroke="var(--d-cut)" strokeWidth="7" />
      <path className="stroke" d={`M886,${room.ground}H1180`} />
      {fanRows.flatMap(({ y, xs, first }) =>
        xs.map((x, index) => {
          const fan = fans[first + index - 1];
          return fan && <Fan key={fan.number} x={x} y={y} fan={fan} named={named} moving={moving} />;
        }),
      )}
    </>
  );
}

/**
 * The unit as a section, driven by its values: inlets stand as open as they are, fans turn only when they run and as fast
 * as they are driven, air moves only when a fan does. Offline, nothing moves.
 */
export function UnitSection({
  unit,
  judged,
  offline,
  stale,
  moment,
  action,
  children,
}: {
  unit: UnitNow;
  judged: JudgedUnit;
  offline: boolean;
  stale: boolean;
  /** When it was so; absent for now. */
  moment?: string;
  /** What can be done with it, in its head. */
  action?: ReactNode;
  /** Below the drawing. */
  children?: ReactNode;
}) {
  const t = useTranslate();
  const { number } = useFormats();
  const joinNames = useJoin();
  const joinClauses = useJoin("clauses");
  const id = useId().replaceAll(":", "");
  const [hidden, setHidden] = useState<ReadonlySet<Layer>>(new Set());
  const shows = (layer: Layer): boolean => !hidden.has(layer);
  const toggle = (layer: Layer): void => {
    const next = new Set(hidden);
    if (!next.delete(layer)) next.add(layer);
    setHidden(next);
  };
  const value = (key: string): number | undefined => numberIn(environment, unit.readings, key);
  const said = (key: string, decimals: number): string => {
    const now = value(key);
    return now === undefined ? "--" : number(now, decimals);
  };
  const fans = fanViews(unit, judged);
  const running = fans.filter((fan) => fan.running).length;
  const faulty = fans.filter((fan) => fan.faulty).map((fan) => `F${fan.number}`);
  const airMoves = running > 0 && !offline;
  // In the lowest gears fan 1 works by turns; a pause is no standstill, and the page says so.
  const gear = value("gear") ?? 0;
  const resting = running === 0 && gear >= 1 && gear <= cyclingGears && unit.mode === "normal";
  const spraying = unit.readings.spray?.value === true && !offline;
  const padWet = unit.readings.pad?.value === true && !offline;
  const heating = value("heater") ?? 0;
  const lux = value("lux") ?? 0;
  const pigs =
    unit.headCount === 0
      ? 0
      : Math.max(1, Math.round((mostPigs * unit.headCount) / Math.max(unit.capacity, unit.headCount)));
  const faded = stale || offline;
  const onOff = (on: boolean): string => (on ? t("开") : t("停"));
  const clauses = [
    t("{running} 台风机在运行，共 {all} 台", { running, all: fans.length }),
    faulty.length > 0 ? t("{fans} 电流异常", { fans: faulty.join(" ") }) : "",
    t("风门开度 {opening}%", { opening: said("damper_1", 0) }),
    t("湿帘{pad}，喷淋{spray}，加热 {heater}%", {
      pad: onOff(padWet),
      spray: onOff(spraying),
      heater: said("heater", 0),
    }),
    t("探头 {probes} 摄氏度", { probes: joinNames(["t1", "t2", "t3", "t4"].map((key) => said(key, 1))) }),
  ].filter(Boolean);

  return (
    <section className="card" aria-labelledby={`${id}-title`}>
      <header>
        <h2 id={`${id}-title`}>{moment === undefined ? t("单元剖面") : t("单元剖面，{time}", { time: moment })}</h2>
        <span className="spacer" />
        <fieldset className="layers">
          <legend className="visually-hidden">{t("图层")}</legend>
          {layers.map((layer) => (
            <label key={layer}>
              <input className="checkbox" type="checkbox" checked={shows(layer)} onChange={() => toggle(layer)} />
              {t(layerNames[layer])}
            </label>
          ))}
        </fieldset>
        {action}
      </header>
      <WidePicture label={t("剖面图，可左右滑动")} alt={joinClauses(clauses)} viewBox="0 76 1180 438" className="sec">
        <Patterns id={id} />
        <Shell id={id} />
        {inletXs.map((x, index) => (
          <Inlet key={x} x={x} opening={value(`damper_${index + 1}`)} />
        ))}
        <rect x="176" y="236" width="18" height="158" fill={`url(#${id}-pad)`} stroke="var(--d-line)" className="pad" />
        <path className="stroke-2" d="M176,394h18v14h-18z" />
        {steps(3, 376, 152).map((x) => (
          <g key={x}>
            <path
              d={`M${x - 22},219h44`}
              stroke="var(--minor-mark)"
              strokeWidth="3"
              strokeLinecap="round"
              opacity={lux > 5 ? 1 : 0.25}
            />
            {lux > 5 && (
              <path d={`M${x - 24},222L${x - 44},244H${x + 44}L${x + 24},222z`} fill="var(--minor-mark)" opacity=".1" />
            )}
          </g>
        ))}
        {[262, 716].map((x) => (
          <g key={x}>
            <path className="stroke-2" d={`M${x},212V262`} />
            <path className="face-top outline" d={`M${x - 15},262h30l-6,13h-18z`} />
            {heating > 0 && !offline && (
              <path
                d={`M${x - 7},279q3,6 0,11m7,-11q3,6 0,11m7,-11q3,6 0,11`}
                fill="none"
                stroke="var(--heat)"
                strokeWidth="1.6"
                strokeLinecap="round"
              />
            )}
          </g>
        ))}
        {shows("water") && <Water spraying={spraying} padWet={padWet} />}
        {shows("air") && airMoves && <Air />}
        {[276, 324].map((y) => (
          <g key={y}>
            <path className="face-front outline" d={`M824,${y}h10v36h-10z`} />
            <path className="face-top outline" d={`M834,${y - 1}l16,-5v48l-16,-5z`} />
            <path className="stroke" strokeWidth="3" d={`M829,${y + 2}v32`} />
          </g>
        ))}
        {steps(pigs, 0, 1).map((index) => (
          <Pig
            key={index}
            x={252 + index * 66 + ((index * 7) % 5) * 3}
            y={394}
            scale={0.92 + ((index * 5) % 4) * 0.035}
            mirrored={index % 3 === 1}
          />
        ))}
        {shows("temperature") && (
          <>
            {probeXs.map((x, index) => (
              <g key={x}>
                <path className="stroke" d={`M${x},212V292`} />
                <Chip
                  x={x - 46}
                  y={292}
                  name={`T${index + 1}`}
                  value={said(`t${index + 1}`, 1)}
                  unit="℃"
                  faded={faded}
                />
              </g>
            ))}
            <path className="stroke" d="M416,212V252M566,212V252" />
            <Chip x={360} y={252} width={112} name="NH₃" value={said("nh3", 1)} unit="ppm" faded={faded} />
            <Chip x={510} y={252} width={112} name="CO₂" value={said("co2", 0)} unit="ppm" faded={faded} />
            <Chip x={4} y={190} width={112} name={t("舍外")} value={said("t_out", 1)} unit="℃" faded={faded} />
          </>
        )}
        {shows("numbers") && (
          <>
            {inletXs.map((x, index) => (
              <text key={x} x={x + 25} y="188" className="caption bold halo">
                {`D${index + 1} ${said(`damper_${index + 1}`, 0)} %`}
              </text>
            ))}
            <text x="226" y="126" className="caption">
              {t("吊顶 · 进风")}
            </text>
            <text x="284" y="278" className="caption halo">
              {heating > 0 ? t("加热 {percent} %", { percent: number(heating) }) : t("加热 停")}
            </text>
            <text x="816" y="230" className="caption halo" textAnchor="end">
              {spraying ? t("喷淋 开") : t("喷淋 停")}
            </text>
            <text x="166" y="458" className="caption" textAnchor="middle">
              {t("过滤")}
            </text>
            <text x="166" y="474" className="caption" textAnchor="middle">
              {padWet ? t("湿帘 开") : t("湿帘 停")}
            </text>
            <text x="228" y="346" className="caption wtx">
              {t("水线")}
            </text>
            <text x="820" y="432" className="caption" textAnchor="end">
              {`H₂S ${said("h2s", 1)} ppm`}
            </text>
            <text x="523" y="126" className="caption" textAnchor="middle">
              {t("光照 {lux} lx　风速 {speed} m/s", { lux: said("lux", 0), speed: said("airspd", 2) })}
            </text>
          </>
        )}
        <text x="523" y="508" className="caption" textAnchor="middle">
          {t("纵剖面　过滤 → 吊顶 → 风门 → 栏位 → 山墙")}
        </text>
        <g opacity={offline ? 0.5 : undefined}>
          <Gable fans={fans} named={shows("numbers")} moving={!offline} />
        </g>
        <text x={gableX} y="460" className="caption" textAnchor="middle">
          {resting
            ? t("排风山墙展开　F1 循环间歇中")
            : t("排风山墙展开　运行 {running} / {all}", { running, all: fans.length })}
        </text>
        <text x={gableX} y="482" className="caption bold" textAnchor="middle">
          {t("{vent} m³/h　·　静压 {pressure} Pa", { vent: said("vent", 0), pressure: said("dp", 0) })}
        </text>
      </WidePicture>
      {children}
    </section>
  );
}
