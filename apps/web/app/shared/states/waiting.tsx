import { useTranslate } from "../language/use-language.ts";
import { Skeleton } from "./skeleton.tsx";

/** Stands in a card until its first answer is here. */
export function Waiting() {
  const t = useTranslate();
  return (
    <p className="calm" role="status">
      <span className="visually-hidden">{t("正在加载")}</span>
      <Skeleton width={16} />
    </p>
  );
}
