import { type ReactNode, useRef } from "react";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import styles from "./effect-panel.module.css";

interface EffectPanelProps {
  /** Of the columns: class, and what its style sheet asks for. */
  columns: { className: string | undefined; "data-comparing"?: true | undefined };
  /** What is edited. */
  edited: ReactNode;
  /** Number of changes that are not saved. */
  changes: number;
  /** What they are and whom they concern; a sentence says so while there are none. */
  children: ReactNode;
  /** Below the changes, also while there are none. */
  notes?: ReactNode;
  readOnly: boolean;
  saving: boolean;
  onRevert: () => void;
  onSave: () => void;
}

/** What is edited, and beside it the changes, whom they concern, and saving them. On a narrow window saving stays at the lower edge. */
export function EffectPanel({
  columns,
  edited,
  changes,
  children,
  notes,
  readOnly,
  saving,
  onRevert,
  onSave,
}: EffectPanelProps) {
  const t = useTranslate();
  const { number } = useFormats();
  const side = useRef<HTMLElement>(null);
  const buttons = (
    <>
      <Button isDisabled={changes === 0 || saving} onPress={onRevert}>
        {t("还原")}
      </Button>
      <Button kind="primary" isDisabled={changes === 0 || saving} onPress={onSave}>
        {saving ? t("正在保存") : changes === 0 ? t("保存") : t("保存 {count} 处", { count: number(changes) })}
      </Button>
    </>
  );
  return (
    <>
      <div {...columns}>
        {edited}
        <aside ref={side} className={`card ${styles.side}`} aria-label={t("改了什么，关系到谁")}>
          <header>
            <h2>{t("改了什么，关系到谁")}</h2>
          </header>
          <div className={styles.told}>
            {changes === 0 ? <p className={styles.part}>{t("还没有改动。")}</p> : children}
            {notes}
          </div>
          {!readOnly && (
            <div className={styles.save}>
              <span className="mut">{changes > 0 ? t("保存后下一次点击生效") : ""}</span>
              {buttons}
            </div>
          )}
        </aside>
      </div>
      {changes > 0 && !readOnly && (
        <div className={styles.dock}>
          <Button kind="link" onPress={() => side.current?.scrollIntoView({ block: "start" })}>
            {t("改动 {count} 处", { count: number(changes) })}
          </Button>
          {buttons}
        </div>
      )}
    </>
  );
}

/** Why the changes were not saved, above what is edited. */
export function NotSaved({ why }: { why: string | undefined }) {
  if (why === undefined) return null;
  return (
    <p className={styles.refused} role="alert">
      <Mark name="major" />
      {why}
    </p>
  );
}
