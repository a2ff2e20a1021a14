import { Mark, type MarkName } from "../icons/mark.tsx";
import { useTranslate } from "../language/use-language.ts";

interface StateTagProps {
  /** A key of the translations. */
  word: string;
  values?: Readonly<Record<string, string | number>>;
  mark: MarkName;
  /** Without a ground, in a line of text. */
  plain?: boolean;
}

/** Where something stands, in a shape and words. */
export function StateTag({ word, values, mark, plain = false }: StateTagProps) {
  const t = useTranslate();
  return (
    <span className={`${plain ? "state" : "tag"} ${mark === "empty" ? "off" : mark}`}>
      <Mark name={mark} />
      {t(word, values)}
    </span>
  );
}
