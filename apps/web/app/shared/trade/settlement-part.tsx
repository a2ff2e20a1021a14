import { type OrderView, settlements } from "@herdwise/contract";
import { yuanText } from "@herdwise/contract/money";
import { lineArithmetic, type SettlementLine } from "@herdwise/contract/settlement";
import { Fragment } from "react";
import { ScrollTable } from "../kit/scroll-table.tsx";
import { Translated } from "../language/translated.tsx";
import { useTranslate } from "../language/use-language.ts";
import { StateTag } from "../process/state-tag.tsx";
import styles from "./order-detail.module.css";
import { OpenAmount } from "./trade-cells.tsx";
import { kg } from "./trade-figures.ts";
import { VehicleHead, VehicleRow } from "./vehicle-table.tsx";

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
export function SettlementPart({
  settlement,
  openFen,
}: {
  settlement: NonNullable<OrderView["settlement"]>;
  /** What is owed of the order now. */
  openFen: number;
}) {
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
        <VehicleHead names={names} />
        <tbody>
          {(settlement.lines as SettlementLine[]).map((line) => {
            const { plate, netGrams, fenPerKg, adjustmentFen, unitFen, amountFen } = line;
            const figures = [
              kg(netGrams),
              bandText(line),
              yuanText(fenPerKg),
              yuanText(adjustmentFen),
              yuanText(unitFen),
              yuanText(amountFen),
            ];
            return (
              <Fragment key={`${plate} ${line.grossGrams}`}>
                <VehicleRow plate={plate} names={names} figures={figures} />
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
          <dd className="num">{yuanText(goodsFen)}</dd>
        </div>
        {deductionFen > 0 && (
          <div>
            <dt>
              {t("扣款")}
              <small>
                <Translated text={deductionReason} />
              </small>
            </dt>
            <dd className="num">{yuanText(-deductionFen)}</dd>
          </div>
        )}
        {taxFen > 0 && (
          <div>
            <dt>{t("税额")}</dt>
            <dd className="num">{yuanText(taxFen)}</dd>
          </div>
        )}
        <div className={styles.due}>
          <dt>{t("货款合计")}</dt>
          <dd className="num">{yuanText(totalFen)}</dd>
        </div>
        <div>
          <dt>{t("结算前已付")}</dt>
          <dd className="num">{yuanText(-paidFen)}</dd>
        </div>
        <div className={styles.due}>
          <dt>{t(leftFen < 0 ? "退给买方" : "买方补款")}</dt>
          <dd className="num">{yuanText(Math.abs(leftFen))}</dd>
        </div>
        {settlement.state === "confirmed" && leftFen !== 0 && (
          <div>
            <dt>{t(openFen < 0 ? "目前还要退" : openFen > 0 ? "目前还欠" : "目前")}</dt>
            <dd>
              {openFen === 0 ? (
                <OpenAmount value={openFen} />
              ) : (
                <span className="num">{yuanText(Math.abs(openFen))}</span>
              )}
            </dd>
          </div>
        )}
      </dl>
    </div>
  );
}
