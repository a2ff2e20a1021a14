import { Icon } from "../icons/icon.tsx";
import { useTranslate } from "../language/use-language.ts";
import type { Row } from "./form-values.ts";
import { useListControls } from "./list-controls.ts";
import styles from "./resource-table.module.css";

/**
 * Button of a row's actions. The list has one menu, which is positioned at the pressed button, because a menu for each of ten
 * thousand rows would cost more than the rows.
 */
export function RowMenu({ row, title, tabIndex }: { row: Row; title: string; tabIndex: number }) {
  const t = useTranslate();
  const { menu } = useListControls();
  if (!menu) return null;
  return (
    <button
      type="button"
      className={styles.more}
      tabIndex={tabIndex}
      aria-haspopup="menu"
      aria-label={t("{name} 的操作", { name: title })}
      onClick={(event) => menu(row, event.currentTarget)}
    >
      <Icon name="more" small />
    </button>
  );
}
