import { Icon } from "../icons/icon.tsx";
import { useTranslate } from "../language/use-language.ts";
import styles from "./chips.module.css";

/** What was chosen, each with a button that takes it back. @param onRemove undefined where nothing can be taken back */
export function Chips({
  labelledBy,
  chips,
  onRemove,
}: {
  labelledBy: string;
  /** Names in the chosen language; "" while one is not known. */
  chips: readonly { value: string; name: string }[];
  onRemove: ((value: string) => void) | undefined;
}) {
  const t = useTranslate();
  if (chips.length === 0) return null;
  return (
    <ul className={styles.chips} aria-labelledby={labelledBy}>
      {chips.map(({ value, name }) => (
        <li key={value}>
          {name || "…"}
          {onRemove && (
            <button type="button" aria-label={t("去掉 {name}", { name })} onClick={() => onRemove(value)}>
              <Icon name="close" small />
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}
