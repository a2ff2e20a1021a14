import type { MenuEffect } from "@herdwise/contract";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import panel from "../roles/effect-panel.module.css";
import { Sign } from "../roles/grant-tree.tsx";
import styles from "./tenants.module.css";

/** Entries that are listed one by one. */
const mostListed = 60;

type Entry = MenuEffect["entries"][number];

function Entries({ title, entries, kind }: { title: string; entries: readonly Entry[]; kind: "given" | "taken" }) {
  const t = useTranslate();
  const { number } = useFormats();
  if (entries.length === 0) return null;
  const rest = entries.slice(mostListed).length;
  return (
    <>
      <h3>{title}</h3>
      <ul className={panel.changes}>
        {entries.slice(0, mostListed).map((entry) => (
          <li key={entry.id}>
            <Sign kind={kind} />
            <span>{entry.parentName === "" ? t(entry.name) : `${t(entry.parentName)} · ${t(entry.name)}`}</span>
            <small className="num">
              {t("{count} 人", { count: number(kind === "given" ? entry.gained : entry.lost) })}
            </small>
          </li>
        ))}
      </ul>
      {rest > 0 && <p className="mut">{t("还有 {count} 项", { count: number(rest) })}</p>}
    </>
  );
}

/** Whom a change that is not saved yet concerns, and which screens and buttons they gain or lose. */
export function EffectView({ effect, behind }: { effect: MenuEffect; behind: boolean }) {
  const t = useTranslate();
  const { number } = useFormats();
  const of = (category: number, kind: "gained" | "lost") =>
    effect.entries.filter((entry) => entry.category === category && entry[kind] > 0);
  return (
    <div className={`${panel.part} ${styles.effect}`} aria-busy={behind} aria-live="polite">
      <p className={styles.concerned}>
        {effect.members === 0
          ? t("没有人的页面或按钮会变。")
          : t("{tenants} 个租户的 {members} 人会有变化", {
              tenants: number(effect.tenants),
              members: number(effect.members),
            })}
      </p>
      <Entries title={t("失去的页面")} entries={of(1, "lost")} kind="taken" />
      <Entries title={t("多出的页面")} entries={of(1, "gained")} kind="given" />
      <Entries title={t("失去的按钮")} entries={of(2, "lost")} kind="taken" />
      <Entries title={t("多出的按钮")} entries={of(2, "gained")} kind="given" />
    </div>
  );
}
