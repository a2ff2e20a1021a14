import { type ResourceDeclaration, referenceNameOf } from "@herdwise/contract/resource";
import { Translated, TranslatedLine } from "../../shared/language/translated.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { StateTag } from "../../shared/process/state-tag.tsx";
import type { Cells } from "../../shared/resource/cells.ts";
import { ResourceScreen } from "../../shared/resource/resource-screen.tsx";
import { useTodos } from "../todos/use-todos.ts";
import styles from "./vaccinations.module.css";

const dayMs = 86_400_000;
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

const cells: Cells = {
  /** What is planned for whom says more than the number of the task, which stands beside it. */
  task: ({ row, value }) => (
    <>
      <Translated text={textOf(row[referenceNameOf("medicineId")])} />
      {" · "}
      <TranslatedLine text={textOf(row[referenceNameOf("unitId")])} />
      <small className={`mut num ${styles.task}`}>{textOf(value)}</small>
    </>
  ),
  plannedOn: function PlannedOn({ row, value }) {
    const t = useTranslate();
    const { data } = useTodos();
    const day = textOf(value).slice(0, 10);
    const waiting = data?.todos.find(({ kind, id }) => kind === "vaccination" && id === row.id);
    const days = Math.ceil((Date.parse(`${day}T00:00:00+08:00`) - Date.now()) / dayMs);
    return (
      <span className={styles.planned}>
        <span className="num">{day}</span>
        {waiting?.late ? (
          <StateTag mark="major" word="已过期，注射器还没有报完成" plain />
        ) : (
          days > 0 && <small className="mut">{t("{count} 天后", { count: days })}</small>
        )}
      </span>
    );
  },
};

/** Planned injections, each named by what it is for; those whose day is over without a word of the injector say so. */
export function VaccinationScreen({ of }: { of: ResourceDeclaration }) {
  return <ResourceScreen of={of} cells={cells} />;
}
