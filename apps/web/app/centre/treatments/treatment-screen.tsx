import { type ResourceDeclaration, referenceNameOf } from "@herdwise/contract/resource";
import { loadResource } from "@herdwise/contract/resource-loader";
import { shanghaiDay } from "@herdwise/contract/shanghai";
import { useLoad } from "../../shared/api/use-load.ts";
import { Translated } from "../../shared/language/translated.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { StateTag } from "../../shared/process/state-tag.tsx";
import { Nothing } from "../../shared/resource/cell.tsx";
import type { Cells } from "../../shared/resource/cells.ts";
import { callPage } from "../../shared/resource/resource-api.ts";
import { ResourceScreen } from "../../shared/resource/resource-screen.tsx";
import styles from "./treatments.module.css";
import { withdrawalEnd } from "./withdrawal-end.ts";

/** Far more than a group uses. */
const mostMedicines = 200;
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** Withdrawal periods by the medicine's id; empty for who may not see medicines. */
const usePeriods = (): ReadonlyMap<string, number> | undefined =>
  useLoad("withdrawal periods", async (signal) => {
    const medicines = await loadResource("medicine");
    if (!medicines) return new Map<string, number>();
    const { records } = await callPage(medicines, { current: 1, size: mostMedicines }, signal);
    return new Map(records.map(({ id, withdrawalDays }) => [textOf(id), Number(withdrawalDays)]));
  }).value;

/** A day that does not break after its hyphens. */
const wholeDay = (day: string): string => day.replaceAll("-", "-\u2060");

const cells: Cells = {
  /** Of what was not given there are no days. */
  days: function Days({ row, value }) {
    const t = useTranslate();
    return row.type === "treatment" ? (
      <span className="num">{t("{count} 天", { count: Number(value) })}</span>
    ) : (
      <Nothing />
    );
  },
  /** What was given, and until when the pigs may not be sold. */
  medicineId: function Medicine({ row, value }) {
    const t = useTranslate();
    const periods = usePeriods();
    const name = textOf(row[referenceNameOf("medicineId")]);
    const days = periods?.get(textOf(value)) ?? 0;
    const end = days > 0 ? withdrawalEnd(textOf(row.onDay).slice(0, 10), Number(row.days ?? 1), days) : "";
    if (name === "") return <Nothing />;
    return (
      <span className={styles.medicine}>
        <Translated text={name} />
        {end !== "" &&
          (end >= shanghaiDay(Date.now()) ? (
            <StateTag mark="minor" word="休药期到 {day}" values={{ day: wholeDay(end) }} plain />
          ) : (
            <small className="mut">{t("休药期止于 {day}", { day: end })}</small>
          ))}
      </span>
    );
  },
};

/** What a veterinarian found and gave, each medicine with the end of its withdrawal period. */
export function TreatmentScreen({ of }: { of: ResourceDeclaration }) {
  return <ResourceScreen of={of} cells={cells} />;
}
