import { type CoughAdvice, type CoughStep, coughLimits, type DeviceAnalytics } from "@herdwise/contract";
import { loadKind } from "@herdwise/device-kinds/kind-loader";
import { Link } from "react-router";
import { useLoad } from "../../shared/api/use-load.ts";
import { numbersTied } from "../../shared/language/tied-numbers.ts";
import { useJoin } from "../../shared/language/use-join.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { usePartName } from "../kind/analytics-card.tsx";
import { kindPath, useKind, useLocalText } from "../kind/kind-view.ts";
import { StateMark } from "../kind/state-mark.tsx";
import { lookOf } from "./advice-states.ts";
import styles from "./butler.module.css";
import { type Advised, advisedOf, alikeOf, isOpen, placeOf } from "./butler-order.ts";
import { DayBars } from "./day-bars.tsx";
import { useHeadline } from "./use-headline.ts";

const treatmentPath = "/selfCenter/vet/treatment";

/** What to do, in words, with the page on which it is done. */
function useStepTexts(): (step: CoughStep, advised: Advised) => { text: string; to: string; link: string } {
  const t = useTranslate();
  const zoneName = useZoneName();
  return (step, { advice, device }) => {
    const air = advice.unitId === "" ? "" : kindPath("environment", "unit", advice.unitId);
    const days = advice.treatment?.daysAgo ?? 0;
    const zone = advice.zone && advice.zone.share >= coughLimits.zoneShare ? zoneName(advice.zone.zone) : "";
    const none = { to: "", link: "" };
    const vet = { to: treatmentPath, link: t("记诊疗") };
    const controller = air === "" ? none : { to: air, link: t("看环控") };
    switch (step) {
      case "check-microphone":
        return {
          text: t("检查拾音和供电：24 小时里听到的不足 16 小时"),
          to: kindPath("cough", "device", device.deviceId),
          link: t("看设备"),
        };
      case "call-vet":
        return { text: t("叫兽医来看，还没有用药记录"), ...vet };
      case "stop-moves":
        return { text: t("停止转群，人从健康单元走向发病单元"), ...none };
      case "look-at-pens":
        return { text: zone === "" ? t("进舍听，看是哪几栏在咳") : t("进舍听，先看 {zone}", { zone }), ...none };
      case "measure-temperature":
        return { text: t("量咳嗽的猪的体温，到 {limit} ℃ 就采样送检", { limit: coughLimits.fever }), ...vet };
      case "lower-ammonia":
        return { text: t("降氨气：提高最小通风，查粪沟液位"), ...controller };
      case "even-temperature":
        return { text: t("稳住温度：查夜里的进风口和加热"), ...controller };
      case "review-treatment":
        return { text: t("用药第 {days} 天还没有见效，和兽医重新定方案", { days }), ...vet };
      case "wait-for-treatment":
        return {
          text: t("用药第 {days} 天，满 {limit} 天再看效果", { days, limit: coughLimits.treatmentDays }),
          ...none,
        };
      case "keep-treatment":
        return { text: t("用药见效，按疗程用完，出栏前守休药期"), ...none };
      case "look-again":
        return { text: t("明早再看一次：还在升就按今天处理"), ...none };
    }
  };
}

/** A zone as the kind calls it. */
function useZoneName(): (zone: string) => string {
  const { kind } = useKind();
  const nameOf = usePartName();
  const analytic = kind.analytics.find(({ id }) => id === "zone_map");
  return (zone) => (analytic ? nameOf(analytic, zone) : zone);
}

/** Why: what changed, where, the air, and what was given. */
function useReasons(
  ammoniaLimit: number | undefined,
): (advice: CoughAdvice) => { name: string; text: string; isMark: boolean }[] {
  const t = useTranslate();
  const { number } = useFormats();
  const nameOf = useNames();
  const join = useJoin("clauses");
  const zoneName = useZoneName();
  return ({ state, index, baseline, trend, zone, swing, ammonia, treatment }) => {
    const trends = { rising: t("近 3 天在升"), steady: t("近 3 天平稳"), falling: t("近 3 天在降") };
    const usual = (value: number | undefined, decimals: number) =>
      value === undefined ? [] : [t("平常 {value}", { value: number(value, decimals) })];
    return [
      {
        name: t("变化"),
        text:
          index === undefined
            ? "--"
            : join([
                t("24 小时数到每头 {value} 次", { value: number(index, 2) }),
                ...usual(baseline, 2),
                ...(trend ? [trends[trend]] : []),
              ]),
        isMark: state === "act" || state === "act-now" || trend === "rising",
      },
      ...(zone
        ? [
            {
              name: t("哪里"),
              text: t("{zone} 占 {share} %", { zone: zoneName(zone.zone), share: number(zone.share, 0) }),
              isMark: zone.share >= coughLimits.zoneShare,
            },
          ]
        : []),
      {
        name: t("温度"),
        text: swing
          ? join([t("24 小时里差 {range} ℃", { range: number(swing.range, 1) }), ...usual(swing.before, 1)])
          : t("没有环控的数据"),
        isMark: swing !== undefined && swing.range > coughLimits.swing,
      },
      {
        name: t("氨气"),
        text: ammonia
          ? join([
              t("平均 {mean} ppm", { mean: number(ammonia.mean, 1) }),
              ...(ammonia.hoursAbove > 0
                ? [t("{hours} 小时过了 {limit}", { hours: ammonia.hoursAbove, limit: ammoniaLimit ?? "--" })]
                : []),
              ...usual(ammonia.before, 1),
            ])
          : t("没有氨气的数据"),
        isMark: (ammonia?.hoursAbove ?? 0) > 0,
      },
      {
        name: t("用药"),
        text: treatment
          ? join([
              [treatment.day, treatment.medicine && nameOf(treatment.medicine)].filter(Boolean).join(" "),
              t("第 {days} 天", { days: treatment.daysAgo }),
              ...(treatment.change === undefined
                ? []
                : [
                    treatment.change <= 0
                      ? t("现在比用药前少咳 {percent} %", { percent: number(-treatment.change, 0) })
                      : t("现在比用药前多咳 {percent} %", { percent: number(treatment.change, 0) }),
                  ]),
            ])
          : t("近 14 天没有用药记录"),
        isMark: (treatment?.change ?? 0) > 0,
      },
    ];
  };
}

/** The place of a monitor by its names, in the chosen language. */
function usePlaceName(): (advised: Advised) => string {
  const nameOf = useNames();
  return ({ advice, device }) => numbersTied(advice.place === "" ? nameOf(device.deviceName) : placeOf(advice, nameOf));
}

/** One unit: its state, what to do, and why. */
function AdvisedUnit({ advised, ammoniaLimit }: { advised: Advised; ammoniaLimit: number | undefined }) {
  const t = useTranslate();
  const { advice, device } = advised;
  const stepOf = useStepTexts();
  const headline = useHeadline(ammoniaLimit);
  const reasons = useReasons(ammoniaLimit)(advice);
  const { state, name } = lookOf(advice);
  const place = usePlaceName()(advised);
  return (
    <section className={`card ${styles.unit}`} data-state={advice.state} aria-label={place}>
      <div>
        <p className={styles.place}>
          <StateMark state={state} tag>
            {t(name)}
          </StateMark>
          <Link to={kindPath("cough", "device", device.deviceId)}>{place}</Link>
        </p>
        <h3>{headline(advice)}</h3>
        <dl>
          {reasons.map(({ name: what, text, isMark }) => (
            <div key={what} data-mark={isMark || undefined}>
              <dt>{what}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </div>
      <div>
        <h4>{t("接下来做什么")}</h4>
        {advice.steps.length === 0 ? (
          <p className="mut">{t("今天不用做什么。")}</p>
        ) : (
          <ol>
            {advice.steps.map((step) => {
              const { text, to, link } = stepOf(step, advised);
              return (
                <li key={step}>
                  <span>{text}</span>
                  {to !== "" && (
                    <Link className="btn small" to={to}>
                      {link}
                    </Link>
                  )}
                </li>
              );
            })}
          </ol>
        )}
        <DayBars advice={advice} />
      </div>
    </section>
  );
}

/** Units to watch for the same reason, with the same steps, in one card. */
function Alike({ units, ammoniaLimit }: { units: readonly [Advised, ...Advised[]]; ammoniaLimit: number | undefined }) {
  const t = useTranslate();
  const { number } = useFormats();
  const placeOf = usePlaceName();
  const stepOf = useStepTexts();
  const headline = useHeadline(ammoniaLimit);
  const [first] = units;
  const { state, name } = lookOf(first.advice);
  return (
    <section className={`card ${styles.alike}`} aria-label={t(name)}>
      <p className={styles.place}>
        <StateMark state={state} tag>
          {t(name)}
        </StateMark>
        {t("{count} 个单元", { count: units.length })}
      </p>
      <ul>
        {units.map((advised) => (
          <li key={advised.device.deviceId}>
            <Link to={kindPath("cough", "device", advised.device.deviceId)}>{placeOf(advised)}</Link>
            <span>{headline(advised.advice)}</span>
            <span className="mut num">
              {advised.advice.index !== undefined && t("每头 {value} 次", { value: number(advised.advice.index, 2) })}
              {advised.advice.baseline !== undefined &&
                ` · ${t("平常 {value}", { value: number(advised.advice.baseline, 2) })}`}
            </span>
          </li>
        ))}
      </ul>
      <ol>
        {first.advice.steps.map((step) => (
          <li key={step}>{stepOf(step, first).text}</li>
        ))}
      </ol>
    </section>
  );
}

/** Monitors that heard too little: all of them ask for the same step, so they stand in one card. */
function Unheard({ units }: { units: readonly Advised[] }) {
  const t = useTranslate();
  const placeOf = usePlaceName();
  return (
    <section className={`card ${styles.unheard}`} aria-labelledby="unheard-title">
      <h3 id="unheard-title">
        <StateMark state="offline">
          {t("{count} 个单元近 24 小时听到的不足 16 小时", { count: units.length })}
        </StateMark>
      </h3>
      <p className="mut">{t("说不了咳嗽多不多：检查拾音和供电。")}</p>
      <ul>
        {units.map((advised) => (
          <li key={advised.device.deviceId}>
            <Link to={kindPath("cough", "device", advised.device.deviceId)}>{placeOf(advised)}</Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Limits that the advice is given by, each with its source. */
function Sources() {
  const t = useTranslate();
  const local = useLocalText();
  const { kind } = useKind();
  const { value: environment } = useLoad("kind environment", () => loadKind.environment());
  const rules = [
    ...kind.alarmRules.filter(({ id }) => ["index_above_baseline", "index_doubled", "index_fourfold"].includes(id)),
    ...(environment?.alarmRules ?? []).filter(({ id }) => id === "ammonia_high"),
  ];
  const own = t("平台默认值，没有外部来源");
  const limits: [string, string][] = [
    [t("近 3 天均值到前 4 天的 {times} 倍算在升", { times: coughLimits.rising }), own],
    [t("24 小时温差过 {swing} ℃", { swing: coughLimits.swing }), own],
    [t("一个区占 {share} % 的咳嗽", { share: coughLimits.zoneShare }), own],
    [
      t("用药满 {days} 天，咳嗽少 {percent} % 算见效", {
        days: coughLimits.treatmentDays,
        percent: coughLimits.treatmentFall,
      }),
      own,
    ],
    [t("体温到 {limit} ℃ 送检", { limit: coughLimits.fever }), t("参考值：默克兽医手册，猪的直肠温度 38.7–39.8 ℃")],
  ];
  return (
    <details className={styles.sources}>
      <summary>{t("阈值和来源")}</summary>
      <dl>
        {rules.map(({ id, name, sourceNote }) => (
          <div key={id}>
            <dt>{local(name)}</dt>
            <dd>{local(sourceNote)}</dd>
          </div>
        ))}
        {limits.map(([name, source]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{source}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** What to do today about coughing and where, the worst unit first, and why. */
export function CoughButler({ devices }: { devices: readonly DeviceAnalytics[] }) {
  const t = useTranslate();
  const placeOf = usePlaceName();
  const { kind } = useKind();
  const { value: environment, error } = useLoad("kind environment", () => loadKind.environment());
  const condition = environment?.alarmRules.find(({ id }) => id === "ammonia_high")?.condition;
  const ammoniaLimit =
    condition?.type === "compare" && condition.limit.from === "constant" ? Number(condition.limit.value) : undefined;
  const headline = useHeadline(ammoniaLimit);
  const all = advisedOf(devices);
  const [worst] = all;
  // The limits are named in what it says first.
  if (!worst || (!environment && !error)) return null;
  const acting = all.filter(({ advice }) => advice.state === "act" || advice.state === "act-now");
  const unheard = all.filter(({ advice }) => advice.state === "unknown");
  const open = all.filter(isOpen);
  const calm = all.filter(({ advice }) => advice.state === "calm");
  const learning = calm.filter(({ advice }) => lookOf(advice).state === "empty").length;
  const watched = open.length - acting.length;
  return (
    <section className={styles.butler} aria-labelledby="butler-title" data-kind={kind.kind}>
      <div className={`card ${styles.head}`}>
        <h2 id="butler-title">
          {acting.length > 0
            ? t("今天先去 {place}：{why}", { place: placeOf(worst), why: headline(worst.advice) })
            : worst.advice.state === "watch"
              ? t("今天没有单元要处理，先看 {place}：{why}", { place: placeOf(worst), why: headline(worst.advice) })
              : t("今天没有单元要处理咳嗽")}
        </h2>
        <p className="mut">
          {t("{acting} 个单元要处理，{watched} 个要盯着，{unheard} 个听不到，{calm} 个正常", {
            acting: acting.length,
            watched,
            unheard: unheard.length,
            calm: calm.length - learning,
          })}
          {learning > 0 && ` · ${t("{count} 个还在学", { count: learning })}`}
          {devices.length > all.length && ` · ${t("{count} 个空栏或冲洗", { count: devices.length - all.length })}`}
        </p>
      </div>
      {alikeOf(open).map((units) =>
        units.length === 1 ? (
          <AdvisedUnit key={units[0].device.deviceId} advised={units[0]} ammoniaLimit={ammoniaLimit} />
        ) : (
          <Alike key={units[0].device.deviceId} units={units} ammoniaLimit={ammoniaLimit} />
        ),
      )}
      {unheard.length > 0 && <Unheard units={unheard} />}
      {calm.length > 0 && (
        <details className="card">
          <summary>
            {learning === calm.length
              ? t("还在学的 {count} 个单元", { count: learning })
              : learning > 0
                ? t("正常的 {count} 个单元，还在学的 {learning} 个", { count: calm.length - learning, learning })
                : t("正常的 {count} 个单元", { count: calm.length })}
          </summary>
          <div className={styles.calm}>
            {calm.map((advised) => (
              <AdvisedUnit key={advised.device.deviceId} advised={advised} ammoniaLimit={ammoniaLimit} />
            ))}
          </div>
        </details>
      )}
      <div className="card">
        <Sources />
      </div>
    </section>
  );
}
