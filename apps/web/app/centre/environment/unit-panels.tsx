import type { DeviceDetail } from "@herdwise/contract";
import {
  type Assessment,
  environment,
  type FanTableRow,
  gearHysteresisC,
  gearTable,
  variableFanCount,
} from "@herdwise/device-kinds";
import { useState } from "react";
import { Link } from "react-router";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { problemName } from "./judge.ts";
import { StateMark } from "./state-mark.tsx";
import { useLocalText } from "./words.ts";

/** What is not good right now, worst first. It is the health of the newest values, not a history of alarms. */
export function HealthList({
  problems,
  masked,
  offline,
}: {
  problems: readonly Assessment[];
  masked: boolean;
  offline: boolean;
}) {
  const t = useTranslate();
  const { number } = useFormats();
  const local = useLocalText();
  const channel = (key: string) =>
    environment.channels.find((candidate) => candidate.key === key) ??
    environment.derived.find((candidate) => candidate.key === key);
  return (
    <section className="card" aria-labelledby="health-title">
      <header>
        <h2 id="health-title">{t("需要关注")}</h2>
        {problems[0] && problems[0].state !== "unknown" && (
          <StateMark state={problems[0].state} tag>
            {t("{count} 项", { count: problems.length })}
          </StateMark>
        )}
      </header>
      {problems.length === 0 ? (
        <p className="calm">
          {offline ? (
            <StateMark state="offline">{t("控制器离线，无法判断")}</StateMark>
          ) : masked ? (
            <StateMark state="ok">{t("空栏或冲洗中，除断电与硫化氢外均不判断")}</StateMark>
          ) : (
            <StateMark state="ok">{t("各项数值都在限内")}</StateMark>
          )}
        </p>
      ) : (
        <ul className="al">
          {problems.map((problem) => {
            const about = channel(problem.key);
            return (
              <li key={problem.key}>
                {problem.state !== "unknown" && <StateMark state={problem.state} tag />}
                <div>
                  <b>{local(problemName(problem))}</b>
                  <span className="mut">
                    {local(problem.reason)}
                    {typeof problem.value === "number" &&
                      about &&
                      `　${t("现在 {value}", { value: `${number(problem.value, about.decimals)} ${about.unit}`.trim() })}`}
                  </span>
                </div>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}

const around = 3;

function useFanWords(): (row: FanTableRow) => string {
  const t = useTranslate();
  return (row) => {
    if (row.cycle_on_s > 0) return t("F1 循环 {on}/{off} s", { on: row.cycle_on_s, off: row.cycle_off_s });
    if (row.fans <= variableFanCount) return t("F1 F2 变频 {percent} %", { percent: row.vfd });
    return t("F1 – F{last} 运行", { last: row.fans });
  };
}

/** The default gear table for the target, with the gear that runs. */
export function GearTable({ target, gear }: { target: number | undefined; gear: number | undefined }) {
  const t = useTranslate();
  const { number } = useFormats();
  const words = useFanWords();
  const [all, setAll] = useState(false);
  if (target === undefined) {
    return (
      <section className="card">
        <ExceptionView type="empty" text={t("没有目标温度，无法列出档位。")} />
      </section>
    );
  }
  const table = gearTable(target);
  const current = gear ?? 1;
  const first = Math.min(Math.max(1, current - around + 1), table.length - 2 * around + 1);
  const shown = all ? table : table.filter((row) => row.gear >= first && row.gear < first + 2 * around);
  return (
    <section className="card" aria-labelledby="gear-title">
      <header>
        <h2 id="gear-title">{t("温度与档位")}</h2>
        <span className="age">
          {t("默认表，目标 {target} ℃，回差 {hysteresis} ℃", {
            target: number(target, 1),
            hysteresis: number(gearHysteresisC, 1),
          })}
        </span>
        <span className="sp" />
        <button type="button" className="link plain" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? t("只看附近") : t("全部 {count} 档", { count: table.length })}
        </button>
      </header>
      <section
        className="tbl-wrap"
        aria-label={t("档位表")}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
        tabIndex={0}
      >
        <table className="tbl gears">
          <thead>
            <tr>
              <th scope="col">{t("档")}</th>
              <th scope="col" className="n">
                {t("升档 ≥ ℃")}
              </th>
              <th scope="col">{t("风机")}</th>
              <th scope="col" className="n">
                {t("风门 %")}
              </th>
              <th scope="col">{t("喷淋与湿帘")}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr
                key={row.gear}
                className={row.gear === gear ? "cur" : ""}
                aria-current={row.gear === gear ? "true" : undefined}
              >
                <th scope="row">{row.gear === gear ? <span className="gn">{row.gear}</span> : row.gear}</th>
                <td className="n">{number(row.t_up, 1)}</td>
                <td>
                  {words(row)}
                  {row.gear === gear && <span className="tag ok">{t("当前")}</span>}
                </td>
                <td className="n">{number(row.damper)}</td>
                <td>{row.pad ? t("湿帘，喷 {on}/{off} s", { on: row.spray_on_s, off: row.spray_off_s }) : t("停")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}

/** The device behind the values. */
export function ControllerFacts({ device }: { device: DeviceDetail }) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const facts = [
    { name: t("名称"), value: <Translated text={device.name} /> },
    { name: t("序列号"), value: device.serialNumber },
    { name: t("固件"), value: device.firmwareVersion || "--" },
    { name: t("连接"), value: device.connected ? t("已连接") : t("未连接") },
    { name: t("最近上报"), value: dayTime(parseWireDateTime(device.reportAt)) },
  ];
  return (
    <section className="card" aria-labelledby="controller-title">
      <header>
        <h2 id="controller-title">{t("控制器")}</h2>
        <span className="sp" />
        <Link className="link" to={`/selfCenter/equipmentManage/allDevices?device=${device.id}`}>
          {t("设备详情")}
        </Link>
      </header>
      <dl className="facts">
        {facts.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="num">{value}</dd>
          </div>
        ))}
      </dl>
      {device.dropped.length > 0 && (
        <p className="facts-note">
          {t("有 {count} 条消息因内容不合格未保存，详见设备详情。", {
            count: device.dropped.reduce((sum, { count }) => sum + count, 0),
          })}
        </p>
      )}
    </section>
  );
}
