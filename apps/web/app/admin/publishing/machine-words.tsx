import { Mark } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import styles from "./publishing.module.css";
import type { Check } from "./publishing-frame.tsx";

interface MachineWordsProps {
  /** Of the field, and what it is called. */
  language: "zh" | "en";
  name: string;
  /** Whether the field holds a machine's words that nobody has read. */
  unread: boolean;
  /** Whether it is empty and the other language has something to translate. */
  offered: boolean;
  isDisabled: boolean;
  onPropose: () => void;
  onAccept: () => void;
}

/** What a machine may do for a field: propose words where none are, and have its own looked at. */
export function MachineWords({ language, name, unread, offered, isDisabled, onPropose, onAccept }: MachineWordsProps) {
  const t = useTranslate();
  if (!unread && !offered) return null;
  const asked = t(unread ? "重新翻译" : language === "en" ? "由中文翻译" : "由英文翻译");
  return (
    <div className={styles.machine} data-unread={unread || undefined}>
      {unread && (
        <>
          <span className="state minor">
            <Mark name="minor" />
            {t("机器翻译，还没人看过")}
          </span>
          <Button small isDisabled={isDisabled} aria-label={`${t("看过了，采用")} (${name})`} onPress={onAccept}>
            {t("看过了，采用")}
          </Button>
        </>
      )}
      <Button small isDisabled={isDisabled} aria-label={`${asked} (${name})`} onPress={onPropose}>
        {asked}
      </Button>
    </div>
  );
}

/** What is told before publishing of words that a machine translated and nobody has read. @returns a function of how many there are by language */
export function useUnreadChecks(): (unread: Readonly<Record<"zh" | "en", number>>) => Check[] {
  const t = useTranslate();
  return (unread) =>
    (["zh", "en"] as const)
      .filter((language) => unread[language] > 0)
      .map((language) => ({
        mark: "minor",
        text: t(
          language === "en"
            ? "英文有 {count} 处机器翻译还没人看过：页面会写明，搜索引擎不收录"
            : "中文有 {count} 处机器翻译还没人看过：页面会写明，搜索引擎不收录",
          { count: unread[language] },
        ),
      }));
}
