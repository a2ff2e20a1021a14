import { type FanTableRow, gearHysteresisC, gearTable, variableFanCount } from "@herdwise/device-kinds";
import { useState } from "react";
import { ScrollTable } from "../../shared/kit/scroll-table.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { ExceptionView } from "../../shared/states/exception-view.tsx";

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
        <span className="spacer" />
        <button type="button" className="link plain" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? t("只看附近") : t("全部 {count} 档", { count: table.length })}
        </button>
      </header>
      <ScrollTable label={t("档位表")} className="gears">
        <thead>
          <tr>
            <th scope="col">{t("档")}</th>
            <th scope="col" className="numeric">
              {t("升档 ≥ ℃")}
            </th>
            <th scope="col">{t("风机")}</th>
            <th scope="col" className="numeric">
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
              <th scope="row">{row.gear === gear ? <span className="gear-number">{row.gear}</span> : row.gear}</th>
              <td className="numeric">{number(row.t_up, 1)}</td>
              <td>
                {words(row)}
                {row.gear === gear && <span className="tag ok">{t("当前")}</span>}
              </td>
              <td className="numeric">{number(row.damper)}</td>
              <td>{row.pad ? t("湿帘，喷 {on}/{off} s", { on: row.spray_on_s, off: row.spray_off_s }) : t("停")}</td>
            </tr>
          ))}
        </tbody>
      </ScrollTable>
    </section>
  );
}
