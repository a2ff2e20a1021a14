import { Mark } from "../icons/mark.tsx";
import { Button } from "../kit/button.tsx";
import { useFormats, useTranslate } from "../language/use-language.ts";
import styles from "./row-form.module.css";

const halfDayMs = 43_200_000;

interface RestoredDraftProps {
  atMs: number;
  count: number;
  onDiscard: () => void;
}

/** Notice that a form contains earlier, unsaved input. */
export function RestoredDraft({ atMs, count, onDiscard }: RestoredDraftProps) {
  const t = useTranslate();
  const { time, dayTime } = useFormats();
  return (
    <div className={styles.restored}>
      <Mark name="notice" />
      <span>
        {t("已恢复 {time} 没存完的内容，{count} 处。", {
          time: Date.now() - atMs < halfDayMs ? time(atMs) : dayTime(atMs),
          count,
        })}
      </span>
      <Button kind="link" onPress={onDiscard}>
        {t("丢弃")}
      </Button>
    </div>
  );
}
