import { farmTree, type PriceBreed, priceBreeds, type SellDaysDetail, sellDaysDetail } from "@herdwise/contract";
import {
  type SellDay,
  type SellDays,
  type SellDaysInput,
  sellDayAfter,
  sellDays,
  sellRanges,
  turningFall,
} from "@herdwise/contract/sell-days";
import { lazy, type ReactNode, Suspense, useId, useMemo, useState } from "react";
import { Link } from "react-router";
import { useAddress, withValues } from "../../shared/address/use-address.ts";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { Select } from "../../shared/forms/select.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { Offers } from "../../shared/kit/offers.tsx";
import { ScrollTable } from "../../shared/kit/scroll-table.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { tellIn } from "../../shared/language/tell.ts";
import { useFormats, useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { signedYuan, yuan } from "../../shared/prices/price-words.ts";
import { useAreaName } from "../../shared/prices/use-area-name.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { PlaceChoice } from "../farms/place-choice.tsx";
import { plannedPath } from "../sale-plans/planned.ts";
import styles from "./sell-days.module.css";
import {
  inputOf,
  keyDays,
  lastAfter,
  type Measure,
  measures,
  moved,
  readChoice,
  type SellChoice,
} from "./sell-days-model.ts";

const SellCurve = lazy(async () => ({ default: (await import("./sell-curve.tsx")).SellCurve }));

const measureNames: Readonly<Record<Measure, string>> = { margin: "毛利", weight: "体重", conversion: "料重比" };
const measureLabels: Readonly<Record<Measure, string>> = {
  margin: "每头比今天卖多多少，元",
  weight: "均重，kg",
  conversion: "料重比，每天",
};
const noPriceNames: Readonly<Record<NonNullable<SellDay["noPrice"]>, string>> = {
  light: "太轻，没有价",
  under: "不到最轻的体重段，没有价",
  over: "超过最重的体重段，没有价",
  gap: "不在体重段里，没有价",
};

type Change = (to: Partial<SellChoice>) => void;

/** Days as a sentence and as a table write them. */
function useDayWords() {
  const language = useLanguage();
  return useMemo(() => {
    const format = new Intl.DateTimeFormat(language === "zh" ? "zh-CN" : "en-GB", {
      day: "numeric",
      month: language === "zh" ? "long" : "short",
      timeZone: "UTC",
    });
    // Figures stand apart from the characters around them, as in the portal's other sentences, and a day on one line.
    const long = (day: string): string =>
      format
        .format(new Date(`${day}T00:00:00Z`))
        .replace(/\s*(\d+)\s*/g, " $1 ")
        .trim()
        .replaceAll(" ", "\u00a0");
    return { long, short: (day: string): string => (language === "zh" ? day.slice(5) : long(day)) };
  }, [language]);
}

const kg = (grams: number, decimals = 1): string => (grams / 1000).toFixed(decimals);
const thousandths = (value: number): string => (value / 1000).toFixed(1);
const fenPerYuan = 100;
const wholeYuan = (fen: number): string => String(Math.abs(Math.round(fen / fenPerYuan)));

/** Which days are best, in a few words. */
function useLead(): (outlook: SellDays, today: string) => string {
  const t = useTranslate();
  const words = useDayWords();
  return ({ base, best, window }, today) =>
    best === undefined || window === undefined
      ? t(base === undefined ? "这 28 天没有一天有价" : "这 28 天都在休药期里，不能卖")
      : window.to === today
        ? t("今天卖最合算")
        : window.from === window.to
          ? t("{day} 卖最合算", { day: words.long(best.day) })
          : t("{from} 到 {to} 卖最合算", { from: words.long(window.from), to: words.long(window.to) });
}

/** The best days first, then what stands against it, then how sure it is. */
function Answer({ detail, outlook }: { detail: SellDaysDetail; outlook: SellDays }) {
  const t = useTranslate();
  const language = useLanguage();
  const words = useDayWords();
  const nameOf = useNames();
  const { days, base, best, unsureFrom } = outlook;
  const { price, withdrawal, today } = detail;
  const first = days.find(({ noPrice }) => noPrice !== undefined);
  const noneAfter = best && days.find(({ day, noPrice }) => day > best.day && noPrice === "over");
  const wait = lastAfter(outlook);
  const lead = useLead()(outlook, today);
  const facts: string[] = [];
  if (withdrawal && withdrawal.until >= today)
    facts.push(
      t("{day} 前不能卖：{given} 用了{medicine}，休药期到 {until}。", {
        day: words.long(sellDayAfter(withdrawal.until, 1)),
        given: words.long(withdrawal.given),
        medicine: nameOf(withdrawal.medicine),
        until: words.long(withdrawal.until),
      }),
    );
  if (best?.marginFen !== undefined && wait?.marginFen !== undefined && wait.marginFen < best.marginFen)
    facts.push(
      t("拖到 {day} 每头少 {yuan} 元。", {
        day: words.long(wait.day),
        yuan: wholeYuan(best.marginFen - wait.marginFen),
      }),
    );
  if (best && best.day === days.at(-1)?.day) facts.push(t("28 天以后可能更合算，没有往后算。"));
  if (noneAfter)
    facts.push(
      t("{day} 起均重 {kg} kg，超过最重的体重段，没有价，不算。", {
        day: words.long(noneAfter.day),
        kg: kg(noneAfter.weightGrams),
      }),
    );
  if (first?.noPrice === "light" || first?.noPrice === "under")
    facts.push(
      base
        ? t("{day} 前太轻，没有价，不算。", { day: words.long(base.day) })
        : t("今天均重 {kg} kg，28 天里长不到有价的体重。", { kg: kg(detail.weightGrams) }),
    );
  if (first?.noPrice === "over")
    facts.push(t("今天均重 {kg} kg，已经超过最重的体重段，没有价。", { kg: kg(detail.weightGrams) }));
  if (detail.bands.every(({ bands }) => bands.length === 0)) facts.push(t("没有设体重段，轻重按一个价算。"));
  const margin = best?.marginFen ?? 0;
  const told = {
    lead,
    day: words.long(best?.day ?? today),
    than: words.long(base?.day ?? today),
    // The sum is set off, wherever the sentence has it.
    amount: "|",
  };
  const [before = "", after] = (
    Math.round(margin / 100) === 0
      ? lead
      : base?.day === today
        ? t(
            margin > 0 ? "{lead}，{day} 每头比今天卖约多 {amount}。" : "{lead}，{day} 每头比今天卖约少 {amount}。",
            told,
          )
        : t(
            margin > 0
              ? "{lead}，{day} 每头比 {than} 卖约多 {amount}。"
              : "{lead}，{day} 每头比 {than} 卖约少 {amount}。",
            told,
          )
  ).split(told.amount);
  return (
    <section className={`card ${styles.answer}`} aria-label={t("哪天卖合算")}>
      <h2>
        {before}
        {after !== undefined && <b>{t("{yuan} 元", { yuan: wholeYuan(margin) })}</b>}
        {after}
      </h2>
      {facts.length > 0 && <p>{facts.join(language === "zh" ? "" : " ")}</p>}
      <p className={styles.how}>
        {t("价按最近 {days} 天的走势平推。", { days: price.spanDays })}{" "}
        {price.bandFen === undefined
          ? t("过去一年相隔 14 天的价只有 {count} 对，不到 60 对，不知道价会差多少，所以没有色带。", {
              count: price.pairs,
            })
          : t("色带是过去一年 14 天里价格变动的八成，{count} 对，越往后越宽。", { count: price.pairs })}{" "}
        {unsureFrom !== undefined && <b>{t("{day} 以后的先后不可靠。", { day: words.long(unsureFrom) })}</b>}{" "}
        <a className="link" href="#assumed">
          {t("长势、料耗和出处")}
        </a>
      </p>
    </section>
  );
}

/** Each number that the answer is made of, with where it comes from. */
function Assumptions({ detail, input }: { detail: SellDaysDetail; input: SellDaysInput }) {
  const t = useTranslate();
  const words = useDayWords();
  const areaName = useAreaName();
  const { price, feed } = detail;
  const [first = 0, last = 0] = [detail.gains[0], detail.gains.at(-1)];
  const breed = priceBreeds.find(([one]) => one === price.breed)?.[1] ?? "";
  const usual = t("常见值，不是本场实测");
  const rows: readonly (readonly [name: string, source: string, value: string])[] = [
    [
      t("均重，今天"),
      detail.weightFrom === "archive"
        ? t("单元档案里的平均体重，没有称重日期")
        : t("档案没有体重，按 {age} 日龄的常见体重", { age: detail.ageDays ?? 0 }),
      `${kg(detail.weightGrams)} kg`,
    ],
    [
      t("日增重"),
      input.gainGrams !== undefined
        ? t("您填的，28 天一样")
        : detail.ageDays === undefined
          ? t("按这个体重的常见长势")
          : t("{age} 日龄的常见长势，按本单元体重放大或缩小", { age: detail.ageDays }),
      input.gainGrams !== undefined || first === last
        ? `${kg(input.gainGrams ?? first, 2)} kg`
        : `${kg(first, 2)} → ${kg(last, 2)} kg`,
    ],
    [
      t("料重比，现在到 120 kg"),
      usual,
      `${thousandths(feed.nowThousandths)} → ${thousandths(Math.max(feed.nowThousandths, feed.heavyThousandths))}`,
    ],
    [
      t("料价"),
      input.feed.fenPerKg === feed.fenPerKg ? usual : t("您填的料价"),
      t("{yuan} 元/kg", { yuan: yuan(input.feed.fenPerKg) }),
    ],
    [
      t("生猪价"),
      t("{area}{breed}，{day} 发布", {
        area: areaName(price.regionCode),
        breed: t(breed),
        day: words.short(price.day),
      }),
      t("{yuan} 元/kg", { yuan: yuan(price.fen) }),
    ],
    [
      t("价格走势"),
      t("最近 {days} 天的变动，接着平推", { days: price.spanDays }),
      t("{yuan} 元/kg", { yuan: signedYuan(price.changeFen) }),
    ],
    [
      t("其他，每头每天"),
      t("水电、人工、死淘，{usual}", { usual }),
      t("{yuan} 元", { yuan: yuan(detail.otherFenPerDay) }),
    ],
  ];
  return (
    <section className="card" id="assumed">
      <header>
        <h2>{t("按什么算的")}</h2>
      </header>
      <dl className={styles.assumed}>
        {rows.map(([name, source, value]) => (
          <div key={name}>
            <dt>
              {name}
              <small>{source}</small>
            </dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Slider(of: {
  name: string;
  min: number;
  max: number;
  step: number;
  value: number;
  text: string;
  /** Absent where nothing was moved. */
  onReset?: (() => void) | undefined;
  onMove: (value: number) => void;
}) {
  const t = useTranslate();
  const id = useId();
  return (
    <div className={styles.slider}>
      <label htmlFor={id}>{of.name}</label>
      <output htmlFor={id}>{of.text}</output>
      <input
        id={id}
        type="range"
        min={of.min}
        max={of.max}
        step={of.step}
        value={of.value}
        aria-valuetext={of.text}
        onChange={({ target }) => of.onMove(Number(target.value))}
      />
      {of.onReset && (
        <Button small kind="quiet" onPress={of.onReset}>
          {t("恢复")}
          <span className="visually-hidden">{of.name}</span>
        </Button>
      )}
    </div>
  );
}

/** What somebody assumes instead; each move is worked out here, without a call. */
function WhatIf({
  detail,
  input,
  choice,
  change,
}: {
  detail: SellDaysDetail;
  input: SellDaysInput;
  choice: SellChoice;
  change: Change;
}) {
  const t = useTranslate();
  const words = useDayWords();
  const { gainGrams, feedFenPerKg, shiftPercent } = choice;
  const { min, max } = sellRanges.gainGrams;
  const gain = gainGrams ?? Math.min(max, Math.max(min, detail.gains[0] ?? min));
  const turning = useMemo(() => turningFall(input), [input]);
  return (
    <section className="card" aria-labelledby="if-title">
      <header>
        <h2 id="if-title">{t("如果")}</h2>
      </header>
      <div className={styles.sliders}>
        <Slider
          name={t("生猪价")}
          {...sellRanges.shiftPercent}
          step={1}
          value={shiftPercent}
          text={`${shiftPercent > 0 ? "+" : shiftPercent < 0 ? "−" : ""}${Math.abs(shiftPercent)} %`}
          onMove={(value) => change({ shiftPercent: value })}
          onReset={shiftPercent === 0 ? undefined : () => change({ shiftPercent: 0 })}
        />
        <Slider
          name={t("日增重")}
          {...sellRanges.gainGrams}
          step={10}
          value={gain}
          text={gainGrams === undefined ? t("按长势") : `${kg(gainGrams, 2)} kg`}
          onMove={(value) => change({ gainGrams: value })}
          onReset={gainGrams === undefined ? undefined : () => change({ gainGrams: undefined })}
        />
        <Slider
          name={t("料价")}
          {...sellRanges.feedFenPerKg}
          step={5}
          value={feedFenPerKg ?? detail.feed.fenPerKg}
          text={t("{yuan} 元/kg", { yuan: yuan(feedFenPerKg ?? detail.feed.fenPerKg) })}
          onMove={(value) => change({ feedFenPerKg: value === detail.feed.fenPerKg ? undefined : value })}
          onReset={feedFenPerKg === undefined ? undefined : () => change({ feedFenPerKg: undefined })}
        />
      </div>
      <p className={styles.turning} aria-live="polite">
        {turning
          ? t("价再跌 {percent} % 以上，就该提前到 {day} 卖。", {
              percent: turning.percent,
              day: words.long(turning.day),
            })
          : t("价再跌 10 % 也不用提前卖。")}
      </p>
    </section>
  );
}

/** Days with their slots, and the way to a plan. */
function Days({ detail, outlook }: { detail: SellDaysDetail; outlook: SellDays }) {
  const t = useTranslate();
  const words = useDayWords();
  const { number } = useFormats();
  const { permissions } = useAccess();
  const [all, setAll] = useState(false);
  const { field, price, unit } = detail;
  const mayPlan = field !== undefined && permissions.has("sale_plan_edit");
  const [day, weight, band, cost, margin, slots] = [
    t("哪天"),
    t("均重 kg"),
    t("体重段"),
    t("价 元/kg"),
    t("每头多 元"),
    t("装车位"),
  ];
  const bandText = ({ band: of, noPrice }: SellDay): string => {
    if (noPrice) return t(noPriceNames[noPrice]);
    if (!of) return t("一个价");
    const range = t("{from}–{to} kg", { from: kg(of.fromGrams, 0), to: kg(of.toGrams, 0) });
    return of.adjustmentFen === 0 ? range : `${range} ${signedYuan(of.adjustmentFen)}`;
  };
  const slotText = (on: string): string => {
    const found = field?.days.find((one) => one.day === on);
    if (!found || found.capacity === 0) return t("不装车");
    return t("剩 {left} 车，共 {capacity}", {
      left: Math.max(0, found.capacity - found.taken),
      capacity: found.capacity,
    });
  };
  return (
    <section className="card">
      <header>
        <h2>{t("排到哪天")}</h2>
        <span className="mut">{t(field ? "装车位除去已排的计划" : "装车位只有集团自己的场区有")}</span>
      </header>
      <ScrollTable label={t("排到哪天")} className={styles.table} stacked>
        <thead>
          <tr>
            <th scope="col">{day}</th>
            <th scope="col" className="numeric">
              {weight}
            </th>
            <th scope="col">{band}</th>
            <th scope="col" className="numeric">
              {cost}
            </th>
            <th scope="col" className="numeric">
              {margin}
            </th>
            {field && <th scope="col">{slots}</th>}
            {mayPlan && <th scope="col">{t("操作")}</th>}
          </tr>
        </thead>
        <tbody>
          {(all ? outlook.days : keyDays(outlook)).map((one) => {
            const isBest = one.day === outlook.best?.day;
            return (
              <tr key={one.day} data-best={isBest || undefined} data-blocked={one.blocked || undefined}>
                <th scope="row" data-name={day}>
                  <span>
                    <span className="num">{words.short(one.day)}</span>
                    {isBest && <small>{t("最合算")}</small>}
                    {one.blocked && <small>{t("休药期，不能卖")}</small>}
                  </span>
                </th>
                <td className="numeric" data-name={weight}>
                  {kg(one.weightGrams)}
                </td>
                <td data-name={band}>{bandText(one)}</td>
                <td className="numeric" data-name={cost}>
                  {yuan(one.fenPerKg)}
                </td>
                <td className="numeric" data-name={margin}>
                  {one.marginFen === undefined ? (
                    "—"
                  ) : (
                    <span>
                      <b>{number(one.marginFen / 100)}</b>
                      {one.lowFen !== undefined && one.highFen !== undefined && one.lowFen !== one.highFen && (
                        <small>
                          {t("{low} 到 {high}", { low: number(one.lowFen / 100), high: number(one.highFen / 100) })}
                        </small>
                      )}
                    </span>
                  )}
                </td>
                {field && <td data-name={slots}>{slotText(one.day)}</td>}
                {mayPlan && (
                  <td>
                    {!one.blocked && one.noPrice === undefined && (
                      <Link
                        className={`btn small ${isBest ? "primary" : ""}`}
                        to={plannedPath({ field: field.id, unit: unit.id, day: one.day, category: price.breed })}
                      >
                        {t("排计划")}
                        <span className="visually-hidden">{words.long(one.day)}</span>
                      </Link>
                    )}
                  </td>
                )}
              </tr>
            );
          })}
        </tbody>
      </ScrollTable>
      <p className={styles.more}>
        <Button small onPress={() => setAll(!all)}>
          {t(all ? "只看要紧的几天" : "看每一天")}
        </Button>
      </p>
    </section>
  );
}

function Outlook({ detail, choice, change }: { detail: SellDaysDetail; choice: SellChoice; change: Change }) {
  const t = useTranslate();
  const words = useDayWords();
  const { shiftPercent, gainGrams, feedFenPerKg, measure } = choice;
  const input = useMemo(
    () => inputOf(detail, { shiftPercent, gainGrams, feedFenPerKg }),
    [detail, shiftPercent, gainGrams, feedFenPerKg],
  );
  const outlook = useMemo(() => sellDays(input), [input]);
  return (
    <>
      <Answer detail={detail} outlook={outlook} />
      <div className={styles.parts}>
        <div>
          <section className="card" aria-labelledby="curve-title">
            <header className={styles.head}>
              <h2 id="curve-title">{t(measureLabels[measure])}</h2>
              <fieldset className={`seg ${styles.measures}`}>
                <legend className="visually-hidden">{t("曲线看什么")}</legend>
                {measures.map((one) => (
                  <button
                    key={one}
                    type="button"
                    aria-pressed={one === measure}
                    onClick={() => change({ measure: one })}
                  >
                    {t(measureNames[one])}
                  </button>
                ))}
              </fieldset>
            </header>
            <Suspense fallback={<div className={styles.curve} />}>
              <SellCurve
                outlook={outlook}
                measure={measure}
                label={t(measureLabels[measure])}
                withdrawalUntil={detail.withdrawal?.until}
                dayText={words.short}
              />
            </Suspense>
          </section>
          <Days detail={detail} outlook={outlook} />
        </div>
        <div>
          <Assumptions detail={detail} input={input} />
          <WhatIf detail={detail} input={input} choice={choice} change={change} />
        </div>
      </div>
    </>
  );
}

/** Units that are offered to begin with. */
const mostOffered = 6;

/** Units with the heaviest pigs, which are sold next, each with its best days; nothing where no unit has a weight. */
function Heaviest({ breed, onChoose }: { breed: SellChoice["breed"]; onChoose: (unit: string) => void }) {
  const t = useTranslate();
  const nameOf = useNames();
  const { number } = useFormats();
  const language = useLanguage();
  const { value: tree = [] } = useLoad("farm tree", (signal) => call(farmTree, { signal, quiet: true }));
  const units = tree
    .flatMap((farm) => farm.houses.flatMap((house) => house.units.map((unit) => ({ farm, house, unit }))))
    // The age is that of a batch for sale; breeding stock has none.
    .filter(({ unit }) => unit.headCount > 0 && unit.ageDays !== undefined && unit.averageWeightGrams !== undefined)
    .sort((a, b) => (b.unit.averageWeightGrams ?? 0) - (a.unit.averageWeightGrams ?? 0))
    .slice(0, mostOffered);
  const leadOf = useLead();
  const ids = units.map(({ unit }) => unit.id);
  const { value: leads } = useLoad(
    ids.length === 0 ? undefined : `sell days of ${ids.join()} ${breed}`,
    async (signal) => {
      const details = await Promise.all(
        ids.map((unitId) =>
          call(sellDaysDetail, { query: { unitId, breed }, signal, quiet: true }).catch(() => undefined),
        ),
      );
      return new Map(details.map((detail, at) => [ids[at], detail]));
    },
  );
  /** The best days of a unit, and what waiting for them brings. */
  const lead = (id: string): string[] => {
    const detail = leads?.get(id);
    if (detail === undefined) return ["　", "　"];
    const outlook = sellDays(inputOf(detail, { shiftPercent: 0 }));
    const { days, base, best } = outlook;
    const isMore = base?.day === detail.today && (best?.marginFen ?? 0) >= fenPerYuan;
    return [
      leadOf(outlook, detail.today),
      [
        isMore &&
          t("等到那天每头约多 {yuan} 元", { yuan: wholeYuan(best?.marginFen ?? 0) }).replace(
            / (?=\d)|(?<=\d) (?=元)/gu,
            "\u00a0",
          ),
        best && best.day === days.at(-1)?.day && t("28 天以后可能更合算"),
      ]
        .filter((part) => typeof part === "string")
        .join(language === "zh" ? "；" : "; "),
    ];
  };
  return (
    <Offers
      label={t("最重的单元")}
      offers={units.map(({ farm, house, unit }) => ({
        id: unit.id,
        title: `${nameOf(house.name)} ${nameOf(unit.name)}`,
        place: nameOf(farm.name),
        note: (
          <>
            {t("均重 {kg} kg", { kg: kg(unit.averageWeightGrams ?? 0) })} ·{" "}
            {t("{count} 头", { count: number(unit.headCount) }).replaceAll(" ", "\u00a0")}
            {lead(unit.id).map((line, at) => (
              <span key={at === 0 ? "days" : "more"} className={styles.lead}>
                {line}
              </span>
            ))}
          </>
        ),
      }))}
      onChoose={onChoose}
    />
  );
}

/** What is known of the unit, and the answer; or why there is none, in a sentence. */
function Unit({ choice, change, children }: { choice: SellChoice; change: Change; children: ReactNode }) {
  const t = useTranslate();
  const nameOf = useNames();
  const { number } = useFormats();
  const { unit, breed } = choice;
  const { value, error, reload } = useLoad(unit === "" ? undefined : `sell days ${unit} ${breed}`, (signal) =>
    call(sellDaysDetail, { query: { unitId: unit, breed }, signal, quiet: true }),
  );
  const title = value
    ? t("{unit}，哪天卖合算", { unit: `${nameOf(value.unit.houseName)} ${nameOf(value.unit.name)}` })
    : t("哪天卖合算");
  return (
    <>
      <div className="page-head">
        <div>
          <h1>{title}</h1>
          {value && (
            <p className={styles.meta}>
              <span>{nameOf(value.unit.farmName)}</span>
              <span>{t("{count} 头", { count: number(value.unit.heads) })}</span>
              {value.ageDays !== undefined && <span>{t("{count} 日龄", { count: value.ageDays })}</span>}
              <span>{t("均重 {kg} kg", { kg: kg(value.weightGrams) })}</span>
            </p>
          )}
        </div>
      </div>
      {children}
      {unit === "" ? (
        <section className="card">
          <ExceptionView
            type="noSearchData"
            title={t("先选一个单元")}
            text={t("按它的体重、长势、料耗和当地猪价，算后面 28 天哪天卖每头最划算。")}
            details={<Heaviest breed={breed} onChoose={(chosen) => change({ unit: chosen, gainGrams: undefined })} />}
          />
        </section>
      ) : value ? (
        <Outlook detail={value} choice={choice} change={change} />
      ) : error?.code === 400 ? (
        <section className="card">
          <ExceptionView type="empty" title={t("这个单元现在算不出来")} text={tellIn(t, error)} />
        </section>
      ) : error ? (
        <LoadingProblem error={error} onRetry={reload} what={t("哪天卖合算")} />
      ) : (
        <TableSkeleton rows={8} />
      )}
    </>
  );
}

/** Best days to sell the pigs of a unit: the answer, its curve, what it assumes, and the days to plan. */
export default function SellDaysPage() {
  const t = useTranslate();
  const [search, write] = useAddress();
  const choice = readChoice(search);
  const change: Change = (to) => {
    const next = { ...choice, ...to };
    write(
      (now) =>
        withValues(now, {
          unit: next.unit,
          breed: next.breed === "outer" ? "" : next.breed,
          show: next.measure === "margin" ? "" : next.measure,
          [moved.shiftPercent]: next.shiftPercent === 0 ? "" : String(next.shiftPercent),
          [moved.gainGrams]: next.gainGrams === undefined ? "" : String(next.gainGrams),
          [moved.feedFenPerKg]: next.feedFenPerKg === undefined ? "" : String(next.feedFenPerKg),
        }),
      { replace: true, preventScrollReset: true },
    );
  };
  return (
    <div className={styles.page}>
      <Crumbs />
      <Unit key={`${choice.unit} ${choice.breed}`} choice={choice} change={change}>
        <section className={`card ${styles.controls}`} aria-label={t("算哪个单元")}>
          <div>
            <span aria-hidden="true">{t("单元")}</span>
            <PlaceChoice kind="unit" value={choice.unit} onChoose={(unit) => change({ unit, gainGrams: undefined })} />
          </div>
          <div>
            <span aria-hidden="true">{t("品种")}</span>
            <Select<PriceBreed>
              aria-label={t("品种")}
              value={choice.breed}
              options={priceBreeds}
              onChange={(breed) => change({ breed })}
            />
          </div>
        </section>
      </Unit>
    </div>
  );
}
