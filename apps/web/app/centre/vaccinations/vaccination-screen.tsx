import { type ResourceDeclaration, referenceNameOf } from "@herdwise/contract/resource";
import { Translated } from "../../shared/language/translated.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { StateTag } from "../../shared/process/state-tag.tsx";
import { Nothing } from "../../shared/resource/cell.tsx";
import type { Cells } from "../../shared/resource/cells.ts";
import { ResourceScreen } from "../../shared/resource/resource-screen.tsx";
import { planStates } from "./plan-states.ts";
import styles from "./vaccinations.module.css";

const dayMs = 86_400_000;
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

const cells: Cells = {
  /** What is injected, by which an injection is known; its number is for the injector. */
  task: ({ row, value }) => (
    <span className={styles.task}>
      <Translated text={textOf(row[referenceNameOf("medicineId")])} />{" "}
      <small className="mut num">{textOf(value)}</small>
    </span>
  ),
  plannedOn: function PlannedOn({ value }) {
    const t = useTranslate();
    const day = textOf(value).slice(0, 10);
    const days = Math.ceil((Date.parse(`${day}T00:00:00+08:00`) - Date.now()) / dayMs);
    return (
      <span className={styles.planned}>
        <span className="num">{day}</span>
        {days > 0 && <small className="mut">{t("{count} 天后", { count: days })}</small>}
        {days < 0 && <small className="mut">{t("{count} 天前", { count: -days })}</small>}
      </span>
    );
  },
  state: ({ value }) => {
    const state = planStates[textOf(value)];
    return state ? <StateTag mark={state.mark} word={state.word} plain /> : <Nothing />;
  },
};

/** Planned injections; those whose day is over without a word of the injector stand first. */
export function VaccinationScreen({ of }: { of: ResourceDeclaration }) {
  return <ResourceScreen of={of} cells={cells} />;
}
