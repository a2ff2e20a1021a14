import type { PlaceCounts } from "@herdwise/contract";
import { useState } from "react";
import { Icon } from "../../shared/icons/icon.tsx";
import { Mark } from "../../shared/icons/mark.tsx";
import { severityMarks } from "../../shared/icons/severity-marks.ts";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { severityOrder } from "../alarms/alarm-marks.ts";
import { Cell, saidOf } from "./overview-summary.tsx";
import styles from "./place-figures.module.css";
import { byWorstFigures, type FiguredPlace, stateOfCounts, sumOf } from "./place-figures.ts";
import { StateMark } from "./state-mark.tsx";

/** Rows at a time. */
const rowsAtATime = 100;

/** The figures of all chosen places together. */
export function FiguresSummary({ places }: { places: readonly FiguredPlace[] }) {
  const t = useTranslate();
  const { number } = useFormats();
  const { units, headCount, devices, online, fault, offline, silent, bare, alarms } = sumOf(places);
  const open = severityOrder.reduce((sum, severity) => sum + alarms[severity], 0);
  return (
    <section className="card sum" aria-label={t("汇总")}>
      <Cell
        name={t("单元")}
        value={number(units)}
        unit={t("个单元")}
        note={saidOf([
          [1, t("{count} 栋", { count: places.filter(({ house }) => house).length })],
          [bare, t("{count} 未绑定", { count: bare })],
        ])}
      />
      <Cell name={t("在养")} value={number(headCount)} unit={t("头")} note="" />
      <Cell
        name={t("在线设备")}
        value={number(online + fault)}
        unit={`/ ${number(devices)}`}
        note={saidOf([[silent, t("{count} 尚无上报", { count: silent })]])}
      />
      <Cell name={t("离线")} value={number(offline)} unit={t("台设备")} note="" />
      <Cell name={t("故障")} value={number(fault)} unit={t("台设备")} note="" />
      <Cell
        name={t("未结告警")}
        value={number(open)}
        unit=""
        note={alarms.CRITICAL > 0 ? t("{count} 紧急", { count: alarms.CRITICAL }) : ""}
      />
    </section>
  );
}

/** Open alarms by severity, the worst first, as marks with numbers. */
function AlarmMarks({ alarms }: Pick<PlaceCounts, "alarms">) {
  const { number } = useFormats();
  const open = severityOrder.filter((severity) => alarms[severity] > 0);
  if (open.length === 0) return <span className="mut">--</span>;
  return (
    <span className={styles.marks}>
      {open.map((severity) => (
        <span key={severity} className={`state ${severityMarks[severity]}`}>
          <Mark name={severityMarks[severity]} />
          <span className="num">{number(alarms[severity])}</span>
        </span>
      ))}
    </span>
  );
}

interface FiguresListProps {
  places: readonly FiguredPlace[];
  onChoose: (place: string) => void;
}

/** Houses in figures, the worst first: the units of the one that is chosen are shown with their values. */
export function FiguresList({ places, onChoose }: FiguresListProps) {
  const t = useTranslate();
  const nameOf = useNames();
  const { number } = useFormats();
  const [word, setWord] = useState("");
  const [shown, setShown] = useState(rowsAtATime);
  const wanted = word.toLowerCase();
  const found = places
    .filter(({ farm, house }) =>
      [farm.name, nameOf(farm.name), house?.name ?? "", nameOf(house?.name ?? "")].some((name) =>
        name.toLowerCase().includes(wanted),
      ),
    )
    .toSorted(byWorstFigures);
  const rows = found.slice(0, shown);
  const name = ({ house }: FiguredPlace) => (house ? <Translated text={house.name} /> : t("整场设备"));
  return (
    <>
      <p className={styles.note}>{t("单元太多，先按猪舍汇总；选一栋看每个单元的实时数值。")}</p>
      <search className="filters">
        <div className={`search ${styles.find}`}>
          <Icon name="search" small />
          <input
            className="input"
            type="search"
            aria-label={t("查找猪舍")}
            placeholder={t("场区、舍")}
            value={word}
            onChange={(event) => {
              setWord(event.target.value);
              setShown(rowsAtATime);
            }}
          />
        </div>
      </search>
      {rows.length === 0 ? (
        <ExceptionView type="empty" title={t("没有符合条件的猪舍")} text={t("放宽条件再看，或清除全部条件。")} />
      ) : (
        <>
          <div className="tbl-wrap wide-only">
            <table className={`tbl ${styles.table}`}>
              <thead>
                <tr>
                  <th scope="col">{t("猪舍")}</th>
                  <th scope="col">{t("状态")}</th>
                  <th scope="col">{t("未结告警")}</th>
                  <th scope="col" className="numeric">
                    {t("单元")}
                  </th>
                  <th scope="col" className="numeric">
                    {t("头数")}
                  </th>
                  <th scope="col" className="numeric">
                    {t("在线设备")}
                  </th>
                  <th scope="col" className="numeric">
                    {t("离线")}
                  </th>
                  <th scope="col" className="numeric">
                    {t("尚无上报")}
                  </th>
                  <th scope="col" className="numeric">
                    {t("故障")}
                  </th>
                </tr>
              </thead>
              <tbody>
                {rows.map((place) => (
                  <tr key={place.id}>
                    <th scope="row">
                      <button type="button" className="link plain" onClick={() => onChoose(place.id)}>
                        {name(place)}
                      </button>
                      <small className={styles.under}>
                        <Translated text={place.farm.name} />
                      </small>
                    </th>
                    <td>
                      <StateMark state={stateOfCounts(place.counts)} />
                    </td>
                    <td>
                      <AlarmMarks alarms={place.counts.alarms} />
                    </td>
                    <td className="numeric">
                      {number(place.counts.units)}
                      {place.counts.bare > 0 && (
                        <small className={styles.under}>{t("{count} 未绑定", { count: place.counts.bare })}</small>
                      )}
                    </td>
                    <td className="numeric">{number(place.counts.headCount)}</td>
                    <td className="numeric">
                      {number(place.counts.online + place.counts.fault)} / {number(place.counts.devices)}
                    </td>
                    <td className="numeric">{number(place.counts.offline)}</td>
                    <td className="numeric">{number(place.counts.silent)}</td>
                    <td className="numeric">{number(place.counts.fault)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <ul className={`${styles.cards} narrow-only`}>
            {rows.map((place) => (
              <li key={place.id}>
                <button type="button" onClick={() => onChoose(place.id)}>
                  <b>{name(place)}</b>
                  <StateMark state={stateOfCounts(place.counts)} />
                  <span className="mut">
                    <Translated text={place.farm.name} />
                    {"　"}
                    {t("{count} 个单元", { count: place.counts.units })}
                  </span>
                  <span className={`mut ${styles.unheard}`}>
                    {saidOf([
                      [place.counts.offline, t("{count} 离线", { count: place.counts.offline })],
                      [place.counts.silent, t("{count} 尚无上报", { count: place.counts.silent })],
                      [place.counts.bare, t("{count} 未绑定", { count: place.counts.bare })],
                    ])}
                  </span>
                  <AlarmMarks alarms={place.counts.alarms} />
                </button>
              </li>
            ))}
          </ul>
          {found.length > rows.length && (
            <p className={styles.more}>
              <button type="button" className="btn" onClick={() => setShown(shown + rowsAtATime)}>
                {t("再显示 {count} 栋", { count: Math.min(rowsAtATime, found.length - rows.length) })}
              </button>
            </p>
          )}
        </>
      )}
    </>
  );
}
