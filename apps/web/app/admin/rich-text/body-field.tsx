import { lazy, Suspense } from "react";
import { Mark } from "../../shared/icons/mark.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import type { PastedBody } from "./paste.ts";
import styles from "./rich-text.module.css";
import type { RichTextProps } from "./rich-text.tsx";

/** The editor's library is fetched when its screen is there. */
const RichText = lazy(async () => ({ default: (await import("./rich-text.tsx")).RichText }));

/** A body with its tools; its place is kept while the editor is fetched. */
export const BodyField = (props: RichTextProps) => (
  <Suspense fallback={<div className={styles.waiting} />}>
    <RichText {...props} />
  </Suspense>
);

/** What a paste lost and what came along. @param takesPictures whether the body may show pictures */
export function PastedNote({ pasted, takesPictures = true }: { pasted: PastedBody; takesPictures?: boolean }) {
  const t = useTranslate();
  return (
    <p className={styles.pasted} role="status">
      <Mark name="notice" />
      {t("粘贴时去掉了 {looks} 处字体与颜色、{empty} 个空段、{comments} 处批注和隐藏标记，文字和结构留下了。", {
        looks: pasted.looks,
        empty: pasted.empty,
        comments: pasted.comments,
      })}
      {pasted.pictures > 0 && t("带来了 {count} 张图片。", { count: pasted.pictures })}
      {pasted.lost > 0 &&
        t(
          takesPictures
            ? "{count} 张图片没能带来：浏览器读不到，或不是 jpg、png，请单独插入。"
            : "{count} 张图片没有带来：这里只放文字和版块。",
          { count: pasted.lost },
        )}
    </p>
  );
}
