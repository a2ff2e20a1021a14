import { Button } from "../../shared/kit/button.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import styles from "./newer-older.module.css";

/** The way through pages of what happened, newest first; nothing where one page holds all. */
export function NewerOlder({
  current,
  pages,
  onChange,
}: {
  current: number;
  pages: number;
  onChange: (current: number) => void;
}) {
  const t = useTranslate();
  if (pages <= 1 && current === 1) return null;
  return (
    <p className={styles.more}>
      <Button isDisabled={current === 1} onPress={() => onChange(current - 1)}>
        {t("较新")}
      </Button>
      <Button isDisabled={current >= pages} onPress={() => onChange(current + 1)}>
        {t("较早")}
      </Button>
    </p>
  );
}
