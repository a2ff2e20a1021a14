import type { ReactNode } from "react";
import { useTranslate } from "../language/use-language.ts";
import { type ExceptionType, emptyHouseArt } from "./state-art.tsx";

const words: Readonly<Record<ExceptionType, { title: string; text: string }>> = {
  "403": { title: "没有访问权限", text: "您没有访问权限，请开通资源权限。" },
  "404": { title: "页面不存在", text: "您访问的页面不存在，可能已经移走，或地址写错了。" },
  "500": { title: "服务器出错了", text: "这不是您的问题。请稍后再试，或换一个入口。" },
  empty: { title: "暂无数据", text: "这里还没有内容。" },
  noSearchData: { title: "请先选择查询条件", text: "选好条件后，结果会显示在这里。" },
};

export interface ExceptionProps {
  type: ExceptionType;
  /** Replaces the picture. */
  image?: ReactNode;
  /** Replaces the heading. */
  title?: string;
  /** Replaces the sentence. */
  text?: ReactNode;
  /** More than a sentence, below it. */
  details?: ReactNode;
  /** What to do next. */
  children?: ReactNode;
  /** Offers the way to the home page. */
  homeLink?: boolean;
  /** Stands alone on its page, so that its heading is the page's. */
  wholePage?: boolean;
}

/** What stands in place of content: says what happened and what to do next (product.md 2). */
export function ExceptionView({
  type,
  image,
  title,
  text,
  details,
  children,
  homeLink = false,
  wholePage = false,
}: ExceptionProps) {
  const t = useTranslate();
  const Heading = wholePage ? "h1" : "h2";
  return (
    <div className={`exception ${type === "empty" || type === "noSearchData" ? "small" : ""}`}>
      {image ?? emptyHouseArt(type)}
      <Heading>{title ?? t(words[type].title)}</Heading>
      <p>{text ?? t(words[type].text)}</p>
      {details}
      {(children || homeLink) && (
        <div className="exception-actions">
          {children}
          {homeLink && (
            <a className="btn primary" href="/index">
              {t("回到首页")}
            </a>
          )}
        </div>
      )}
    </div>
  );
}
