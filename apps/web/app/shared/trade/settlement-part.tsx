import { type OrderView, settlements } from "@herdwise/contract";
import { lineArithmetic, type SettlementLine } from "@herdwise/contract/settlement";
import { Fragment } from "react";
import { ScrollTable } from "../kit/scroll-table.tsx";
import { Translated } from "../language/translated.tsx";
import { useTranslate } from "../language/use-language.ts";
import { StateTag } from "../process/state-tag.tsx";
import styles from "./order-detail.module.css";
import { kg, yuan } from "./trade-figures.ts";

/** The band of a line, in kg. */
const bandText = ({ band }: Pick<SettlementLine, "band">): string =>
  band ? `${band.fromGrams / 1000}–${band.toGrams / 1000}` : "--";

const columns = [
  ["净重", "kg"],
  ["体重段", "kg"],
  ["成交价", ""],
  ["调价", ""],
  ["结算单价", ""],
  ["金额", "元"],
] as const;

/** A settlement: each vehicle with its arithmetic, and what is paid in the end. */
export function SettlementPart({ settlement }: { settlement: NonNullable<OrderView["settlement"]> }) {
  const t = useTranslate();
  const names = columns.map(([name, unit]) => [t(name), t(unit)].join(" ").trim());
  const { states } = settlements.process;
  const face = states[settlement.state as keyof typeof states];
  const { goodsFen, deductionFen, deductionReason, taxFen, totalFen, paidFen, leftFen } = settlement;
  return (
    <div className={styles.part}>
      <h3>
        {t("结算")} {face && <StateTag {...face} plain />}
      </h3>
      <ScrollTable label={t("结算")} className={styles.table}>
        <thead>
          <tr>
            <th>{t("车牌")}</th>
            {names.map((name) => (
              <th key={name} className="numeric">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {(settlement.lines as SettlementLine[]).map((line) => {
            const { plate, netGrams, fenPerKg, adjustmentFen, unitFen, amountFen } = line;
            const figures = [
              kg(netGrams),
              bandText(line),
              yuan(fenPerKg),
              yuan(adjustmentFen),
              yuan(unitFen),
              yuan(amountFen),
            ];
            return (
              <Fragment key={`${plate} ${line.grossGrams}`}>
                <tr>
                  <th scope="row" lang="zh-CN">
                    {plate}
                  </th>
                  {figures.map((figure, index) => (
                    <td key={names[index]} className="numeric" data-name={names[index]}>
                      {figure}
                    </td>
                  ))}
                </tr>
                <tr className={styles.worked}>
                  <td colSpan={7} className="num">
                    {lineArithmetic(line)}
                  </td>
                </tr>
              </Fragment>
            );
          })}
        </tbody>
      </ScrollTable>
      <p className={styles.note}>{t("金额算到分，正好半分时取偶数。")}</p>
      <dl className={styles.sums}>
        <div>
          <dt>{t("货款")}</dt>
          <dd className="num">{yuan(goodsFen)}</dd>
        </div>
        {deductionFen > 0 && (
          <div>
            <dt>
              {t("扣款")}
              <small>
                <Translated text={deductionReason} />
              </small>
            </dt>
            <dd className="num">{yuan(-deductionFen)}</dd>
          </div>
        )}
        {taxFen > 0 && (
          <div>
            <dt>{t("税额")}</dt>
            <dd className="num">{yuan(taxFen)}</dd>
          </div>
        )}
        <div className={styles.due}>
          <dt>{t("货款合计")}</dt>
          <dd className="num">{yuan(totalFen)}</dd>
        </div>
        <div>
          <dt>{t("结算前已付")}</dt>
          <dd className="num">{yuan(-paidFen)}</dd>
        </div>
        <div className={styles.due}>
          <dt>{t(leftFen < 0 ? "退给买方" : "买方补款")}</dt>
          <dd className="num">{yuan(Math.abs(leftFen))}</dd>
        </div>
      </dl>
    </div>
  );
}
