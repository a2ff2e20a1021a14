import type { ReactNode } from "react";
import { Icon } from "../icons/icon.tsx";
import { useTranslate } from "../language/use-language.ts";

interface BulkBarProps {
  /** How many rows are chosen, in the chosen language. */
  words: string;
  onClear: () => void;
  /** What can be done with them. */
  children: ReactNode;
}

/** Over a list while rows of it are chosen. */
export function BulkBar({ words, onClear, children }: BulkBarProps) {
  const t = useTranslate();
  return (
    <div className="bulk" role="status">
      <b className="num">{words}</b>
      <span className="spacer" />
      {children}
      <button type="button" className="icon-button" aria-label={t("取消选择")} onClick={onClear}>
        <Icon name="close" small />
      </button>
    </div>
  );
}
