import { probes } from "../shared/drawings/house-places.ts";
import { houseAxes, type Place, projection } from "../shared/drawings/projection.ts";
import { Mark } from "../shared/icons/mark.tsx";
import { useFormats, useTranslate } from "../shared/language/use-language.ts";
import type { HomeText } from "./home-text.ts";
import { NightChart } from "./night-chart.tsx";
import {
  clockOf,
  events,
  isOver,
  limitPpm,
  minutesAbove,
  moments,
  nightHouse,
  withAlarm,
  without,
} from "./night-model.ts";

/** What happens at each of the moments. */
const stories = [
  { name: "如常", fan: ["2 台在转", "2 台在转"], duty: ["在睡", "在睡"] },
  { name: "停了一台", fan: ["1 台停了", "1 台停了"], duty: ["不知道", "平台在核对电流"] },
  { name: "谁知道", fan: ["1 台停了", "补开 1 台"], duty: ["不知道", "接到通知，已处理"] },
  { name: "半夜", fan: ["1 台停了", "2 台在转"], duty: ["在睡，不知道", "回去睡了"] },
  { name: "天亮", fan: ["刚发现，补开 1 台", "2 台在转"], duty: ["进舍才闻到", "早班接着修"] },
] as const;
/** What is shown first: the middle of the night tells most. */
const firstShown = 3;

const at = projection(houseAxes);
const pointsOf = (places: readonly Place[]): string => places.map((place) => at(place).join()).join(" ");
/** The air over the pens. */
const airOverPens = pointsOf([
  [1.4, 0.4, 1.6],
  [24.2, 0.4, 1.6],
  [24.2, 11.4, 1.6],
  [1.4, 11.4, 1.6],
]);
const failedFan = at([0, 7.45, 1.25]);
const gas = at(probes.gas);

interface HouseProps {
  title: string;
  series: readonly number[];
  /** Which of the two houses `stories` tells of. */
  side: 0 | 1;
  /** Until when a fan is missing. */
  mended: number;
}

/** A house through the night; the chosen moment is shown by the style sheet, without a script. */
function House({ title, series, side, mended }: HouseProps) {
  const t = useTranslate();
  const { number } = useFormats();
  return (
    <figure className="night-house">
      <figcaption>{title}</figcaption>
      <svg className="drawing" viewBox="180 130 1220 600" aria-hidden="true">
        <use href="#house-drawing" />
        {moments.map((minute, index) => (
          <g key={minute} className={`moment moment-${index}`}>
            <polygon
              className="night-air"
              points={airOverPens}
              opacity={Math.max(0, ((series[minute] ?? 0) - limitPpm * 0.7) / limitPpm).toFixed(2)}
            />
            <circle className="night-probe" cx={gas[0]} cy={gas[1]} r="9" />
            {minute >= events.failed && minute < mended && (
              <circle className="night-failed" cx={failedFan[0]} cy={failedFan[1]} r="34" />
            )}
          </g>
        ))}
      </svg>
      {moments.map((minute, index) => {
        const ppm = series[minute] ?? 0;
        const story = stories[index];
        return (
          <dl key={minute} className={`moment moment-${index}`}>
            <div>
              <dt>{t("氨气")}</dt>
              <dd>
                <span>
                  <b>{number(ppm, 1)}</b> ppm
                </span>
                <span className={`state ${isOver(ppm) ? "minor" : "ok"}`}>
                  <Mark name={isOver(ppm) ? "minor" : "ok"} />
                  {t(isOver(ppm) ? "偏高" : "正常")}
                </span>
              </dd>
            </div>
            <div>
              <dt>{t("风机")}</dt>
              <dd>{t(story?.fan[side] ?? "")}</dd>
            </div>
            <div>
              <dt>{t("值班的人")}</dt>
              <dd>{t(story?.duty[side] ?? "")}</dd>
            </div>
          </dl>
        );
      })}
    </figure>
  );
}

/** Hours and minutes in large figures. */
function Duration({ minutes }: { minutes: number }) {
  const t = useTranslate();
  const hours = Math.floor(minutes / 60);
  return (
    <span className="figure">
      {hours > 0 && (
        <>
          <b>{hours}</b> <small>{t("小时")}</small>{" "}
        </>
      )}
      <b>{hours > 0 ? String(minutes % 60).padStart(2, "0") : minutes}</b> <small>{t("分钟")}</small>
    </span>
  );
}

function Outcomes() {
  const t = useTranslate();
  const { number } = useFormats();
  const ppm = (series: readonly number[]) => (
    <span className="figure">
      <b>{number(Math.max(...series), 1)}</b> <small>ppm</small>
    </span>
  );
  const outcomes = [
    {
      name: t("从故障到有人知道"),
      before: <Duration minutes={events.foundAtDawn - events.failed} />,
      after: <Duration minutes={events.alarmed - events.failed} />,
    },
    {
      name: t("氨气超过 {limit} ppm", { limit: limitPpm }),
      before: <Duration minutes={minutesAbove(without)} />,
      after: <Duration minutes={minutesAbove(withAlarm)} />,
    },
    { name: t("氨气最高"), before: ppm(without), after: ppm(withAlarm) },
  ];
  return (
    <dl className="night-outcomes">
      {outcomes.map(({ name, before, after }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <span className="visually-hidden">{t("没有{brand}")}</span>
            {before}
          </dd>
          <dd className="after">
            <span aria-hidden="true">→</span>
            <span className="visually-hidden">{t("有{brand}")}</span>
            {after}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A fault in the night, in a house that tells nobody and in one that does. */
export function Night({ text }: { text: HomeText }) {
  const t = useTranslate();
  const { number } = useFormats();
  return (
    <section className="night" id="night" aria-labelledby="night-title">
      <div className="wrap">
        <h2 id="night-title">{text("title", { time: clockOf(events.failed) })}</h2>
        <p className="sub">
          {text("text", {
            heads: number(nightHouse.heads),
            minutes: events.mended - events.failed,
          })}
        </p>
        <fieldset className="night-moments">
          <legend className="visually-hidden">{t("看哪个时刻")}</legend>
          {moments.map((minute, index) => (
            <label key={minute}>
              <input type="radio" name="night-moment" id={`night-${index}`} defaultChecked={index === firstShown} />
              <b>{clockOf(minute)}</b>
              <span>{t(stories[index]?.name ?? "")}</span>
            </label>
          ))}
        </fieldset>
        <div className="night-houses">
          <House title={t("没有{brand}")} series={without} side={0} mended={events.foundAtDawn} />
          <House title={t("有{brand}")} series={withAlarm} side={1} mended={events.mended} />
        </div>
        <NightChart />
        <Outcomes />
        <p className="note">
          {t(
            "示例情景，不是实测：按氨气平衡推算，舍内 {volume} m³，每头每小时散发 {grams} g，每台风机 {air} m³/h；{until} 补开风机。断网时通风照常由舍内控制器管。",
            {
              volume: number(nightHouse.cubicMeters),
              grams: number(nightHouse.gramsPerHeadAndHour, 1),
              air: number(nightHouse.fanCubicMetersPerHour),
              until: clockOf(events.foundAtDawn),
            },
          )}
        </p>
      </div>
    </section>
  );
}
